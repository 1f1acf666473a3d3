/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products whose shape is the reason for their speed: GEMV and SKINNY.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "findings/rates.h"
#include "findings/targets.h"

static const double gemv_fraction = 0.1;

/* Below 16 a dimension does not fill a vector register of AVX-512; a product with
 * such a dimension that is slower than half of a large one is slow for its shape.
 * Source: NVIDIA, Deep Learning Performance Guide: Matrix Multiplication. */
static const int64_t skinny_side = 16;
static const double skinny_rate = 0.5;

/* Nobody but LAPACK can make its calls otherwise. */
static bool is_of_lapack(const struct findings_context *context, size_t index)
{
    size_t slot = findings_group(context, index)->slot;

    return roles_of(&context->roles, slot)->role == ROLE_LAPACK;
}

/* ---- a matrix by a vector ----------------------------------------------------------- */

/* Rows with the rate of products of the first of them, which is the largest. */
struct rated {
    struct targets rows;
    struct product_rate rate;
};

static void add_rated(struct rated *rated, const struct group *group,
                      const struct product_rate *rate, double saved_ns)
{
    if (rated->rows.count == 0)
        rated->rate = *rate;
    targets_add(&rated->rows, group, saved_ns);
}

/* Those that come in runs, which are batches, and those that come alone. */
struct vectors {
    struct rated batched, alone;
    double batch;     /* of the largest row that comes in runs */
    double square_ns; /* thread time of rows that come in runs, by square matrices */
    uint64_t square_runs;
    size_t square_rows;
    double unrated_ns; /* thread time of rows whose precision has no known rate */
};

/* So many rows at once are one product: what a run of calls would take. */
static double batched_ns(const struct findings_context *context,
                         const struct slots_vector_product *of, enum machine_precision precision,
                         const struct succession *succession)
{
    double rows = round((double)succession->calls / (double)succession->runs);
    struct slots_product product = {(int64_t)rows, of->outputs, of->inputs, 1, false};

    return rates_product_ns(context, precision, &product) / rows;
}

/* Alone it would be one row of a large batch at best. */
static double alone_ns(const struct findings_context *context,
                       const struct slots_vector_product *of, const struct product_rate *rate)
{
    return 1e9 * 2 * (double)of->outputs * (double)of->inputs /
           (rate->flops_per_second * context->wall.processor);
}

static void gather_vector(struct vectors *vectors, const struct findings_context *context,
                          size_t index, const struct slots_vector_product *of)
{
    const struct group *group = findings_group(context, index);
    enum machine_precision precision = findings_judgement(context, index)->precision;
    struct product_rate rate = rates_of_products(context, precision);
    struct succession succession = rates_find_succession(context, group);
    bool is_batch = succession.runs > 0 && succession.calls >= 2 * succession.runs;
    double now_ns = (double)group->self_ns, call_ns;

    if (isnan(rate.flops_per_second)) {
        vectors->unrated_ns += now_ns;
        return;
    }
    call_ns =
        is_batch ? batched_ns(context, of, precision, &succession) : alone_ns(context, of, &rate);
    if (is_batch && vectors->batched.rows.count == 0)
        vectors->batch = round((double)succession.calls / (double)succession.runs);
    if (is_batch && of->outputs == of->inputs) {
        vectors->square_ns += now_ns;
        vectors->square_runs += succession.runs;
        vectors->square_rows++;
    }
    add_rated(is_batch ? &vectors->batched : &vectors->alone, group, &rate,
              now_ns - call_ns * (double)group->calls);
}

static void gather_vectors(struct vectors *vectors, const struct findings_context *context)
{
    struct slots_vector_product of;

    for (size_t i = 0; i < context->groups.rows.count; i++)
        if (slots_find_vector_product(findings_slot(context, findings_group(context, i)), &of) &&
            !is_of_lapack(context, i))
            gather_vector(vectors, context, i, &of);
}

static void append_vector_reason(struct finding *finding)
{
    text_append(&finding->why, "a matrix by a vector uses each number of the matrix once (half a "
                               "FLOP a byte in float), so it waits for memory; a batch uses it for "
                               "every row");
    text_append(&finding->see, "tprof roofline");
}

