/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All figures of a pair.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/report_parts.h"
#include "statistics/ranks.h"

/* Only shown figures are compared: each further test makes all others less sensitive. */
static bool is_compared(const struct pair_part *part, enum run_quantity quantity)
{
    enum run_subject subject = part->subject;

    if (quantity == RUN_P95 ||
        (quantity == RUN_PEAK_USABLE && pair_part_knows(part, RUN_PEAK_HEAP)))
        return false;
    if (subject == RUN_REGION)
        return quantity != RUN_TOTAL && quantity != RUN_CPU;
    return true;
}

static void add_figure(struct compared *compared, const struct pair_part *part,
                       enum run_quantity quantity, const struct figure_options *options)
{
    struct figure *figure = array_add(&compared->figures);

    figure_init(figure, part, quantity, options);
    figure->is_main = part->subject == RUN_WHOLE && quantity == RUN_WALL;
    if (figure->basis == FIGURE_OF_NOTHING)
        array_truncate(&compared->figures, compared->figures.count - 1);
}

static void add_figures(struct compared *compared, const struct figure_options *options)
{
    for (size_t i = 0; i < compared->pair.parts.count; i++)
        for (int j = 0; j < RUN_QUANTITIES; j++) {
            const struct pair_part *part = array_at(&compared->pair.parts, i);

            if (is_compared(part, (enum run_quantity)j))
                add_figure(compared, part, (enum run_quantity)j, options);
        }
}

void compared_init(struct compared *compared, const struct run_side *base,
                   const struct run_side *changed, const struct figure_options *options)
{
    array_init(&compared->figures, sizeof(struct figure));
    pair_init(&compared->pair, base, changed);
    add_figures(compared, options);
    figures_judge(&compared->figures, options);
}

void compared_fini(struct compared *compared)
{
    array_fini(&compared->figures);
    pair_fini(&compared->pair);
}

/* Figures are by part in the order of the pair, each in the order of quantities. */
static int compare_places(const void *a, const void *b)
{
    const struct figure *left = a, *right = b;

    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return (left->quantity > right->quantity) - (left->quantity < right->quantity);
}

const struct figure *compared_find(const struct compared *compared, const struct pair_part *part,
                                   enum run_quantity quantity)
{
    const struct figure key = {.part = part, .quantity = quantity};

    return compared->figures.count > 0
               ? bsearch(&key, compared->figures.items, compared->figures.count, sizeof key,
                         compare_places)
               : NULL;
}

const struct figure *compared_whole(const struct compared *compared, enum run_quantity quantity)
{
    const struct pair_part *whole = pair_find(&compared->pair, RUN_WHOLE, "", "");

    return whole ? compared_find(compared, whole, quantity) : NULL;
}

double side_median(const struct run_side *side, double (*give)(const struct run *, const void *),
                   const void *of)
{
    struct array values;
    double median;

    array_init(&values, sizeof(double));
    for (size_t i = 0; i < side->runs.count; i++) {
        double value = give(array_at(&side->runs, i), of), *place;

        place = isnan(value) ? NULL : array_add(&values);
        if (place)
            *place = value;
    }
    median = ranks_median(values.items, values.count);
    array_fini(&values);
    return median;
}

static double give_whole(const struct run *run, const void *quantity)
{
    return run_whole_value(run, *(const enum run_quantity *)quantity);
}

static double give_metric(const struct run *run, const void *name)
{
    return run_metric_value(run, name);
}

double side_whole(const struct run_side *side, enum run_quantity quantity)
{
    return side_median(side, give_whole, &quantity);
}

double side_metric(const struct run_side *side, const char *metric)
{
    return side_median(side, give_metric, metric);
}
