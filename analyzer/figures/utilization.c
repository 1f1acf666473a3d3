/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MFU and HFU: the least time that the peaks allow for the FLOPs, by the wall time.
 *
 * A product that is computed again looks like one of inference or of another batch, so
 * only the names of regions or the user tell what of all products the model needs.
 */
#include "figures/utilization.h"

#include <math.h>

#include "base/units.h"
#include "figures/flops_options.h"
#include "figures/judge.h"
#include "figures/kernel_precision.h"
#include "figures/padding.h"
#include "figures/roles.h"
#include "figures/slots.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Of all FLOPs: with less than this judged, figures of these would say nothing. */
static const double least_judged = 0.01;

/* Seconds that all allowed processors would take at peak for the FLOPs whose peak is known,
 * and all FLOPs. */
struct least {
    double products;
    double all;
    double flops;
    double unjudged_product_flops;
    double product_flops;
    double recomputed_flops; /* of the products */
    double recomputed;       /* seconds of these */
    uint64_t kernel_ns;      /* of all threads */
    bool has_unknown;        /* FLOPs of some calls are not known */
    double unjudged[MACHINE_PRECISIONS + 1];
};

/* By the names of regions that compute again what a forward pass threw away. */
static bool is_recomputed(const struct session *session, uint32_t index)
{
    static const char *const words[] = {
        "recompute", "recomputed", "recomputation", "rematerialize", "rematerialization",
        "remat",     NULL};

    while (index != 0) {
        const struct session_region *region = session_region_at(session, index);

        if (role_name_has_any(region->label, words))
            return true;
        index = region->parent;
    }
    return false;
}

static void add_product(struct least *least, double flops, double seconds, bool is_again)
{
    least->products += seconds;
    least->product_flops += flops;
    least->recomputed += is_again ? seconds : 0;
    least->recomputed_flops += is_again ? flops : 0;
}

static void add_slot(struct least *least, const struct session *session,
                     const struct session_slot *slot, const struct judge *judge)
{
    const struct catalog_kernel *kernel = slot->kernel;
    enum machine_precision precision = kernel_precision_of_slot(session, slot);
    double peak = judge_peak(judge->machine, precision, judge->threads);
    double flops = (double)(slot->flops_each * slot->calls);
    double executed = (double)(padding_executed_flops(slot) * slot->calls);
    bool is_product = kernel && kernel->class == CATALOG_MATMUL;
    double seconds = isnan(peak) ? 0 : flops / peak;

    least->flops += flops;
    least->all += isnan(peak) ? 0 : executed / peak;
    if (is_product)
        add_product(least, flops, seconds, is_recomputed(session, slot->region));
    if (!isnan(peak))
        return;
    least->unjudged[precision] += flops;
    least->unjudged_product_flops += is_product ? flops : 0;
}

static struct least sum(const struct session *session, const struct judge *judge)
{
    struct least least = {0};

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        least.kernel_ns += slots_times(session, slot).self_ns;
        least.has_unknown |= isnan(slot->flops_each);
        if (!slot->nested && slot->flops_each > 0)
            add_slot(&least, session, slot, judge);
    }
    return least;
}

/* What the user says is in the precisions that the products are in.
 * Returns: seconds of the model's products at peak. */
static double find_model(struct utilization *of, const struct least *least, double given)
{
    double seconds = least->products;

    if (given > 0) {
        of->model = UTILIZATION_GIVEN;
        of->given = given / least->product_flops;
        seconds *= of->given;
    } else if (least->recomputed_flops > 0) {
        of->model = UTILIZATION_BY_REGIONS;
        of->recomputed = least->recomputed_flops / least->product_flops;
        seconds -= least->recomputed;
    }
    return seconds;
}

struct utilization utilization_of(const struct session *session,
                                  const struct analysis_options *options)
{
    const struct session_process *process = &session->process;
    struct utilization of = {.mfu = (double)NAN,
                             .hfu = (double)NAN,
                             .mfu_judged = (double)NAN,
                             .hfu_judged = (double)NAN};
    struct least least;

    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count < UINT32_MAX)
        of.threads = (unsigned)process->cpu_count;
    if (!options->machine || process->wall_ns == 0 || session->slots.count == 0 || of.threads == 0)
        return of;
    least = sum(session, &(struct judge){.machine = options->machine, .threads = of.threads});
    if (least.has_unknown && !(least.flops > 0)) /* unknown is not 0 */
        return of;
    of.lacks_products = !(least.product_flops > 0);
    if (!of.lacks_products)
        of.mfu_judged =
            1e9 * find_model(&of, &least, options->flops->model_flops) / (double)process->wall_ns;
    of.hfu_judged = 1e9 * least.all / (double)process->wall_ns;
    for (int i = 0; i <= MACHINE_PRECISIONS && least.flops > 0; i++)
        of.unjudged[i] = least.unjudged[i] / least.flops;
    if (!(least.unjudged_product_flops > 0))
        of.mfu = of.mfu_judged;
    if (utilization_is_whole(&of))
        of.hfu = of.hfu_judged;
    of.is_impossible =
        judge_is_impossible(of.hfu_judged) ||
        (least.kernel_ns > 0 && judge_is_impossible(1e9 * least.all / (double)least.kernel_ns));
    return of;
}

