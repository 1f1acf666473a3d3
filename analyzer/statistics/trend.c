/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slope of Theil and Sen.
 */
#include "statistics/trend.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/ranks.h"

/* Returns: how many slopes were stored. */
static size_t find_slopes(double *slopes, const double *x, const double *y, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (x[j] > x[i])
                slopes[found++] = (y[j] - y[i]) / (x[j] - x[i]);
    return found;
}

/* The reduction of the variance of Kendall's score by groups of equal values. */
static double count_ties(const double *sorted, size_t count)
{
    double ties = 0;

    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && sorted[next] == sorted[i])
            next++;
        double size = (double)(next - i);
        ties += size * (size - 1) * (2 * size + 5);
    }
    return ties;
}

/* Variance of Kendall's score under independence, corrected for ties in y. */
static double find_variance(const double *y, size_t count, double *scratch)
{
    double n = (double)count;

    memcpy(scratch, y, count * sizeof *y);
    gsl_sort(scratch, 1, count);
    return (n * (n - 1) * (2 * n + 5) - count_ties(scratch, count)) / 18;
}

static double correlate(const double *ranks, size_t count, size_t lag, double mean)
{
    double product = 0, square = 0;

    for (size_t i = 0; i < count; i++) {
        square += (ranks[i] - mean) * (ranks[i] - mean);
        if (i + lag < count)
            product += (ranks[i] - mean) * (ranks[i + lag] - mean);
    }
    return square > 0 ? product / square : 0;
}

/* Hamed and Rao's correction n/n*, from the ranks of the residuals.  Lags
 * beyond a quarter of the series have too few pairs.  Values below 1, from
 * series that swing back, are not used: they would claim more certainty. */
static double sum_dependence(const double *ranks, size_t count)
{
    double n = (double)count, sum = 0;
    double significant = gsl_cdf_ugaussian_Pinv(0.975) / sqrt(n);
    double mean = gsl_stats_mean(ranks, 1, count);

    for (size_t lag = 1; lag <= count / 4; lag++) {
        double k = (double)lag, correlation = correlate(ranks, count, lag, mean);

        if (fabs(correlation) > significant)
            sum += (n - k) * (n - k - 1) * (n - k - 2) * correlation;
    }
    return fmax(1, 1 + 2 * sum / (n * (n - 1) * (n - 2)));
}

struct workspace {
    double *slopes;
    double *values;
    double *ranks;
    size_t *order;
};

static void workspace_init(struct workspace *work, size_t count)
{
    work->slopes = memory_get_zeros(count * (count - 1) / 2 + 1, sizeof *work->slopes);
    work->values = memory_get_zeros(count, sizeof *work->values);
    work->ranks = memory_get_zeros(count, sizeof *work->ranks);
    work->order = memory_get_zeros(count, sizeof *work->order);
}

static void workspace_fini(struct workspace *work)
{
    free(work->slopes);
    free(work->values);
    free(work->ranks);
    free(work->order);
}

static double find_dependence(struct workspace *work, const double *x, const double *y,
                              const struct trend *trend)
{
    for (size_t i = 0; i < trend->count; i++)
        work->values[i] = y[i] - trend->slope * x[i];
    ranks_of(work->ranks, work->values, trend->count, work->order);
    return sum_dependence(work->ranks, trend->count);
}

/* Sen's interval: the slopes of rank (N - C) / 2 and (N + C) / 2 + 1, counted from 1, where C is
 * the normal quantile times the score's standard deviation.  Choosing the median has put the lesser
 * half in front. */
static void find_interval(struct trend *trend, double *slopes, size_t found, double spread)
{
    double lower = floor(((double)found - spread) / 2) - 1;
    double upper = ceil(((double)found + spread) / 2);
    size_t half = found / 2;

    trend->low = lower >= 0 ? ranks_select(slopes, half, (size_t)lower) : -INFINITY;
    trend->high = upper < (double)found
                      ? ranks_select(slopes + half, found - half, (size_t)upper - half)
                      : INFINITY;
}

void trend_find(struct trend *trend, const double *x, const double *y, size_t count,
                double confidence)
{
    struct workspace work;
    size_t found;

    *trend = (struct trend){count, NAN, NAN, NAN, 1};
    if (count < 2)
        return;
    workspace_init(&work, count);
    found = find_slopes(work.slopes, x, y, count);
    if (found > 0)
        trend->slope = ranks_middle(work.slopes, found);
    if (found > 0 && count >= TREND_LEAST_POINTS) {
        trend->dependence = find_dependence(&work, x, y, trend);
        double variance = find_variance(y, count, work.values) * trend->dependence;
        find_interval(trend, work.slopes, found,
                      gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) * sqrt(variance));
    }
    workspace_fini(&work);
}

void trend_find_score(struct trend_score *score, const double *y, size_t count)
{
    double *scratch = memory_get_zeros(count + 1, sizeof *scratch);

    score->score = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            score->score += (y[j] > y[i]) - (y[j] < y[i]);
    score->variance = find_variance(y, count, scratch);
    free(scratch);
}
