/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing the values of two sides.
 */
#include "compare/figure.h"

#include <math.h>
#include <string.h>

#include "statistics/batches.h"
#include "statistics/multiple.h"
#include "statistics/ranks.h"
#include "statistics/two_samples.h"

static const double power = 0.8;
static const struct statistics_interval unknown = {(double)NAN, (double)NAN};

/* The values of both sides. */
struct values {
    struct array base;
    struct array changed;
};

static void values_init(struct values *values)
{
    array_init(&values->base, sizeof(double));
    array_init(&values->changed, sizeof(double));
}

static void values_fini(struct values *values)
{
    array_fini(&values->base);
    array_fini(&values->changed);
}

/* The values of the runs that know the quantity. */
static void add_values(const struct array *rows, enum run_quantity quantity, struct array *values)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct run_row *row = *(const struct run_row **)array_at(rows, i);
        double *value;

        if (isnan(row->values[quantity]))
            continue;
        value = array_add(values);
        *value = row->values[quantity];
    }
}

void figure_median(const struct array *rows, enum run_quantity quantity, double *median)
{
    struct array values;

    array_init(&values, sizeof(double));
    add_values(rows, quantity, &values);
    *median = ranks_median(values.items, values.count);
    array_fini(&values);
}

static void take_runs(struct values *values, const struct figure *figure)
{
    add_values(&figure->part->base, figure->quantity, &values->base);

    add_values(&figure->part->changed, figure->quantity, &values->changed);
}

