/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trends that withstand outliers and jumps: the slope of Theil and Sen, its
 * confidence interval, and how much a series depends on its own past.
 */
#ifndef STATISTICS_TREND_H
#define STATISTICS_TREND_H

#include <stddef.h>

enum {
    TREND_LEAST_POINTS = 6,  /* with 4 points even a perfect order has a two-sided p of .083, with 5
                                points .017; one more allows for a tie */
    TREND_MOST_POINTS = 256, /* 32,640 slopes: more gain nothing and take longer to sort */
};

struct trend {
    size_t count;
    double slope; /* median of the slopes of all pairs; y by x */
    double low;   /* interval of the slope; NAN with too few points */
    double high;
    double dependence; /* factor of the variance due to autocorrelation; 1: independent */
};

/* Find the trend of points with rising x.
 *
 * Source: Sen, J. Am. Stat. Assoc. 63 (1968) 1379, for slope and interval;
 * Kendall, Rank Correlation Methods, ch. 4, for the variance with ties;
 * Hamed and Rao, J. Hydrology 204 (1998) 182, for autocorrelated series.
 */
void trend_find(struct trend *trend, const double *x, const double *y, size_t count,
                double confidence);

/* Kendall's score of values in their order: the pairs that rise less the pairs that fall; and its
 * variance under independence, corrected for ties. */
struct trend_score {
    double score;
    double variance;
};

void trend_find_score(struct trend_score *score, const double *y, size_t count);

#endif
