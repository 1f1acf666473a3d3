/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From samples to results: gather by point, describe, compare.
 *
 * Decision: doc/decisions/benchmarks.
 */
#include "bench/results.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/multiple.h"
#include "statistics/percentile.h"

static const double power = 0.8; /* the chance to see the least change */

static struct statistics_interval median_interval(const double *sorted, size_t count,
                                                  double confidence)
{
    struct percentile_ranks ranks = percentile_ranks_of(0.5, count, confidence);

    if (ranks.low == 0 || ranks.high > count)
        return (struct statistics_interval){(double)NAN, (double)NAN};
    return (struct statistics_interval){sorted[ranks.low - 1], sorted[ranks.high - 1]};
}

struct spread spread_of(double *numbers, size_t count, double confidence)
{
    const double unknown = (double)NAN;
    struct spread spread = {count, unknown, unknown, unknown, unknown, unknown, {unknown, unknown}};

    if (count == 0)
        return spread;
    gsl_sort(numbers, 1, count);
    spread.mean = gsl_stats_mean(numbers, 1, count);
    spread.sd = count > 1 ? gsl_stats_sd(numbers, 1, count) : unknown;
    spread.minimum = numbers[0];
    spread.maximum = numbers[count - 1];
    spread.median = gsl_stats_median_from_sorted_data(numbers, 1, count);
    spread.median_interval = median_interval(numbers, count, confidence);
    return spread;
}

static void add_number(struct array *numbers, double number)
{
    double *place;

    if (isnan(number))
        return;
    place = array_add(numbers);
    *place = number;
}

static double cpu_ns(const struct sample *sample)
{
    return sample->user_ns + sample->system_ns;
}

static const char *const measures[] = {[MEASURE_WALL] = "wall",
                                       [MEASURE_CPU] = "cpu",
                                       [MEASURE_KERNELS] = "kernels",
                                       [MEASURE_REGION] = "region"};

const char *measure_words(enum measure measure)
{
    return measures[measure];
}

bool measure_find(const char *word, enum measure *measure)
{
    for (unsigned i = 0; i < sizeof measures / sizeof *measures; i++)
        if (strcmp(word, measures[i]) == 0) {
            *measure = (enum measure)i;
            return true;
        }
    return false;
}

void results_choose_reference(struct results_options *options, const char *word)
{
    options->reference = word;
    options->choice = strcmp(word, "first") == 0     ? REFERENCE_FIRST
                      : strcmp(word, "fastest") == 0 ? REFERENCE_FASTEST
                                                     : REFERENCE_NAMED;
}

double results_time(const struct results_options *options, const struct sample *sample)
{
    const struct run_row *row;

    switch (options->measure) {
    case MEASURE_WALL: return sample->wall_ns;
    case MEASURE_CPU: return cpu_ns(sample);
    case MEASURE_KERNELS: return run_whole_value(&sample->run, RUN_TOTAL);
    case MEASURE_REGION:
        row = run_find_row(&sample->run, RUN_REGION, options->region, "");
        return row ? row->values[RUN_INCLUSIVE] : (double)NAN;
    }
    return (double)NAN;
}

/* A question to each run of a point, one after the other. */
struct question {
    const struct results_options *options;
    enum {
        ASK_TIME,
        ASK_WALL,
        ASK_USER,
        ASK_SYSTEM,
        ASK_RSS,
        ASK_OVERHEAD,
        ASK_WHOLE,
        ASK_METRIC
    } what;
    enum run_quantity quantity; /* ASK_WHOLE */
    const char *metric;         /* ASK_METRIC */
};

static double answer(const struct question *question, const struct sample *sample)
{
    switch (question->what) {
    case ASK_TIME: return results_time(question->options, sample);
    case ASK_WALL: return sample->wall_ns;
    case ASK_USER: return sample->user_ns;
    case ASK_SYSTEM: return sample->system_ns;
    case ASK_RSS: return sample->peak_rss_bytes;
    case ASK_OVERHEAD: return sample->overhead;
    case ASK_WHOLE: return run_whole_value(&sample->run, question->quantity);
    case ASK_METRIC: return run_metric_value(&sample->run, question->metric);
    }
    return (double)NAN;
}

struct gathering {
    struct results *results;
    size_t index; /* index of the point */
};

static void ask(const struct gathering *gathering, const struct question *question,
                struct array *numbers)
{
    const struct sample *sample = gathering->results->samples->items;

    for (size_t i = 0; i < gathering->results->samples->count; i++)
        if (sample[i].point == gathering->index && sample_counts(&sample[i]))
            add_number(numbers, answer(question, &sample[i]));
}

static struct spread describe(const struct gathering *gathering, struct question question)
{
    struct array numbers;
    struct spread spread;

    question.options = &gathering->results->options;
    array_init(&numbers, sizeof(double));
    ask(gathering, &question, &numbers);
    spread = spread_of(numbers.items, numbers.count, question.options->confidence);
    array_fini(&numbers);
    return spread;
}

