/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics of a set of durations, by GSL.
 */
#ifndef ANALYSIS_STATISTICS_H
#define ANALYSIS_STATISTICS_H

#include <stddef.h>

/* What cannot be told from so few samples is NAN. */
struct statistics {
    size_t count;
    double mean;
    double sd;  /* of the sample, n - 1 */
    double low; /* t interval of the mean */
    double high;
    double minimum;
    double median;
    double p95;
    double p99;
};

/* Sort the samples and describe them.
 * Units: those of the samples.  Percentiles are of type 7 (Hyndman and Fan
 * 1996), as R and numpy have them. */
struct statistics statistics_of(double *samples, size_t count, double confidence);

#endif
