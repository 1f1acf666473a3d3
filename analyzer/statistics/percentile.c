/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Percentiles by rank.
 */
#include "statistics/percentile.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* From this variance on, quantiles are those of the normal distribution.  GSL sums the binomial
 * distribution by a continued fraction, which gives NAN after 512 steps: at the median of 1.7
 * million values, at p90 of 3.3 million. */
static const double exact_variance = 1e5;

/* The normal quantile with corrections for continuity, and for skewness by the first term of
 * Cornish and Fisher.  One of 160 tested quantiles was off, by one rank. */
static long find_normal_quantile(double fraction, size_t count, double probability)
{
    double z = gsl_cdf_ugaussian_Pinv(probability), values = (double)count;
    double place = values * fraction + z * sqrt(values * fraction * (1 - fraction)) +
                   (1 - 2 * fraction) * (z * z - 1) / 6 - 0.5;

    return (long)fmin(fmax(ceil(place), -1), values);
}

static long find_exact_quantile(double fraction, size_t count, double probability)
{
    long low = -1, high = (long)count;

    while (high - low > 1) {
        long middle = low + (high - low) / 2;

        if (gsl_cdf_binomial_P((unsigned)middle, fraction, (unsigned)count) >= probability)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The smallest k such that, with the given probability, at most k values lie below the percentile;
 * between -1 and count. */
static long find_quantile(double fraction, size_t count, double probability)
{
    if ((double)count * fraction * (1 - fraction) > exact_variance)
        return find_normal_quantile(fraction, count, probability);
    return find_exact_quantile(fraction, count, probability);
}

/* The interval leaves the same chance on both sides: P(B < low) and P(B >= high) are at most (1 -
 * confidence) / 2 each. */
static void find_bounds(struct percentile_ranks *ranks, double fraction, size_t count,
                        double confidence)
{
    double rest = (1 - confidence) / 2;

    ranks->low = (size_t)find_quantile(fraction, count, nextafter(rest, 1));
    ranks->high = (size_t)find_quantile(fraction, count, 1 - rest) + 1;
}

struct percentile_ranks percentile_ranks_of(double fraction, size_t count, double confidence)
{
    double place = (double)(count - 1) * fraction;
    struct percentile_ranks ranks = {.below = (size_t)floor(place) + 1};
    /* 0.95 of 20 must be 19, despite rounding of the product. */
    double nearest = ceil(fraction * (double)count * (1 - 1e-12));

    ranks.fraction = place - floor(place);
    ranks.nearest = nearest < 1 ? 1 : (size_t)nearest;
    find_bounds(&ranks, fraction, count, confidence);
    return ranks;
}

size_t percentile_least_count(double fraction, double confidence)
{
    double outer = fmax(fraction, 1 - fraction);

    return (size_t)ceil(log((1 - confidence) / 2) / log(outer));
}
