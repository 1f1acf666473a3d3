/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values that depend on the ones before them, as means of so many in a row that the
 * means hardly do.  What takes samples as independent may then be asked of the means.
 */
#ifndef STATISTICS_BATCHES_H
#define STATISTICS_BATCHES_H

#include <stddef.h>

/* Find how many values in a row make one: so many that the correlation of a mean with the
 * one before it is at most 0.1.
 * Shape: `count` values in the order in which they came; `confidence` such as 0.95;
 * `size` becomes 1 where the values themselves depend on each other no more than that, or
 * than chance has it, and at most half of `count`.
 * Source: batch means, Law, Simulation Modeling and Analysis (2015), section 9.5.3. */
void batches_find_size(const double *values, size_t count, double confidence, size_t *size);

/* Put the means of `size` values in a row in place of the values; the first values, too few
 * to fill a batch, are left out.
 * Returns: how many means there are. */
size_t batches_take(double *values, size_t count, size_t size);

#endif
