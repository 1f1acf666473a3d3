/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of points.  Their columns depend on the plan: each parameter and each
 * metric has one of its own name.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "bench/report_parts.h"
#include "bench/texts.h"

enum shown_in { IN_NEITHER = 0, IN_TIMES = 1, IN_WORK = 2, IN_BOTH = IN_TIMES | IN_WORK };

enum result_id {
#define RESULT(id, key, title, unit, priority, place, help) RESULT_##id,
#include "bench/result_columns.def"
#undef RESULT
    RESULTS
};

static const struct {
    struct column column;
    enum shown_in place;
} rows[] = {
#define RESULT(id, key, title, unit, priority, place, help)                                        \
    {{key, title, help, unit, priority}, place},
#include "bench/result_columns.def"
#undef RESULT
};

/* A column of the current table. */
struct cell {
    enum result_id id;
    size_t index; /* index of the parameter or metric */
};

struct layout {
    struct table_schema schema;
    struct cell *cells;
    struct column columns[]; /* the cells follow */
};

static const char *name_at(const struct array *names, size_t index)
{
    return *(const char **)array_at(names, index);
}

/* By a column of ours, here or to come, or by one that was added before. */
static bool is_taken(const struct layout *layout, const char *name)
{
    for (size_t i = 0; i < RESULTS; i++)
        if (strcmp(rows[i].column.key, name) == 0)
            return true;
    for (size_t i = 0; i < layout->schema.column_count; i++)
        if (strcmp(layout->columns[i].key, name) == 0)
            return true;
    return false;
}

/* A parameter or metric gets another key where its name is taken. */
static const char *make_key(struct bench_report *report, const struct layout *layout,
                            const char *name, const char *prefix)
{
    const char *key = name;
    char *made;

    while (is_taken(layout, key)) {
        if (asprintf(&made, "%s_%s", prefix, key) < 0)
            memory_ran_out();
        report_keep_block(report, made);
        key = made;
    }
    return key;
}

static void add_column(struct bench_report *report, struct layout *layout, enum result_id id,
                       size_t index)
{
    const struct plan *plan = report->results->plan;
    struct column *column = &layout->columns[layout->schema.column_count];

    *column = rows[id].column;
    if (id == RESULT_PARAMETER) {
        column->title = name_at(&plan->names, index);
        column->key = make_key(report, layout, column->title, "parameter");
    } else if (id == RESULT_METRIC) {
        column->title = name_at(&plan->metric_names, index);
        column->key = make_key(report, layout, column->title, "metric");
    }
    layout->cells[layout->schema.column_count++] = (struct cell){id, index};
}

static size_t times_of(const struct plan *plan, enum result_id id)
{
    return id == RESULT_PARAMETER ? plan->names.count
           : id == RESULT_METRIC  ? plan->metric_names.count
                                  : 1;
}

static struct layout *new_layout(struct bench_report *report)
{
    const struct plan *plan = report->results->plan;
    size_t most = RESULTS + plan->names.count + plan->metric_names.count; /* of any table */
    struct layout *layout =
        memory_get_zeros(1, sizeof *layout + most * (sizeof(struct column) + sizeof(struct cell)));

    report_keep_block(report, layout);
    layout->schema = (struct table_schema){.name = "bench", .columns = layout->columns};
    layout->cells = (struct cell *)(void *)(layout->columns + most);
    return layout;
}

static void set_parameter(struct value *value, const struct result *result, const char *name)
{
    const struct parameter_value *chosen = plan_value(result->point, name);
    double number = chosen ? parameter_number(chosen->shown) : (double)NAN;

    if (!chosen)
        return;
    if (isnan(number)) {
        value_set_text(value, chosen->shown);
        return;
    }
    if (number >= -1e15 && number <= 1e15 && number >= floor(number) && number <= floor(number))
        value_set_integer(value, (int64_t)number);
    else
        value_set_real(value, number);
}

static void set_interval(struct value *value, const struct statistics_interval *interval)
{
    value_set_interval(value, interval->low, interval->high);
}

/* A known whole count is shown as one. */
static void set_whole(struct value *value, double number)
{
    if (number >= 0 && number < 9e18 && number <= floor(number))
        value_set_unsigned(value, (uint64_t)number);
    else
        value_set_real(value, number);
}

static void set_time(struct value *value, double ns)
{
    set_whole(value, isnan(ns) ? ns : round(ns));
}

static bool is_compared(const struct result *result)
{
    return result->verdict != VERDICT_NONE && !isnan(result->comparison.p_value);
}

