/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons and fits, against the results of R 4.2.2 and scipy 1.10.1 for the same numbers, and
 * by simulation: how often an interval contains the truth, and how often a test sees a difference
 * that does not exist.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "statistics/fit.h"
#include "statistics/multiple.h"
#include "statistics/two_samples.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* To ten digits. */
static void check_real(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) <= 1e-10 * fabs(expected), "%.17g is not %.17g", found,
                  expected);
}

static void check_interval(struct statistics_interval found, double low, double high)
{
    check_real(found.low, low);
    check_real(found.high, high);
}

/* ---- two samples ------------------------------------------------------------- */

static const double base[] = {41.2, 39.8, 40.6, 43.1, 40.2, 41.9, 40.9, 39.5};
static const double changed[] = {43.5, 42.2, 44.8, 41.4, 43.9, 45.1, 42.7, 44.2, 43.3};
static const double tied_base[] = {5, 5, 6, 7, 7, 7, 8, 9, 10, 10, 11, 12};
static const double tied_changed[] = {7, 8, 8, 9, 9, 9, 10, 11, 12, 13, 14};

static const struct two_samples plain = {base, COUNT(base), changed, COUNT(changed), 0.95};
static const struct two_samples tied = {tied_base, COUNT(tied_base), tied_changed,
                                        COUNT(tied_changed), 0.95};

static struct rank_comparison rank(const struct two_samples *samples)
{
    struct rank_comparison comparison;

    two_samples_rank(samples, &comparison);
    return comparison;
}

/* R: wilcox.test(changed, base, exact = TRUE, conf.int = TRUE), and on logarithms;
 * scipy: mannwhitneyu(changed, base, method = 'exact') */
START_TEST(small_samples_compare_exactly_as_in_r_and_scipy)
{
    struct rank_comparison of = rank(&plain);

    ck_assert(of.is_exact);
    check_real(of.u, 68);
    check_real(of.p_value, 0.00098724804607157541);
    check_real(of.shift, 2.6999999999999957);
    check_interval(of.shift_interval, 1.3000000000000043, 3.8999999999999986);
    check_real(of.ratio, 1.0660181118345009);
    check_interval(of.ratio_interval, 1.0317848410757948, 1.0962025316455697);
    check_real(of.cliffs_delta, 2 * 68.0 / 72 - 1);
    check_real(of.least_p_value, 2.0 / 24310); /* choose(17, 8) */
}
END_TEST

/* R: the share of all combn(23, 11) whose rank sum is as far from its mean */
START_TEST(tied_samples_compare_exactly_over_all_ways_to_share_their_values)
{
    struct rank_comparison of = rank(&tied);

    ck_assert(of.is_exact);
    check_real(of.u, 95);
    check_real(of.p_value, 0.075417246637138);
    check_real(of.shift, 2);
}
END_TEST

/* R: b <- 0:39*37+100; c <- 0:34*53+108.5; wilcox.test(c, b, exact = FALSE);
 * the shift by exact = TRUE */
START_TEST(large_samples_compare_by_the_normal_distribution_as_in_r)
{
    double low[40], high[35];
    const struct two_samples samples = {low, 40, high, 35, 0.95};
    struct rank_comparison of;

    for (int i = 0; i < 40; i++)
        low[i] = i * 37 + 100;
    for (int i = 0; i < 35; i++)
        high[i] = i * 53 + 108.5;
    of = rank(&samples);
    ck_assert(!of.is_exact);
    check_real(of.u, 842);
    check_real(of.p_value, 0.13291288559072786);
    check_real(of.shift, 188);
}
END_TEST

/* scipy: mannwhitneyu(changed, base, method = 'asymptotic') of the tied samples thrice */
START_TEST(large_tied_samples_are_corrected_for_their_ties)
{
    double low[36], high[33];
    const struct two_samples samples = {low, 36, high, 33, 0.95};

    for (size_t i = 0; i < 36; i++)
        low[i] = tied_base[i % 12];
    for (size_t i = 0; i < 33; i++)
        high[i] = tied_changed[i % 11];
    check_real(rank(&samples).p_value, 0.0015986526876510248);
}
END_TEST

