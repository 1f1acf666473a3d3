/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Describes a sample: one pass for sums, two for ranks, two for distances from
 * the median, and one for figures that need the mean and the quartiles.
 *
 * Decision: doc/decisions/dependence-only-widens.
 */
#include "statistics/summary.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "statistics/percentile.h"
#include "statistics/selection.h"

static const double fractions[] = {
#define PERCENTILE(id, name, key, fraction, priority) fraction,
#include "statistics/percentiles.def"
#undef PERCENTILE
};

enum { QUANTILES = SUMMARY_PERCENTILES + 2, RANKS = 2 + 5 * QUANTILES };

_Static_assert((int)RANKS <= (int)SELECTION_RANKS, "all ranks are found in one search");

/* Ranks are added in any order, kept in ascending order, and found in one search. */
struct ranks {
    size_t ranks[RANKS];
    uint64_t values[RANKS];
    size_t count;
};

static void want(struct ranks *ranks, size_t rank, size_t of)
{
    size_t i = ranks->count;

    if (rank < 1 || rank > of)
        return;
    for (; i > 0 && ranks->ranks[i - 1] > rank; i--)
        ranks->ranks[i] = ranks->ranks[i - 1];
    ranks->ranks[i] = rank;
    ranks->count++;
}

static double value_at(const struct ranks *ranks, size_t rank)
{
    for (size_t i = 0; i < ranks->count; i++)
        if (ranks->ranks[i] == rank)
            return (double)ranks->values[i];
    return NAN;
}

static double interpolate(const struct ranks *ranks, const struct percentile_ranks *of)
{
    double low = value_at(ranks, of->below);

    if (of->fraction == 0)
        return low;
    return low + of->fraction * (value_at(ranks, of->below + 1) - low);
}

static void want_percentile(struct ranks *ranks, const struct percentile_ranks *of, size_t count)
{
    want(ranks, of->below, count);
    want(ranks, of->below + 1, count);
    want(ranks, of->low, count);
    want(ranks, of->high, count);
    want(ranks, of->nearest, count);
}

static struct summary_percentile percentile_of(const struct ranks *ranks,
                                               const struct percentile_ranks *of)
{
    return (struct summary_percentile){
        .value = interpolate(ranks, of),
        .nearest = value_at(ranks, of->nearest),
        .interval = {value_at(ranks, of->low), value_at(ranks, of->high)},
    };
}

static void find_percentiles(struct summary *summary, const struct summary_sample *sample,
                             double confidence)
{
    const struct selection selection = {sample->values, sample->count, 1, 0};
    struct percentile_ranks of[SUMMARY_PERCENTILES], lower, upper;
    struct ranks ranks = {.count = 0};

    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++) {
        of[i] = percentile_ranks_of(fractions[i], sample->count, confidence);
        want_percentile(&ranks, &of[i], sample->count);
    }
    lower = percentile_ranks_of(0.25, sample->count, confidence);
    upper = percentile_ranks_of(0.75, sample->count, confidence);
    want_percentile(&ranks, &lower, sample->count);
    want_percentile(&ranks, &upper, sample->count);
    want(&ranks, 1, sample->count);
    want(&ranks, sample->count, sample->count);
    selection_find(&selection, ranks.ranks, ranks.count, ranks.values);
    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++) {
        summary->percentiles[i] = percentile_of(&ranks, &of[i]);
        summary->percentiles[i].least_count = percentile_least_count(fractions[i], confidence);
    }
    summary->lower_quartile = interpolate(&ranks, &lower);
    summary->upper_quartile = interpolate(&ranks, &upper);
    summary->minimum = value_at(&ranks, 1);
    summary->maximum = value_at(&ranks, sample->count);
}

/* Twice the median of integers is an integer, too. */
static void find_mad(struct summary *summary, const struct summary_sample *sample)
{
    const struct selection selection = {sample->values, sample->count, 2,
                                        (uint64_t)(2 * summary->percentiles[SUMMARY_P50].value)};
    size_t ranks[2] = {(sample->count + 1) / 2, sample->count / 2 + 1};
    uint64_t found[2];

    selection_find(&selection, ranks, 2, found);
    summary->mad = ((double)found[0] + (double)found[1]) / 4;
}

