/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about.
 */
#include "analysis/findings/selection.h"

#include "base/units.h"

void selection_add(struct selection *selection, const struct group *group, double saved_ns)
{
    if (selection->count < SELECTION_NAMED)
        selection->named[selection->count] = group;
    selection->count++;
    selection->calls += group->calls;
    selection->thread_ns += (double)group->self_ns;
    selection->saved_ns += saved_ns > 0 ? saved_ns : 0;
}

double findings_fraction(const struct findings_context *context, double thread_ns)
{
    return findings_wall_ns(context, thread_ns) / context->wall_ns;
}

void selection_append(struct text *text, const struct selection *selection,
                      const struct findings_context *context)
{
    char share[UNITS_SIZE];

    for (size_t i = 0; i < selection->count && i < SELECTION_NAMED; i++) {
        const struct group *group = selection->named[i];

        text_append(text, i ? ", " : "");
        findings_append_name(text, group);
        text_appendf(
            text, " (%s)",
            units_format_percent(share, findings_fraction(context, (double)group->self_ns)));
    }
    if (selection->count > SELECTION_NAMED)
        text_appendf(text, " and %zu more", selection->count - SELECTION_NAMED);
}

void selection_append_sums(struct text *text, const struct selection *selection,
                           const struct findings_context *context)
{
    char calls[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    text_appendf(text, "%s calls, %s, %s of the wall time",
                 units_format_count(calls, (int64_t)selection->calls),
                 units_format_time(time, findings_wall_ns(context, selection->thread_ns)),
                 units_format_percent(share, findings_fraction(context, selection->thread_ns)));
    findings_append_whole(text, context);
}

struct finding *selection_claim(struct findings *findings, const struct selection *selection,
                                const struct findings_context *context, double confidence)
{
    struct finding_claim claim = {findings_wall_ns(context, selection->thread_ns),
                                  findings_wall_ns(context, selection->saved_ns), confidence};
    struct finding *finding = findings_add(findings, &claim);

    finding_add_number(findings, finding, "calls", (double)selection->calls);
    finding_add_number(findings, finding, "rows", (double)selection->count);
    return finding;
}