START_TEST(three_against_three_values_can_say_nothing_at_95_percent)
{
    static const double low[] = {1, 2, 3}, high[] = {11, 12, 13};
    struct rank_comparison of = rank(&(struct two_samples){low, 3, high, 3, 0.95});

    check_real(of.p_value, 0.1);
    check_real(of.least_p_value, 0.1);
    check_real(of.shift, 10);
    ck_assert(isnan(of.shift_interval.low) && isnan(of.ratio_interval.high));
    ck_assert(isnan(two_samples_least_ratio(&of.ratio_interval, 0.95, 0.8)));
}
END_TEST

START_TEST(three_against_three_values_have_an_interval_of_90_percent)
{
    static const double low[] = {1, 2, 3}, high[] = {11, 12, 13};
    struct rank_comparison of = rank(&(struct two_samples){low, 3, high, 3, 0.90});

    check_interval(of.shift_interval, 8, 12);
}
END_TEST

START_TEST(exact_repeats_never_differ)
{
    double values[60];
    const struct two_samples few = {values, 10, values, 10, 0.95},
                             many = {values, 60, values, 60, 0.95};
    struct mean_comparison means;
    struct rank_comparison of;

    for (int i = 0; i < 60; i++)
        values[i] = 1000;
    ck_assert_double_eq(rank(&few).p_value, 1);
    ck_assert_double_eq(rank(&many).p_value, 1);
    ck_assert_double_eq(rank(&many).ratio, 1);
    of = rank(&many);
    check_interval(of.ratio_interval, 1, 1);
    ck_assert_double_eq(two_samples_least_ratio(&of.ratio_interval, 0.95, 0.8), 0);
    two_samples_welch(&few, &means);
    ck_assert_double_eq(means.p_value, 1);
    check_interval(means.ratio_interval, 1, 1);
}
END_TEST

START_TEST(constants_that_differ_leave_the_test_of_means_without_a_p_value)
{
    static const double low[] = {5, 5, 5}, high[] = {6, 6, 6};
    struct mean_comparison of;

    two_samples_welch(&(struct two_samples){low, 3, high, 3, 0.95}, &of);
    ck_assert_double_eq(of.difference, 1);
    ck_assert(isnan(of.p_value) && isnan(of.degrees) && isnan(of.difference_interval.low));
}
END_TEST

START_TEST(values_that_are_not_above_0_have_no_ratio)
{
    static const double low[] = {0, 1, 2, 3, 4, 5}, high[] = {1, 2, 3, 4, 5, 6};
    struct rank_comparison of = rank(&(struct two_samples){low, 6, high, 6, 0.95});

    check_real(of.shift, 1);
    ck_assert(isnan(of.ratio) && isnan(of.ratio_interval.low));
}
END_TEST

START_TEST(empty_samples_leave_everything_unknown)
{
    struct rank_comparison of = rank(&(struct two_samples){base, 0, changed, 9, 0.95});
    struct mean_comparison means;

    ck_assert(isnan(of.u) && isnan(of.p_value) && isnan(of.shift) && isnan(of.ratio));
    two_samples_welch(&(struct two_samples){base, 1, changed, 9, 0.95}, &means);
    ck_assert(isnan(means.t) && isnan(means.ratio));
}
END_TEST

