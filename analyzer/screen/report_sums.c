/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums that the sections of a report share.
 */
#include "screen/report_sums.h"

#include <math.h>

#include "cpu/cpu_row.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

double report_cpu_percent(const struct session_process *process)
{
    double capacity = (double)process->wall_ns * (double)process->cpu_count;

    if (process->cpu_count == SESSION_UNKNOWN || capacity <= 0 || !process->has_last)
        return NAN;
    return 100 * (double)(process->last.user_ns + process->last.system_ns) / capacity;
}

struct report_coverage report_count_coverage(const struct session *session)
{
    struct report_coverage coverage = {0, 0, 0};

    for (size_t i = 0; i < session->hooks.count; i++) {
        const struct session_hook *hook = session_hook_at(session, i);

        *(hook->binding ? &coverage.hooked : &coverage.missed) += hook->slots;
    }
    for (size_t i = 0; i < session->bindings.count; i++)
        coverage.called += session_binding_at(session, i)->calls > 0;
    return coverage;
}

/* The findings need the processor time, too. */
static void find_findings(struct report_sums *sums, const struct analysis_options *options)
{
    struct findings_context context;

    findings_context_init(&context, sums->session, options);
    findings_evaluate(&sums->findings, &context);
    sums->cpu = context.time;
}

void report_sums_init(struct report_sums *sums, const struct session *session,
                      const struct analysis_options *options)
{
    groups_init(&sums->groups, session, options);

    sums->session = session;
    memory_work_init(&sums->memory, session, options);
    sums->compute = compute_find(session, &sums->groups, options);
    sums->kernel_ns = sums->groups.self_ns;
    sums->kernel_calls = sums->groups.calls;
    find_findings(sums, options);
}

void report_sums_fini(struct report_sums *sums)
{
    memory_work_fini(&sums->memory);
}
