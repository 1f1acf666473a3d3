/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means, intervals and percentiles.
 */
#include "analysis/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static void add_interval(struct statistics *of, double confidence)
{
    double degrees = (double)of->count - 1;
    double half =
        gsl_cdf_tdist_Pinv((1 + confidence) / 2, degrees) * of->sd / sqrt((double)of->count);

    of->low = of->mean - half;
    of->high = of->mean + half;
}

struct statistics statistics_of(double *samples, size_t count, double confidence)
{
    struct statistics of = {count, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

    if (count == 0)
        return of;
    gsl_sort(samples, 1, count);
    of.minimum = samples[0];
    of.mean = gsl_stats_mean(samples, 1, count);
    of.median = gsl_stats_quantile_from_sorted_data(samples, 1, count, 0.50);
    of.p95 = gsl_stats_quantile_from_sorted_data(samples, 1, count, 0.95);
    of.p99 = gsl_stats_quantile_from_sorted_data(samples, 1, count, 0.99);
    if (count < 2)
        return of;
    of.sd = gsl_stats_sd(samples, 1, count);
    add_interval(&of, confidence);
    return of;
}