/* R: t.test(changed, base); the ratio by scipy, as roots of Fieller's equation */
START_TEST(means_compare_as_in_r_and_scipy)
{
    struct mean_comparison of;

    two_samples_welch(&plain, &of);
    check_real(of.t, 4.416432074376293);
    check_real(of.degrees, 14.853282270381188);
    check_real(of.p_value, 0.00051152131984640709);
    check_real(of.difference, 2.5555555555555571);
    check_interval(of.difference_interval, 1.3211365461245097, 3.789974564986605);
    check_real(of.ratio, 1.0624830209182285);
    check_interval(of.ratio_interval, 1.0317610261132324, 1.094207512823862);

    two_samples_welch(&tied, &of);
    check_real(of.t, 2.0193527587126847);
    check_real(of.degrees, 20.932482251476284);
    check_real(of.p_value, 0.056438569814343337);
    check_interval(of.difference_interval, -0.057584489041452837, 3.8909178223747851);
    check_interval(of.ratio_interval, 0.99337483705019403, 1.5563952608678915);
}
END_TEST

static int compare_reals(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

START_TEST(differences_are_found_without_storing_them_all)
{
    enum { SIDE = 300, ALL = SIDE * SIDE };
    double low[SIDE], high[SIDE], *all = malloc(ALL * sizeof *all);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct rank_comparison of;

    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < SIDE; i++) {
        low[i] = floor(gsl_ran_lognormal(random, 3, 1));
        high[i] = floor(gsl_ran_lognormal(random, 3.1, 1)) - 3;
    }
    for (size_t i = 0; i < ALL; i++)
        all[i] = high[i / SIDE] - low[i % SIDE];
    qsort(all, ALL, sizeof *all, compare_reals);
    of = rank(&(struct two_samples){low, SIDE, high, SIDE, 0.95});
    check_real(of.shift, (all[ALL / 2 - 1] + all[ALL / 2]) / 2);
    ck_assert(of.shift_interval.low <= of.shift && of.shift <= of.shift_interval.high);
    ck_assert_ptr_nonnull(bsearch(&of.shift_interval.low, all, ALL, sizeof *all, compare_reals));
    gsl_rng_free(random);
    free(all);
}
END_TEST

/* ---- many tests, fits -------------------------------------------------------- */

/* R: p.adjust(p, "holm"), p.adjust(p, "BH") */
START_TEST(many_p_values_are_adjusted_as_in_r)
{
    static const double p[] = {.01, .02, NAN, .03, .04, .05, .001, .9, .04};
    static const double holm[] = {.07, .12, NAN, .15, .16, .16, .008, .9, .16};
    static const double hochberg[] = {.04,    .16 / 3, NAN, .16 / 3, .16 / 3,
                                      .4 / 7, .008,    .9,  .16 / 3};
    double adjusted[COUNT(p)];

    multiple_holm(p, COUNT(p), adjusted);
    for (size_t i = 0; i < COUNT(p); i++)
        if (isnan(p[i]))
            ck_assert(isnan(adjusted[i]));
        else
            check_real(adjusted[i], holm[i]);
    multiple_holm_among(p, COUNT(p), 10, adjusted);
    check_real(adjusted[6], .01);
    check_real(adjusted[0], .09);
    multiple_benjamini_hochberg(p, COUNT(p), adjusted);
    for (size_t i = 0; i < COUNT(p); i++)
        if (isnan(p[i]))
            ck_assert(isnan(adjusted[i]));
        else
            check_real(adjusted[i], hochberg[i]);
}
END_TEST

static const double sizes[] = {128, 256, 512, 1024, 2048};
static const double times[] = {1.31, 3.02, 7.9, 24.1, 81.7};

/* R: m <- lm(y ~ x); coef, confint, r.squared; the same for the logarithms, 90 % */
START_TEST(lines_and_powers_are_fitted_as_in_r)
{
    struct fit_line line = fit_line_of(sizes, times, 5, 0.95);
    struct fit_power power = fit_power_of(sizes, times, 5, 0.90);

    check_real(line.intercept, -10.025833333333345);
    check_real(line.slope, 0.042378822244623665);
    check_interval(line.intercept_interval, -25.969225386254454, 5.9175587195877632);
    check_interval(line.slope_interval, 0.027296140449018378, 0.057461504040228956);
    check_real(line.r_squared, 0.9638371926989503);
    check_real(power.exponent, 1.4921807414783435);
    check_interval(power.exponent_interval, 1.3387860263153204, 1.6455754566413665);
    check_real(power.coefficient, exp(-7.1032253504869862));
    check_real(power.r_squared, 0.99430829675300869);
}
END_TEST

