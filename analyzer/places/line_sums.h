/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums by source line: where the most of something is.
 */
#ifndef PLACES_LINE_SUMS_H
#define PLACES_LINE_SUMS_H

#include "base/array.h"
#include "places/places.h"

struct line_sum {
    struct place place; /* of the first addition */
    double sum;
    double variance; /* of the sum; 0 when exact */
};

/* Start an empty list of struct line_sum, in the pool in use. */
void line_sums_init(struct array *sums);

/* Add an amount at a line. */
void line_sums_add(struct array *sums, const struct place *place, double amount);

/* Add an estimate with its standard error. */
void line_sums_add_estimate(struct array *sums, const struct place *place, double amount,
                            double error);

/* Returns: the line with the largest sum; NULL when there is none. */
const struct line_sum *line_sums_most(const struct array *sums);

#endif
