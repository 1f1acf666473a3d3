/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a pair: counts, times, rates, memory, metrics.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/cells.h"
#include "compare/report_parts.h"
#include "compare/texts.h"
#include "compare/words.h"

/* Columns that all these tables begin with. */
#define HEAD_COLUMNS(shape_title)                                                                  \
    {"base_side", NULL, "label of the side compared with", UNIT_TEXT, 9},                          \
        {"new_side", NULL, "label of the side that is compared", UNIT_TEXT, 9},                    \
        {"subject", NULL, "whole, kernel, region, function, op, command or metric", UNIT_TEXT, 9}, \
        {"name", "of",                                                                             \
         "the kernel, the path of the region, the function, the command or the metric", UNIT_TEXT, \
         0},                                                                                       \
        {"shape", shape_title, "the sizes that the kernel was called with", UNIT_TEXT, 1},         \
    {                                                                                              \
        "quantity", NULL, "the key of what is compared", UNIT_TEXT, 9                              \
    }

enum { HEAD_BASE, HEAD_NEW, HEAD_SUBJECT, HEAD_NAME, HEAD_SHAPE, HEAD_QUANTITY, HEADS };

/* Time of a command is not the program's own. */
static void set_name(struct value *value, const struct pair_part *part)
{
    struct text name;

    if (part->subject != RUN_COMMAND) {
        value_set_text(value, part->subject == RUN_WHOLE ? "(whole run)" : part->name);
        return;
    }
    text_init(&name);
    text_appendf(&name, "device: %s", part->name);
    cells_set_line(value, &name);
}

static void set_head(struct value *row, const struct compared *compared,
                     const struct figure *figure)
{
    const struct pair_part *part = figure->part;

    value_set_text(&row[HEAD_BASE], compared->pair.base->label);
    value_set_text(&row[HEAD_NEW], compared->pair.changed->label);
    value_set_text(&row[HEAD_SUBJECT], run_subject_name(part->subject));
    set_name(&row[HEAD_NAME], part);
    value_set_text(&row[HEAD_SHAPE], part->shape);
    value_set_text(&row[HEAD_QUANTITY], run_quantity_at(figure->quantity)->key);
}

static void set_verdict(struct value *value, const struct figure *figure)
{
    struct text line;

    text_init(&line);
    words_append_verdict(&line, figure);
    cells_set_line(value, &line);
}

enum { S_BASE = HEADS, S_CHANGED, S_DIFFERENCE, S_COLUMNS };

static const struct column structure_columns[] = {
    HEAD_COLUMNS("shape"),
    {"base", NULL, "in the median run", UNIT_REAL, 9},
    {"new", NULL, "in the median run", UNIT_REAL, 9},
    {"difference", "difference", "in words", UNIT_TEXT, 0},
};
_Static_assert(sizeof structure_columns / sizeof *structure_columns == S_COLUMNS, "columns");

const struct table_schema report_structure_schema = {"structure", "Structure", structure_columns,
                                                     S_COLUMNS, NULL};

static void append_counts(struct text *line, const struct figure *figure)
{
    text_appendf(line, "%s ", run_quantity_at(figure->quantity)->title);
    words_append_ranges(line, figure);
    if (figure->base > 0) {
        text_append(line, " (");
        words_append_count_change(line, figure->changed / figure->base);
        text_append(line, ")");
    }
}

static void add_count(struct table *table, const struct compared *compared,
                      const struct figure *figure)
{
    struct value *row = table_add_row(table);
    struct text line;

    set_head(row, compared, figure);
    cells_set_number(&row[S_BASE], figure->quantity, figure->base);
    cells_set_number(&row[S_CHANGED], figure->quantity, figure->changed);
    text_init(&line);
    append_counts(&line, figure);
    cells_set_line(&row[S_DIFFERENCE], &line);
}

static void add_presence(struct table *table, const struct compared *compared,
                         const struct pair_part *part)
{
    const struct figure none = {.part = part, .quantity = RUN_CALLS};
    struct value *row = table_add_row(table);
    bool is_new = pair_part_is_new(part);
    struct text line;

    set_head(row, compared, &none);
    text_init(&line);
    text_appendf(&line, "only in %s",
                 is_new ? compared->pair.changed->label : compared->pair.base->label);
    cells_set_line(&row[S_DIFFERENCE], &line);
}