/* "1.11x faster (-10.0 %)"; without a factor if a time is 0: "slower (+2.390 s)". */
static void set_change(struct value *value, const struct result *result)
{
    double ratio = result->comparison.ratio, shift = result->comparison.shift;
    bool is_faster = result->verdict == VERDICT_FASTER;
    const char *direction = is_faster ? "faster" : "slower";
    char text[80], time[UNITS_SIZE];

    if (isnan(ratio))
        snprintf(text, sizeof text, "%s (%s%s)", direction, is_faster ? "-" : "+",
                 units_format_time(time, fabs(shift)));
    else
        snprintf(text, sizeof text, "%.2fx %s (%+.1f %%)", is_faster ? 1 / ratio : ratio, direction,
                 100 * (ratio - 1));
    value_set_text(value, text);
}

static void set_verdict(struct value *value, const struct result *result)
{
    switch (result->verdict) {
    case VERDICT_NONE: return;
    case VERDICT_REFERENCE: value_set_text(value, "reference"); return;
    case VERDICT_FASTER:
    case VERDICT_SLOWER: set_change(value, result); return;
    case VERDICT_SAME: value_set_text(value, "no difference seen"); return;
    case VERDICT_TOO_FEW: value_set_text(value, bench_too_few_text.words); return;
    }
}

static void set_comparison(struct value *value, const struct result *result, enum result_id id)
{
    if (!is_compared(result))
        return;
    if (id == RESULT_RATIO)
        value_set_real(value, result->comparison.ratio);
    else if (id == RESULT_RATIO_INTERVAL)
        set_interval(value, &result->comparison.ratio_interval);
    else if (id == RESULT_P_VALUE)
        value_set_real(value, result->p_adjusted);
    else if (id == RESULT_CLIFF)
        value_set_real(value, result->comparison.cliffs_delta);
    else
        value_set_real(value, result->least_ratio);
}

static void set_value(struct value *value, const struct bench_report *report,
                      const struct result *result, const struct cell *cell)
{
    const struct plan *plan = report->results->plan;
    struct statistics_interval rates = result_item_rate_interval(result);

    switch (cell->id) {
    case RESULT_COMMAND: value_set_text(value, result->point->command->label); return;
    case RESULT_PARAMETER: set_parameter(value, result, name_at(&plan->names, cell->index)); return;
    case RESULT_RUNS: value_set_unsigned(value, result->time.count); break;
    case RESULT_TIME: set_time(value, result->time.median); break;
    case RESULT_INTERVAL: set_interval(value, &result->time.median_interval); break;
    case RESULT_MEAN: set_time(value, result->time.mean); break;
    case RESULT_SD: set_time(value, result->time.sd); break;
    case RESULT_MINIMUM: set_time(value, result->time.minimum); break;
    case RESULT_MAXIMUM: set_time(value, result->time.maximum); break;
    case RESULT_RATIO:
    case RESULT_RATIO_INTERVAL:
    case RESULT_P_VALUE:
    case RESULT_CLIFF:
    case RESULT_LEAST: set_comparison(value, result, cell->id); return;
    case RESULT_VERDICT: set_verdict(value, result); return;
    case RESULT_WALL: set_time(value, result->wall_ns); break;
    case RESULT_PEAK_RSS: set_whole(value, result->peak_rss_bytes); break;
    case RESULT_METRIC:
        value_set_real(value, *(double *)array_at(&result->metrics, cell->index));
        break;
    case RESULT_ITEM_RATE: value_set_real(value, result_item_rate(result)); break;
    case RESULT_ITEM_RATE_INTERVAL: set_interval(value, &rates); break;
    case RESULT_ITEMS: set_whole(value, result->items); break;
    case RESULT_LATENCY: set_time(value, result_latency_ns(result)); break;
    case RESULT_FLOPS: set_whole(value, result->flops); break;
    case RESULT_FLOP_RATE: value_set_real(value, result_flop_rate(result)); break;
    case RESULT_PEAK_HEAP: set_whole(value, result->peak_heap_bytes); break;
    case RESULT_USER: set_time(value, result->user_ns); break;
    case RESULT_SYSTEM: set_time(value, result->system_ns); break;
    case RESULT_OVERHEAD: value_set_real(value, result->overhead); break;
    case RESULT_FAILURES: value_set_unsigned(value, result->failures); break;
    case RESULT_TIMEOUTS: value_set_unsigned(value, result->timeouts); break;
    case RESULTS: break;
    }
}

static void add_point(struct bench_report *report, struct table *table, const struct layout *layout,
                      size_t index)
{
    const struct result *result = array_at(&report->results->points, index);
    struct value *row = table_add_row(table);

    for (size_t i = 0; i < layout->schema.column_count; i++)
        set_value(&row[i], report, result, &layout->cells[i]);
}

