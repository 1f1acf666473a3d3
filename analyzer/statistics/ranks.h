/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by their place in order.
 */
#ifndef STATISTICS_RANKS_H
#define STATISTICS_RANKS_H

#include <stddef.h>

/* Replace values by their ranks, counted from 0; equal ones share the mean rank.
 * Shape: `count` values, ranks and places of `order`, which is room to work in. */
void ranks_of(double *ranks, const double *values, size_t count, size_t *order);

/* Sort values, none of them NAN, and give their median.
 * Returns: NAN of none. */
double ranks_median(double *values, size_t count);

/* Give their median, too: of thousands choosing takes an eighth of the time of sorting.  The order
 * of the values changes.
 * Returns: NAN of none. */
double ranks_middle(double *values, size_t count);

/* Give the value of a rank, counted from 0, of `count` values, none of them NAN: behind it stand
 * those that are not less, before it those that are not more.
 * Source: Hoare, Algorithm 65: FIND, CACM 4 (1961) 321. */
double ranks_select(double *values, size_t count, size_t rank);

#endif
