/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batch means: the means of many consecutive dependent values hardly depend on each other.  Methods
 * for independent samples may use these means.
 */
#ifndef STATISTICS_BATCHES_H
#define STATISTICS_BATCHES_H

#include <stddef.h>

/* Find the batch size: the correlation of a mean with the previous one must be at most 0.1.
 * Shape: `count` values in the order of their time; `confidence` such as 0.95. `size` becomes at
 * most half of `count`, and 1 if the values depend on each other no more than that, or only by
 * chance.
 * Source: batch means, Law, Simulation Modeling and Analysis (2015), section 9.5.3. */
void batches_find_size(const double *values, size_t count, double confidence, size_t *size);

/* Replace the values by the means of batches of `size`.  The first values are left out if they do
 * not fill a batch.
 * Returns: the number of means. */
size_t batches_take(double *values, size_t count, size_t size);

#endif