const char *utilization_model_name(const struct utilization *of)
{
    static const char *const names[] = {[UTILIZATION_OF_ALL] = "all products",
                                        [UTILIZATION_BY_REGIONS] = "regions",
                                        [UTILIZATION_GIVEN] = "--model-flops"};

    return isnan(of->mfu) ? NULL : names[of->model];
}

void utilization_append_mfu(struct text *line, const struct utilization *of)
{
    char mfu[UNITS_SIZE];

    if (isfinite(of->mfu))
        text_appendf(line, "MFU %s", units_format_percent(mfu, of->mfu));
}

bool utilization_is_known(const struct utilization *of)
{
    return isfinite(of->mfu) || isfinite(of->hfu);
}

void utilization_append_shares(struct text *line, const struct utilization *of,
                               const char *mfu_note, const char *hfu_note)
{
    char hfu[UNITS_SIZE];

    utilization_append_mfu(line, of);
    if (isfinite(of->mfu))
        text_append(line, mfu_note);
    if (isfinite(of->hfu))
        text_appendf(line, "%sHFU %s%s", isfinite(of->mfu) ? ", " : "",
                     units_format_percent(hfu, of->hfu), hfu_note);
}

void utilization_append_model(struct text *line, const struct utilization *of)
{
    char share[UNITS_SIZE];

    if (isnan(of->mfu))
        return;
    switch (of->model) {
    case UTILIZATION_OF_ALL:
        text_append(line, "; MFU takes all products for the model's, as what is computed again "
                          "cannot be told apart: --model-flops tells");
        return;
    case UTILIZATION_BY_REGIONS:
        text_appendf(line,
                     "; MFU leaves out %s of the products' FLOPs, computed again as regions "
                     "say",
                     units_format_percent(share, of->recomputed));
        return;
    case UTILIZATION_GIVEN:
        text_appendf(line, "; MFU is of what --model-flops says, %s of the products' FLOPs%s%s",
                     units_format_percent(share, of->given),
                     of->given > 1 ? ", more than was counted" : "",
                     judge_is_impossible(of->mfu) ? " (! and than the peak allows)" : "");
        return;
    }
}

static double sum_unjudged(const struct utilization *of)
{
    double sum = 0;

    for (int i = 0; i <= MACHINE_PRECISIONS; i++)
        sum += of->unjudged[i];
    return sum;
}

bool utilization_is_whole(const struct utilization *of)
{
    return !(sum_unjudged(of) > 0);
}

bool utilization_has_reason(const struct utilization *of)
{
    return of->lacks_products || !utilization_is_whole(of);
}

/* The figures of the FLOPs that have a peak; the whole could only be more. */
static void append_judged(struct text *text, const struct utilization *of)
{
    double judged = 1 - sum_unjudged(of);
    bool has_mfu = isnan(of->mfu) && isfinite(of->mfu_judged);
    char share[UNITS_SIZE], mfu[UNITS_SIZE], hfu[UNITS_SIZE];

    if (judged < least_judged)
        return;
    text_appendf(text, "; for the other %s alone ", units_format_percent(share, judged));
    if (has_mfu)
        text_appendf(text, "MFU is %s and ", units_format_percent(mfu, of->mfu_judged));
    text_appendf(text, "HFU %s%s", has_mfu ? "" : "is ", units_format_percent(hfu, of->hfu_judged));
}

static void append_unjudged(struct text *text, const struct utilization *of)
{
    const char *separator = isnan(of->mfu) && !of->lacks_products
                                ? "MFU and HFU unknown: no peak is known of "
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
    append_judged(text, of);
}

void utilization_append_reason(struct text *text, const struct utilization *of)
{
    if (of->lacks_products)
        text_append(text, "MFU has no meaning: no FLOPs of matrix products were counted");
    if (utilization_is_whole(of))
        return;
    text_append(text, of->lacks_products ? "; " : "");
    append_unjudged(text, of);
}

void utilization_append_doubt(struct text *line, bool is_impossible)
{
    if (is_impossible)
        text_append(line, "; ! impossible, above 105 % of the peak: calls that failed are counted "
                          "in full, or the peak is not this machine's; tprof roofline names the "
                          "calls");
}
