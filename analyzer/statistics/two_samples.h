/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing two samples: by ranks, without assumptions about the distribution,
 * and by means.  Both take the samples as independent.
 */
#ifndef STATISTICS_TWO_SAMPLES_H
#define STATISTICS_TWO_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/interval.h"

/* Values in any order, none of them NAN. */
struct two_samples {
    const double *base;
    size_t base_count;
    const double *changed;
    size_t changed_count;
    double confidence; /* confidence level of all intervals, such as 0.95 */
};

/* NAN: unknown because of an empty sample. */
struct rank_comparison {
    double u;             /* pairs with the higher value in `changed`; equal ones count half */
    double p_value;       /* two-sided */
    double least_p_value; /* the smallest p value possible with this few values */
    bool is_exact;        /* p and the intervals are exact; otherwise from the normal
                             distribution */
    double shift;         /* Hodges and Lehmann: median of changed - base over all pairs */
    struct statistics_interval shift_interval;
    double ratio; /* the same for logarithms: changed / base; NAN if a value is not above 0 */
    struct statistics_interval ratio_interval;
    double cliffs_delta; /* -1: every changed value is lower; 1: every one is higher */
};

/* Compare by ranks: the test of Mann and Whitney, corrected for ties, exact when the product of the
 * counts is at most 400, and its intervals.  An interval has no bounds when the values are too few
 * for the confidence.
 *
 * Source: Mann and Whitney, Ann. Math. Stat. 18 (1947) 50; Hodges and Lehmann,
 * Ann. Math. Stat. 34 (1963) 598; Hollander, Wolfe and Chicken, Nonparametric
 * Statistical Methods (2014), ch. 4.
 */
void two_samples_rank(const struct two_samples *samples, struct rank_comparison *comparison);

/* Give the number of values a side that two_samples_rank needs to reach `level` among `tests` tests
 * adjusted by Holm; at most 30. */
unsigned two_samples_least_count(double level, size_t tests);

/* NAN: unknown, because a sample has fewer than two values. */
struct mean_comparison {
    double t;
    double degrees; /* degrees of freedom; NAN if no value differs within the samples */
    double p_value; /* two-sided */
    double difference;
    struct statistics_interval difference_interval;
    double ratio; /* changed / base; NAN when the mean of base is not above 0 */
    struct statistics_interval ratio_interval; /* NAN when the mean of base is too near 0 */
};

/* Compare by means, with unequal variances.  Samples without variance are judged only if they are
 * equal.
 *
 * Source: Welch, Biometrika 34 (1947) 28; for the ratio Fieller, J. R. Stat. Soc. B 16
 * (1954) 175, with the degrees of freedom of Tamhane and Logan, Biometrical J. 46 (2004) 84.
 */
void two_samples_welch(const struct two_samples *samples, struct mean_comparison *comparison);

/* Estimate the smallest changed / base - 1 that two_samples_rank would find with a probability of
 * `power`, from the width of the interval that it returned.
 *
 * Returns: NAN when the interval has no bounds.
 */
double two_samples_least_ratio(const struct statistics_interval *ratio_interval, double confidence,
                               double power);

#endif
