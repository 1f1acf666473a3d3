/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MFU and HFU.
 */
#include "analysis/utilization.h"

#include <math.h>

#include "analysis/judge.h"
#include "analysis/kernel_precision.h"

struct utilization utilization_of(const struct groups *groups, const struct session *session,
                                  const struct analysis_options *options)
{
    const struct session_process *process = &session->process;
    struct utilization of = {(double)NAN, (double)NAN, 0};
    double model_seconds = 0, all_seconds = 0;

    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count < UINT32_MAX)
        of.threads = (unsigned)process->cpu_count;
    if (!options->machine || process->wall_ns == 0 || groups->rows.count == 0 || of.threads == 0)
        return of;
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        double peak = judge_peak(options->machine, kernel_precision_of(group), of.threads);

        if (isnan(group->flops) || group->flops == 0)
            continue;
        all_seconds += (double)group->flops / peak;
        if (group->kernel && group->kernel->class == CATALOG_MATMUL)
            model_seconds += (double)group->flops / peak;
    }
    of.mfu = 1e9 * model_seconds / (double)process->wall_ns;
    of.hfu = 1e9 * all_seconds / (double)process->wall_ns;
    return of;
}
