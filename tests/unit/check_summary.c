/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Descriptions of samples: against the results of numpy 1.24.2 and scipy 1.10.1 for the same
 * numbers, against sorting, and by simulation.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/histogram.h"
#include "statistics/modes.h"
#include "statistics/percentile.h"
#include "statistics/selection.h"
#include "statistics/steadiness.h"
#include "statistics/summary.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST = 100000 };

static uint64_t values[MOST];

static struct summary describe(size_t count)
{
    const struct summary_sample sample = {values, count, NULL, 0};
    struct summary summary;

    summary_of(&summary, &sample, 0.95);
    return summary;
}

static void check_real(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) <= 1e-10 * fabs(expected), "%.17g is not %.17g", found,
                  expected);
}

/* ---- as in other programs ------------------------------------------------------ */

/* (i^2 7919) mod 1009 + 1000, every seventh 300 higher, two of them 5000 */
static void fill_uneven(void)
{
    for (uint64_t i = 0; i < 100; i++)
        values[i] =
            i * i * 7919 % 1009 + (i % 7 == 0 ? 300 : 0) + (i == 3 || i == 77 ? 5000 : 0) + 1000;
}

/* numpy: mean, std(ddof=1), percentile(v, q); scipy: t.interval,
 * median_abs_deviation; the correlation by its definition */
START_TEST(summaries_equal_those_of_numpy_and_scipy)
{
    static const double percentiles[] = {1510.5, 1911, 1987.7, 6647.220000000003,
                                         7201.4220000000068};
    struct summary of;

    fill_uneven();
    of = describe(100);
    check_real(of.mean, 1634.92);
    check_real(of.sd, 815.61604256469161);
    check_real(of.mean_interval.low, 1473.0840822420712);
    check_real(of.mean_interval.high, 1796.755917757929);
    check_real(of.degrees, 99);
    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++)
        check_real(of.percentiles[i].value, percentiles[i]);
    check_real(of.lower_quartile, 1310.5);
    check_real(of.upper_quartile, 1773);
    check_real(of.mad, 225.5);
    check_real(of.rho, -0.068573558513608496);
    ck_assert(!of.is_corrected);
    ck_assert_uint_eq(of.outliers.high_severe, 2);
    ck_assert_uint_eq(of.outliers.high_mild + of.outliers.low_mild + of.outliers.low_severe, 0);
}
END_TEST

/* The values are 1000 to 1100 and four more on either side.  The quartiles are 1023 and 1077.  So
 * the inner fences are 942 and 1158, and the outer ones 861 and 1239.  A value on a fence is
 * inside. */
START_TEST(outliers_lie_beyond_fences_of_their_own_on_each_side)
{
    static const uint64_t far[] = {860, 861, 941, 942, 1158, 1159, 1239, 1240};
    struct summary of;

    for (uint64_t i = 0; i <= 100; i++)
        values[i] = 1000 + i;
    for (size_t i = 0; i < COUNT(far); i++)
        values[101 + i] = far[i];
    of = describe(101 + COUNT(far));
    ck_assert_uint_eq(of.outliers.low_severe, 1);
    ck_assert_uint_eq(of.outliers.low_mild, 2);
    ck_assert_uint_eq(of.outliers.high_mild, 2);
    ck_assert_uint_eq(of.outliers.high_severe, 1);
}
END_TEST

/* numpy: percentile(v, q, method = "inverted_cdf") */
START_TEST(the_nearest_rank_is_a_value_that_was_seen)
{
    struct summary of;

    fill_uneven();
    of = describe(100);
    ck_assert_double_eq(of.percentiles[SUMMARY_P90].nearest, 1910);
    ck_assert_double_eq(of.percentiles[SUMMARY_P95].nearest, 1987);
    ck_assert_double_eq(of.percentiles[SUMMARY_P99].nearest, 6641);
}
END_TEST

START_TEST(the_nearest_rank_of_95_percent_of_20_values_is_19)
{
    ck_assert_uint_eq(percentile_ranks_of(0.95, 20, 0.95).nearest, 19);
    ck_assert_uint_eq(percentile_ranks_of(0.95, 21, 0.95).nearest, 20);
    ck_assert_uint_eq(percentile_ranks_of(0.5, 1, 0.95).nearest, 1);
}
END_TEST