/* Estimates are among the figures of memory. */
static bool is_difference(const struct figure *figure)
{
    return !figure_is_estimate(figure) && run_quantity_at(figure->quantity)->kind == RUN_EXACT &&
           (figure->outcome == FIGURE_LESS || figure->outcome == FIGURE_MORE);
}

/* FLOPs and bytes of a kernel whose calls differ follow from that. */
static bool follows(const struct compared *compared, const struct figure *figure)
{
    const struct figure *calls;

    if ((figure->part->subject != RUN_KERNEL && figure->part->subject != RUN_COMMAND) ||
        figure->quantity == RUN_CALLS)
        return false;
    calls = compared_find(compared, figure->part, RUN_CALLS);
    return calls && is_difference(calls);
}

void report_add_structure(struct table *table, const struct compared *compared)
{
    for (size_t i = 0; i < compared->pair.parts.count; i++) {
        const struct pair_part *part = array_at(&compared->pair.parts, i);

        if (part->subject != RUN_METRIC && part->subject != RUN_FUNCTION &&
            part->subject != RUN_OP &&
            (pair_part_is_new(part) || pair_part_is_missing(part)))
            add_presence(table, compared, part);
    }
    for (size_t i = 0; i < compared->figures.count; i++) {
        const struct figure *figure = array_at(&compared->figures, i);

        if (is_difference(figure) && !follows(compared, figure))
            add_count(table, compared, figure);
    }
}

#define FIGURE_COLUMNS(base, changed, unit, priority)                                              \
    {"figure", "figure", "what is compared", UNIT_TEXT, priority},                                 \
        {base, "base", "median of its runs", unit, 1}, {changed, "new", "the same", unit, 1},      \
        {"verdict", "verdict", "in words", UNIT_TEXT, 0},                                          \
        {"ratio", NULL, "new by base: the median over all pairs of runs", UNIT_RATIO, 9},          \
        {"ratio_interval", NULL, "of the ratio new by base", UNIT_RATIO, 9},                       \
        {"change_interval", "interval of change", "of the ratio, less 1", UNIT_FRACTION, 2},       \
        {"least_change", "invisible below",                                                        \
         "smallest change that would be seen in 4 of 5 such "                                      \
         "comparisons",                                                                            \
         UNIT_FRACTION, 3},                                                                        \
        {"p_value", NULL, "of this test alone", UNIT_REAL, 9},                                     \
        {"adjusted_p_value", "p", "adjusted for the number of tests; of the wall time as it is",   \
         UNIT_REAL, 4},                                                                            \
        {"effect", "effect", "size by Cliff's delta: negligible, small, medium or large",          \
         UNIT_TEXT, 5},                                                                            \
        {"cliffs_delta", NULL, "-1: every new run is lower; 1: every one is higher", UNIT_REAL,    \
         9},                                                                                       \
        {"basis", NULL, "runs, calls (of one run a side: no verdict on the programs), or one",     \
         UNIT_TEXT, 9},                                                                            \
        {"calls_in_value", NULL,                                                                   \
         "calls in a row of which a value is the mean, as they depend on each other; of calls",    \
         UNIT_COUNT, 9},                                                                           \
        {"base_count", NULL, "values compared", UNIT_COUNT, 9},                                    \
    {                                                                                              \
        "new_count", NULL, "values compared", UNIT_COUNT, 9                                        \
    }

enum {
    F_TITLE = HEADS,
    F_BASE,
    F_CHANGED,
    F_VERDICT,
    F_RATIO,
    F_INTERVAL,
    F_CHANGE,
    F_LEAST,
    F_P,
    F_ADJUSTED,
    F_EFFECT,
    F_DELTA,
    F_BASIS,
    F_BATCH,
    F_BASE_COUNT,
    F_CHANGED_COUNT,
    FIGURES
};

static const char *basis_name(enum figure_basis basis)
{
    static const char *const names[] = {NULL, "one", "calls", "runs"};

    return names[basis];
}

