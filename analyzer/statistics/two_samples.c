/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two samples by their ranks.
 *
 * Decision: doc/decisions/exact-tests-count-ties.
 */
#include "statistics/two_samples.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/differences.h"
#include "statistics/rank_sums.h"

enum { EXACT_PAIRS = 400 };

/* The samples sorted, and the ranks that their values have together. */
struct ranking {
    double *base;
    double *changed;
    size_t *doubled_ranks; /* ranks of all values; NULL unless p is counted exactly */
    size_t base_count;
    size_t changed_count;
    double u;
    double ties; /* sum of t^3 - t over groups of t equal values */
};

static double *copy_sorted(const double *values, size_t count)
{
    double *copy = memory_get(count * sizeof *copy);

    memcpy(copy, values, count * sizeof *copy);
    gsl_sort(copy, 1, count);
    return copy;
}

static size_t count_equal(const double *sorted, size_t count, size_t from, double value)
{
    size_t i = from;

    while (i < count && sorted[i] == value)
        i++;
    return i - from;
}

/* Values that are equal to each other share the mean of their ranks. */
static void rank_equals(struct ranking *ranking, size_t before, size_t equal)
{
    double t = (double)equal;

    ranking->ties += t * t * t - t;
    for (size_t i = 0; ranking->doubled_ranks && i < equal; i++)
        ranking->doubled_ranks[before + i] = 2 * before + equal + 1;
}

static void rank_values(struct ranking *ranking)
{
    const double *base = ranking->base, *changed = ranking->changed;
    size_t i = 0, j = 0;

    while (i < ranking->base_count || j < ranking->changed_count) {
        bool is_base =
            j == ranking->changed_count || (i < ranking->base_count && base[i] <= changed[j]);
        double value = is_base ? base[i] : changed[j];
        size_t bases = count_equal(base, ranking->base_count, i, value);
        size_t changes = count_equal(changed, ranking->changed_count, j, value);

        ranking->u += (double)changes * ((double)i + (double)bases / 2);
        rank_equals(ranking, i + j, bases + changes);
        i += bases;
        j += changes;
    }
}

static void ranking_fini(struct ranking *ranking)
{
    free(ranking->base);
    free(ranking->changed);
    free(ranking->doubled_ranks);
}

static void ranking_init(struct ranking *ranking, const struct two_samples *of, bool is_exact)
{
    *ranking = (struct ranking){.base_count = of->base_count, .changed_count = of->changed_count};
    ranking->base = copy_sorted(of->base, of->base_count);
    ranking->changed = copy_sorted(of->changed, of->changed_count);
    if (is_exact)
        ranking->doubled_ranks =
            memory_get_zeros(of->base_count + of->changed_count, sizeof *ranking->doubled_ranks);
    rank_values(ranking);
}

static size_t count_fewer(const struct ranking *ranking)
{
    return ranking->base_count < ranking->changed_count ? ranking->base_count
                                                        : ranking->changed_count;
}

static double count_pairs(const struct ranking *ranking)
{
    return (double)ranking->base_count * (double)ranking->changed_count;
}

/* Over all ways to deal the values, ties and all, to the two samples. */
static void find_exact_p(const struct ranking *ranking, double *p_value)
{
    size_t fewer = count_fewer(ranking), all = ranking->base_count + ranking->changed_count;
    double distance = fabs(2 * ranking->u - count_pairs(ranking)); /* doubled, like the rank sums */
    struct rank_sums sums;

    rank_sums_init(&sums, ranking->doubled_ranks, all, fewer);
    *p_value = rank_sums_beyond(&sums, (double)fewer * ((double)all + 1), distance);
    rank_sums_fini(&sums);
}

static double find_normal_p(const struct ranking *ranking)
{
    double pairs = count_pairs(ranking);
    double all = (double)ranking->base_count + (double)ranking->changed_count;
    double variance = pairs / 12 * (all + 1 - ranking->ties / (all * (all - 1)));
    double distance = fabs(ranking->u - pairs / 2) - 0.5; /* corrected for continuity */

    if (distance <= 0 || variance <= 0)
        return 1;
    return 2 * gsl_cdf_ugaussian_Q(distance / sqrt(variance));
}

/* Two orders of the values are the most extreme: every changed value above, or below, every base
 * value. */
static double find_least_p(const struct ranking *ranking)
{
    double all = (double)ranking->base_count + (double)ranking->changed_count;
    double fewer = (double)count_fewer(ranking);

    return 2 * exp(lgamma(fewer + 1) + lgamma(all - fewer + 1) - lgamma(all + 1));
}

/* The lowest rank of the differences whose interval, up to the mirror image of the rank, has the
 * confidence: 1 - 2 P(U < rank) without ties, more with ties.  0: even the outermost ranks are too
 * close. */