START_TEST(intervals_of_percentiles_have_the_ranks_of_the_binomial_distribution)
{
    static const struct {
        double fraction;
        size_t count, low, high;
    } cases[] = {
        {0.5, 100, 40, 61},
        {0.95, 100, 90, 100},
        {0.95, 500, 465, 485},
        {0.99, 500, 490, 500},
        {0.99, 1000, 983, 997},
        {0.99, 100, 97, 101},
        {0.5, 5, 0, 6},
        /* From sums of the probabilities; from a variance of 10^5 on they are approximated. */
        {0.5, 3000000, 1498303, 1501698},
        {0.999, 3000000, 2996892, 2997108},
        {0.95, 20000000, 18998089, 19001911},
        {0.99, 20000000, 19799127, 19800873},
        {0.999, 200000000, 199799123, 199800877},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct percentile_ranks ranks =
            percentile_ranks_of(cases[i].fraction, cases[i].count, 0.95);

        ck_assert_uint_eq(ranks.low, cases[i].low);
        ck_assert_uint_eq(ranks.high, cases[i].high);
    }
}
END_TEST

START_TEST(the_fewest_values_for_both_bounds_are_told)
{
    static const size_t least[] = {6, 36, 72, 368, 3688};
    static const double fractions[] = {
#define PERCENTILE(id, name, key, fraction, priority) fraction,
#include "statistics/percentiles.def"
#undef PERCENTILE
    };

    for (size_t i = 0; i < COUNT(least); i++) {
        double fraction = fractions[i];
        struct percentile_ranks enough = percentile_ranks_of(fraction, least[i], 0.95);

        ck_assert_uint_eq(percentile_least_count(fraction, 0.95), least[i]);
        ck_assert(enough.low >= 1 && enough.high <= least[i]);
        ck_assert_uint_gt(percentile_ranks_of(fraction, least[i] - 1, 0.95).high, least[i] - 1);
    }
}
END_TEST

START_TEST(bounds_that_so_few_values_do_not_have_are_unknown)
{
    struct summary of;

    fill_uneven();
    of = describe(100);
    ck_assert_double_eq(of.percentiles[SUMMARY_P50].interval.low, 1438);
    ck_assert_double_eq(of.percentiles[SUMMARY_P50].interval.high, 1611);
    ck_assert_double_eq(of.percentiles[SUMMARY_P99].interval.low, 2232);
    ck_assert(isnan(of.percentiles[SUMMARY_P99].interval.high));
}
END_TEST

START_TEST(one_value_has_a_mean_and_no_interval)
{
    struct summary of;

    values[0] = 42;
    of = describe(1);
    ck_assert_double_eq(of.mean, 42);
    ck_assert_double_eq(of.percentiles[SUMMARY_P99].value, 42);
    ck_assert(isnan(of.sd) && isnan(of.mean_interval.low) && isnan(of.degrees) && isnan(of.rho));
}
END_TEST

/* 25.75 +- 78.8 by t: no mean can be below 0. */
START_TEST(an_interval_of_the_mean_ends_at_0)
{
    const uint64_t skewed[] = {1, 1, 1, 100};
    struct summary of;

    summary_of(&of, &(struct summary_sample){skewed, 4, NULL, 0}, 0.95);
    ck_assert(of.mean_interval.low == 0);
    ck_assert_double_eq_tol(of.mean_interval.high, 25.75 + 78.7655, 1e-3);
}
END_TEST

START_TEST(no_values_leave_everything_unknown)
{
    struct summary of = describe(0);

    ck_assert(isnan(of.mean) && isnan(of.minimum) && isnan(of.mad));
    ck_assert(isnan(of.percentiles[SUMMARY_P50].value));
    ck_assert_uint_eq(of.percentiles[SUMMARY_P99].least_count, 368);
}
END_TEST

