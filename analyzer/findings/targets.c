/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about.
 */
#include "findings/targets.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/course.h"

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

/* ---- rows that are meant, and their calls -------------------------------------------- */

static struct targets_outermost sum_courses(const struct session *session, const bool *slots,
                                            uint64_t from_ns)
{
    struct targets_outermost sum = {0};

    for (uint32_t i = 0; i < session->courses.count; i++) {
        const struct session_course *course = course_of(session, i);
        const struct course_call *calls = course->calls.items;

        for (size_t j = 0; j < course->calls.count; j++)
            if (slots[calls[j].slot] && calls[j].start_ns >= from_ns) {
                sum.calls++;
                sum.thread_ns += (double)course_length_ns(&calls[j]);
            }
    }
    return sum;
}

void targets_note_slots(bool *slots, const struct groups *groups, const struct group *group)
{
    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(groups, i))
        slots[i] = true;
}

enum status targets_gather(struct targets *targets, struct targets_outermost *outermost,
                           const struct findings_context *context, targets_meant is_meant,
                           const void *what, uint64_t from_ns)
{
    bool *slots = calloc(context->session->slots.count + 1, sizeof *slots);

    *outermost = (struct targets_outermost){0};
    if (!slots)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!is_meant(group, what))
            continue;
        targets_add(targets, group, 0);
        targets_note_slots(slots, &context->groups, group);
    }
    *outermost = sum_courses(context->session, slots, from_ns);
    free(slots);
    return STATUS_OK;
}

/* ---- what is said ---------------------------------------------------------------------- */

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
    char error[UNITS_SIZE];

    if (group_is_rough(group))
        text_appendf(text, " +- %s", isnan(part) ? "unknown" : units_format_percent(error, part));
}

/* `context`: whose wall time the shares are of; NULL: names alone. */
static void append_rows(struct text *text, const struct targets *targets,
                        const struct findings_context *context)
{
    char share[UNITS_SIZE];

    for (size_t i = 0; i < targets->count && i < TARGETS_NAMED; i++) {
        const struct group *group = targets->named[i];

        text_append(text, i ? ", " : "");
        findings_append_name(text, group);
        if (!context)
            continue;
        text_appendf(
            text, " (%s",
            units_format_percent(share, findings_fraction(context, (double)group->self_ns)));
        targets_append_error(text, context, group);
        text_append(text, ")");
    }
    if (targets->count > TARGETS_NAMED)
        text_appendf(text, " and %zu more", targets->count - TARGETS_NAMED);
}

void targets_append(struct text *text, const struct targets *targets,
                    const struct findings_context *context)
{
    append_rows(text, targets, context);
}

static void append_sums(struct text *text, uint64_t calls, double thread_ns,
                        const struct findings_context *context)
{
    char count[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    text_appendf(text, "%s call%s, %s, %s of the wall time",
                 units_format_count(count, (int64_t)calls), units_choose(calls, "", "s"),
                 units_format_time(time, findings_wall_ns(context, thread_ns)),
                 units_format_percent(share, findings_fraction(context, thread_ns)));
}

void targets_append_sums(struct text *text, const struct targets *targets,
                         const struct findings_context *context)
{
    append_sums(text, targets->calls, targets->thread_ns, context);
    findings_append_whole(text, context);
}

void targets_add_outermost(struct targets *targets, struct targets_outermost *outermost,
                           const struct group *group)
{
    targets_add(targets, group, 0);
    outermost->calls += group->owning_calls;
    outermost->thread_ns += (double)group->owning_ns;
}

void targets_append_outermost(struct text *text, const struct targets *targets,
                              const struct targets_outermost *calls,
                              const struct findings_context *context)
{
    append_sums(text, calls->calls, calls->thread_ns, context);
    text_append(text, ", kernels inside of them included: ");
    append_rows(text, targets, NULL);
    findings_append_whole(text, context);
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
