/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two samples, compared by their means.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "statistics/two_samples.h"

struct estimate {
    double mean;
    double variance; /* variance of the mean */
    double degrees;
};

static struct estimate estimate_mean(const double *values, size_t count)
{
    double mean = gsl_stats_mean(values, 1, count), n = (double)count;

    return (struct estimate){mean, gsl_stats_variance_m(values, 1, count, mean) / n, n - 1};
}

/* Welch and Satterthwaite: of the sum of two estimated variances. */
static double find_degrees(double first, double first_degrees, double second, double second_degrees)
{
    double sum = first + second;

    return sum * sum / (first * first / first_degrees + second * second / second_degrees);
}

static double find_quantile(double confidence, double degrees)
{
    return gsl_cdf_tdist_Pinv((1 + confidence) / 2, degrees);
}

/* Without variance there is no scale for a difference. */
static void compare_constants(struct mean_comparison *comparison)
{
    if (comparison->difference != 0)
        return;
    comparison->t = 0;
    comparison->p_value = 1;
    comparison->difference_interval = (struct statistics_interval){0, 0};
}

static void compare_difference(struct mean_comparison *comparison, const struct estimate *base,
                               const struct estimate *changed, double confidence)
{
    double error = sqrt(base->variance + changed->variance), half;

    if (!(error > 0)) {
        compare_constants(comparison);
        return;
    }
    comparison->degrees =
        find_degrees(base->variance, base->degrees, changed->variance, changed->degrees);
    comparison->t = comparison->difference / error;
    comparison->p_value = 2 * gsl_cdf_tdist_Q(fabs(comparison->t), comparison->degrees);
    half = find_quantile(confidence, comparison->degrees) * error;
    comparison->difference_interval.low = comparison->difference - half;
    comparison->difference_interval.high = comparison->difference + half;
}

/* Finds the ratios r whose changed - r base is not far from 0.  They lie between the roots of a
 * quadratic equation, unless the mean of base itself is not significantly different from 0. */
static void compare_ratio(struct mean_comparison *comparison, const struct estimate *base,
                          const struct estimate *changed, double confidence)
{
    double ratio = comparison->ratio, scaled = ratio * ratio * base->variance;
    double quantile, doubt, half;

    if (!(changed->variance + scaled > 0)) {
        comparison->ratio_interval = (struct statistics_interval){ratio, ratio};
        return;
    }
    quantile = find_quantile(
        confidence, find_degrees(changed->variance, changed->degrees, scaled, base->degrees));
    doubt = quantile * quantile * base->variance / (base->mean * base->mean);
    if (!(doubt < 1))
        return;
    half = quantile / base->mean * sqrt(changed->variance * (1 - doubt) + scaled);
    comparison->ratio_interval.low = (ratio - half) / (1 - doubt);
    comparison->ratio_interval.high = (ratio + half) / (1 - doubt);
}

void two_samples_welch(const struct two_samples *samples, struct mean_comparison *comparison)
{
    struct estimate base, changed;

    *comparison = (struct mean_comparison){NAN, NAN, NAN, NAN, {NAN, NAN}, NAN, {NAN, NAN}};
    if (samples->base_count < 2 || samples->changed_count < 2)
        return;
    base = estimate_mean(samples->base, samples->base_count);
    changed = estimate_mean(samples->changed, samples->changed_count);
    comparison->difference = changed.mean - base.mean;
    compare_difference(comparison, &base, &changed, samples->confidence);
    if (!(base.mean > 0))
        return;
    comparison->ratio = changed.mean / base.mean;
    compare_ratio(comparison, &base, &changed, samples->confidence);
}
