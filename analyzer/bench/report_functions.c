/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions by their samples, each point against its reference: they show slowdowns outside of
 * kernels.
 *
 * The sampling error differs from run to run, so intervals over runs include it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/report_parts.h"
#include "bench/texts.h"
#include "statistics/multiple.h"
#include "statistics/ranks.h"

enum { LEAST_RUNS = 2, SHOWN_MOST = 10 };

enum column_index { POINT, NAME, REFERENCE, TIME, RATIO, RATIO_INTERVAL, DIFFERENCE, P_VALUE };

static const struct column columns[] = {
    [POINT] = {"point", "row", "label of its point", UNIT_TEXT, 0},
    [NAME] = {"name", "function", "outside of kernels", UNIT_PLACE, 0},
    [REFERENCE] = {"reference_ns", "reference", "processor time there, the median of the runs",
                   UNIT_NS, 2},
    [TIME] = {"time_ns", "time", "processor time here, the same", UNIT_NS, 1},
    [RATIO] = {"ratio", "ratio", "the median over all pairs of runs", UNIT_RATIO, 0},
    [RATIO_INTERVAL] = {"ratio_interval", "from to", "interval of it", UNIT_RATIO, 0},
    [DIFFERENCE] = {"difference_ns", "difference", "of the medians", UNIT_NS, 3},
    [P_VALUE] = {"p_value", NULL, "corrected for all functions (Benjamini and Hochberg)", UNIT_REAL,
                 0},
};

