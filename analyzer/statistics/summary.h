/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics of a sample of whole numbers: mean, percentiles, outliers, dependence of each value on
 * the one before it, and confidence intervals.
 */
#ifndef STATISTICS_SUMMARY_H
#define STATISTICS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "statistics/interval.h"

enum summary_percentile_id {
#define PERCENTILE(id, name, key, fraction, priority) SUMMARY_##id,
#include "statistics/percentiles.def"
#undef PERCENTILE
    SUMMARY_PERCENTILES
};

/* One or more series in a row, each in the order of time.  Their sum is below 2^64, and each value
 * below 2^62. */
struct summary_sample {
    const uint64_t *values;
    size_t count;
    const size_t *starts; /* where each series after the first starts, rising */
    size_t start_count;
};

struct summary_percentile {
    double value;                        /* percentile of type 7, interpolated */
    double nearest;                      /* percentile by the nearest rank: a value of the sample */
    struct statistics_interval interval; /* interval from order statistics; one bound may be NAN */
    size_t least_count;                  /* number of values needed for both bounds */
};

/* Values beyond the quartiles by 1.5 (mild) or 3 (severe) times their distance; all other figures
 * include them.  Source: Tukey, Exploratory Data Analysis (1977). */
struct summary_outliers {
    size_t low_severe;
    size_t low_mild;
    size_t high_mild;
    size_t high_severe;
};

/* Units: those of the values.  NAN: too few values. */
struct summary {
    size_t count;
    double mean;
    double sd;                                /* standard deviation of the sample, n - 1 */
    struct statistics_interval mean_interval; /* t, not below 0 */
    double degrees;                           /* degrees of freedom of that interval */
    double minimum;
    double maximum;
    double lower_quartile;
    double upper_quartile;
    double mad; /* median of the distances from the median, not scaled */
    struct summary_percentile percentiles[SUMMARY_PERCENTILES];
    struct summary_outliers outliers;
    double rho;             /* correlation of a value with the one before it in its series */
    double effective_count; /* equivalent number of independent values: n (1 - rho) / (1 + rho) */
    bool is_corrected;      /* the mean's interval uses effective_count: rho is above 0.1, and too
                               high for independent values */
};

/* Describe a sample.  Percentiles are exact; their intervals assume independent
 * values. */
void summary_of(struct summary *summary, const struct summary_sample *sample, double confidence);

#endif
