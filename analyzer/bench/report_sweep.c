/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a sweep: the curve, the best value, and the cost of a batch.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "bench/report_parts.h"
#include "bench/texts.h"

enum { LEAST_TO_DRAW = 3, BOUNDED_SIZE = 3 * UNITS_SIZE + 8 };

static const struct bench_sweep_point *point_at(const struct bench_sweep *sweep, int index)
{
    return index == BENCH_SWEEP_NONE ? NULL : array_at(&sweep->points, (size_t)index);
}

enum sweep_column {
    COMMAND,
    PARAMETER,
    KNEE,
    KNEE_RATE,
    BEST,
    BEST_RATE,
    OVERHEAD,
    OVERHEAD_INTERVAL,
    PER_ITEM,
    PER_ITEM_INTERVAL,
    R_SQUARED,
    COLUMNS
};

static const struct column columns[] = {
    [COMMAND] = {"command", "command", "label of the command", UNIT_TEXT, 0},
    [PARAMETER] = {"parameter", "parameter", "that is swept over", UNIT_TEXT, 0},
    [KNEE] = {"knee", "knee", "smallest value near the best that fits the limits", UNIT_REAL, 0},
    [KNEE_RATE] = {"knee_items_per_second", "items/s", "there", UNIT_PER_SECOND, 0},
    [BEST] = {"best", "best", "value of the highest throughput that fits", UNIT_REAL, 0},
    [BEST_RATE] = {"best_items_per_second", "items/s", "there", UNIT_PER_SECOND, 0},
    [OVERHEAD] = {"overhead_ns", "a batch", "before its first item, by the line", UNIT_NS, 0},
    [OVERHEAD_INTERVAL] = {"overhead_interval_ns", "interval", "of it", UNIT_NS, 0},
    [PER_ITEM] = {"item_ns", "an item", "slope of the line", UNIT_NS, 0},
    [PER_ITEM_INTERVAL] = {"item_interval_ns", "interval", "of it", UNIT_NS, 0},
    [R_SQUARED] = {"r_squared", "R2", "of the line", UNIT_REAL, 0},
};

static const struct table_schema schema = {"sweeps", "Sweeps", columns, COLUMNS, NULL};

static void add_row(struct table *table, const struct bench_sweep *sweep, const char *parameter)
{
    const struct bench_sweep_point *knee = point_at(sweep, sweep->knee);
    const struct bench_sweep_point *best = point_at(sweep, sweep->best);
    struct value *row = table_add_row(table);

    value_set_text(&row[COMMAND], sweep->command->label);
    value_set_text(&row[PARAMETER], parameter);
    if (knee) {
        value_set_real(&row[KNEE], knee->x);
        value_set_real(&row[KNEE_RATE], knee->item_rate);
        value_set_real(&row[BEST], best->x);
        value_set_real(&row[BEST_RATE], best->item_rate);
    }
    if (sweep->has_line) {
        value_set_real(&row[OVERHEAD], sweep->line.intercept);
        value_set_interval(&row[OVERHEAD_INTERVAL], sweep->line.intercept_interval.low,
                           sweep->line.intercept_interval.high);
        value_set_real(&row[PER_ITEM], sweep->line.slope);
        value_set_interval(&row[PER_ITEM_INTERVAL], sweep->line.slope_interval.low,
                           sweep->line.slope_interval.high);
        value_set_real(&row[R_SQUARED], sweep->line.r_squared);
    }
}

static void add_table(struct bench_report *report)
{
    struct table *table = document_add_table(&report->document, "sweeps", SECTION_IN_JSON);

    table_init(table, &schema);
    for (size_t i = 0; i < report->sweeps.count; i++)
        add_row(table, array_at(&report->sweeps, i), report->swept);
}

static void append_limits(struct text *limits, const struct bench_sweep_limits *of)
{
    char memory[UNITS_SIZE], latency[UNITS_SIZE];

    if (!isnan(of->memory_bytes))
        text_append(limits, units_format_bytes(memory, of->memory_bytes));
    if (!isnan(of->latency_ns))
        text_appendf(limits, "%s%s", limits->size > 0 ? ", " : "",
                     units_format_time(latency, of->latency_ns));
}

static void say_left_out(const struct bench_report *report, const struct bench_sweep *sweep,
                         struct text_list *lines)
{
    const struct bench_sweep_point *point = sweep->points.items;
    struct text left, limits;

    text_init(&left);
    text_init(&limits);
    append_limits(&limits, &report->limits);
    for (size_t i = 0; i < sweep->points.count; i++)
        if (!point[i].fits)
            text_appendf(&left, "%s%.12g", left.size > 0 ? ", " : "", point[i].x);
    if (left.size > 0)
        text_list_say(lines, sweep_left_out_text, said_words(limits.bytes), said_words(left.bytes));
    text_fini(&left);
    text_fini(&limits);
}

static void say_take(const struct bench_report *report, const struct bench_sweep *sweep,
                     struct text_list *lines)
{
    const struct bench_sweep_point *knee = point_at(sweep, sweep->knee);
    const struct bench_sweep_point *best = point_at(sweep, sweep->best);
    const struct said parameter = said_words(report->swept);

    if (!knee) {
        text_list_say(lines, sweep_none_text, parameter);
        return;
    }
    if (knee == best) {
        text_list_say(lines, sweep_take_best_text, parameter, said_real(knee->x),
                      said_rate(knee->item_rate), said_bytes(knee->result->peak_rss_bytes),
                      said_time(knee->latency_ns));
        return;
    }
    text_list_say(lines, sweep_take_text, parameter, said_real(knee->x), said_rate(knee->item_rate),
                  said_bytes(knee->result->peak_rss_bytes), said_time(knee->latency_ns),
                  said_rate(best->item_rate), said_real(best->x),
                  said_share(best->item_rate / knee->item_rate - 1));
}

