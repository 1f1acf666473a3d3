/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adjusting p values.
 */
#include "statistics/multiple.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The indices of the known p values, in rising order. */
struct order {
    size_t *places;
    size_t count;
};

static void order_init(struct order *order, const double *p, size_t count)
{
    double *known = memory_get_zeros(count + 1, sizeof *known);
    size_t *from = memory_get_zeros(count + 1, sizeof *from), found = 0;

    *order = (struct order){memory_get_zeros(count + 1, sizeof *order->places), 0};
    if (order->places) {
        for (size_t i = 0; i < count; i++)
            if (!isnan(p[i])) {
                from[found] = i;
                known[found++] = p[i];
            }
        gsl_sort_index(order->places, known, 1, found);
        for (size_t i = 0; i < found; i++)
            order->places[i] = from[order->places[i]];
        order->count = found;
    }
    free(known);
    free(from);
}

static void copy(double *adjusted, const double *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        adjusted[i] = p[i];
}

/* Values that were not chosen count as if none had a smaller p: in their own places they could only
 * weaken the correction. */
static void step_down(const struct order *order, size_t tests, double *adjusted)
{
    double most = 0;

    for (size_t i = 0; i < order->count; i++) {
        double *value = &adjusted[order->places[i]];

        most = fmax(most, fmin(1, *value * (double)(tests - i)));
        *value = most;
    }
}

void multiple_holm(const double *p, size_t count, double *adjusted)
{
    struct order order;

    order_init(&order, p, count);
    copy(adjusted, p, count);
    step_down(&order, order.count, adjusted);
    free(order.places);
}

void multiple_holm_among(const double *p, size_t count, size_t tests, double *adjusted)
{
    struct order order;

    order_init(&order, p, count);
    copy(adjusted, p, count);
    step_down(&order, tests > order.count ? tests : order.count, adjusted);
    free(order.places);
}

void multiple_benjamini_hochberg(const double *p, size_t count, double *adjusted)
{
    struct order order;
    double least = 1;

    order_init(&order, p, count);
    copy(adjusted, p, count);
    for (size_t i = order.count; i-- > 0;) {
        double *value = &adjusted[order.places[i]];

        least = fmin(least, *value * (double)order.count / (double)(i + 1));
        *value = least;
    }
    free(order.places);
}