static void find_exact_rank(const struct ranking *ranking, double confidence, uint64_t *rank)
{
    size_t fewer = count_fewer(ranking), all = ranking->base_count + ranking->changed_count;
    double most = (1 - confidence) / 2 * (1 + 1e-12), below = 0; /* rounding is no reason */
    struct rank_sums sums;

    for (size_t i = 0; i < all; i++)
        ranking->doubled_ranks[i] = 2 * (i + 1);
    rank_sums_init(&sums, ranking->doubled_ranks, all, fewer);
    *rank = 0;
    for (size_t sum = fewer * (fewer + 1); sum < sums.size; sum += 2) {
        below += sums.ways[sum] / sums.all;
        if (below > most)
            break;
        ++*rank;
    }
    rank_sums_fini(&sums);
}

static uint64_t find_normal_rank(const struct ranking *ranking, double confidence)
{
    double pairs = count_pairs(ranking);
    double all = (double)ranking->base_count + (double)ranking->changed_count;
    double distance = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) * sqrt(pairs * (all + 1) / 12);
    double rank = floor(pairs / 2 + 0.5 - distance);

    return rank >= 1 ? (uint64_t)rank : 0;
}

static void find_shift(const struct ranking *ranking, uint64_t rank, double *shift,
                       struct statistics_interval *interval)
{
    struct differences of = {ranking->base, ranking->base_count, ranking->changed,
                             ranking->changed_count};
    uint64_t pairs = (uint64_t)of.base_count * of.changed_count;

    differences_find_median(&of, shift);
    if (rank == 0)
        return;
    differences_find(&of, rank, &interval->low);
    differences_find(&of, pairs + 1 - rank, &interval->high);
}

static void take_logarithms(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = log(values[i]);
}

/* Logarithms keep the order, so the ranking stays valid. */
static void find_ratio(struct ranking *ranking, uint64_t rank, struct rank_comparison *comparison)
{
    struct statistics_interval *interval = &comparison->ratio_interval;

    if (!(ranking->base[0] > 0 && ranking->changed[0] > 0))
        return;
    take_logarithms(ranking->base, ranking->base_count);
    take_logarithms(ranking->changed, ranking->changed_count);
    find_shift(ranking, rank, &comparison->ratio, interval);
    comparison->ratio = exp(comparison->ratio);
    *interval = (struct statistics_interval){exp(interval->low), exp(interval->high)};
}

static void test(const struct ranking *ranking, struct rank_comparison *comparison)
{
    comparison->u = ranking->u;
    comparison->cliffs_delta = 2 * ranking->u / count_pairs(ranking) - 1;
    comparison->least_p_value = find_least_p(ranking);
    if (comparison->is_exact) {
        find_exact_p(ranking, &comparison->p_value);
        return;
    }
    comparison->p_value = find_normal_p(ranking);
}

static void estimate(struct ranking *ranking, double confidence, struct rank_comparison *comparison)
{
    uint64_t rank;

    if (comparison->is_exact)
        find_exact_rank(ranking, confidence, &rank);
    else
        rank = find_normal_rank(ranking, confidence);
    find_shift(ranking, rank, &comparison->shift, &comparison->shift_interval);
    find_ratio(ranking, rank, comparison);
}

void two_samples_rank(const struct two_samples *samples, struct rank_comparison *comparison)
{
    struct ranking ranking;

    *comparison =
        (struct rank_comparison){NAN, NAN, NAN, false, NAN, {NAN, NAN}, NAN, {NAN, NAN}, NAN};
    if (samples->base_count == 0 || samples->changed_count == 0)
        return;
    comparison->is_exact = samples->changed_count <= EXACT_PAIRS / samples->base_count;
    ranking_init(&ranking, samples, comparison->is_exact);
    test(&ranking, comparison);
    estimate(&ranking, samples->confidence, comparison);
    ranking_fini(&ranking);
}

/* The least p of n and n values is 2 / C(2n, n). */
unsigned two_samples_least_count(double level, size_t tests)
{
    double bound = level / (double)(tests > 0 ? tests : 1);
    unsigned count = 2;

    while (count < 30 && 2 / gsl_sf_choose(2 * count, count) > bound)
        count++;
    return count;
}

/* Half the interval is the normal quantile of the confidence times the standard error of the
 * logarithm.  To be found with some power, a change must exceed it by that power's quantile. */
double two_samples_least_ratio(const struct statistics_interval *ratio_interval, double confidence,
                               double power)
{
    double half = log(ratio_interval->high / ratio_interval->low) / 2;
    double quantile = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2);

    return expm1(half * (1 + gsl_cdf_ugaussian_Pinv(power) / quantile));
}