/* The largest value is the knee: the curve has not bent yet. */
static void say_if_it_grows(const struct bench_report *report, const struct bench_sweep *sweep,
                            struct text_list *lines)
{
    if (sweep->knee == BENCH_SWEEP_NONE || (size_t)sweep->knee + 1 < sweep->points.count ||
        sweep->points.count < 2)
        return;
    text_list_say(lines, sweep_grows_text, said_words(report->swept));
}

/* "12.1 ms [11.9 ms, 12.4 ms]" */
static const char *format_bounded(char text[BOUNDED_SIZE], double ns,
                                  const struct statistics_interval *interval)
{
    char middle[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];

    snprintf(text, BOUNDED_SIZE, "%s [%s, %s]", units_format_time(middle, ns),
             units_format_time(low, interval->low), units_format_time(high, interval->high));
    return text;
}

static void say_line(const struct bench_sweep *sweep, struct text_list *lines)
{
    const struct fit_line *line = &sweep->line;
    char fixed[BOUNDED_SIZE], each[BOUNDED_SIZE];

    if (!sweep->has_line)
        return;
    format_bounded(fixed, line->intercept, &line->intercept_interval);
    format_bounded(each, line->slope, &line->slope_interval);
    if (!(line->intercept_interval.low > 0) || !(line->slope > 0)) {
        text_list_say(lines, sweep_line_through_zero_text, said_words(each), said_words(fixed),
                      said_real(line->r_squared));
        return;
    }
    text_list_say(lines, sweep_line_text, said_words(fixed), said_words(each),
                  said_real(line->intercept / line->slope), said_real(line->r_squared));
}

static void report_sweep(struct bench_report *report, const struct bench_sweep *sweep,
                         const char *title)
{
    struct text_list *lines = document_add_lines(&report->document, title);

    if (!sweep->has_items) {
        text_list_say(lines, sweep_no_items_text);
        return;
    }
    say_take(report, sweep, lines);
    say_if_it_grows(report, sweep, lines);
    say_left_out(report, sweep, lines);
    say_line(sweep, lines);
}

static double height(const struct bench_sweep *sweep, const struct bench_sweep_point *point)
{
    return sweep->has_items ? point->item_rate : point->result->time.median;
}

static void add_marks(struct plot *plot, const struct bench_sweep *sweep, bool fits,
                      const char *label)
{
    const struct bench_sweep_point *point = sweep->points.items;
    struct plot_series *series = NULL;

    for (size_t i = 0; i < sweep->points.count; i++) {
        if (point[i].fits != fits || (int)i == sweep->knee)
            continue;
        if (!series)
            series = plot_add_series(plot, label, fits ? 'o' : 'x');
        plot_add_point(&series->points, point[i].x, height(sweep, &point[i]));
    }
}

static void add_knee(struct plot *plot, const struct bench_sweep *sweep)
{
    const struct bench_sweep_point *knee = point_at(sweep, sweep->knee);
    struct plot_series *series;

    if (!knee)
        return;
    series = plot_add_series(plot, "the value to take", '#');
    plot_add_point(&series->points, knee->x, knee->item_rate);
}

static struct statistics_interval interval_of(const struct bench_sweep *sweep,
                                              const struct bench_sweep_point *point)
{
    return sweep->has_items ? point->item_rate_interval : point->result->time.median_interval;
}

/* A path and intervals, which only a page shows. */
static void add_course(struct plot *plot, const struct bench_sweep *sweep)
{
    const struct bench_sweep_point *point = sweep->points.items;

    for (size_t i = 0; i < sweep->points.count; i++) {
        struct statistics_interval interval = interval_of(sweep, &point[i]);

        plot_add_point(&plot->path, point[i].x, height(sweep, &point[i]));
        plot_add_bar(plot, point[i].x, interval.low, interval.high);
    }
}

static void draw(struct bench_report *report, const struct bench_sweep *sweep, const char *title)
{
    struct plot *plot = document_add_plot(&report->document, title);

    plot->is_logarithmic = true;
    plot->x_unit = UNIT_REAL;
    plot->y_unit = sweep->has_items ? UNIT_PER_SECOND : UNIT_NS;
    plot->label =
        plot_keep(plot, "%s by %s", sweep->has_items ? "items a second" : "time", report->swept);
    add_marks(plot, sweep, false, "beyond the limits");
    add_marks(plot, sweep, true, "measured");
    add_course(plot, sweep);
    add_knee(plot, sweep);
}

static const char *make_title(struct bench_report *report, const struct bench_sweep *sweep)
{
    char *title;

    if (asprintf(&title, "Sweep of %s%s%s", report->swept, report->sweeps.count > 1 ? ": " : "",
                 report->sweeps.count > 1 ? sweep->command->label : "") < 0)
        memory_ran_out();
    report_keep_block(report, title);
    return title;
}

void report_add_sweeps(struct bench_report *report)
{
    if (report->swept)
        add_table(report);

    for (size_t i = 0; i < report->sweeps.count; i++) {
        const struct bench_sweep *sweep = array_at(&report->sweeps, i);
        const char *title = make_title(report, sweep);

        if (sweep->points.count < LEAST_TO_DRAW)
            report_sweep(report, sweep, title);
        else
            draw(report, sweep, title);
        if (sweep->points.count >= LEAST_TO_DRAW)
            report_sweep(report, sweep, NULL);
    }
}
