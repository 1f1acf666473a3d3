/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reference BLAS in place of a fast one.
 *
 * Decision: doc/decisions/reference-blas.
 */
#include "findings/reference_blas.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "findings/rates.h"
#include "findings/texts.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* A share of the peak of one processor: generic code with blocks and vectors reaches a quarter. */
static const double slow = 0.1;

/* FLOP/s of one processor in a product of some size.  Plain loops do one or two FLOPs a cycle, four
 * in complex numbers: netlib's reach 2 to 11 on a Zen 4.  There, ATLAS without AVX reaches 9 to 35,
 * and OpenBLAS for SSE3 20.  With AVX2, 16 double FLOPs a cycle are possible, on the oldest
 * processors 8. */
static const double slow_rate = 12e9;
static const double least_flops = 2 * 64 * 64 * 64;

/* A share of the calibrated peak: other libraries reach 60 % and more even on a slow processor.
 * Netlib's complex products reach 21 % on a Zen 4. */
static const double fair = 0.5;

/* Without a calibration, cores of AArch64 differ too much to be judged by a rate.  Their clock
 * ticks more slowly than once a nanosecond. */
static const double slowest_tick_ns = 1;

static const struct row {
    const char *glob;
    bool hides_others;
    struct said action;
} rows[] = {
#define REFERENCE_BLAS(glob, hides_others, action)                                                 \
    {glob, hides_others, {.as = SAID_WORDS, .words = (action)}},
#include "findings/reference_blas.def"
#undef REFERENCE_BLAS
};

static const struct row *find_row(const char *file)
{
    for (size_t i = 0; file && i < sizeof rows / sizeof *rows; i++)
        if (fnmatch(rows[i].glob, file, 0) == 0)
            return &rows[i];
    return NULL;
}

/* Whether a library with another BLAS was loaded. */
static bool has_other_blas(const struct session *session)
{
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);
        const char *file = module->path ? text_base_name(module->path) : "";
        const char *kind = coverage_find_kind(file);

        if (kind && strstr(kind, "BLAS") && !find_row(file))
            return true;
    }
    return false;
}

/* FLOPs a byte of a kernel that reuses its operands, as a product of two matrices does.  Memory
 * bounds a product of a matrix and a vector in any library. */
static const double least_intensity = 2;

/* A product, or another kernel of two matrices: a solution, a symmetric update. */
static bool is_of_matrices(const struct findings_context *context, const struct group *group)
{
    const struct session_slot *slot = findings_slot(context, group);
    struct slots_product product;

    if (slots_find_product(slot, &product))
        return product.m > 1 && product.n > 1;
    return group_is_product(group) && slot->flops_each >= least_intensity * slot->bytes_each;
}

/* Large enough that any library reaches its rate, and not memory-bound: a tall matrix with 16
 * columns reaches half of it. */
static bool is_large(const struct session_slot *slot)
{
    return slot->flops_each >= least_flops &&
           slot->flops_each >= least_intensity * slot->bytes_each;
}

/* The rate of the fastest call, if known: during an average call, others may have used the
 * processor.  An inner call does as many FLOPs as the call that owns them. */
static double rate_of(const struct findings_context *context, const struct group *group)
{
    double mean_ns = (double)group->total_ns / (double)group->calls;
    double call_ns = group->min_ns > 0 ? (double)group->min_ns : mean_ns;

    return 1e9 * (double)findings_slot(context, group)->flops_each / call_ns;
}

/* A reference BLAS has no threads.  The peak is that of tprof's own loops, whatever BLAS was
 * calibrated. */
static double peak_of_one(const struct findings_context *context, enum machine_precision precision)
{
    if (!context->judge.machine || precision >= MACHINE_PRECISIONS)
        return (double)NAN;
    return machine_peak(context->judge.machine, precision, 1);
}

static bool is_plain(double flops_per_second, double peak)
{
    return flops_per_second < slow_rate && !(flops_per_second >= fair * peak);
}

/* A calibration may have been made with this very BLAS. */
static bool is_calibrated(const struct findings_context *context, enum machine_precision precision)
{
    return rates_of_products(context, precision).is_calibrated &&
           !is_plain(machine_gemm(context->judge.machine, precision, 1),
                     peak_of_one(context, precision));
}

