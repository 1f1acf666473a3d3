/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about.
 */
#include "analysis/findings/targets.h"

#include <math.h>

#include "base/units.h"

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

void targets_append(struct text *text, const struct targets *targets,
                    const struct findings_context *context)
{
    char share[UNITS_SIZE];

    for (size_t i = 0; i < targets->count && i < TARGETS_NAMED; i++) {
        const struct group *group = targets->named[i];

        text_append(text, i ? ", " : "");
        findings_append_name(text, group);
        text_appendf(
            text, " (%s",
            units_format_percent(share, findings_fraction(context, (double)group->self_ns)));
        targets_append_error(text, context, group);
        text_append(text, ")");
    }
    if (targets->count > TARGETS_NAMED)
        text_appendf(text, " and %zu more", targets->count - TARGETS_NAMED);
}

void targets_append_sums(struct text *text, const struct targets *targets,
                         const struct findings_context *context)
{
    char calls[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    text_appendf(text, "%s call%s, %s, %s of the wall time",
                 units_format_count(calls, (int64_t)targets->calls),
                 units_choose(targets->calls, "", "s"),
                 units_format_time(time, findings_wall_ns(context, targets->thread_ns)),
                 units_format_percent(share, findings_fraction(context, targets->thread_ns)));
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