static void append_rated(struct text *text, const struct rated *rated,
                         const struct findings_context *context)
{
    targets_append_sums(text, &rated->rows, context);
    text_append(text, ": ");
    targets_append(text, &rated->rows, context);
    text_append(text, "; ");
    rates_append(text, &rated->rate);
}

/* Rows without a rate are in no sum of the finding. */
static void append_unrated(struct text *text, const struct vectors *vectors,
                           const struct findings_context *context)
{
    char share[UNITS_SIZE];

    if (vectors->unrated_ns > 0)
        text_appendf(text, "; %s more is in products of a precision whose rate is not known",
                     units_format_percent(share, findings_fraction(context, vectors->unrated_ns)));
}

/* What a matrix gives can be what it is multiplied by next where it is square: then a run may be
 * a recurrence; the more so where nothing ever interrupts it, as there is no step then of which
 * it would be the batch. */
static double confidence_in_batch(const struct vectors *vectors)
{
    if (vectors->square_ns < vectors->batched.rows.thread_ns / 2)
        return FINDING_CONFIDENCE_HIGH;
    return vectors->square_runs == vectors->square_rows ? FINDING_CONFIDENCE_LOW
                                                        : FINDING_CONFIDENCE_MEDIUM;
}

static void add_batched(const struct findings_context *context, struct findings *findings,
                        const struct vectors *vectors)
{
    double confidence = confidence_in_batch(vectors);
    bool is_certain = confidence >= FINDING_CONFIDENCE_HIGH;
    struct finding *finding = targets_claim(findings, &vectors->batched.rows, context, confidence);

    text_appendf(&finding->title, "one item at a time%s: %s comes %.0f times in a row",
                 is_certain ? "" : ", or a recurrence", group_name(vectors->batched.rows.named[0]),
                 vectors->batch);
    append_rated(&finding->evidence, &vectors->batched, context);
    append_unrated(&finding->evidence, vectors, context);
    text_appendf(&finding->limit, "; as if each run of calls were one product of a batch");
    append_vector_reason(finding);
    text_appendf(&finding->action,
                 "%smultiply the %.0f items at once: one gemm with a matrix of %.0f rows instead "
                 "of %.0f calls of gemv",
                 is_certain ? "" : "where no call needs the result of the one before, ",
                 vectors->batch, vectors->batch, vectors->batch);
    text_append(&finding->refute, "wrong if the calls of a run have different matrices, or each "
                                  "needs the result of the one before");
    if (!is_certain)
        text_append(&finding->refute, ", as it can where the matrix is square");
    finding_add_number(findings, finding, "batch", vectors->batch);
}

static void add_alone(const struct findings_context *context, struct findings *findings,
                      const struct vectors *vectors)
{
    struct finding *finding =
        targets_claim(findings, &vectors->alone.rows, context, FINDING_CONFIDENCE_LOW);

    text_append(&finding->title, "matrices are multiplied by single vectors");
    append_rated(&finding->evidence, &vectors->alone, context);
    append_unrated(&finding->evidence, vectors, context);
    finding_weaken(finding, FINDING_POINTS); /* what could be batched with them is not seen */
    append_vector_reason(finding);
    text_append(&finding->action,
                "tprof flops --by site tells where they are; several vectors by a matrix at once, "
                "as of requests or tokens, or of inputs that are known before a loop, wait for "
                "memory once");
    text_append(&finding->refute, "other kernels stand between the calls, so that they may have to "
                                  "stay apart");
}

static void add_vectors(const struct findings_context *context, struct findings *findings,
                        const struct vectors *vectors)
{
    if (vectors->batched.rows.count > 0)
        add_batched(context, findings, vectors);
    if (vectors->alone.rows.count > 0)
        add_alone(context, findings, vectors);
}

void rule_gemv(const struct findings_context *context, struct findings *findings)
{
    struct vectors vectors = {.batch = 0};
    char share[UNITS_SIZE];
    double rated, all;

    if (context->groups.rows.count == 0) {
        findings_skip(findings, "no known kernel was called");
        return;
    }
    gather_vectors(&vectors, context);
    rated =
        findings_fraction(context, vectors.batched.rows.thread_ns + vectors.alone.rows.thread_ns);
    all = rated + findings_fraction(context, vectors.unrated_ns);
    if (all < gemv_fraction)
        findings_pass(
            findings, "matrices by single vectors take %s of the wall time%s, less than 10 %%",
            units_format_percent(share, all),
            context->roles.shapes.lapack.modules.count > 0 ? ", those inside LAPACK left out" : "");
    else if (rated < gemv_fraction)
        findings_skip(findings,
                      "matrices by single vectors take %s of the wall time, but what a batch "
                      "would take is not known: run tprof calibrate once",
                      units_format_percent(share, all));
    else
        add_vectors(context, findings, &vectors);
}

