/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by their place in order.
 */
#include "statistics/ranks.h"

#include <gsl/gsl_sort.h>

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