static struct spread describe_whole(const struct gathering *gathering, enum run_quantity quantity)
{
    return describe(gathering, (struct question){.what = ASK_WHOLE, .quantity = quantity});
}

static void count_ends(const struct gathering *gathering, struct result *result)
{
    const struct sample *sample = gathering->results->samples->items;

    for (size_t i = 0; i < gathering->results->samples->count; i++) {
        if (sample[i].point != gathering->index || sample[i].is_warmup)
            continue;
        result->failures += sample[i].end == SAMPLE_FAILED || sample[i].end == SAMPLE_SIGNALLED;
        result->timeouts += sample[i].end == SAMPLE_TIMED_OUT;
        if (sample[i].traces > result->traces)
            result->traces = sample[i].traces;
    }
}

static void describe_metrics(const struct gathering *gathering, struct result *result)
{
    const struct array *names = &gathering->results->plan->metric_names;

    for (size_t i = 0; i < names->count; i++) {
        const char *const *name = array_at(names, i);
        double *place = array_add(&result->metrics);

        *place = describe(gathering, (struct question){.what = ASK_METRIC, .metric = *name}).median;
    }
}

static void describe_work(const struct gathering *gathering, struct result *result)
{
    struct spread flops = describe_whole(gathering, RUN_FLOPS);
    double told = describe_whole(gathering, RUN_ITEMS).median;

    result->flops_differ = flops.count > 1 && flops.minimum < flops.maximum;
    result->flops = result->flops_differ ? (double)NAN : flops.median;
    result->items = isnan(result->point->items) ? told : result->point->items;
}

static void describe_point(const struct gathering *gathering, struct result *result)
{
    const struct question time = {.options = &gathering->results->options, .what = ASK_TIME};
    ask(gathering, &time, &result->times_ns);

    result->time = describe(gathering, time);
    result->wall_ns = describe(gathering, (struct question){.what = ASK_WALL}).median;
    result->user_ns = describe(gathering, (struct question){.what = ASK_USER}).median;
    result->system_ns = describe(gathering, (struct question){.what = ASK_SYSTEM}).median;
    result->overhead = describe(gathering, (struct question){.what = ASK_OVERHEAD}).median;
    result->peak_rss_bytes = describe(gathering, (struct question){.what = ASK_RSS}).maximum;
    result->peak_heap_bytes = describe_whole(gathering, RUN_PEAK_HEAP).maximum;
    describe_work(gathering, result);
    count_ends(gathering, result);
    describe_metrics(gathering, result);
}

static bool values_agree(const struct plan_point *a, const struct plan_point *b)
{
    const struct parameter_value *value = a->values.items;

    if (a->values.count != b->values.count)
        return false;
    for (size_t i = 0; i < a->values.count; i++) {
        const struct parameter_value *other = plan_value(b, value[i].name);

        if (!other || strcmp(other->text, value[i].text) != 0)
            return false;
    }
    return true;
}

/* Points of several commands are compared if their parameters agree; points of one command are
 * always compared. */
static bool are_comparable(const struct results *results, size_t a, size_t b)
{
    const struct result *result = results->points.items;

    return results->plan->commands.count == 1 || values_agree(result[a].point, result[b].point);
}

static bool is_named(const struct plan_point *point, const char *name)
{
    return strcmp(point->label, name) == 0 || strcmp(point->command->label, name) == 0;
}

/* Ask whether `candidate` is better than the reference found before. */
static bool is_better(const struct results *results, size_t candidate, size_t found)
{
    const struct result *result = results->points.items;

    switch (results->options.choice) {
    case REFERENCE_FIRST: return found == SIZE_MAX;
    case REFERENCE_FASTEST:
        return !isnan(result[candidate].time.median) &&
               (found == SIZE_MAX || result[candidate].time.median < result[found].time.median);
    case REFERENCE_NAMED:
        return found == SIZE_MAX && is_named(result[candidate].point, results->options.reference);
    }
    return false;
}

static size_t find_reference(const struct results *results, size_t index)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < results->points.count; i++)
        if (are_comparable(results, index, i) && is_better(results, i, found))
            found = i;
    return found;
}

static void choose_references(struct results *results)
{
    struct result *result = results->points.items;

    for (size_t i = 0; i < results->points.count; i++) {
        size_t reference = find_reference(results, i);

        result[i].reference = reference == SIZE_MAX ? i : reference;
    }
}

enum status results_check(const struct plan *plan, const struct results_options *options,
                          struct diagnostic *diagnostic)
{
    const struct plan_point *point = plan->points.items;

    for (size_t i = 0; i < plan->points.count; i++)
        if (options->choice != REFERENCE_NAMED || is_named(&point[i], options->reference))
            return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "bench --reference %.60s: no command has this label; expected first, "
                          "fastest or a label",
                          options->reference);
}

