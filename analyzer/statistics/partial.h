/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sum of parts of wholes, if every whole is known and only some parts were read: the processor
 * time of calls whose length is known.
 */
#ifndef STATISTICS_PARTIAL_H
#define STATISTICS_PARTIAL_H

#include <stddef.h>

#include "statistics/interval.h"

/* A whole whose part was read, or bounded. */
struct partial_reading {
    double whole;
    double least, most; /* bounds of its part, within the whole; equal if it was read */
    double drawn_of;    /* the part was drawn, one of this many; 0: not drawn, it represents
                           itself */
};

/* Wholes are grouped by the powers of two below them. */
enum { PARTIAL_BINS = 64 };

struct partial_all {
    double count[PARTIAL_BINS];
    double whole[PARTIAL_BINS];
};

struct partial {
    double sum;
    double error;   /* standard error by chance */
    double freedom; /* degrees of, of the error */
    double slack;   /* beyond chance: bounds of parts that were not read */
    double least;   /* certain bounds of the sum */
    double most;
    double read;  /* parts that were read */
    double count; /* wholes */
};

/* Add a whole to the known ones. */
void partial_add(struct partial_all *all, double whole);

/* Estimate the sum of all parts.  Unread parts are assumed to have the same share of their wholes
 * as the drawn parts, in groups of wholes of similar length: a ratio estimate in strata (Cochran,
 * "Sampling Techniques", 6.10).  Each drawn part has the weight of the parts that it represents.
 * The error of a share is at least that of one more drawn part that deviates.
 * Shape: `count` readings, each of one of the wholes. */
struct partial partial_estimate(const struct partial_all *all,
                                const struct partial_reading *readings, size_t count);

/* Returns: the interval of the sum, by Student's t for the error by chance. */
struct statistics_interval partial_interval(const struct partial *partial, double confidence);

#endif