/* R: m <- lm(y ~ 0 + f(x)); coef, sqrt(mean(residuals(m)^2)) / mean(y) */
START_TEST(orders_are_fitted_as_in_r)
{
    static const double expected[][2] = {
        {23.605999999999995, 1.2768829056139421},
        {2.9979036144578322, 1.1365628433951203},
        {0.035258201979472145, 0.37104394057950718},
        {0.0033371222932755211, 0.27924323404481055},
        {1.9730137035865639e-05, 0.093093824332039957},
        {9.7225998942417446e-09, 0.29545976187386436},
    };
    struct fit_orders fit = fit_orders_of(sizes, times, 5);

    ck_assert_int_eq(fit.best, FIT_N_SQUARE);
    ck_assert_str_eq(fit_order_text(fit.best), "n^2");
    for (size_t i = 0; i < FIT_ORDERS; i++) {
        check_real(fit.coefficient[i], expected[i][0]);
        check_real(fit.error[i], expected[i][1]);
    }
}
END_TEST

START_TEST(growth_is_not_told_from_points_that_cannot_tell_it)
{
    static const struct {
        double x[4], y[4];
        size_t count;
        enum fit_refusal refusal;
    } cases[] = {
        {{1, 2, 4, 8}, {1, 1, 1, 1}, 4, FIT_OK},
        {{8, 4, 2}, {1, 2, 3}, 3, FIT_OK},
        {{1, 2, 3.9}, {1, 2, 3}, 3, FIT_TOO_NARROW},
        {{1, 1, 8, 8}, {1, 2, 3, 4}, 4, FIT_TOO_FEW_SIZES},
        {{1, 1, 1, 1}, {1, 2, 3, 4}, 4, FIT_TOO_FEW_SIZES},
        {{0}, {0}, 0, FIT_TOO_FEW_SIZES},
        {{1, 2, 0}, {1, 2, 3}, 3, FIT_NOT_POSITIVE},
        {{1, 2, 4}, {1, NAN, 3}, 3, FIT_NOT_POSITIVE},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_int_eq(fit_check(cases[i].x, cases[i].y, cases[i].count), cases[i].refusal);
    ck_assert_ptr_null(fit_refusal_text(FIT_OK));
    ck_assert_ptr_nonnull(fit_refusal_text(FIT_TOO_NARROW));
    ck_assert(isnan(fit_line_of(cases[4].x, cases[4].y, 4, 0.95).slope));
}
END_TEST

/* ---- by simulation ----------------------------------------------------------- */

enum { TRIALS = 4000, MOST_VALUES = 40 };

/* How often of all trials. */
struct tally {
    int rank_covers, rank_alarms;
    int fieller_covers, welch_alarms;
};

/* Times like those of kernels: log-normal, one side slower by a factor. */
static void draw(gsl_rng *random, double *values, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        values[i] = factor * gsl_ran_lognormal(random, 7, 0.1);
}

static void add_trial(struct tally *tally, const struct two_samples *samples, double ratio)
{
    struct rank_comparison ranks = rank(samples);
    struct mean_comparison means;

    two_samples_welch(samples, &means);
    tally->rank_covers += ranks.ratio_interval.low <= ratio && ratio <= ranks.ratio_interval.high;
    tally->fieller_covers +=
        means.ratio_interval.low <= ratio && ratio <= means.ratio_interval.high;
    tally->rank_alarms += ranks.p_value <= 0.05;
    tally->welch_alarms += means.p_value <= 0.05;
}

static struct tally simulate(size_t base_count, size_t changed_count, double ratio)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937); /* with its constant default seed */
    double low[MOST_VALUES], high[MOST_VALUES];
    struct tally tally = {0, 0, 0, 0};

    for (int i = 0; i < TRIALS; i++) {
        draw(random, low, base_count, 1);
        draw(random, high, changed_count, ratio);
        add_trial(&tally, &(struct two_samples){low, base_count, high, changed_count, 0.95}, ratio);
    }
    gsl_rng_free(random);
    return tally;
}

