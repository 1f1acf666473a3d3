/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines through the times of products, and where two of them cross.
 */
#include "money/crossover.h"

#include <gsl/gsl_fit.h>
#include <math.h>

#include "kernels/kernel_precision.h"
#include "money/texts.h"

enum { LEAST_SIZES = 3 };

static const double least_span = 4;      /* largest by smallest, as for every fit */
static const double largest_order = 1e6; /* larger products do not occur */

/* Products of one size: FLOPs and time of a call, and a weight that makes errors relative. */
struct points {
    struct array flops;   /* double */
    struct array ns;      /* double */
    struct array weights; /* double */
};

static bool is_timed_product(const struct group *group)
{
    return group_is_product(group) && group->owning_calls > 0 && group->flops > 0 &&
           group->owning_ns > 0;
}

static enum machine_precision find_precision(const struct groups *groups)
{
    long double flops[MACHINE_PRECISIONS + 1] = {0};
    enum machine_precision most = MACHINE_PRECISIONS;

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        enum machine_precision precision = kernel_precision_of(group);

        if (!is_timed_product(group) || precision == MACHINE_PRECISIONS)
            continue;
        flops[precision] += group->flops;
        if (most == MACHINE_PRECISIONS || flops[precision] > flops[most])
            most = precision;
    }
    return most;
}

static void add(struct array *array, double value)
{
    double *place = array_add(array);

    *place = value;
}

static void add_point(struct points *points, const struct group *group)
{
    double ns = (double)group->owning_ns / (double)group->owning_calls;
    double flops = (double)(group->flops / group->owning_calls);

    add(&points->flops, flops);
    add(&points->ns, ns);
    add(&points->weights, 1 / (ns * ns));
}

static void gather(struct points *points, const struct groups *groups,
                   enum machine_precision precision)
{
    array_init(&points->flops, sizeof(double));
    array_init(&points->ns, sizeof(double));
    array_init(&points->weights, sizeof(double));
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (is_timed_product(group) && kernel_precision_of(group) == precision)
            add_point(points, group);
    }
}

static size_t count_sizes(const struct points *points, double *span)
{
    const double *flops = points->flops.items;
    double least = (double)INFINITY, most = 0;
    size_t distinct = 0;

    for (size_t i = 0; i < points->flops.count; i++) {
        size_t before = 0;

        while (before < i && flops[before] != flops[i])
            before++;
        distinct += before == i;
        least = fmin(least, flops[i]);
        most = fmax(most, flops[i]);
    }
    *span = most / least;
    return distinct;
}

/* A call cannot cost less than nothing: then the line goes through the origin. */
static void fit(struct crossover_line *line, const struct points *points)
{
    double covariance[3], squares;
    size_t count = points->ns.count;

    gsl_fit_wlinear(points->flops.items, 1, points->weights.items, 1, points->ns.items, 1, count,
                    &line->call_ns, &line->flop_ns, &covariance[0], &covariance[1], &covariance[2],
                    &squares);
    if (line->call_ns >= 0)
        return;
    line->call_ns = 0;
    gsl_fit_wmul(points->flops.items, 1, points->weights.items, 1, points->ns.items, 1, count,
                 &line->flop_ns, &covariance[0], &squares);
}

static void take_mean(struct crossover_line *line, const struct groups *groups)
{
    long double flops = 0, ns = 0;

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (!is_timed_product(group) || kernel_precision_of(group) != line->precision)
            continue;
        flops += group->flops;
        ns += group->owning_ns;
    }
    line->call_ns = 0;
    line->flop_ns = flops > 0 ? (double)(ns / flops) : (double)NAN;
}

void crossover_fit(struct crossover_line *line, const struct groups *groups)
{
    struct points points;
    double span;
    size_t sizes;

    *line = (struct crossover_line){.precision = find_precision(groups)};
    gather(&points, groups, line->precision);
    sizes = count_sizes(&points, &span);
    line->refusal = line->precision == MACHINE_PRECISIONS ? crossover_no_products_text.words
                    : sizes < LEAST_SIZES                 ? crossover_few_sizes_text.words
                    : !(span >= least_span)               ? crossover_near_sizes_text.words
                                                          : NULL;
    line->sizes = line->refusal ? 0 : sizes;
    if (line->refusal)
        take_mean(line, groups);
    else
        fit(line, &points);
}

/* The two machines, and the time to move one number of an operand. */
struct race {
    const struct crossover_line *here, *there;
    double moved_ns;
};

/* How much longer a product takes here than there. */
static double find_gain(const struct race *race, double order)
{
    double flops = 2 * order * order * order;

    return race->here->call_ns - race->there->call_ns +
           flops * (race->here->flop_ns - race->there->flop_ns) -
           3 * order * order * race->moved_ns;
}

/* The order with the least gain: the derivative 6 n^2 d - 6 n moved, where a FLOP takes d longer
 * here, is 0 at n = moved / d.  Without a positive d, the gain falls for ever. */
static double find_valley(const struct race *race)
{
    double longer_ns = race->here->flop_ns - race->there->flop_ns, order;

    if (longer_ns <= 0)
        return largest_order;
    order = fmax(1, fmin(floor(race->moved_ns / longer_ns), largest_order - 1));
    return find_gain(race, order) < find_gain(race, order + 1) ? order : order + 1;
}

/* Halve the interval between an order that loses and one that does not, until the two are
 * neighbours. */
static void approach(const struct race *race, double *loses, double *gains)
{
    while (fabs(*gains - *loses) > 1) {
        double middle = floor((*gains + *loses) / 2);

        if (find_gain(race, middle) >= 0)
            *gains = middle;
        else
            *loses = middle;
    }
}

/* The gain falls down to its valley and rises from there on. */
struct crossover crossover_find(const struct crossover_line *here,
                                const struct crossover_line *there, double link)
{
    double moved_ns = isnan(link) ? 0 : 1e9 * machine_precision_bytes(here->precision) / link;
    const struct race race = {here, there, moved_ns};
    double first = 1, last = largest_order, valley;

    if (isnan(find_gain(&race, 1)))
        return (struct crossover){CROSSOVER_UNKNOWN, (double)NAN};
    valley = find_valley(&race);
    if (find_gain(&race, valley) >= 0)
        return (struct crossover){CROSSOVER_ALWAYS, (double)NAN};
    if (find_gain(&race, last) >= 0) {
        approach(&race, &valley, &last);
        return (struct crossover){CROSSOVER_FROM, last};
    }
    if (find_gain(&race, first) < 0)
        return (struct crossover){CROSSOVER_NEVER, (double)NAN};
    approach(&race, &valley, &first);
    return (struct crossover){CROSSOVER_UP_TO, first};
}