static double find_mean(const struct summary_sample *sample)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < sample->count; i++)
        sum += sample->values[i];
    return (double)sum / (double)sample->count;
}

struct products {
    double square; /* sum of the squares of the distances from the mean */
    double lagged; /* sum of the products with the distance before */
};

static void add_series(struct products *products, const uint64_t *values, size_t count, double mean)
{
    double before = 0, square = 0, lagged = 0;

    for (size_t i = 0; i < count; i++) {
        double distance = (double)(int64_t)values[i] - mean;

        square += distance * distance;
        lagged += distance * before;
        before = distance;
    }
    products->square += square;
    products->lagged += lagged;
}

static struct products add_up(const struct summary_sample *sample, double mean)
{
    struct products products = {0, 0};
    size_t from = 0;

    for (size_t i = 0; i <= sample->start_count; i++) {
        size_t to = i < sample->start_count ? sample->starts[i] : sample->count;

        add_series(&products, sample->values + from, to - from, mean);
        from = to;
    }
    return products;
}

/* Independent values give a correlation within +-z / sqrt(n) (Bartlett).  A negative correlation is
 * not used: it would claim more than was observed. */
static void find_dependence(struct summary *summary, const struct products *products,
                            double confidence)
{
    double n = (double)summary->count;
    double chance = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) / sqrt(n);

    if (!(products->square > 0) || summary->count < 3)
        return;
    summary->rho = products->lagged / products->square;
    summary->effective_count = n * (1 - summary->rho) / (1 + summary->rho);
    summary->is_corrected = summary->rho > 0.1 && summary->rho > chance;
}

/* With a correlation near 1, fewer than two effective values are left, and the deviation of the
 * mean is then unknown.  (GSL finds no quantiles of t for much less than one degree of freedom.)
 * No value is below 0, so the mean is not either: cutting the interval at 0 does not change how
 * often it contains the mean. */
static void find_interval(struct summary *summary, double confidence)
{
    double n = summary->is_corrected ? summary->effective_count : (double)summary->count;
    double half;

    if (!(n >= 2))
        return;
    summary->degrees = n - 1;
    half = gsl_cdf_tdist_Pinv((1 + confidence) / 2, n - 1) * summary->sd / sqrt(n);
    summary->mean_interval =
        (struct statistics_interval){fmax(0, summary->mean - half), summary->mean + half};
}

static struct summary_outliers count_outliers(const struct summary *summary,
                                              const struct summary_sample *sample)
{
    double distance = summary->upper_quartile - summary->lower_quartile;
    double low = summary->lower_quartile - 1.5 * distance, lowest = low - 1.5 * distance;
    double high = summary->upper_quartile + 1.5 * distance, highest = high + 1.5 * distance;
    size_t below = 0, far_below = 0, above = 0, far_above = 0;

    for (size_t i = 0; i < sample->count; i++) {
        double value = (double)(int64_t)sample->values[i];

        below += value < low;
        far_below += value < lowest;
        above += value > high;
        far_above += value > highest;
    }
    return (struct summary_outliers){far_below, below - far_below, above - far_above, far_above};
}

static void know_nothing(struct summary *summary, double confidence)
{
    const struct statistics_interval unknown = {NAN, NAN};

    *summary = (struct summary){.mean = NAN,
                                .sd = NAN,
                                .mean_interval = unknown,
                                .degrees = NAN,
                                .minimum = NAN,
                                .maximum = NAN,
                                .lower_quartile = NAN,
                                .upper_quartile = NAN,
                                .mad = NAN,
                                .rho = NAN,
                                .effective_count = NAN};
    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++)
        summary->percentiles[i] = (struct summary_percentile){
            NAN, NAN, unknown, percentile_least_count(fractions[i], confidence)};
}

void summary_of(struct summary *summary, const struct summary_sample *sample, double confidence)
{
    struct products products;

    know_nothing(summary, confidence);
    summary->count = sample->count;
    if (sample->count == 0)
        return;
    find_percentiles(summary, sample, confidence);
    find_mad(summary, sample);
    summary->outliers = count_outliers(summary, sample);
    summary->mean = find_mean(sample);
    if (sample->count < 2)
        return;
    products = add_up(sample, summary->mean);
    summary->sd = sqrt(products.square / ((double)sample->count - 1));
    find_dependence(summary, &products, confidence);
    find_interval(summary, confidence);
}