/* Another library uses all processors, unless its threads are set. */
static unsigned threads_then(const struct findings_context *context)
{
    uint64_t allowed = context->session->process.cpu_count;

    if (context->judge.threads_from != JUDGE_FROM_TIME || allowed == SESSION_UNKNOWN)
        return context->judge.threads;
    return allowed > context->judge.threads ? (unsigned)allowed : context->judge.threads;
}

/* The time of a row's calls with another library; 0 without a calibration.  This time is short:
 * OpenBLAS takes 0.09 s instead of 2.6 s for products in float, and 0.04 s on two threads. */
static double then_ns(const struct findings_context *context, const struct group *group,
                      enum machine_precision precision)
{
    const struct session_slot *slot = findings_slot(context, group);
    unsigned threads = threads_then(context);
    struct slots_product product;

    if (!is_calibrated(context, precision))
        return 0;
    if (slots_find_product(slot, &product))
        return (double)group->calls * rates_product_on_ns(context, precision, &product, threads) /
               context->wall.processor;
    return (double)group->calls * 1e9 * (double)slot->flops_each /
           (machine_gemm(context->judge.machine, precision, threads) * context->wall.processor);
}

static void add_row(struct reference_blas *blas, const struct findings_context *context,
                    size_t index)
{
    enum machine_precision precision = findings_judgement(context, index)->precision;
    const struct group *group = findings_group(context, index);

    if (blas->rows.count == 0) {
        blas->precision = precision;
        blas->is_calibrated = is_calibrated(context, precision);
    }
    targets_add(&blas->rows, group,
                fmax(0, (double)group->self_ns - then_ns(context, group, precision)));
    blas->fastest = fmax(blas->fastest, rate_of(context, group));
    blas->has_large |= is_large(findings_slot(context, group));
}

/* Plain loops are known by their rate.  A calibration can only add that more is slow, or that the
 * processor is. */
static bool is_slow(const struct reference_blas *blas, const struct findings_context *context)
{
    double peak = peak_of_one(context, blas->precision);
    bool is_known = !isnan(peak) || context->session->ns_per_tick < slowest_tick_ns;

    return blas->fastest < slow * peak ||
           (blas->has_large && is_known && is_plain(blas->fastest, peak));
}

bool reference_blas_has(const struct reference_blas *blas, const struct group *group)
{
    return blas->library && group->library && strcmp(blas->library, group->library) == 0;
}

struct reference_blas reference_blas_find(const struct findings_context *context)
{
    struct reference_blas blas = {.fastest = (double)NAN};
    const struct row *row = NULL;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!find_row(group->library) || !is_of_matrices(context, group))
            continue;
        if (!row) {
            row = find_row(group->library);
            blas.library = group->library;
            blas.action = &row->action;
        }
        if (reference_blas_has(&blas, group))
            add_row(&blas, context, i);
    }
    blas.is_guessed = row && row->hides_others && !blas.is_calibrated;
    if (row && row->hides_others && (has_other_blas(context->session) || !is_slow(&blas, context)))
        return (struct reference_blas){.library = NULL};
    return blas;
}

void reference_blas_add(const struct findings_context *context, struct findings *findings,
                        const struct reference_blas *blas)
{
    struct product_rate best = rates_of_products(context, blas->precision);
    struct finding *finding =
        targets_claim(findings, &blas->rows, context,
                      blas->is_guessed ? FINDING_CONFIDENCE_LOW : FINDING_CONFIDENCE_MEDIUM);

    finding_advise(finding, "dispatch_reference");
    say(&finding->title, blas->is_guessed ? reference_guessed_text : reference_known_text,
        said_words(blas->library));
    say(&finding->evidence, reference_fastest_text, said_flop_rate(blas->fastest));
    if (blas->is_calibrated)
        rates_say(&finding->evidence, &best);
    else if (blas->is_guessed)
        say(&finding->evidence, reference_others_text, said_flop_rate(slow_rate));
    if (!blas->is_calibrated)
        finding_weaken(finding, FINDING_BOUNDS);
    say(&finding->limit,
        blas->is_calibrated ? reference_supposes_text : reference_uncalibrated_text);
    say(&finding->action, *blas->action);
}
