/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MFU and HFU: the least time that the peaks allow for the FLOPs, by the wall time.
 */
#include "analysis/kernels/utilization.h"

#include <math.h>

#include "analysis/kernels/judge.h"
#include "analysis/kernels/kernel_precision.h"
#include "analysis/kernels/slots.h"

/* Seconds that all allowed processors would take at peak. */
struct least {
    double model;
    double all;
};

static void add_slot(struct least *least, const struct session_slot *slot, double peak)
{
    const struct catalog_kernel *kernel = slot->kernel;
    double seconds = (double)(slot->flops_each * slot->calls) / peak;

    least->all += seconds;
    if (kernel && kernel->class == CATALOG_MATMUL)
        least->model += seconds;
}

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options)
{
    const struct session_process *process = &session->process;
    struct utilization of = {(double)NAN, (double)NAN, 0};
    struct least least = {0, 0};

    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count < UINT32_MAX)
        of.threads = (unsigned)process->cpu_count;
    if (!options->machine || process->wall_ns == 0 || session->slots.count == 0 || of.threads == 0)
        return of;
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = array_at(&session->slots, i);

        if (slot->nested || isnan(slot->flops_each) || slot->flops_each == 0)
            continue;
        add_slot(&least, slot,
                 judge_peak(options->machine, kernel_precision_of_slot(session, slot), of.threads));
    }
    of.mfu = 1e9 * least.model / (double)process->wall_ns;
    of.hfu = 1e9 * least.all / (double)process->wall_ns;
    return of;
}
