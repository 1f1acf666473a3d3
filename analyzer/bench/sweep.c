/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps: points by x, their knee, and the line through their times.
 *
 * Decision: doc/decisions/benchmarks.
 */
#include "bench/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static bool is_near(const struct bench_sweep_point *point, const struct bench_sweep_point *best)
{
    return point->item_rate >= BENCH_SWEEP_NEAR * best->item_rate ||
           point->item_rate_interval.high >= best->item_rate_interval.low;
}

void bench_sweep_find_knee(const struct bench_sweep_point *points, size_t count, int *best,
                           int *knee)
{
    *best = *knee = BENCH_SWEEP_NONE;
    for (size_t i = 0; i < count; i++)
        if (points[i].fits && points[i].item_rate > 0 &&
            (*best == BENCH_SWEEP_NONE || points[i].item_rate > points[*best].item_rate))
            *best = (int)i;
    for (size_t i = 0; i < count && *best != BENCH_SWEEP_NONE && *knee == BENCH_SWEEP_NONE; i++)
        if (points[i].fits && is_near(&points[i], &points[*best]))
            *knee = (int)i;
}

static bool fits(const struct bench_sweep_point *point, const struct bench_sweep_limits *limits)
{
    if (!isnan(limits->memory_bytes) && !(point->result->peak_rss_bytes <= limits->memory_bytes))
        return false;
    return isnan(limits->latency_ns) || point->latency_ns <= limits->latency_ns;
}

static void add_point(struct bench_sweep *sweep, const struct result *result, double x,
                      const struct bench_sweep_limits *limits)
{
    struct bench_sweep_point *point = array_add(&sweep->points);

    *point = (struct bench_sweep_point){.x = x,
                                        .result = result,
                                        .item_rate = result_item_rate(result),
                                        .item_rate_interval = result_item_rate_interval(result),
                                        .latency_ns = result_latency_ns(result)};
    point->fits = fits(point, limits);
    sweep->has_items = sweep->has_items || point->item_rate > 0;
}

static int by_x(const void *a, const void *b)
{
    const struct bench_sweep_point *left = a, *right = b;

    return (left->x > right->x) - (left->x < right->x);
}

static void add_points(struct bench_sweep *sweep, const struct results *results,
                       const char *parameter, const struct bench_sweep_limits *limits)
{
    const struct result *result = results->points.items;

    for (size_t i = 0; i < results->points.count; i++) {
        const struct parameter_value *value = plan_value(result[i].point, parameter);

        if (value && result[i].point->command == sweep->command && result[i].time.count > 0)
            add_point(sweep, &result[i], parameter_number(value->text), limits);
    }
    if (sweep->points.count > 1)
        qsort(sweep->points.items, sweep->points.count, sizeof(struct bench_sweep_point), by_x);
}

/* Three points at least: through two every line goes. */
static void fit(struct bench_sweep *sweep, double confidence)
{
    const struct bench_sweep_point *point = sweep->points.items;
    size_t count = sweep->points.count;
    double *numbers = memory_get_zeros(2 * count + 1, sizeof *numbers);

    for (size_t i = 0; i < count; i++) {
        numbers[i] = point[i].result->items / point[i].result->point->batches;
        numbers[count + i] = point[i].latency_ns;
    }
    sweep->line = fit_line_of(numbers, numbers + count, count, confidence);
    sweep->has_line = count >= 3 && isfinite(sweep->line.slope);
    free(numbers);
}

void bench_sweep_init(struct bench_sweep *sweep, const struct results *results,
                      const struct plan_command *command, const char *parameter,
                      const struct bench_sweep_limits *limits)
{
    *sweep = (struct bench_sweep){
        .command = command, .best = BENCH_SWEEP_NONE, .knee = BENCH_SWEEP_NONE};
    array_init(&sweep->points, sizeof(struct bench_sweep_point));
    add_points(sweep, results, parameter, limits);
    if (!sweep->has_items)
        return;
    bench_sweep_find_knee(sweep->points.items, sweep->points.count, &sweep->best, &sweep->knee);
    fit(sweep, results->options.confidence);
}

void bench_sweep_fini(struct bench_sweep *sweep)
{
    array_fini(&sweep->points);
}