/* numpy and scipy, by the formulas */
START_TEST(values_that_depend_on_the_one_before_widen_the_interval)
{
    struct summary of;

    for (int i = 0; i < 200; i++)
        values[i] = (uint64_t)(1000 + (int)(200 * sin(i / 5.0)) + i * 37 % 53);
    of = describe(200);
    ck_assert(of.is_corrected);
    check_real(of.rho, 0.96150950786095524);
    check_real(of.effective_count, 3.9245786966405287);
    check_real(of.mean_interval.low, 801.51596338988406);
    check_real(of.mean_interval.high, 1266.4940366101162);
}
END_TEST

/* Two values in 200 would have one degree of freedom, and quantiles of t below that do not
 * converge. */
START_TEST(values_that_hardly_tell_one_have_no_interval)
{
    struct summary of;

    for (int i = 0; i < 200; i++)
        values[i] = (uint64_t)(1000 + 10 * i);
    of = describe(200);
    ck_assert(of.is_corrected && of.effective_count < 2);
    ck_assert(isnan(of.mean_interval.low) && isnan(of.mean_interval.high));
    ck_assert(isfinite(of.mean) && isfinite(of.sd));
}
END_TEST

START_TEST(the_last_value_of_one_series_is_not_before_the_first_of_the_next)
{
    static const uint64_t two[] = {1, 1, 2, 2};
    static const size_t starts[] = {2};
    struct summary whole, parted;

    summary_of(&whole, &(struct summary_sample){two, 4, NULL, 0}, 0.95);
    summary_of(&parted, &(struct summary_sample){two, 4, starts, 1}, 0.95);
    check_real(whole.rho, 0.25);
    check_real(parted.rho, 0.5);
}
END_TEST

/* ---- selection ----------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void check_selection(const struct selection *of)
{
    size_t ranks[] = {1, 2, of->count / 4, of->count / 2, of->count / 2, of->count - 1, of->count};
    uint64_t found[COUNT(ranks)], *sorted = malloc(of->count * sizeof *sorted);

    ck_assert_ptr_nonnull(sorted);
    for (size_t i = 0; i < of->count; i++) {
        int64_t number = (int64_t)(of->values[i] * of->scale - of->centre);

        sorted[i] = (uint64_t)(number < 0 ? -number : number);
    }
    qsort(sorted, of->count, sizeof *sorted, compare_numbers);
    selection_find(of, ranks, COUNT(ranks), found);
    for (size_t i = 0; i < COUNT(ranks); i++)
        ck_assert_uint_eq(found[i], sorted[ranks[i] - 1]);
    free(sorted);
}

START_TEST(ranks_are_found_as_sorting_finds_them)
{
    static const size_t counts[] = {4, 100, 16384, 16385, MOST};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < COUNT(counts); i++)
        for (unsigned bits = 0; bits <= 60; bits += 5) {
            for (size_t j = 0; j < counts[i]; j++)
                values[j] = (uint64_t)(gsl_rng_uniform(random) * ldexp(1, (int)bits)) +
                            (j % 3 ? 0 : UINT64_C(1) << bits);
            check_selection(&(struct selection){values, counts[i], 1, 0});
            check_selection(&(struct selection){values, counts[i], 2, values[0] + values[1]});
        }
    gsl_rng_free(random);
}
END_TEST

/* ---- histograms and modes ------------------------------------------------------ */

static struct histogram count_bins(size_t count, const struct histogram_options *options)
{
    const struct summary_sample sample = {values, count, NULL, 0};
    struct summary summary = describe(count);

    return histogram_of(&sample, &summary, options);
}

START_TEST(histograms_count_every_value_once)
{
    static const size_t counts[] = {1, 2, 7, 100};

    fill_uneven();
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct histogram of = count_bins(counts[i], &(struct histogram_options){20, 1, 1});
        size_t sum = of.below + of.above;

        ck_assert_uint_le(of.bins, 20);
        for (size_t j = 0; j < of.bins; j++)
            sum += of.counts[j];
        ck_assert_uint_eq(sum, counts[i]);
    }
    ck_assert_uint_eq(count_bins(100, &(struct histogram_options){20, 1, 1}).above, 2);
}
END_TEST