void bench_report_points(struct bench_report *report)
{
    struct table *table = document_add_table(&report->document, "points", SECTION_IN_JSON);
    struct layout *layout = new_layout(report);

    for (size_t i = 0; i < RESULTS; i++)
        for (size_t j = 0; j < times_of(report->results->plan, (enum result_id)i); j++)
            add_column(report, layout, (enum result_id)i, j);
    table_init(table, &layout->schema);
    for (size_t i = 0; i < report->results->points.count; i++)
        add_point(report, table, layout, i);
    report->document.name = "bench";
    report->document.main = "points";
}

static void copy_value(struct value *to, const struct value *from)
{
    if (from->kind == VALUE_TEXT) {
        value_set_text(to, from->text);
        return;
    }
    *to = *from; /* numbers own nothing */
}

static bool is_known(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table_row_count(table); i++)
        if (table_row(table, i)[column].kind != VALUE_NULL)
            return true;
    return false;
}

/* That the values of a sweep differ is no verdict. */
static bool is_verdict(enum result_id id)
{
    return id == RESULT_RATIO_INTERVAL || id == RESULT_VERDICT || id == RESULT_LEAST;
}

/* The parameters name the points of a single command. */
static bool is_shown(const struct bench_report *report, const struct table *main, size_t column,
                     enum shown_in place)
{
    const struct layout *layout = (const void *)main->schema;
    const struct plan *plan = report->results->plan;

    if (layout->cells[column].id == RESULT_COMMAND && plan->commands.count == 1 &&
        plan->names.count > 0)
        return false;
    if (is_verdict(layout->cells[column].id) && plan->commands.count == 1 && report->swept)
        return false;
    return rows[layout->cells[column].id].place & place && is_known(main, column);
}

/* Choose the columns of one place from those of the main table, in its order. */
static void choose_columns(const struct bench_report *report, const struct table *main,
                           struct layout *layout, enum shown_in place)
{
    const struct layout *all = (const void *)main->schema;

    for (size_t i = 0; i < all->schema.column_count; i++)
        if (is_shown(report, main, i, place)) {
            layout->columns[layout->schema.column_count] = all->columns[i];
            layout->cells[layout->schema.column_count++] = (struct cell){RESULTS, i};
        }
}

static void copy_rows(const struct table *main, struct table *table, const struct layout *layout)
{
    for (size_t i = 0; i < table_row_count(main); i++) {
        struct value *row = table_add_row(table);

        for (size_t j = 0; j < layout->schema.column_count; j++)
            copy_value(&row[j], &table_row(main, i)[layout->cells[j].index]);
    }
}

static void add_table(struct bench_report *report, const char *title, enum shown_in place,
                      struct table **table)
{
    struct layout *layout = new_layout(report);
    const struct table *main = document_main_table(&report->document);

    *table = document_add_table(&report->document, "shown", SECTION_IN_TEXT);
    choose_columns(report, main, layout, place);
    layout->schema.title = title;
    table_init(*table, &layout->schema);
    (*table)->rows_cut = main->rows_cut;
    copy_rows(main, *table, layout);
}

static const char *time_title(const struct results_options *options)
{
    switch (options->measure) {
    case MEASURE_WALL: return bench_wall_text.words;
    case MEASURE_CPU: return bench_cpu_text.words;
    case MEASURE_KERNELS: return bench_kernels_text.words;
    case MEASURE_REGION: return bench_region_text.words;
    }
    return NULL;
}

static const char *reference_text(const struct results_options *options)
{
    switch (options->choice) {
    case REFERENCE_FIRST: return "the first";
    case REFERENCE_FASTEST: return "the fastest";
    case REFERENCE_NAMED: return options->reference;
    }
    return "";
}

static bool has_comparison(const struct results *results)
{
    for (size_t i = 0; i < results->points.count; i++)
        if (is_compared(array_at(&results->points, i)))
            return true;
    return false;
}

/* Commands of a suite may each say another number. */
static void note_warmup(const struct plan *plan, struct table *table)
{
    unsigned least, most;

    plan_find_warmup(plan, &least, &most);
    if (least < most) {
        table_say(table, bench_warmup_own_text, said_count(least), said_count(most));
        return;
    }
    if (most == 0) {
        table_say(table, bench_warmup_none_text);
        return;
    }
    table_say(table, bench_warmup_text, said_count(most));
}

static void note_comparison(const struct bench_report *report, struct table *table)
{
    const struct plan *plan = report->results->plan;
    struct said reference = said_words(reference_text(&report->results->options));

    if (plan->commands.count > 1 && plan->names.count > 0) {
        table_say(table, bench_compared_alike_text, reference);
        return;
    }
    table_say(table, bench_compared_text, reference);
}

static void add_notes(const struct bench_report *report, struct table *table)
{
    const struct results_options *options = &report->results->options;

    table_say(table, bench_confidence_text, said_real(100 * options->confidence));
    note_warmup(report->results->plan, table);
    if (options->measure == MEASURE_REGION)
        table_say(table, bench_region_name_text, said_words(options->region));
    if (has_comparison(report->results))
        note_comparison(report, table);
    if (options->choice == REFERENCE_FASTEST && report->results->tests > 1)
        table_say(table, bench_compared_all_text, said_count(report->results->tests));
}

