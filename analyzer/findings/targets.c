/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about.
 */
#include "findings/targets.h"

#include <math.h>
#include <stdlib.h>

#include "findings/row_calls.h"
#include "findings/texts.h"

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
    struct targets_outermost sum;
};

static void add_late(void *what, const struct row_call *at)
{
    struct late *late = what;

    if (!late->rows[at->row] || at->call->start_ns < late->from_ns)
        return;
    late->sum.calls++;
    late->sum.thread_ns += (double)course_length_ns(at->call);
}

enum status targets_gather(struct targets *targets, struct targets_outermost *outermost,
                           const struct findings_context *context, targets_meant is_meant,
                           const void *what, uint64_t from_ns)
{
    bool *rows = calloc(context->groups.rows.count + 1, sizeof *rows);
    struct late late = {.rows = rows, .from_ns = from_ns};

    if (rows) {
        for (size_t i = 0; i < context->groups.rows.count; i++) {
            rows[i] = is_meant(context, i, what);
            if (rows[i])
                targets_add(targets, findings_group(context, i), 0);
        }
        row_calls_follow(context, add_late, &late);
    }
    *outermost = late.sum;
    free(rows);
    return rows ? STATUS_OK : STATUS_OUT_OF_MEMORY;
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

/* `context`: whose wall time the shares are of; NULL: names alone. */
static void append_rows(struct text *text, const struct targets *targets,
                        const struct findings_context *context)
{
    for (size_t i = 0; i < targets->count && i < TARGETS_NAMED; i++) {
        text_append(text, i ? ", " : "");
        findings_append_name(text, targets->named[i]);
        if (context)
            append_share(text, context, targets->named[i]);
    }
    if (targets->count > TARGETS_NAMED)
        say(text, targets_more_text, said_count(targets->count - TARGETS_NAMED));
}

void targets_append(struct text *text, const struct targets *targets,
                    const struct findings_context *context)
{
    append_rows(text, targets, context);
}

static void say_sums(struct text *text, const struct targets_outermost *sums,
                     const struct findings_context *context)
{
    say(text, targets_take_text, said_count(sums->calls),
        said_time(findings_wall_ns(context, sums->thread_ns)),
        said_share(findings_fraction(context, sums->thread_ns)));
}

static void end_rows(struct text *text, const struct findings_context *context)
{
    text_append(text, ".");
    findings_say_whole(text, context);
}

void targets_say(struct text *text, const struct targets *targets,
                 const struct findings_context *context)
{
    const struct targets_outermost sums = {targets->calls, targets->thread_ns};

    say_sums(text, &sums, context);
    text_append(text, ": ");
    append_rows(text, targets, context);
    end_rows(text, context);
}

void targets_append_sums(struct text *text, const struct targets *targets,
                         const struct findings_context *context)
{
    const struct targets_outermost sums = {targets->calls, targets->thread_ns};

    say_sums(text, &sums, context);
    findings_append_whole(text, context);
}

void targets_add_outermost(struct targets *targets, struct targets_outermost *outermost,
                           const struct group *group)
{
    targets_add(targets, group, 0);
    outermost->calls += group->owning_calls;
    outermost->thread_ns += (double)group->owning_ns;
}

void targets_say_outermost(struct text *text, const struct targets *targets,
                           const struct targets_outermost *calls,
                           const struct findings_context *context)
{
    say_sums(text, calls, context);
    say_part(text, targets_inside_text);
    append_rows(text, targets, NULL);
    end_rows(text, context);
}

struct finding *targets_claim(struct findings *findings, const struct targets *targets,
                              const struct findings_context *context, double confidence)
{
    struct finding_claim claim = {findings_wall_ns(context, targets->thread_ns),
                                  findings_wall_ns(context, targets->saved_ns),
                                  targets_confidence(targets, confidence)};
    struct finding *finding = findings_add(findings, &claim);

    finding_add_number(findings, finding, "calls", (double)targets->calls);
    finding_add_number(findings, finding, "rows", (double)targets->count);
    return finding;
}
