/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks of a sample that estimate a percentile, and their interval.  In
 * every distribution the number of values below a percentile is binomial.
 */
#ifndef STATISTICS_PERCENTILE_H
#define STATISTICS_PERCENTILE_H

#include <stddef.h>

/* Ranks from 1 on, of `count` values. */
struct percentile_ranks {
    size_t low;      /* lower rank of the interval; 0: too few values for a lower bound */
    size_t high;     /* above count: too few for an upper bound */
    size_t nearest;  /* ceil(fraction count): a value of the sample */
    size_t below;    /* rank of the lower of the two values between which type 7 interpolates */
    double fraction; /* position between that value and the next */
};

/* Find the ranks; count is at least 1, fraction between 0 and 1.
 * Source: Hahn and Meeker, Statistical Intervals (1991), ch. 5; Hyndman and Fan,
 * Am. Stat. 50 (1996) 361, for type 7, which R and numpy have. */
struct percentile_ranks percentile_ranks_of(double fraction, size_t count, double confidence);

/* Give the least number of values whose interval has both bounds. */
size_t percentile_least_count(double fraction, double confidence);

#endif