/* The number of tests of that many points against one reference.  The same runs choose the fastest
 * point, so any pair of points could have been tested. */
static size_t count_tests(const struct results_options *options, size_t compared)
{
    return options->choice == REFERENCE_FASTEST ? compared * (compared + 1) / 2 : compared;
}

/* Each against the reference of its group; a sweep needs no verdict of its values. */
unsigned results_runs_needed(const struct plan *plan, const struct results_options *options)
{
    size_t points = plan->points.count, commands = plan->commands.count;
    size_t groups = commands > 1 ? points / commands : 1;

    if (points <= groups || (commands == 1 && plan_swept(plan)))
        return 0;
    return two_samples_least_count(1 - options->confidence,
                                   groups * count_tests(options, points / groups - 1));
}

/* Whether a point is one that others are held against. */
static bool is_reference(const struct results *results, size_t index)
{
    const struct result *result = results->points.items;

    for (size_t i = 0; i < results->points.count; i++)
        if (i != index && result[i].reference == index)
            return true;
    return false;
}

/* If a run took no time, there is no ratio; then the direction of most pairs of runs decides. */
static bool is_faster(const struct rank_comparison *comparison)
{
    return isnan(comparison->ratio) ? comparison->cliffs_delta < 0 : comparison->ratio < 1;
}

static enum verdict judge(const struct results *results, const struct result *result)
{
    double level = 1 - results->options.confidence;

    if (isnan(result->p_adjusted))
        return VERDICT_NONE;
    if (result->p_adjusted < level)
        return is_faster(&result->comparison) ? VERDICT_FASTER : VERDICT_SLOWER;
    return result->comparison.least_p_value * (double)results->tests >= level ? VERDICT_TOO_FEW
                                                                              : VERDICT_SAME;
}

static void compare(const struct results *results, struct result *result, size_t index)
{
    const struct result *base = array_at(&results->points, result->reference);
    const struct two_samples both = {base->times_ns.items, base->times_ns.count,
                                     result->times_ns.items, result->times_ns.count,
                                     results->options.confidence};

    result->comparison.p_value = (double)NAN;
    result->comparison.ratio = (double)NAN;
    result->least_ratio = (double)NAN;
    if (result->reference == index || both.base_count == 0 || both.changed_count == 0)
        return;
    two_samples_rank(&both, &result->comparison);
    result->least_ratio =
        two_samples_least_ratio(&result->comparison.ratio_interval, both.confidence, power);
}

static size_t count_compared(const struct results *results, size_t reference)
{
    const struct result *result = results->points.items;
    size_t count = 0;

    for (size_t i = 0; i < results->points.count; i++)
        count += result[i].reference == reference && !isnan(result[i].comparison.p_value) ? 1 : 0;
    return count;
}

static void adjust(struct results *results)
{
    struct result *result = results->points.items;
    size_t count = results->points.count;
    double *p = memory_get_zeros(count + 1, sizeof *p);

    for (size_t i = 0; i < count; i++) {
        p[i] = result[i].comparison.p_value;
        results->tests += count_tests(&results->options, count_compared(results, i));
    }
    multiple_holm_among(p, count, results->tests, p);
    for (size_t i = 0; i < count; i++) {
        result[i].p_adjusted = p[i];
        result[i].verdict =
            is_reference(results, i) ? VERDICT_REFERENCE : judge(results, &result[i]);
    }
    free(p);
}

static void add_result(struct results *results, size_t index)
{
    const struct gathering gathering = {results, index};
    struct result *result = array_add(&results->points);

    *result = (struct result){.point = array_at(&results->plan->points, index)};
    array_init(&result->times_ns, sizeof(double));
    array_init(&result->metrics, sizeof(double));
    describe_point(&gathering, result);
}

void results_init(struct results *results, const struct plan *plan, const struct array *samples,
                  const struct results_options *options)
{
    *results = (struct results){.plan = plan, .samples = samples, .options = *options};
    array_init(&results->points, sizeof(struct result));
    for (size_t i = 0; i < plan->points.count; i++)
        add_result(results, i);
    choose_references(results);
    for (size_t i = 0; i < results->points.count; i++)

        compare(results, array_at(&results->points, i), i);
    adjust(results);
}

void results_fini(struct results *results)
{
    struct result *result = results->points.items;

    for (size_t i = 0; i < results->points.count; i++) {
        array_fini(&result[i].times_ns);
        array_fini(&result[i].metrics);
    }
    array_fini(&results->points);
}

double result_item_rate(const struct result *result)
{
    return 1e9 * result->items / result->time.median;
}

struct statistics_interval result_item_rate_interval(const struct result *result)
{
    return (struct statistics_interval){1e9 * result->items / result->time.median_interval.high,
                                        1e9 * result->items / result->time.median_interval.low};
}

double result_flop_rate(const struct result *result)
{
    return 1e9 * result->flops / result->time.median;
}

double result_latency_ns(const struct result *result)
{
    return result->time.median / result->point->batches;
}