void report_add_points(struct bench_report *report)
{
    struct table *table;

    add_table(report, time_title(&report->results->options), IN_TIMES, &table);
    add_notes(report, table);
    add_table(report, "Time, memory and work", IN_WORK, &table);
}

enum each_column {
    EACH_POINT,
    EACH_ROUND,
    EACH_IS_WARMUP,
    EACH_STATUS,
    EACH_SIGNAL,
    EACH_TIMED_OUT,
    EACH_TIME,
    EACH_WALL_TIME,
    EACH_USER,
    EACH_SYSTEM,
    EACH_MEMORY,
    EACH_FLOPS,
    EACH_COLUMNS /* the metrics follow */
};

static const struct column each_columns[] = {
    [EACH_POINT] = {"point", "point", "label of its point", UNIT_TEXT, 0},
    [EACH_ROUND] = {"round", "round", "of those to warm up, or of those that count", UNIT_COUNT, 0},
    [EACH_IS_WARMUP] = {"is_warmup", "warm-up", "whether it does not count", UNIT_BOOL, 0},
    [EACH_STATUS] = {"exit_status", "status", "of the program", UNIT_COUNT, 0},
    [EACH_SIGNAL] = {"signal", "signal", "that ended it", UNIT_COUNT, 0},
    [EACH_TIMED_OUT] = {"is_timeout", "timeout", "whether it was ended by --timeout", UNIT_BOOL, 0},
    [EACH_TIME] = {"time_ns", "time", "that is compared", UNIT_NS, 0},
    [EACH_WALL_TIME] = {"wall_ns", "wall", "from exec to the end", UNIT_NS, 0},
    [EACH_USER] = {"user_ns", "user", "with children", UNIT_NS, 0},
    [EACH_SYSTEM] = {"system_ns", "system", "with children", UNIT_NS, 0},
    [EACH_MEMORY] = {"peak_rss_bytes", "peak memory", "of the largest process", UNIT_BYTES, 0},
    [EACH_FLOPS] = {"flops", "FLOPs", "known FLOPs", UNIT_FLOPS, 0},
};

_Static_assert((int)EACH_COLUMNS <= (int)RESULTS, "a layout has room for either");

static struct layout *new_each_layout(struct bench_report *report)
{
    const struct plan *plan = report->results->plan;
    struct layout *layout = new_layout(report);

    memcpy(layout->columns, each_columns, sizeof each_columns);
    layout->schema.column_count = EACH_COLUMNS;
    for (size_t i = 0; i < plan->metric_names.count; i++) {
        add_column(report, layout, RESULT_METRIC, i);
    }
    return layout;
}

static void add_run(const struct bench_report *report, struct table *table,
                    const struct sample *sample)
{
    const struct plan_point *point = array_at(&report->results->plan->points, sample->point);
    const struct array *metrics = &report->results->plan->metric_names;
    struct value *row = table_add_row(table);

    value_set_text(&row[EACH_POINT], point->label);
    value_set_unsigned(&row[EACH_ROUND], sample->round);
    value_set_bool(&row[EACH_IS_WARMUP], sample->is_warmup);
    if (sample->end == SAMPLE_DONE || sample->end == SAMPLE_FAILED)
        value_set_integer(&row[EACH_STATUS], sample->code);
    if (sample->end == SAMPLE_SIGNALLED || sample->end == SAMPLE_INTERRUPTED)
        value_set_integer(&row[EACH_SIGNAL], sample->code);
    value_set_bool(&row[EACH_TIMED_OUT], sample->end == SAMPLE_TIMED_OUT);
    set_time(&row[EACH_TIME], results_time(&report->results->options, sample));
    set_time(&row[EACH_WALL_TIME], sample->wall_ns);
    set_time(&row[EACH_USER], sample->user_ns);
    set_time(&row[EACH_SYSTEM], sample->system_ns);
    set_whole(&row[EACH_MEMORY], sample->peak_rss_bytes);
    set_whole(&row[EACH_FLOPS], run_whole_value(&sample->run, RUN_FLOPS));
    for (size_t i = 0; i < metrics->count; i++)
        value_set_real(&row[EACH_COLUMNS + i], run_metric_value(&sample->run, name_at(metrics, i)));
}

void report_add_runs(struct bench_report *report)
{
    struct table *table = document_add_table(&report->document, "runs", SECTION_IN_JSON);
    const struct array *samples = report->results->samples;
    const struct layout *layout = new_each_layout(report);

    table_init(table, &layout->schema);
    for (size_t i = 0; i < samples->count; i++)

        add_run(report, table, array_at(samples, i));
}