START_TEST(bins_are_not_finer_than_asked_for)
{
    struct histogram of;

    fill_uneven();
    of = count_bins(100, &(struct histogram_options){20, 400, 1});
    for (size_t i = 0; i < of.bins; i++)
        ck_assert_uint_ge(of.edges[i + 1] - of.edges[i], 400);
    for (size_t i = 0; i < 50; i++)
        values[i] = 7;
    ck_assert_uint_eq(count_bins(50, &(struct histogram_options){20, 1, 1}).counts[0], 50);
}
END_TEST

START_TEST(bins_grow_where_values_differ_by_powers)
{
    struct histogram of;
    size_t sum = 0;

    for (size_t i = 0; i < 100; i++)
        values[i] = i < 60 ? 50 + i : i < 90 ? 5000 + i : 10000000 + i;
    of = count_bins(100, &(struct histogram_options){20, 10, 1});
    ck_assert_uint_le(of.bins, 20);
    ck_assert_uint_eq(of.below + of.above, 0);
    for (size_t i = 0; i < of.bins; i++) {
        ck_assert_uint_ge(of.edges[i + 1] - of.edges[i], 10);
        sum += of.counts[i];
    }
    ck_assert_uint_eq(sum, 100);
    ck_assert_uint_gt(of.edges[of.bins] - of.edges[of.bins - 1], 100000);
}
END_TEST

static struct modes find_modes(size_t count)
{
    const struct summary_sample sample = {values, count, NULL, 0};
    struct summary summary = describe(count);
    struct modes modes;

    modes_find(&modes, &sample, &summary, 4);
    return modes;
}

START_TEST(two_modes_are_told_with_their_places_and_shares)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct modes modes;

    for (size_t i = 0; i < 1000; i++)
        values[i] = (uint64_t)((i % 10 < 3 ? 60000 : 40000) + gsl_ran_gaussian(random, 1000));
    modes = find_modes(1000);
    ck_assert_uint_eq(modes.count, 2);
    ck_assert(fabs(modes.mode[0].median - 40000) < 200 && fabs(modes.mode[0].share - 0.7) < 1e-9);
    ck_assert(fabs(modes.mode[1].median - 60000) < 400 && fabs(modes.mode[1].share - 0.3) < 1e-9);
    ck_assert(modes.separation > 20);
    gsl_rng_free(random);
}
END_TEST

/* Each side in turn: 5 of 100 are no sort of calls, 15 are. */
START_TEST(less_than_a_tenth_is_no_mode)
{
    static const struct {
        unsigned few; /* of 100 */
        uint64_t their_place;
        size_t modes;
    } cases[] = {{5, 20000, 1}, {15, 20000, 2}, {5, 60000, 1}, {15, 60000, 2}};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t j = 0; j < 2000; j++)
            values[j] = (uint64_t)((double)(j % 100 < cases[i].few ? cases[i].their_place : 40000) +
                                   gsl_ran_gaussian(random, 1000));
        ck_assert_uint_eq(find_modes(2000).count, cases[i].modes);
    }
    gsl_rng_free(random);
}
END_TEST

/* A narrow hill of 5 of 100 within the histogram, with a valley next to it. */
START_TEST(a_small_hill_is_no_mode)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < 20000; i++)
        values[i] = (uint64_t)(i % 100 < 5 ? 36500 + gsl_ran_gaussian(random, 100)
                                           : 40000 + gsl_ran_gaussian(random, 1000));
    ck_assert_uint_eq(find_modes(20000).count, 1);
    gsl_rng_free(random);
}
END_TEST

/* Normal, log-normal, exponential, uniform; all with one hill. */
static double draw_hill(gsl_rng *random, int kind)
{
    switch (kind) {
    case 0: return 40000 + gsl_ran_gaussian(random, 1000);
    case 1: return gsl_ran_lognormal(random, 10, 0.3);
    case 2: return 10000 + gsl_ran_exponential(random, 1000);
    }
    return gsl_ran_flat(random, 10000, 20000);
}

