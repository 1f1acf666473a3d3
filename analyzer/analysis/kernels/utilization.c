/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MFU and HFU: the least time that the peaks allow for the FLOPs, by the wall time.
 */
#include "analysis/kernels/utilization.h"

#include <math.h>

#include "analysis/kernels/judge.h"
#include "analysis/kernels/kernel_precision.h"
#include "analysis/kernels/slots.h"
#include "base/units.h"

/* Seconds that all allowed processors would take at peak, and FLOPs. */
struct least {
    double model;
    double all;
    double flops;
    uint64_t kernel_ns; /* of all threads */
    double unjudged[MACHINE_PRECISIONS + 1];
};

static void add_slot(struct least *least, const struct session *session,
                     const struct session_slot *slot, const struct judge *judge)
{
    const struct catalog_kernel *kernel = slot->kernel;
    enum machine_precision precision = kernel_precision_of_slot(session, slot);
    double peak = judge_peak(judge->machine, precision, judge->threads);
    double flops = (double)(slot->flops_each * slot->calls);

    least->flops += flops;
    least->unjudged[precision] += isnan(peak) ? flops : 0;
    least->all += flops / peak;
    if (kernel && kernel->class == CATALOG_MATMUL)
        least->model += flops / peak;
}

static struct least sum(const struct session *session, const struct judge *judge)
{
    struct least least = {0};

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = array_at(&session->slots, i);

        least.kernel_ns += slots_times(session, slot).self_ns;
        if (!slot->nested && slot->flops_each > 0)
            add_slot(&least, session, slot, judge);
    }
    return least;
}

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options)
{
    const struct session_process *process = &session->process;
    struct utilization of = {.mfu = (double)NAN, .hfu = (double)NAN};
    struct least least;

    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count < UINT32_MAX)
        of.threads = (unsigned)process->cpu_count;
    if (!options->machine || process->wall_ns == 0 || session->slots.count == 0 || of.threads == 0)
        return of;
    least = sum(session, &(struct judge){.machine = options->machine, .threads = of.threads});
    of.mfu = 1e9 * least.model / (double)process->wall_ns;
    of.hfu = 1e9 * least.all / (double)process->wall_ns;
    for (int i = 0; i <= MACHINE_PRECISIONS && least.flops > 0; i++)
        of.unjudged[i] = least.unjudged[i] / least.flops;
    of.is_impossible =
        judge_is_impossible(of.hfu) ||
        (least.kernel_ns > 0 && judge_is_impossible(1e9 * least.all / (double)least.kernel_ns));
    return of;
}

bool utilization_has_reason(const struct utilization *of)
{
    for (int i = 0; i <= MACHINE_PRECISIONS; i++)
        if (of->unjudged[i] > 0)
            return true;
    return false;
}

void utilization_append_reason(struct text *text, const struct utilization *of)
{
    const char *separator = isnan(of->mfu) ? "MFU and HFU unknown: no peak is known of "
                                           : "HFU unknown: no peak is known of ";

    for (int i = 0; i <= MACHINE_PRECISIONS; i++) {
        const char *name = machine_precision_name((enum machine_precision)i);
        char share[UNITS_SIZE];

        if (!(of->unjudged[i] > 0))
            continue;
        text_appendf(text, "%s%s (%s of the FLOPs)", separator, name ? name : "the others",
                     units_format_percent(share, of->unjudged[i]));
        separator = ", ";
    }
}

void utilization_append_doubt(struct text *line, bool is_impossible)
{
    if (is_impossible)
        text_append(line, "; ! impossible, above 105 % of the peak: calls that failed are counted "
                          "in full, or the peak is not this machine's; tprof roofline names the "
                          "calls");
}