/* ---- thin products ------------------------------------------------------------------ */

static int64_t shortest_side(const struct slots_product *product)
{
    int64_t side = product->m < product->n ? product->m : product->n;

    return product->k < side ? product->k : side;
}

/* On a busy machine calls wait for a processor as well, for which their shape is no reason. */
static double rate_while_running(const struct findings_context *context, size_t index)
{
    return findings_judgement(context, index)->flops_per_second / context->wall.processor;
}

static bool is_skinny(const struct findings_context *context, size_t index,
                      struct product_rate *rate)
{
    const struct group *group = findings_group(context, index);
    struct slots_product product;

    if (!slots_find_product(findings_slot(context, group), &product) || product.m == 1 ||
        product.n == 1 || shortest_side(&product) >= skinny_side)
        return false;
    *rate = rates_of_products(context, findings_judgement(context, index)->precision);
    return rate_while_running(context, index) < skinny_rate * rate->flops_per_second;
}

/* The roof is lower where there are few FLOPs a byte. */
static double skinny_saved_ns(const struct findings_context *context, size_t index,
                              const struct product_rate *rate)
{
    double roof = findings_judgement(context, index)->roof_fraction / context->wall.processor;
    double fraction = rate_while_running(context, index) / rate->flops_per_second;

    if (roof > fraction)
        fraction = roof;
    return (double)findings_group(context, index)->self_ns * (1 - fraction);
}

/* Calls of one shape that follow one another can be put into one; of one that stands alone, as
 * the last layer of a network, the trace tells nothing that it could be put with. */
static bool is_in_runs(const struct findings_context *context, const struct rated *skinny)
{
    struct succession first = rates_find_succession(context, skinny->rows.named[0]);

    return first.runs > 0 && first.calls >= 2 * first.runs;
}

static void add_skinny(const struct findings_context *context, struct findings *findings,
                       const struct rated *skinny)
{
    struct finding *finding =
        targets_claim(findings, &skinny->rows, context, FINDING_CONFIDENCE_LOW);

    text_append(&finding->title, "products with a side below 16 reach less than half of what large "
                                 "ones do");
    append_rated(&finding->evidence, skinny, context);
    text_append(&finding->limit, "; were the shape no hindrance");
    if (!is_in_runs(context, skinny))
        finding_weaken(finding, FINDING_POINTS);
    text_append(&finding->why,
                "a side that does not fill the registers of a blocked product wastes "
                "their rest, and its packing is not paid for");
    text_append(&finding->action, "put several such products into one: concatenate their narrow "
                                  "sides, or swap loops so that the narrow side is batched");
    text_append(&finding->refute, "a memory-bound shape may be as fast as it can be; the roofline "
                                  "tells");
    text_append(&finding->see, "tprof roofline");
}

void rule_skinny(const struct findings_context *context, struct findings *findings)
{
    struct rated skinny = {.rate = {(double)NAN, false}};
    size_t products = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        struct product_rate rate;
        struct slots_product product;

        if (!slots_find_product(findings_slot(context, group), &product))
            continue;
        products++;
        if (!is_of_lapack(context, i) && is_skinny(context, i, &rate))
            add_rated(&skinny, group, &rate, skinny_saved_ns(context, i, &rate));
    }
    if (products == 0)
        findings_skip(findings, "no product of matrices was called");
    else if (skinny.rows.count > 0)
        add_skinny(context, findings, &skinny);
    else if (isnan(rates_of_products(context, MACHINE_F32).flops_per_second) &&
             isnan(rates_of_products(context, MACHINE_F64).flops_per_second))
        findings_skip(findings, "what large products reach is not known: run tprof calibrate once");
    else
        findings_pass(findings,
                      "of %zu shape%s of products none has a side below 16 and less than "
                      "half the rate of large ones",
                      products, units_choose(products, "", "s"));
}