/* The interval of the ratio, less `base`; null when neither bound is known. */
static void set_interval(struct value *value, const struct figure *figure, double base)
{
    const struct statistics_interval *interval = &figure->ratio_interval;

    value_set_interval(value, interval->low - base, interval->high - base);
}

/* For the whole, the total is the time in kernels. */
static const char *figure_title(const struct figure *figure)
{
    if (figure->part->subject == RUN_WHOLE && figure->quantity == RUN_TOTAL)
        return "time in kernels";
    return run_quantity_at(figure->quantity)->title;
}

/* A narrow page leaves the figure out, and the whole has several. */
static void set_whole_name(struct value *value, const struct figure *figure)
{
    struct text line;

    text_init(&line);
    text_appendf(&line, "(%s)", figure_title(figure));
    cells_set_line(value, &line);
}

static void set_figure(struct value *row, const struct compared *compared,
                       const struct figure *figure)
{
    set_head(row, compared, figure);
    set_verdict(&row[F_VERDICT], figure);
    value_set_text(&row[F_TITLE], figure_title(figure));
    value_set_text(&row[F_EFFECT], words_effect(figure->cliffs_delta));
    value_set_text(&row[F_BASIS], basis_name(figure->basis));
    cells_set_number(&row[F_BASE], figure->quantity, figure->base);
    cells_set_number(&row[F_CHANGED], figure->quantity, figure->changed);
    value_mark_estimate(&row[F_BASE], figure->base_error > 0);
    value_mark_estimate(&row[F_CHANGED], figure->changed_error > 0);
    value_set_real(&row[F_RATIO], figure->ratio);
    set_interval(&row[F_INTERVAL], figure, 0);
    set_interval(&row[F_CHANGE], figure, 1);
    value_set_real(&row[F_P], figure->p_value);
    value_set_real(&row[F_ADJUSTED], figure->adjusted_p_value);
    value_set_real(&row[F_DELTA], figure->cliffs_delta);
    value_set_real(&row[F_LEAST], figure->least_ratio);
    if (figure->basis == FIGURE_OF_CALLS)
        value_set_unsigned(&row[F_BATCH], figure->batch);
    value_set_unsigned(&row[F_BASE_COUNT], figure->base_count);
    value_set_unsigned(&row[F_CHANGED_COUNT], figure->changed_count);
}

enum {
    T_SHARE = FIGURES,
    T_IMPACT,
    T_CALL_BASE,
    T_CALL_CHANGED,
    T_CALL_RATIO,
    T_CALL_INTERVAL,
    T_CALL_ADJUSTED,
    T_COLUMNS
};

static const struct column time_columns[] = {
    HEAD_COLUMNS("shape"),
    FIGURE_COLUMNS("base_ns", "new_ns", UNIT_NS, 6),
    {"share", "share", "of the base's wall time", UNIT_FRACTION, 6},
    {"difference_ns", NULL, "of the whole run's time: new less base", UNIT_NS, 9},
    {"call_base_ns", NULL, "a call: Winsorized mean", UNIT_NS, 9},
    {"call_new_ns", NULL, "the same", UNIT_NS, 9},
    {"call_ratio", NULL, "of these, new by base", UNIT_RATIO, 9},
    {"call_ratio_interval", NULL, "its interval", UNIT_RATIO, 9},
    {"call_adjusted_p_value", NULL, "of its test", UNIT_REAL, 9},
};
_Static_assert(sizeof time_columns / sizeof *time_columns == T_COLUMNS, "columns");

const struct table_schema report_times_schema = {"time", "Time", time_columns, T_COLUMNS, NULL};

static void set_call(struct value *row, const struct figure *call)
{
    if (!call)
        return;
    cells_set_number(&row[T_CALL_BASE], RUN_CALL, call->base);
    cells_set_number(&row[T_CALL_CHANGED], RUN_CALL, call->changed);
    value_set_real(&row[T_CALL_RATIO], call->ratio);
    set_interval(&row[T_CALL_INTERVAL], call, 0);
    value_set_real(&row[T_CALL_ADJUSTED], call->adjusted_p_value);
}