static void take_calls(struct array *values, const struct array *rows)
{
    const struct run_row *row = *(const struct run_row **)array_at(rows, 0);

    array_reserve(values, row->samples_ns.count);
    for (size_t i = 0; i < row->samples_ns.count; i++)
        *(double *)array_add(values) = *(double *)array_at(&row->samples_ns, i);
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void batch(struct array *values, size_t size)
{
    array_truncate(values, batches_take(values->items, values->count, size));
}

static void take_values(struct values *values, const struct figure *figure)
{
    if (figure->basis != FIGURE_OF_CALLS) {
        take_runs(values, figure);
        return;
    }
    take_calls(&values->base, &figure->part->base);
    take_calls(&values->changed, &figure->part->changed);
    batch(&values->base, figure->batch);
    batch(&values->changed, figure->batch);
}

/* The test assumes independent values, so calls are averaged in batches.  Both sides get the larger
 * batch of the two.  A side with fewer calls becomes one value, on which hardly any test
 * decides. */
static void find_batch(struct figure *figure, double confidence)
{
    struct values values;
    size_t of_base = 1, of_changed = 1;

    values_init(&values);
    take_values(&values, figure);
    batches_find_size(values.base.items, values.base.count, confidence, &of_base);
    batches_find_size(values.changed.items, values.changed.count, confidence, &of_changed);
    figure->batch = lesser(of_base > of_changed ? of_base : of_changed,
                           lesser(values.base.count, values.changed.count));
    values_fini(&values);
}

static size_t count_calls(const struct array *rows)
{
    return (*(const struct run_row **)array_at(rows, 0))->samples_ns.count;
}

/* Two calls are too few for a test. */
static bool has_calls(const struct figure *figure)
{
    return figure->quantity == RUN_CALL && figure->base_count == 1 && figure->changed_count == 1 &&
           count_calls(&figure->part->base) > 2 && count_calls(&figure->part->changed) > 2;
}

static enum figure_basis find_basis(const struct figure *figure)
{
    if (figure->base_count == 0 || figure->changed_count == 0)
        return FIGURE_OF_NOTHING;
    if (has_calls(figure))
        return FIGURE_OF_CALLS;
    return figure->base_count > 1 && figure->changed_count > 1 ? FIGURE_OF_RUNS : FIGURE_OF_ONE;
}

static double median(struct array *values, struct statistics_interval *range)
{
    const double *sorted = values->items;
    double middle = ranks_median(values->items, values->count);

    *range = unknown;
    if (values->count > 0)
        *range = (struct statistics_interval){sorted[0], sorted[values->count - 1]};
    return middle;
}

/* Negative values have no ratio: a loss of -3 is not -0.6 times one of 5. */
static double ratio_of(double base, double changed)
{
    return base > 0 && changed >= 0 ? changed / base : (double)NAN;
}

static void describe(struct figure *figure, struct values *values)
{
    figure->base_count = values->base.count;
    figure->changed_count = values->changed.count;
    figure->base = median(&values->base, &figure->base_range);
    figure->changed = median(&values->changed, &figure->changed_range);
    figure->ratio = ratio_of(figure->base, figure->changed);
    figure->difference = figure->changed - figure->base;
    figure->is_fixed = figure->base_count > 0 && figure->base_range.low == figure->base_range.high;
    figure->basis = find_basis(figure);
}

/* For calls the medians are shown, as the test is about ranks. */
static void describe_calls(struct figure *figure, struct values *values)
{
    figure->base_count = values->base.count;
    figure->changed_count = values->changed.count;
    figure->base = median(&values->base, &figure->base_range);
    figure->changed = median(&values->changed, &figure->changed_range);
}

static struct two_samples samples_of(const struct values *values,
                                     const struct figure_options *options)
{
    return (struct two_samples){values->base.items, values->base.count, values->changed.items,
                                values->changed.count, options->confidence};
}

static void compare_ranks(struct figure *figure, const struct two_samples *samples)
{
    struct rank_comparison rank;

    two_samples_rank(samples, &rank);
    if (!isnan(rank.ratio)) {
        figure->ratio = rank.ratio;
        figure->ratio_interval = rank.ratio_interval;
    }
    figure->difference = rank.shift;
    figure->p_value = rank.p_value;
    figure->least_p_value = rank.least_p_value;
    figure->cliffs_delta = rank.cliffs_delta;
    figure->least_ratio = two_samples_least_ratio(&rank.ratio_interval, samples->confidence, power);
}

/* If no value differs within the sides, the variance is 0 and the means cannot be tested: the
 * result of the rank test stays. */
static void compare_means(struct figure *figure, const struct two_samples *samples)
{
    struct mean_comparison mean;

    two_samples_welch(samples, &mean);
    if (isnan(mean.p_value))
        return;
    figure->test = FIGURE_BY_MEAN;
    figure->ratio = mean.ratio >= 0 ? mean.ratio : (double)NAN;
    figure->ratio_interval = mean.ratio >= 0 ? mean.ratio_interval : unknown;
    figure->difference = mean.difference;
    figure->p_value = mean.p_value;
    figure->least_p_value = 0;
}

/* The effect size and the least visible change are those of ranks, for any test. */
static void compare(struct figure *figure, const struct values *values,
                    const struct figure_options *options)
{
    struct two_samples samples = samples_of(values, options);

    compare_ranks(figure, &samples);
    if (options->test == FIGURE_BY_MEAN)
        compare_means(figure, &samples);
}

void figure_init(struct figure *figure, const struct pair_part *part, enum run_quantity quantity,
                 const struct figure_options *options)
{
    struct values values;

    *figure = (struct figure){.part = part,
                              .quantity = quantity,
                              .test = FIGURE_BY_RANK,
                              .batch = 1,
                              .ratio_interval = unknown,
                              .difference = (double)NAN,
                              .p_value = (double)NAN,
                              .adjusted_p_value = (double)NAN,
                              .least_p_value = (double)NAN,
                              .cliffs_delta = (double)NAN,
                              .least_ratio = (double)NAN};
    values_init(&values);
    take_runs(&values, figure);
    describe(figure, &values);
    figure_find_errors(figure, options->confidence);
    if (figure->basis == FIGURE_OF_CALLS) {
        array_truncate(&values.base, 0);
        array_truncate(&values.changed, 0);
        find_batch(figure, options->confidence);
        take_values(&values, figure);
        describe_calls(figure, &values);
    }
    if (figure->basis >= FIGURE_OF_CALLS)
        compare(figure, &values, options);
    figure_widen(figure);
    values_fini(&values);
}

static bool is_constant(const struct figure *figure)
{
    return figure->base_range.low == figure->base_range.high &&
           figure->changed_range.low == figure->changed_range.high;
}

static enum figure_outcome compare_constants(const struct figure *figure)
{
    if (figure->base == figure->changed)
        return FIGURE_SAME;
    return figure->base < figure->changed ? FIGURE_MORE : FIGURE_LESS;
}

/* Figures with one value in all runs of each side: a count, or a metric that chance does not
 * touch. */
static bool is_settled(const struct figure *figure)
{
    bool is_exact = run_quantity_at(figure->quantity)->kind == RUN_EXACT ||
                    (figure->quantity == RUN_VALUE && figure->basis == FIGURE_OF_RUNS);

    if (figure->basis == FIGURE_OF_NOTHING || figure->basis == FIGURE_OF_CALLS ||
        figure_is_estimate(figure))
        return false;
    return is_constant(figure) && (is_exact || figure->base == figure->changed);
}

/* A figure without chance needs no test. */
static void settle(struct figure *figure)
{
    figure->p_value = figure->least_ratio = figure->cliffs_delta = (double)NAN;
    figure->ratio_interval = unknown;
}

/* Without a ratio, the test's own quantity decides: pairs or means. */
static bool is_less(const struct figure *figure)
{
    if (!isnan(figure->ratio))
        return figure->ratio < 1;
    return (figure->test == FIGURE_BY_MEAN ? figure->difference : figure->cliffs_delta) < 0;
}

/* Even runs of one program differ; only more runs show whether the difference is smaller. */
static bool has_too_few_runs(const struct figure *figure, double level)
{
    return figure->basis == FIGURE_OF_ONE ||
           (figure->basis == FIGURE_OF_RUNS && figure->least_p_value > level);
}

static enum figure_outcome judge(const struct figure *figure, double level)
{
    if (figure->basis == FIGURE_OF_NOTHING)
        return FIGURE_UNKNOWN;
    if (is_settled(figure))
        return compare_constants(figure);
    if (has_too_few_runs(figure, level))
        return figure_is_chance(figure) ? FIGURE_UNDECIDED : FIGURE_DIFFERS;
    if (!(figure->adjusted_p_value <= level))
        return FIGURE_UNDECIDED;
    if (is_less(figure))
        return figure_is_less(figure, 1) ? FIGURE_LESS : FIGURE_UNDECIDED;
    return figure_is_more(figure, 1) ? FIGURE_MORE : FIGURE_UNDECIDED;
}

/* Exact counts need no test, and must not make other tests less sensitive. */
static bool is_tested(const struct figure *figure)
{
    return figure->basis >= FIGURE_OF_CALLS && !is_settled(figure);
}

void figures_judge(struct array *figures, const struct figure_options *options)
{
    struct figure *all = figures->items;
    struct array p_values;

    array_init(&p_values, sizeof(double));
    array_reserve(&p_values, figures->count + 1);
    for (size_t i = 0; i < figures->count; i++)
        *(double *)array_add(&p_values) =
            is_tested(&all[i]) && !all[i].is_main ? all[i].p_value : (double)NAN;
    multiple_benjamini_hochberg(p_values.items, figures->count, p_values.items);
    for (size_t i = 0; i < figures->count; i++) {
        all[i].adjusted_p_value = all[i].is_main && is_tested(&all[i])
                                      ? all[i].p_value
                                      : *(double *)array_at(&p_values, i);
        if (is_settled(&all[i]))
            settle(&all[i]);
        all[i].outcome = judge(&all[i], 1 - options->confidence);
    }
    array_fini(&p_values);
}

static void scale(struct array *values, double factor)
{
    for (size_t i = 0; i < values->count; i++)
        *(double *)array_at(values, i) *= factor;
}

/* From a two-sided p value to the side on which `changed` is larger. */
static double one_sided(double p_value, bool is_more)
{
    return is_more ? p_value / 2 : 1 - p_value / 2;
}

static void test(const struct two_samples *samples, enum figure_test test, double *p_value)
{
    struct rank_comparison rank;
    struct mean_comparison mean;

    if (test == FIGURE_BY_MEAN) {
        two_samples_welch(samples, &mean);
        *p_value = one_sided(mean.p_value, mean.difference > 0);
        if (!isnan(*p_value))
            return;
    }
    two_samples_rank(samples, &rank);
    *p_value = one_sided(rank.p_value, rank.cliffs_delta > 0);
}

void figure_test_beyond(const struct figure *figure, double bound,
                        const struct figure_options *options, double *p_value)
{
    struct two_samples samples;
    struct values values;

    values_init(&values);
    take_values(&values, figure);
    scale(&values.base, bound);
    samples = samples_of(&values, options);
    *p_value = (double)NAN;
    if (samples.base_count > 0 && samples.changed_count > 0)
        test(&samples, options->test, p_value);
    values_fini(&values);
}

/* Welch's p value has no minimum; the test needs two values for a variance. */
size_t figure_runs_needed(enum figure_test test, double level, size_t tests)
{
    return test == FIGURE_BY_RANK ? two_samples_least_count(level, tests) : 2;
}