START_TEST(one_hill_is_hardly_ever_taken_for_two_modes)
{
    static const size_t counts[] = {30, 100, 1000};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned false_alarms = 0;

    for (int kind = 0; kind < 4; kind++)
        for (size_t size = 0; size < COUNT(counts); size++)
            for (int trial = 0; trial < 200; trial++) {
                for (size_t i = 0; i < counts[size]; i++)
                    values[i] = (uint64_t)draw_hill(random, kind);
                false_alarms += find_modes(counts[size]).count == 2;
            }
    ck_assert_uint_le(false_alarms, 5); /* of 2400 */
    gsl_rng_free(random);
}
END_TEST

START_TEST(steps_of_the_clock_are_no_modes)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct summary_sample sample = {values, 1000, NULL, 0};
    struct summary summary;
    struct modes modes;

    for (size_t i = 0; i < 1000; i++)
        values[i] = 40 * (uint64_t)(25 + gsl_ran_gaussian(random, 2));
    summary = describe(1000);
    modes_find(&modes, &sample, &summary, 4 * 40);
    ck_assert_uint_eq(modes.count, 1);
    gsl_rng_free(random);
}
END_TEST

START_TEST(too_few_values_tell_no_modes)
{
    for (size_t i = 0; i < 29; i++)
        values[i] = i < 15 ? 100 : 1000;
    ck_assert_uint_eq(find_modes(29).count, 0);
}
END_TEST

/* ---- warm-up ------------------------------------------------------------------- */

START_TEST(a_quiet_series_is_steady_from_its_first_ten_even_values_on)
{
    struct steadiness of;

    for (uint64_t i = 0; i < 100; i++)
        values[i] = i < 7 ? 9000 - 1000 * i : 1000 + i % 5;
    of = steadiness_of(values, 100);
    ck_assert_int_eq(of.from, STEADINESS_BY_EVENNESS);
    ck_assert_uint_eq(of.before, 7);
}
END_TEST

START_TEST(a_noisy_series_is_steady_from_where_it_comes_down)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct steadiness of;

    for (size_t i = 0; i < 300; i++)
        values[i] = (uint64_t)((i < 60 ? 1500 : 1000) + gsl_ran_gaussian(random, 100));
    of = steadiness_of(values, 300);
    ck_assert_int_eq(of.from, STEADINESS_BY_CHANGE);
    ck_assert(of.before >= 58 && of.before <= 62);
    gsl_rng_free(random);
}
END_TEST

START_TEST(noise_alone_is_no_warm_up)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned changes = 0;

    for (int trial = 0; trial < 1000; trial++) {
        for (size_t i = 0; i < 200; i++)
            values[i] = (uint64_t)gsl_ran_lognormal(random, 7, 0.2);
        changes += steadiness_of(values, 200).from != STEADINESS_NO_CHANGE;
    }
    ck_assert_uint_le(changes, 4);
    gsl_rng_free(random);
}
END_TEST

START_TEST(a_series_that_comes_down_late_was_never_steady)
{
    for (uint64_t i = 0; i < 100; i++)
        values[i] = i < 80 ? 1900 + i % 2 * 200 : 900 + i % 2 * 200;
    ck_assert_int_eq(steadiness_of(values, 100).from, STEADINESS_NEVER);
    ck_assert_int_eq(steadiness_of(values, 19).from, STEADINESS_UNKNOWN);
}
END_TEST

/* ---- by simulation ------------------------------------------------------------- */

enum { TRIALS = 4000 };

struct tally {
    int mean, median, p95, corrected;
};

static bool holds(struct statistics_interval interval, double truth)
{
    return interval.low <= truth && truth <= interval.high;
}

/* Log-normal values, each depending on the one before by `rho` on the logarithm. */
static struct tally simulate(size_t count, double rho)
{
    const double scale = 1e6, sigma = 0.2;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct tally tally = {0, 0, 0, 0};

