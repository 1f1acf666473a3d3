/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distribution of rank sums if only chance picks the members of a sample.
 */
#ifndef STATISTICS_RANK_SUMS_H
#define STATISTICS_RANK_SUMS_H

#include <stddef.h>

/* Ways to pick `picked` of `count` ranks, by twice their sum: tied values may
 * have half ranks. */
struct rank_sums {
    double *ways;
    size_t size;
    double all;
};

/* Count the ways.  Shape: `doubled_ranks` has `count` entries. */
void rank_sums_init(struct rank_sums *sums, const size_t *doubled_ranks, size_t count,
                    size_t picked);
void rank_sums_fini(struct rank_sums *sums);

/* The probability of a sum at least `distance` from `centre`. */
double rank_sums_beyond(const struct rank_sums *sums, double centre, double distance);

#endif