static bool is_decided(const struct figure *figure)
{
    return figure->outcome == FIGURE_LESS || figure->outcome == FIGURE_MORE;
}

/* For rows beyond these, only JSON has the calls. */
enum { CALL_NOTES = 4 };

/* Returns: whether the calls have a decided change that their sum does not show. */
static bool says_more(const struct figure *total, const struct figure *call)
{
    return call && call != total && is_decided(call) && call->outcome != total->outcome;
}

/* With one run a side the calls can be compared, and their sum cannot. */
static const struct figure *choose_shown(const struct figure *total, const struct figure *call)
{
    return call && total->basis == FIGURE_OF_ONE && call->basis == FIGURE_OF_CALLS ? call : total;
}

static void add_time(struct table *table, const struct compared *compared,
                     const struct figure *total)
{
    const struct figure *call = compared_find(compared, total->part, RUN_CALL);
    const struct figure *wall = compared_whole(compared, RUN_WALL);
    const struct figure *shown = choose_shown(total, call);
    struct value *row = table_add_row(table);

    set_figure(row, compared, shown);
    if (total->part->subject == RUN_WHOLE)
        set_whole_name(&row[HEAD_NAME], shown);
    if (wall && total->part->subject != RUN_WHOLE)
        value_set_real(&row[T_SHARE], total->base / wall->base);
    cells_set_number(&row[T_IMPACT], total->quantity, total->changed - total->base);
    set_call(row, call);
}

static bool is_time(const struct figure *figure)
{
    switch (figure->part->subject) {
    case RUN_WHOLE:
        return figure->quantity == RUN_WALL || figure->quantity == RUN_CPU ||
               figure->quantity == RUN_DEVICE_BUSY ||
               (figure->quantity == RUN_TOTAL && (figure->base > 0 || figure->changed > 0));
    case RUN_KERNEL:
    case RUN_COMMAND:
    case RUN_OP: return figure->quantity == RUN_TOTAL;
    case RUN_REGION: return figure->quantity == RUN_INCLUSIVE;
    case RUN_FUNCTION: return figure->quantity == RUN_CPU;
    case RUN_METRIC:
    case RUN_OPERATION: return false;
    }
    return false;
}

/* The whole comes first: the wall time, then the order of the quantities.  Then come the largest
 * changes of time. */
static int compare_impacts(const void *a, const void *b)
{
    const struct figure *left = *(const struct figure *const *)a,
                        *right = *(const struct figure *const *)b;
    double left_impact = fabs(left->changed - left->base),
           right_impact = fabs(right->changed - right->base);

    if ((left->part->subject == RUN_WHOLE) != (right->part->subject == RUN_WHOLE))
        return left->part->subject == RUN_WHOLE ? -1 : 1;
    if (left->part->subject == RUN_WHOLE)
        return (left->quantity != RUN_WALL) - (right->quantity != RUN_WALL);
    if (left_impact != right_impact)
        return left_impact > right_impact ? -1 : 1;
    return strcmp(left->part->name, right->part->name);
}

static void gather(struct array *gathered, const struct compared *compared,
                   bool (*is_wanted)(const struct figure *))
{
    for (size_t i = 0; i < compared->figures.count; i++) {
        const struct figure *figure = array_at(&compared->figures, i), **place;

        if (!is_wanted(figure))
            continue;
        place = array_add(gathered);
        *place = figure;
    }
}

static void add_rows(struct table *table, const struct compared *compared,
                     bool (*is_wanted)(const struct figure *),
                     void (*add)(struct table *, const struct compared *, const struct figure *))
{
    struct array figures;

    array_init(&figures, sizeof(const struct figure *));
    gather(&figures, compared, is_wanted);
    if (figures.count > 0)
        qsort(figures.items, figures.count, sizeof(const struct figure *), compare_impacts);
    for (size_t i = 0; i < figures.count; i++)
        add(table, compared, *(const struct figure **)array_at(&figures, i));
    array_fini(&figures);
}

void report_add_times(struct table *table, const struct compared *compared)
{
    add_rows(table, compared, is_time, add_time);
}

