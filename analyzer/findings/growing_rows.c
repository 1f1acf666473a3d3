/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products that are repeated with one row more: PREFIX.
 *
 * A linear layer handles each token by itself.  If the whole text goes through the layer for each
 * new token, the same weights are multiplied by 5, 6, 7 ... rows, in this order, and only the last
 * row is new.  With a cache of keys and values, a layer gets a single row.  Then only scores and
 * context grow, but their other side is small or grows as well.
 *
 * Source: R. Pope et al., Efficiently Scaling Transformer Inference, MLSys 2023.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "findings/rates.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "statistics/fit.h"

/* A share of the wall time: the least saving. */
static const double least_share = 0.1;

/* The least side of weights.  Groups of heads that share keys are smaller. */
static const int64_t least_side = 32;

/* So many consecutive lengths do not happen by chance. */
enum { LEAST_LENGTHS = 8 };

/* A row of the context, and the side that may be the number of tokens. */
struct layer {
    size_t row;
    const char *name;
    int64_t outputs, inputs; /* sizes of the layer's weights */
    int64_t length;
    bool is_m;         /* the side that may grow */
    uint64_t first_ns; /* start of its first call */
};

/* Consecutive lengths of one layer: indices in the layers. */
struct run {
    size_t begin, end;
};

static int compare_weights(const struct layer *a, const struct layer *b)
{
    int order = strcmp(a->name, b->name);

    if (order == 0)
        order = a->is_m - b->is_m;
    if (order == 0)
        order = (a->outputs > b->outputs) - (a->outputs < b->outputs);
    return order ? order : (a->inputs > b->inputs) - (a->inputs < b->inputs);
}

static int by_length(const void *left, const void *right)
{
    const struct layer *a = left, *b = right;
    int order = compare_weights(a, b);

    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void note_start(void *starts, const struct row_call *at)
{
    uint64_t *start_ns = (uint64_t *)starts + at->row;

    if (at->call->start_ns < *start_ns)
        *start_ns = at->call->start_ns;
}

/* The start of the first call of each row; UINT64_MAX where no course has any. */
static uint64_t *find_starts(const struct findings_context *context)
{
    uint64_t *starts = pool_get((context->groups.rows.count + 1) * sizeof *starts);

    for (size_t i = 0; i < context->groups.rows.count; i++)
        starts[i] = UINT64_MAX;
    row_calls_follow(context, note_start, starts);
    return starts;
}

static void add_layer(struct array *layers, const struct layer *layer)
{
    struct layer *added;

    if (layer->outputs < least_side || layer->inputs < least_side || layer->first_ns == UINT64_MAX)
        return;
    added = array_add(layers);
    *added = *layer;
}

static void gather(struct array *layers, const struct findings_context *context,
                   const uint64_t *starts)
{
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        struct layer layer = {.row = i, .name = group_name(group), .first_ns = starts[i]};
        struct slots_product product;

        if (!slots_find_product(findings_slot(context, group), &product) || product.count > 1)
            continue;
        layer.inputs = product.k;
        layer.outputs = product.n;
        layer.length = product.m;
        layer.is_m = true;
        add_layer(layers, &layer);
        layer.outputs = product.m;
        layer.length = product.n;
        layer.is_m = false;
        add_layer(layers, &layer);
    }
    if (layers->count > 0)
        qsort(layers->items, layers->count, sizeof(struct layer), by_length);
}

static bool follows(const struct layer *layer, const struct layer *before)
{
    return compare_weights(layer, before) == 0 && layer->length == before->length + 1 &&
           layer->first_ns > before->first_ns;
}

static void find_runs(struct array *runs, const struct array *layers)
{
    const struct layer *layer = layers->items;

    for (size_t begin = 0, end; begin < layers->count; begin = end) {
        struct run *run;

        for (end = begin + 1; end < layers->count && follows(&layer[end], &layer[end - 1]);)
            end++;
        if (end - begin < LEAST_LENGTHS)
            continue;
        run = array_add(runs);
        *run = (struct run){begin, end};
    }
}

/* A model has several layers that grow at the same time.  A program that tries sizes tries them for
 * one product after another. */
static bool has_company(const struct array *runs, const struct array *layers, const struct run *run)
{
    const struct layer *layer = layers->items;

    for (size_t i = 0; i < runs->count; i++) {
        const struct run *other = array_at(runs, i);

        if (compare_weights(&layer[other->begin], &layer[run->begin]) != 0 &&
            layer[other->begin].first_ns < layer[run->end - 1].first_ns &&
            layer[run->begin].first_ns < layer[other->end - 1].first_ns)
            return true;
    }
    return false;
}

struct growth {
    struct targets rows;
    int64_t least, most; /* lengths */
};

/* The fastest call, if it is known: other programs may have used the processor during other calls,
 * most likely during long ones. */
