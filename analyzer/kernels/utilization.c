/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MFU and HFU: the least time that the peaks allow for the FLOPs, by the wall time.
 *
 * A recomputed product looks like a product of inference or of another batch, so only names of
 * regions, or the user, show which products the model needs.
 */
#include "kernels/utilization.h"

#include <math.h>

#include "kernels/flops_options.h"
#include "kernels/judge.h"
#include "kernels/kernel_precision.h"
#include "kernels/padding.h"
#include "kernels/roles.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/slots.h"

/* Least judged share of all FLOPs: below it, figures mean nothing. */
static const double least_judged = 0.01;

/* The seconds that all allowed processors would need at peak, for the FLOPs whose peak is known and
 * for all FLOPs. */
struct least {
    double products;
    double all;
    double flops;
    double unjudged_product_flops;
    double product_flops;
    double recomputed_flops; /* FLOPs of the recomputed products */
    double recomputed;       /* seconds of these */
    uint64_t kernel_ns;      /* time of all threads */
    bool has_unknown;        /* FLOPs of some calls are not known */
    double unjudged[MACHINE_PRECISIONS + 1];
};

/* Names of regions that compute again what a forward pass discarded. */
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

/* The user's FLOPs are in the precisions of the products.
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

/* Says which products MFU counts for the model. */
static void append_model(struct text *line, const struct utilization *of)
{
    if (isnan(of->mfu))
        return;
    switch (of->model) {
    case UTILIZATION_OF_ALL: say(line, mfu_of_all_text); return;
    case UTILIZATION_BY_REGIONS: say(line, mfu_by_regions_text, said_share(of->recomputed)); return;
    case UTILIZATION_GIVEN: break;
    }
    say(line, mfu_given_text, said_share(of->given));
    if (of->given > 1)
        say(line, mfu_given_more_text);
    if (judge_is_impossible(of->mfu))
        say(line, mfu_impossible_text);
}

void utilization_append_mfu(struct text *line, const struct utilization *of)
{
    if (isnan(of->mfu))
        return;
    say(line, mfu_text, said_share(of->mfu), said_count(of->threads));
    append_model(line, of);
}

static void append_shares(struct text *line, const struct utilization *of)
{
    struct said mfu = said_share(of->mfu), hfu = said_share(of->hfu),
                threads = said_count(of->threads);

    if (isfinite(of->mfu) && isfinite(of->hfu))
        say(line, mfu_hfu_text, mfu, hfu, threads);
    else if (isfinite(of->mfu))
        say(line, mfu_text, mfu, threads);
    else if (isfinite(of->hfu))
        say(line, hfu_text, hfu, threads);
    append_model(line, of);
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

    if (judged < least_judged)
        return;
    if (isnan(of->mfu) && isfinite(of->mfu_judged))
        say(text, judged_mfu_hfu_text, said_share(judged), said_share(of->mfu_judged),
            said_share(of->hfu_judged));
    else
        say(text, judged_hfu_text, said_share(judged), said_share(of->hfu_judged));
}

static void append_unjudged(struct text *text, const struct utilization *of)
{
    say(text, isnan(of->mfu) && !of->lacks_products ? mfu_hfu_unknown_text : hfu_unknown_text);
    for (int i = 0; i <= MACHINE_PRECISIONS; i++) {
        const char *name = machine_precision_name((enum machine_precision)i);

        if (of->unjudged[i] > 0)
            say(text, unjudged_text, name ? said_words(name) : other_precisions_text,
                said_share(of->unjudged[i]));
    }
    append_judged(text, of);
}

void utilization_append_reason(struct text *text, const struct utilization *of)
{
    if (of->lacks_products)
        say(text, mfu_no_products_text);
    if (!utilization_is_whole(of))
        append_unjudged(text, of);
}

void utilization_append_doubt(struct text *line, bool is_impossible)
{
    if (is_impossible)
        say(line, utilization_doubt_text);
}

void utilization_append(struct text *line, const struct utilization *of)
{
    append_shares(line, of);
    utilization_append_reason(line, of);
    utilization_append_doubt(line, of->is_impossible);
}