static void note_call(struct table *table, const struct figure *total, const struct figure *call)
{
    struct text kernel, one, all;

    text_init(&kernel);
    text_init(&one);
    text_init(&all);
    pair_part_append(&kernel, total->part);
    words_append_verdict(&one, call);
    words_append_verdict(&all, total);
    table_say(table, compare_call_text, said_words(kernel.bytes), said_words(one.bytes),
              said_words(all.bytes));
    text_fini(&kernel);
    text_fini(&one);
    text_fini(&all);
}

void report_note_calls(struct table *table, const struct compared *compared)
{
    size_t notes = 0;

    for (size_t i = 0; i < compared->figures.count; i++) {
        const struct figure *total = array_at(&compared->figures, i);
        const struct figure *call = compared_find(compared, total->part, RUN_CALL);

        if (total->part->subject != RUN_KERNEL || total->quantity != RUN_TOTAL ||
            !says_more(choose_shown(total, call), call))
            continue;
        if (notes++ < CALL_NOTES)
            note_call(table, total, call);
    }
    if (notes <= CALL_NOTES)
        return;
    table_say(table, compare_calls_more_text, said_count(notes - CALL_NOTES));
}

static const struct column memory_columns[] = {
    HEAD_COLUMNS(NULL),
    FIGURE_COLUMNS("base_bytes", "new_bytes", UNIT_BYTES, 0),
};
_Static_assert(sizeof memory_columns / sizeof *memory_columns == FIGURES, "columns");

const struct table_schema report_memory_schema = {"memory", "Memory", memory_columns, FIGURES,
                                                  NULL};

/* The memory of the whole, and of regions that changed. */
static bool is_memory(const struct figure *figure)
{
    if (run_quantity_at(figure->quantity)->unit != UNIT_BYTES || figure->quantity == RUN_BYTES ||
        figure->quantity == RUN_DEVICE_COPIED)
        return false;
    return figure->part->subject == RUN_WHOLE ||
           (figure->part->subject == RUN_REGION && figure->quantity == RUN_PEAK_HEAP &&
            is_decided(figure));
}

static void add_figure_row(struct table *table, const struct compared *compared,
                           const struct figure *figure)
{
    struct value *row = table_add_row(table);

    set_figure(row, compared, figure);
}

void report_add_memory(struct table *table, const struct compared *compared)
{
    add_rows(table, compared, is_memory, add_figure_row);
}

static const struct column rate_columns[] = {
    HEAD_COLUMNS(NULL),
    FIGURE_COLUMNS("base_per_second", "new_per_second", UNIT_PER_SECOND, 0),
};
_Static_assert(sizeof rate_columns / sizeof *rate_columns == FIGURES, "columns");

const struct table_schema report_rates_schema = {"rates", "Rates", rate_columns, FIGURES, NULL};

/* Items a second, the usual measure of training and inference: of the whole, and of each region
 * that counts items. */
static bool is_rate(const struct figure *figure)
{
    return figure->quantity == RUN_ITEM_RATE;
}

void report_add_rates(struct table *table, const struct compared *compared)
{
    add_rows(table, compared, is_rate, add_figure_row);
}

enum { M_DELTA = FIGURES, M_COLUMNS };

static const struct column metric_columns[] = {
    HEAD_COLUMNS(NULL),
    FIGURE_COLUMNS("base", "new", UNIT_REAL, 9),
    {"delta", "delta", "new less base", UNIT_REAL, 1},
};
_Static_assert(sizeof metric_columns / sizeof *metric_columns == M_COLUMNS, "columns");

const struct table_schema report_metrics_schema = {"metrics", "Metrics", metric_columns, M_COLUMNS,
                                                   NULL};

static bool is_metric(const struct figure *figure)
{
    return figure->part->subject == RUN_METRIC && figure->quantity == RUN_VALUE;
}

static void add_metric(struct table *table, const struct compared *compared,
                       const struct figure *figure)
{
    struct value *row = table_add_row(table);

    set_figure(row, compared, figure);
    value_set_real(&row[M_DELTA], figure->changed - figure->base);
}

void report_add_metrics(struct table *table, const struct compared *compared)
{
    add_rows(table, compared, is_metric, add_metric);
}