static double call_ns(const struct findings_context *context, const struct layer *layer)
{
    const struct group *group = findings_group(context, layer->row);
    double mean_ns = (double)group->self_ns / (double)group->calls;

    return group->min_ns > 0 ? fmin((double)group->min_ns, mean_ns) : mean_ns;
}

/* By the rate of products of this size, or as a share of the shortest. */
static double predict_single_ns(const struct findings_context *context, const struct layer *layer)
{
    enum machine_precision precision = findings_judgement(context, layer->row)->precision;
    const struct slots_product single = {1, layer->outputs, layer->inputs, 1, false};
    double predicted_ns =
        precision < MACHINE_PRECISIONS
            ? rates_product_ns(context, precision, &single) * context->wall.processor
            : (double)NAN;

    return isnan(predicted_ns) ? call_ns(context, layer) / (double)layer->length : predicted_ns;
}

/* One pass over the weights, at least. */
static double least_ns(const struct findings_context *context, const struct layer *layer)
{
    enum machine_precision precision = findings_judgement(context, layer->row)->precision;
    double bytes = precision < MACHINE_PRECISIONS ? machine_precision_bytes(precision) : 0;

    return rates_pass_ns(context, bytes * (double)layer->outputs * (double)layer->inputs,
                         context->judge.threads);
}

/* The time of a layer for a single token.  It lies on the line through the times of all lengths,
 * because a product of few rows waits for its weights, and is at most the time of any length.
 * `lengths`,  `lengths`,
 * `times`: room for as many. */
static double find_single_ns(const struct findings_context *context, const struct layer *layer,
                             size_t count, double *lengths, double *times)
{
    double most_ns = (double)INFINITY;
    struct fit_line line;

    for (size_t i = 0; i < count; i++) {
        lengths[i] = (double)layer[i].length;
        times[i] = call_ns(context, &layer[i]);
        most_ns = fmin(most_ns, times[i]);
    }
    if (fit_check(lengths, times, count) != FIT_OK)
        return predict_single_ns(context, layer);
    line = fit_line_of(lengths, times, count, context->options.confidence);
    return fmin(most_ns, fmax(line.intercept + line.slope, least_ns(context, layer)));
}

/* Find the time that all calls of a run take beyond one token each, by row of the context.  The
 * saved share comes from the fastest call.  The first length of a run must be computed once in any
 * case. */
static void add_run(double *saved, const struct findings_context *context,
                    const struct layer *layer, size_t count)
{
    double *lengths = pool_get(2 * count * sizeof *lengths), single_ns;

    single_ns = find_single_ns(context, layer, count, lengths, lengths + count);
    for (size_t i = 1; i < count; i++)
        saved[layer[i].row] = (double)findings_group(context, layer[i].row)->self_ns *
                              fmax(0, 1 - single_ns / call_ns(context, &layer[i]));
}

/* Rows are added in the order of the context, the largest first. */
static void sum_up(struct growth *growth, const struct findings_context *context,
                   const struct array *layers, const struct array *runs)
{
    double *saved = pool_get_zeros(context->groups.rows.count + 1, sizeof *saved);
    const struct layer *layer = layers->items;

    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = array_at(runs, i);

        if (!has_company(runs, layers, run))
            continue;
        add_run(saved, context, &layer[run->begin], run->end - run->begin);
        if (growth->most < layer[run->end - 1].length) {
            growth->least = layer[run->begin].length;
            growth->most = layer[run->end - 1].length;
        }
    }
    for (size_t i = 0; i < context->groups.rows.count; i++)
        if (saved[i] > 0)
            targets_add(&growth->rows, findings_group(context, i), saved[i]);
}

static void find_growth(struct growth *growth, const struct findings_context *context)
{
    uint64_t *starts = find_starts(context);
    struct array layers, runs;

    array_init(&layers, sizeof(struct layer));
    array_init(&runs, sizeof(struct run));
    gather(&layers, context, starts);
    find_runs(&runs, &layers);
    sum_up(growth, context, &layers, &runs);
}

static void add_growth(const struct findings_context *context, struct findings *findings,
                       const struct growth *growth)
{
    struct finding *finding =
        targets_claim(findings, &growth->rows, context, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->evidence, prefix_lengths_text, said_count((uint64_t)growth->least),
        said_count((uint64_t)growth->most));
}

void rule_prefix(const struct findings_context *context, struct findings *findings)
{
    struct growth growth = {0};

    if (!context->successions.is_known) {
        findings_skip(findings, no_order_text);
        return;
    }
    find_growth(&growth, context);
    if (findings_fraction(context, growth.rows.saved_ns) >= least_share)
        add_growth(context, findings, &growth);
    else
        findings_pass(findings, prefix_passed_text,
                      said_share(findings_fraction(context, growth.rows.thread_ns)));
}