    for (int trial = 0; trial < TRIALS; trial++) {
        double state = gsl_ran_ugaussian(random);
        struct summary of;

        for (size_t i = 0; i < count; i++) {
            values[i] = (uint64_t)(scale * exp(sigma * state));
            state = rho * state + sqrt(1 - rho * rho) * gsl_ran_ugaussian(random);
        }
        of = describe(count);
        tally.mean += holds(of.mean_interval, scale * exp(sigma * sigma / 2));
        tally.median += holds(of.percentiles[SUMMARY_P50].interval, scale);
        tally.p95 +=
            holds(of.percentiles[SUMMARY_P95].interval, scale * exp(1.6448536269514722 * sigma));
        tally.corrected += of.is_corrected;
    }
    gsl_rng_free(random);
    return tally;
}

static void check_share(int count, double low, double high)
{
    double share = count / (double)TRIALS;

    ck_assert_msg(low <= share && share <= high, "%g is not between %g and %g", share, low, high);
}

START_TEST(intervals_of_95_percent_hold_the_truth_in_93_to_97_of_100_simulations)
{
    static const size_t counts[] = {500, 1000}; /* fewer have too few ranks to choose from */

    for (size_t i = 0; i < COUNT(counts); i++) {
        struct tally tally = simulate(counts[i], 0);

        check_share(tally.mean, 0.93, 0.97);
        check_share(tally.median, 0.93, 0.97);
        check_share(tally.p95, 0.93, 0.97);
        check_share(tally.corrected, 0, 0.05);
    }
}
END_TEST

START_TEST(intervals_of_the_mean_hold_it_as_often_when_values_depend_on_each_other)
{
    struct tally tally = simulate(500, 0.5);

    check_share(tally.corrected, 0.99, 1);
    check_share(tally.mean, 0.93, 0.97);
}
END_TEST

int check_summary(void)
{
    Suite *suite = suite_create("summary");
    TCase *tests = tcase_create("summary");

    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, summaries_equal_those_of_numpy_and_scipy);
    tcase_add_test(tests, outliers_lie_beyond_fences_of_their_own_on_each_side);
    tcase_add_test(tests, the_nearest_rank_is_a_value_that_was_seen);
    tcase_add_test(tests, the_nearest_rank_of_95_percent_of_20_values_is_19);
    tcase_add_test(tests, intervals_of_percentiles_have_the_ranks_of_the_binomial_distribution);
    tcase_add_test(tests, the_fewest_values_for_both_bounds_are_told);
    tcase_add_test(tests, bounds_that_so_few_values_do_not_have_are_unknown);
    tcase_add_test(tests, one_value_has_a_mean_and_no_interval);
    tcase_add_test(tests, an_interval_of_the_mean_ends_at_0);
    tcase_add_test(tests, no_values_leave_everything_unknown);
    tcase_add_test(tests, values_that_depend_on_the_one_before_widen_the_interval);
    tcase_add_test(tests, values_that_hardly_tell_one_have_no_interval);
    tcase_add_test(tests, the_last_value_of_one_series_is_not_before_the_first_of_the_next);
    tcase_add_test(tests, ranks_are_found_as_sorting_finds_them);
    tcase_add_test(tests, histograms_count_every_value_once);
    tcase_add_test(tests, bins_are_not_finer_than_asked_for);
    tcase_add_test(tests, bins_grow_where_values_differ_by_powers);
    tcase_add_test(tests, two_modes_are_told_with_their_places_and_shares);
    tcase_add_test(tests, less_than_a_tenth_is_no_mode);
    tcase_add_test(tests, a_small_hill_is_no_mode);
    tcase_add_test(tests, one_hill_is_hardly_ever_taken_for_two_modes);
    tcase_add_test(tests, steps_of_the_clock_are_no_modes);
    tcase_add_test(tests, too_few_values_tell_no_modes);
    tcase_add_test(tests, a_quiet_series_is_steady_from_its_first_ten_even_values_on);
    tcase_add_test(tests, a_noisy_series_is_steady_from_where_it_comes_down);
    tcase_add_test(tests, noise_alone_is_no_warm_up);
    tcase_add_test(tests, a_series_that_comes_down_late_was_never_steady);
    tcase_add_test(tests, intervals_of_95_percent_hold_the_truth_in_93_to_97_of_100_simulations);
    tcase_add_test(tests, intervals_of_the_mean_hold_it_as_often_when_values_depend_on_each_other);
    return suite_run(suite);
}
