/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by their place in order.
 */
#include "statistics/ranks.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stddef.h>

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

/* Partitions the values between two indices: those below a pivot come first.  Returns: the indices
 * where the first part ends and the second starts. */
static void part(double *values, ptrdiff_t *low, ptrdiff_t *high, double pivot)
{
    while (*low <= *high) {
        while (values[*low] < pivot)
            ++*low;
        while (pivot < values[*high])
            --*high;
        if (*low > *high)
            return;
        double value = values[*low];
        values[(*low)++] = values[*high];
        values[(*high)--] = value;
    }
}

double ranks_select(double *values, size_t count, size_t rank)
{
    ptrdiff_t first = 0, last = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;

    while (first < last) {
        ptrdiff_t low = first, high = last;

        part(values, &low, &high, values[rank]);
        if (high < wanted)
            first = low;
        if (wanted < low)
            last = high;
    }
    return values[rank];
}

double ranks_middle(double *values, size_t count)
{
    double upper;

    if (count == 0)
        return (double)NAN;
    upper = ranks_select(values, count, count / 2);
    return count % 2 != 0 ? upper : (upper + gsl_stats_max(values, 1, count / 2)) / 2;
}