static void check_share(int count, double low, double high)
{
    double share = count / (double)TRIALS;

    ck_assert_msg(low <= share && share <= high, "%g is not between %g and %g", share, low, high);
}

static const struct {
    size_t base_count, changed_count;
} designs[] = {{12, 15}, {30, 40}};

START_TEST(intervals_of_95_percent_hold_the_ratio_in_93_to_97_of_100_simulations)
{
    for (size_t i = 0; i < COUNT(designs); i++) {
        struct tally tally = simulate(designs[i].base_count, designs[i].changed_count, 1.07);

        check_share(tally.rank_covers, 0.93, 0.97);
        check_share(tally.fieller_covers, 0.93, 0.97);
    }
}
END_TEST

START_TEST(tests_at_5_percent_see_what_is_not_there_in_4_to_6_of_100_simulations)
{
    for (size_t i = 0; i < COUNT(designs); i++) {
        struct tally tally = simulate(designs[i].base_count, designs[i].changed_count, 1);

        check_share(tally.rank_alarms, 0.04, 0.06);
        check_share(tally.welch_alarms, 0.04, 0.06);
    }
}
END_TEST

/* Compares the claim for one sample with the results of many. */
START_TEST(the_least_ratio_is_found_about_as_often_as_was_asked_for)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double low[MOST_VALUES], high[MOST_VALUES];
    struct rank_comparison of;
    struct tally tally;
    double sum = 0;

    for (int i = 0; i < 200; i++) {
        draw(random, low, 30, 1);
        draw(random, high, 30, 1);
        of = rank(&(struct two_samples){low, 30, high, 30, 0.95});
        sum += two_samples_least_ratio(&of.ratio_interval, 0.95, 0.8);
    }
    gsl_rng_free(random);
    tally = simulate(30, 30, 1 + sum / 200);
    check_share(tally.rank_alarms, 0.75, 0.85);
}
END_TEST

int check_statistics(void)
{
    Suite *suite = suite_create("statistics");
    TCase *tests = tcase_create("statistics");

    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, small_samples_compare_exactly_as_in_r_and_scipy);
    tcase_add_test(tests, tied_samples_compare_exactly_over_all_ways_to_share_their_values);
    tcase_add_test(tests, large_samples_compare_by_the_normal_distribution_as_in_r);
    tcase_add_test(tests, large_tied_samples_are_corrected_for_their_ties);
    tcase_add_test(tests, three_against_three_values_can_say_nothing_at_95_percent);
    tcase_add_test(tests, three_against_three_values_have_an_interval_of_90_percent);
    tcase_add_test(tests, exact_repeats_never_differ);
    tcase_add_test(tests, constants_that_differ_leave_the_test_of_means_without_a_p_value);
    tcase_add_test(tests, values_that_are_not_above_0_have_no_ratio);
    tcase_add_test(tests, empty_samples_leave_everything_unknown);
    tcase_add_test(tests, means_compare_as_in_r_and_scipy);
    tcase_add_test(tests, differences_are_found_without_storing_them_all);
    tcase_add_test(tests, many_p_values_are_adjusted_as_in_r);
    tcase_add_test(tests, lines_and_powers_are_fitted_as_in_r);
    tcase_add_test(tests, orders_are_fitted_as_in_r);
    tcase_add_test(tests, growth_is_not_told_from_points_that_cannot_tell_it);
    tcase_add_test(tests, intervals_of_95_percent_hold_the_ratio_in_93_to_97_of_100_simulations);
    tcase_add_test(tests, tests_at_5_percent_see_what_is_not_there_in_4_to_6_of_100_simulations);
    tcase_add_test(tests, the_least_ratio_is_found_about_as_often_as_was_asked_for);
    return suite_run(suite);
}
