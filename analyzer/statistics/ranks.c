/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by their place in order.
 */
#include "statistics/ranks.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

void ranks_of(double *ranks, const double *values, size_t count, size_t *order)
{
    gsl_sort_index(order, values, 1, count);
    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && values[order[next]] == values[order[i]])
            next++;
        for (size_t j = i; j < next; j++)
            ranks[order[j]] = (double)(i + next - 1) / 2;
    }
}

double ranks_median(double *values, size_t count)
{
    if (count == 0)
        return (double)NAN;
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}