static const struct table_schema schema = {"functions", "Functions that changed", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* A function of a point and of its reference. */
struct function {
    const struct result *result;
    const char *name;
    double reference_ns, time_ns; /* medians */
    struct rank_comparison comparison;
    double p_adjusted;
};

struct work {
    const struct results *results;
    struct array functions; /* of struct function */
    struct array base;      /* double */
    struct array changed;
};

static size_t index_of(const struct results *results, const struct result *result)
{
    return (size_t)(result - (const struct result *)results->points.items);
}

static void add_number(struct array *numbers, double number)
{
    double *place = array_add(numbers);

    *place = number;
}

/* The function's time in each run of a point that has it. */
static void gather(const struct results *results, size_t point, const char *name,
                   struct array *numbers)
{
    const struct sample *sample = results->samples->items;

    array_truncate(numbers, 0);
    for (size_t i = 0; i < results->samples->count; i++) {
        const struct run_row *row = NULL;

        if (sample[i].point == point && sample_counts(&sample[i]))
            row = run_find_row(&sample[i].run, RUN_FUNCTION, name, "");
        if (row && row->values[RUN_CPU] > 0)
            add_number(numbers, row->values[RUN_CPU]);
    }
}

/* A function counts only if most runs have it: otherwise its runs are the slow ones. */
static bool is_usual(const struct array *numbers, const struct result *result)
{
    return numbers->count >= LEAST_RUNS && 2 * numbers->count > result->time.count;
}

static void compare(struct work *work, const struct result *result, const char *name)
{
    const struct results *results = work->results;
    const struct result *reference = array_at(&results->points, result->reference);
    struct function function = {.result = result, .name = name};
    struct function *place;

    gather(results, result->reference, name, &work->base);
    gather(results, index_of(results, result), name, &work->changed);
    if (!is_usual(&work->base, reference) || !is_usual(&work->changed, result))
        return;
    const struct two_samples samples = {work->base.items, work->base.count, work->changed.items,
                                        work->changed.count, results->options.confidence};
    place = array_add(&work->functions);
    two_samples_rank(&samples, &function.comparison);
    function.reference_ns = ranks_median(work->base.items, work->base.count);
    function.time_ns = ranks_median(work->changed.items, work->changed.count);
    *place = function;
}

static bool is_listed(const struct work *work, const struct result *result, const char *name)
{
    const struct function *function = work->functions.items;

    for (size_t i = 0; i < work->functions.count; i++)
        if (function[i].result == result && strcmp(function[i].name, name) == 0)
            return true;
    return false;
}

/* Most runs have the usual functions, so the first runs of the reference name them. */
static void compare_point(struct work *work, const struct result *result)
{
    const struct sample *sample = work->results->samples->items;
    size_t runs = 0;

    for (size_t i = 0; i < work->results->samples->count && runs < LEAST_RUNS; i++) {
        if (sample[i].point != result->reference || !sample_counts(&sample[i]))
            continue;
        runs++;
        for (size_t j = 0; j < sample[i].run.rows.count; j++) {
            const struct run_row *row = array_at(&sample[i].run.rows, j);

            if (row->subject == RUN_FUNCTION && !is_listed(work, result, row->name))
                compare(work, result, row->name);
        }
    }
}

static void adjust(struct work *work)
{
    struct function *function = work->functions.items;
    size_t count = work->functions.count;
    double *p = memory_get_zeros(count + 1, sizeof *p);

    for (size_t i = 0; i < count; i++)
        p[i] = function[i].comparison.p_value;
    multiple_benjamini_hochberg(p, count, p);
    for (size_t i = 0; i < count; i++)
        function[i].p_adjusted = p[i];
    free(p);
}

static double change_of(const struct function *function)
{
    return fabs(function->time_ns - function->reference_ns);
}

static int compare_changes(const void *left, const void *right)
{
    double one = change_of(left), other = change_of(right);

    return (one < other) - (one > other);
}

static void find(struct work *work)
{
    const struct result *result = work->results->points.items;

    for (size_t i = 0; i < work->results->points.count; i++)
        if (result[i].verdict != VERDICT_NONE && result[i].reference != i)
            compare_point(work, &result[i]);
    adjust(work);
    if (work->functions.count > 0)
        qsort(work->functions.items, work->functions.count, sizeof(struct function),
              compare_changes);
}

static void add_row(struct table *table, const struct function *function)
{
    struct value *row = table_add_row(table);

    value_set_rounded(&row[REFERENCE], function->reference_ns);
    value_set_rounded(&row[TIME], function->time_ns);
    value_mark_estimate(&row[REFERENCE], true);
    value_mark_estimate(&row[TIME], true);
    value_set_real(&row[RATIO], function->comparison.ratio);
    value_set_interval(&row[RATIO_INTERVAL], function->comparison.ratio_interval.low,
                       function->comparison.ratio_interval.high);
    value_set_rounded(&row[DIFFERENCE], function->time_ns - function->reference_ns);
    value_set_real(&row[P_VALUE], function->p_adjusted);
    value_set_text(&row[POINT], function->result->point->label);
    value_set_text(&row[NAME], function->name);
}

struct table *report_start_functions(struct bench_report *report)
{
    return document_start_table(&report->document, "functions", SECTION_IN_JSON, &schema);
}

static void add_all(const struct work *work, struct table *table)
{
    for (size_t i = 0; i < work->functions.count; i++)
        add_row(table, array_at(&work->functions, i));
}

/* People see the certain changes. */
static bool is_certain(const struct value *row, double confidence)
{
    return value_number(&row[P_VALUE]) < 1 - confidence;
}

static size_t count_certain(const struct table *all, double confidence)
{
    size_t count = 0;

    for (size_t i = 0; i < table_row_count(all); i++)
        count += is_certain(table_row(all, i), confidence);
    return count;
}

static void copy_row(struct table *table, const struct value *from)
{
    struct value *row = table_add_row(table);

    for (size_t i = 0; i < schema.column_count; i++)
        if (from[i].kind == VALUE_TEXT)
            value_set_text(&row[i], from[i].text);
        else
            row[i] = from[i]; /* numbers own nothing */
}

void report_show_functions(struct bench_report *report, const struct table *all)
{
    double confidence = report->results->options.confidence;
    size_t certain = count_certain(all, confidence);
    struct table *table;

    if (certain == 0)
        return;
    table = document_start_table(&report->document, "changed", SECTION_IN_TEXT, &schema);
    for (size_t i = 0; i < table_row_count(all); i++)
        if (is_certain(table_row(all, i), confidence))
            copy_row(table, table_row(all, i));
    table_truncate(table, SHOWN_MOST);
    table_say(table, bench_functions_text, said_count(certain), said_count(table_row_count(all)));
}

void report_add_functions(struct bench_report *report)
{
    struct work work = {.results = report->results};
    struct table *all;

    if (report->functions) {
        report_show_functions(report, report->functions);
        return;
    }
    all = report_start_functions(report);
    array_init(&work.functions, sizeof(struct function));
    array_init(&work.base, sizeof(double));
    array_init(&work.changed, sizeof(double));
    find(&work);
    add_all(&work, all);
    report_show_functions(report, all);
    array_fini(&work.functions);
    array_fini(&work.base);
    array_fini(&work.changed);
}
