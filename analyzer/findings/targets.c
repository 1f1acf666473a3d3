/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about.
 */
#include "findings/targets.h"

#include <math.h>

#include "base/pool.h"
#include "findings/own_place.h"
#include "findings/row_calls.h"
#include "findings/texts.h"
#include "model/session.h"

void targets_add(struct targets *targets, const struct group *group, double saved_ns)
{
    if (targets->count < TARGETS_NAMED)
        targets->named[targets->count] = group;
    targets->count++;
    targets->calls += group->calls;
    targets->thread_ns += (double)group->self_ns;
    targets->saved_ns += saved_ns > 0 ? saved_ns : 0;
    targets->rough_ns += group_is_rough(group) ? (double)group->self_ns : 0;
}

/* Calls of the rows from a time on. */
struct late {
    const bool *rows;
    uint64_t from_ns;
    struct targets_outermost *sum;
};

static void add_late(void *what, const struct row_call *at)
{
    const struct late *late = what;

    if (!late->rows[at->row] || at->call->start_ns < late->from_ns)
        return;
    late->sum->calls++;
    late->sum->thread_ns += (double)course_length_ns(at->call);
}

void targets_gather(struct targets_outermost *outermost, const struct findings_context *context,
                    targets_meant is_meant, const void *what, uint64_t from_ns)
{
    bool *rows = pool_get_zeros(context->groups.rows.count + 1, sizeof *rows);
    struct late late = {rows, from_ns, outermost};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        rows[i] = is_meant(context, i, what);
        if (rows[i])
            targets_add(&outermost->rows, findings_group(context, i), 0);
    }
    row_calls_follow(context, add_late, &late);
}

void targets_add_outermost(struct targets_outermost *outermost, const struct group *group,
                           double share)
{
    targets_add(&outermost->rows, group, 0);
    outermost->calls += group->owning_calls;
    outermost->thread_ns += (double)group->owning_ns;
    outermost->saved_ns += share * (double)group->owning_ns;
}

static double lower(double confidence, bool is_rough)
{
    return is_rough ? fmin(confidence, FINDING_CONFIDENCE_ROUGH) : confidence;
}

double targets_confidence(const struct targets *targets, double confidence)
{
    return lower(confidence, targets->rough_ns > targets->thread_ns / 2);
}

double targets_confidence_in(const struct group *group, double confidence)
{
    return lower(confidence, group_is_rough(group));
}

double findings_fraction(const struct findings_context *context, double thread_ns)
{
    return findings_wall_ns(context, thread_ns) / context->wall.ns;
}

void targets_append_error(struct text *text, const struct findings_context *context,
                          const struct group *group)
{
    double part = findings_fraction(context, sqrt(group->total_variance));

    if (!group_is_rough(group))
        return;
    if (isnan(part))
        say_part(text, targets_error_unknown_text);
    else
        say_part(text, targets_error_text, said_share(part));
}

static void append_share(struct text *text, const struct findings_context *context,
                         const struct group *group)
{
    say(text, targets_share_text, said_share(findings_fraction(context, (double)group->self_ns)));
    targets_append_error(text, context, group);
    text_append(text, ")");
}

void targets_end(struct text *text, const struct targets *targets,
                 const struct findings_context *context)
{
    text_append(text, ": ");
    for (size_t i = 0; i < targets->count && i < TARGETS_NAMED; i++) {
        text_append(text, i ? ", " : "");
        findings_append_name(text, targets->named[i]);
        if (context)
            append_share(text, context, targets->named[i]);
    }
    if (targets->count > TARGETS_NAMED)
        say(text, targets_more_text, said_count(targets->count - TARGETS_NAMED));
    text_append(text, ".");
}

static void say_sums(struct text *text, uint64_t calls, double thread_ns,
                     const struct findings_context *context)
{
    say(text, targets_take_text, said_count(calls), said_time(findings_wall_ns(context, thread_ns)),
        said_share(findings_fraction(context, thread_ns)));
}

void targets_say(struct text *text, const struct targets *targets,
                 const struct findings_context *context)
{
    say_sums(text, targets->calls, targets->thread_ns, context);
    targets_end(text, targets, context);
    findings_say_whole(text, context);
}

static struct finding *claim(struct findings *findings, const struct targets_outermost *of,
                             const struct findings_context *context, double confidence)
{
    return findings_add(findings,
                        &(struct finding_claim){findings_wall_ns(context, of->thread_ns),
                                                findings_wall_ns(context, of->saved_ns),
                                                targets_confidence(&of->rows, confidence)});
}

static const struct session_slot *find_largest_slot(const struct findings_context *context,
                                                    const struct group *group)
{
    const struct session_slot *largest = NULL;

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i)) {
        const struct session_slot *slot = session_slot_at(context->session, i);

        if (!largest || slot->self_ns > largest->self_ns)
            largest = slot;
    }
    return largest;
}

void targets_find_place(struct finding *finding, const struct targets *targets,
                        const struct findings_context *context)
{
    const struct session_slot *slot =
        targets->count > 0 ? find_largest_slot(context, targets->named[0]) : NULL;

    if (!slot || (double)slot->self_ns <= targets->thread_ns / 2)
        return;
    own_place_append_slot(&finding->place, context, slot);
}

struct finding *targets_claim(struct findings *findings, const struct targets *targets,
                              const struct findings_context *context, double confidence)
{
    const struct targets_outermost of = {*targets, targets->calls, targets->thread_ns,
                                         targets->saved_ns};
    struct finding *finding = claim(findings, &of, context, confidence);

    targets_say(&finding->evidence, targets, context);
    targets_find_place(finding, targets, context);
    finding_add_number(finding, "calls", (double)targets->calls);
    finding_add_number(finding, "rows", (double)targets->count);
    return finding;
}

struct finding *targets_claim_outermost(struct findings *findings,
                                        const struct targets_outermost *of,
                                        const struct findings_context *context, double confidence)
{
    struct finding *finding = claim(findings, of, context, confidence);

    say_sums(&finding->evidence, of->calls, of->thread_ns, context);
    say_part(&finding->evidence, targets_inside_text);
    targets_end(&finding->evidence, &of->rows, NULL);
    targets_find_place(finding, &of->rows, context);
    findings_say_whole(&finding->evidence, context);
    finding_add_number(finding, "calls", (double)of->calls);
    return finding;
}
