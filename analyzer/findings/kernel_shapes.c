/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products whose shape is the reason for their speed: GEMV and SKINNY.
 */
#include <math.h>

#include "findings/rates.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"

static const double gemv_fraction = 0.1;

/* A side below 16 does not fill a vector register of AVX-512.  If such a product has less than half
 * the rate of a large one, its shape is the reason.
 * Source: NVIDIA, Deep Learning Performance Guide: Matrix Multiplication. */
static const int64_t skinny_side = 16;
static const double skinny_rate = 0.5;

/* Otherwise only LAPACK could call these. */
static bool is_of_lapack(const struct findings_context *context, size_t index)
{
    size_t slot = findings_group(context, index)->slot;

    return roles_of(&context->roles, slot)->role == ROLE_LAPACK;
}

/* Rows, with the rate of products of the first and largest. */
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

/* Rows whose calls come in runs (batches), and rows with single calls. */
struct vectors {
    struct rated batched, alone;
    double batch;     /* batch of the largest row that comes in runs */
    double square_ns; /* thread time of rows that come in runs, by square matrices */
    uint64_t square_runs;
    size_t square_rows;
    double unrated_ns; /* thread time of rows whose precision has no known rate */
    bool is_bound;     /* the time of a batch is unknown: it is less than that of the calls */
};

/* A run of calls as one product with as many rows. */
static double batched_ns(const struct findings_context *context,
                         const struct slots_vector_product *of, enum machine_precision precision,
                         const struct succession *succession)
{
    double rows = round((double)succession->calls / (double)succession->runs);
    struct slots_product product = {(int64_t)rows, of->outputs, of->inputs, 1, false};

    return rates_product_ns(context, precision, &product) / rows;
}

/* A single call is one row of a large batch at best. */
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

    if (isnan(rate.flops_per_second) && !(is_batch && vectors->is_bound)) {
        vectors->unrated_ns += now_ns;
        return;
    }
    if (isnan(rate.flops_per_second))
        call_ns = 0;
    else
        call_ns = is_batch ? batched_ns(context, of, precision, &succession)
                           : alone_ns(context, of, &rate);
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

static struct finding *claim_rated(struct findings *findings, const struct rated *rated,
                                   const struct findings_context *context, double confidence)
{
    struct finding *finding = targets_claim(findings, &rated->rows, context, confidence);

    if (!isnan(rated->rate.flops_per_second))
        rates_say(&finding->evidence, &rated->rate);
    return finding;
}

/* No sum of the finding contains rows without a rate. */
static void say_unrated(struct text *text, const struct vectors *vectors,
                        const struct findings_context *context)
{
    if (vectors->unrated_ns > 0)
        say(text, gemv_unrated_text, said_share(findings_fraction(context, vectors->unrated_ns)));
}

/* The result of a square matrix can be its next operand, so a run of such calls may be a
 * recurrence.  This is more likely if nothing interrupts the run: a batch would belong to some
 * step. */
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
    struct finding *finding =
        claim_rated(findings, &vectors->batched, context,
                    vectors->is_bound ? fmin(confidence, FINDING_CONFIDENCE_MEDIUM) : confidence);
    struct said batch = said_count((uint64_t)vectors->batch);

    if (vectors->is_bound)
        finding_weaken(finding, FINDING_BOUNDS);
    say(&finding->title, is_certain ? gemv_run_text : gemv_recurrence_text,
        said_words(group_name(vectors->batched.rows.named[0])), batch);
    say_unrated(&finding->evidence, vectors, context);
    say(&finding->action, is_certain ? gemv_batch_text : gemv_batch_where_text, batch);
    say(&finding->action, gemv_replaces_text, batch, batch);
    finding_advise(finding, "gemv_batched");
    if (!is_certain)
        say(&finding->refute, gemv_square_text);
    finding_add_number(finding, "batch", vectors->batch);
}

static void add_alone(const struct findings_context *context, struct findings *findings,
                      const struct vectors *vectors)
{
    struct finding *finding =
        claim_rated(findings, &vectors->alone, context, FINDING_CONFIDENCE_LOW);

    finding_advise(finding, "gemv_alone");
    say_unrated(&finding->evidence, vectors, context);
    finding_weaken(finding, FINDING_POINTS); /* the trace does not show which calls could be
                                                batched */
}

static void add_vectors(const struct findings_context *context, struct findings *findings,
                        const struct vectors *vectors)
{
    if (vectors->batched.rows.count > 0)
        add_batched(context, findings, vectors);
    if (vectors->alone.rows.count > 0)
        add_alone(context, findings, vectors);
}

static double rated_fraction(const struct vectors *vectors, const struct findings_context *context)
{
    return findings_fraction(context,
                             vectors->batched.rows.thread_ns + vectors->alone.rows.thread_ns);
}

void rule_gemv(const struct findings_context *context, struct findings *findings)
{
    struct vectors vectors = {.batch = 0};
    double rated, all;

    if (context->groups.rows.count == 0) {
        findings_skip(findings, no_kernel_called_text);
        return;
    }
    gather_vectors(&vectors, context);
    /* Ops of a framework have such loops of their own, which the program cannot change. */
    if (vectors.unrated_ns > 0 && context->session->ops.count <= 1 &&
        rated_fraction(&vectors, context) < gemv_fraction) {
        vectors = (struct vectors){.is_bound = true};
        gather_vectors(&vectors, context);
    }
    rated = rated_fraction(&vectors, context);
    all = rated + findings_fraction(context, vectors.unrated_ns);
    if (all < gemv_fraction)
        findings_pass(findings,
                      context->roles.shapes.lapack.modules.count > 0 ? gemv_passed_lapack_text
                                                                     : gemv_passed_text,
                      said_share(all));
    else if (rated < gemv_fraction)
        findings_skip(findings, gemv_uncalibrated_text, said_share(all));
    else
        add_vectors(context, findings, &vectors);
}

static int64_t shortest_side(const struct slots_product *product)
{
    int64_t side = product->m < product->n ? product->m : product->n;

    return product->k < side ? product->k : side;
}

/* On a busy machine, calls also wait for a processor; their shape does not cause that. */
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

/* Calls of one shape in a row can become one call.  For a single call, such as the last layer of a
 * network, the trace shows no other call to combine it with. */
static bool is_in_runs(const struct findings_context *context, const struct rated *skinny)
{
    struct succession first = rates_find_succession(context, skinny->rows.named[0]);

    return first.runs > 0 && first.calls >= 2 * first.runs;
}

static void add_skinny(const struct findings_context *context, struct findings *findings,
                       const struct rated *skinny)
{
    struct finding *finding = claim_rated(findings, skinny, context, FINDING_CONFIDENCE_LOW);

    if (!is_in_runs(context, skinny))
        finding_weaken(finding, FINDING_POINTS);
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
        findings_skip(findings, skinny_skipped_text);
    else if (skinny.rows.count > 0)
        add_skinny(context, findings, &skinny);
    else if (isnan(rates_of_products(context, MACHINE_F32).flops_per_second) &&
             isnan(rates_of_products(context, MACHINE_F64).flops_per_second))
        findings_skip(findings, skinny_uncalibrated_text);
    else
        findings_pass(findings, skinny_passed_text, said_count(products));
}
