/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prose about rows of tprof timing below the table: one line for each, or everything known about
 * each.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "kernels/texts.h"
#include "kernels/timing_options.h"
#include "kernels/timing_parts.h"
#include "kernels/timing_row.h"
#include "model/session.h"
#include "model/session_unknown.h"

enum { SCREEN_BINS = 24, SCREEN_BAR = 32 };

static double number_at(const struct table *table, size_t row, enum timing_column column)
{
    return value_number(&table_row(table, row)[column]);
}

static const char *text_at(const struct table *table, size_t row, enum timing_column column)
{
    const struct value *value = &table_row(table, row)[column];

    return value->kind == VALUE_TEXT ? value->text : NULL;
}

static void append_name(struct text *line, const struct table *table, size_t row)
{
    const char *shape = text_at(table, row, TIMING_SHAPE);

    text_appendf(line, "%s%s%s", text_at(table, row, TIMING_NAME), shape ? " " : "",
                 shape ? shape : "");
}

/* Always in milliseconds with three decimals, as scripts read this. */
static void append_statistics(struct text *line, const struct table *table, size_t row,
                              double confidence)
{
    const struct value *interval = &table_row(table, row)[TIMING_INTERVAL];
    double samples = number_at(table, row, TIMING_SAMPLES);

    if (!(samples > 0)) {
        text_append(line, "no samples");
        return;
    }
    text_appendf(line, "%.3fms ", number_at(table, row, TIMING_MEAN) / 1e6);
    if (interval->kind == VALUE_INTERVAL)
        text_appendf(line, "\xc2\xb1 %.3fms (%g%% CI: [%.3f, %.3f])",
                     number_at(table, row, TIMING_SD) / 1e6, 100 * confidence,
                     interval->interval.low / 1e6, interval->interval.high / 1e6);
    else
        text_appendf(line, "(n=%.0f, no interval)", samples);
}

static void add_lines(struct document *document, const struct table *table, double confidence)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < table_row_count(table); i++) {
        append_name(&line, table, i);
        text_append(&line, ": ");
        append_statistics(&line, table, i, confidence);
        text_list_take(lines, &line);
    }
}

/* A row of the description is a function that appends a line, or nothing. */
struct description {
    const struct timing_row *row;
    const struct session *session;
    const struct analysis_options *options;
};

/* Appends nothing if all calls were timed. */
static void append_timed(struct text *line, const struct group *group)
{
    if (group->timed_calls < group->calls)
        say(line, timing_estimate_text, said_count(group->timed_calls),
            isfinite(group->total_variance) ? said_time(sqrt(group->total_variance))
                                            : timing_error_unknown_text);
}

static void append_calls(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct group *group = of->row->group;
    bool is_estimate = group_is_estimate(group);

    say(line, timing_calls_text,
        said_about(said_count(group->calls), group->has_estimated_calls),
        said_about(said_time((double)group->total_ns), is_estimate),
        said_about(said_share((double)group->self_ns / (double)of->session->thread_ns),
                   is_estimate),
        said_count(group->warmup_calls), said_count(of->row->summary.count));
    append_timed(line, group);
}

static void append_interval(struct text *line, const struct summary *summary, double confidence)
{
    const struct statistics_interval *interval = &summary->mean_interval;

    if (isfinite(interval->low))
        say_part(line, timing_interval_text, said_share(confidence), said_time(interval->low),
                 said_time(interval->high), said_real(summary->degrees));
    else
        say_part(line, timing_no_interval_text, said_count(summary->count));
}

static void append_mean(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    struct said mean = said_time(summary->mean);

    if (summary->count == 0)
        return;
    if (summary->count > 1)
        say(line, timing_mean_deviation_text, mean, said_time(summary->sd),
            said_share(summary->sd / summary->mean));
    else
        say(line, mean);
    append_interval(line, summary, of->options->confidence);
}

static void append_median(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;

    if (summary->count > 0)
        say(line, timing_median_text, said_time(summary->percentiles[SUMMARY_P50].value),
            said_time(summary->mad), said_time(summary->minimum), said_time(summary->maximum));
}

static void append_percentile(struct text *line, const struct description *of,
                              enum summary_percentile_id id)
{
    const struct summary *summary = &of->row->summary;
    const struct summary_percentile *percentile = &summary->percentiles[id];
    struct said time = said_time(timing_percentile(percentile, of->options));

    if (summary->count == 0)
        return;
    if (isfinite(percentile->interval.low) && isfinite(percentile->interval.high))
        say(line, timing_percentile_text, time, said_time(percentile->interval.low),
            said_time(percentile->interval.high));
    else
        say(line, timing_percentile_unresolved_text, time, said_count(summary->count),
            said_count(percentile->least_count));
}

static void append_outliers(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary_outliers *outliers = &of->row->summary.outliers;
    size_t low = outliers->low_mild + outliers->low_severe;
    size_t high = outliers->high_mild + outliers->high_severe;

    if (of->row->summary.count == 0)
        return;
    if (low + high == 0)
        say(line, timing_no_outliers_text);
    else
        say(line, timing_outliers_text, said_count(high), said_count(outliers->high_severe),
            said_count(low), said_count(outliers->low_severe));
}

static void append_dependence(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    char rho[UNITS_SIZE];

    if (!isfinite(summary->rho))
        return;
    snprintf(rho, sizeof rho, "%.2f", summary->rho);
    say(line, timing_correlation_text, said_words(rho));
    if (summary->is_corrected)
        say(line, timing_independent_text, said_count((uint64_t)llround(summary->effective_count)));
}

static void append_modes(struct text *line, const void *described)
{
    const struct modes *modes = &((const struct description *)described)->row->modes;
    char distance[UNITS_SIZE];

    if (modes->count == 1)
        say(line, timing_one_mode_text);
    if (modes->count != 2)
        return;
    snprintf(distance, sizeof distance, "%.1f", modes->separation);
    say(line, timing_two_modes_text, said_time(modes->mode[0].median),
        said_share(modes->mode[0].share), said_time(modes->mode[1].median),
        said_share(modes->mode[1].share), said_words(distance));
}

static void append_first(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    double first_ns = (double)of->row->group->first_ns;
    double median_ns = summary->percentiles[SUMMARY_P50].value;

    if (of->row->group->first_ns == SESSION_UNKNOWN)
        return;
    if (summary->count > 0 && median_ns > 0)
        say(line, timing_first_ratio_text, said_time(first_ns), said_ratio(first_ns / median_ns));
    else
        say(line, timing_first_text, said_time(first_ns));
}

static void append_state(struct text *line, const struct steadiness *steadiness)
{
    switch (steadiness->from) {
    case STEADINESS_UNKNOWN: return;
    case STEADINESS_NEVER: say(line, timing_never_steady_text); return;
    case STEADINESS_NO_CHANGE: say(line, timing_no_change_text); return;
    case STEADINESS_BY_EVENNESS:
        say(line, timing_even_text, said_count(steadiness->before));
        return;
    case STEADINESS_BY_CHANGE:
        say(line, timing_changed_text, said_count(steadiness->before));
        return;
    }
}

/* The longest warm-up of a place and thread, next to the left out calls. */
static void append_steadiness(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct steadiness *steadiness = &of->row->steadiness;
    size_t series = of->row->group->series.count;

    if (steadiness->from == STEADINESS_UNKNOWN)
        return;
    append_state(line, steadiness);
    if (series > 1)
        say_part(line, timing_worst_series_text, said_count(series));
    text_append(line, ".");
    say(line, timing_left_out_text, said_count(of->options->warmup));
    if (steadiness->before > of->options->warmup)
        say(line, timing_more_warmup_text);
}

static const struct column percentile_columns[] = {
#define PERCENTILE(id, name, key, fraction, priority) {key, name, NULL, UNIT_TEXT, 0},
#include "statistics/percentiles.def"
#undef PERCENTILE
};

static const struct record_line first_rows[] = {
    {{"calls", "Calls", NULL, UNIT_TEXT, 0}, append_calls},
    {{"mean", "Mean", NULL, UNIT_TEXT, 0}, append_mean},
    {{"median", "Median", NULL, UNIT_TEXT, 0}, append_median},
};

static const struct record_line last_rows[] = {
    {{"modes", "Modes", NULL, UNIT_TEXT, 0}, append_modes},
    {{"outliers", "Outliers", NULL, UNIT_TEXT, 0}, append_outliers},
    {{"dependence", "Dependence", NULL, UNIT_TEXT, 0}, append_dependence},
    {{"first", "First call", NULL, UNIT_TEXT, 0}, append_first},
    {{"warmup", "Warm-up", NULL, UNIT_TEXT, 0}, append_steadiness},
};

static void add_percentiles(struct record *record, const struct description *of)
{
    struct text line;

    text_init(&line);
    for (unsigned i = 0; i < SUMMARY_PERCENTILES; i++) {
        append_percentile(&line, of, (enum summary_percentile_id)i);
        record_add_line(record, &percentile_columns[i], &line);
    }
}

static void add_record(struct document *document, const struct description *of)
{
    struct record *record = document_add_record(document, "description", "Timing", SECTION_IN_TEXT);

    record_add_lines(record, first_rows, sizeof first_rows / sizeof *first_rows, of);
    add_percentiles(record, of);
    record_add_lines(record, last_rows, sizeof last_rows / sizeof *last_rows, of);
}

static void add_histogram(struct document *document, const struct timing_row *row,
                          const struct session *session)
{
    struct histogram histogram =
        timing_histogram(&row->samples.sample, &row->summary, session, SCREEN_BINS);
    struct table *table = document_add_table(document, "histogram", SECTION_IN_TEXT);

    table_init(table, &timing_histogram_schema);
    table->bar_width = SCREEN_BAR;
    for (size_t i = 0; i < histogram.bins; i++)
        table->bar_whole =
            fmax(table->bar_whole, (double)histogram.counts[i] / (double)row->summary.count);
    timing_fill_histogram(table, &histogram, &row->summary);
}

static void add_description(struct document *document, const struct session *session,
                            const struct analysis_options *options, const struct group *group)
{
    struct timing_row row;

    timing_row_init(&row, group, session, options);
    add_record(document, &(struct description){&row, session, options});
    if (row.summary.count > 0)
        add_histogram(document, &row, session);
    timing_row_fini(&row);
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_of_row(const struct group *group, const struct table *table, size_t row)
{
    const char *shape = text_at(table, row, TIMING_SHAPE);

    return is_same(group_name(group), text_at(table, row, TIMING_NAME)) &&
           is_same(group->shape, shape ? shape : "") &&
           is_same(group->library, text_at(table, row, TIMING_LIBRARY)) &&
           is_same(group->implementation, text_at(table, row, TIMING_IMPLEMENTATION));
}

static const struct group *find_group(const struct groups *groups, const struct table *table,
                                      size_t row)
{
    for (size_t i = 0; i < groups->rows.count; i++)
        if (is_of_row(array_at(&groups->rows, i), table, row))
            return array_at(&groups->rows, i);
    return NULL;
}

static void add_title(struct document *document, const struct table *table, size_t row)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;

    text_init(&line);
    append_name(&line, table, row);
    text_list_take(lines, &line);
}

static void add_notes(struct document *document, const struct table *table)
{
    struct text_list *lines = document_add_lines(document, NULL);

    for (size_t i = 0; i < text_list_count(&table->notes); i++)
        text_list_add(lines, text_list_at(&table->notes, i));
}

static void add_descriptions(struct document *document, const struct session *session,
                             const struct analysis_options *options, const struct table *table)
{
    struct groups groups;

    groups_init(&groups, session, options);
    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct group *group = find_group(&groups, table, i);

        if (!group)
            continue;
        add_title(document, table, i);
        add_description(document, session, options, group);
    }
    add_notes(document, table);
}

void timing_elaborate(const struct session *session, const struct analysis_options *options,
                      const struct table *table, struct document *document)
{
    if (options->timing->slowest > 0 || options->timing->calls)
        return;
    if (options->timing->oneline) {
        add_lines(document, table, options->confidence);
        return;
    }
    if (table_row_count(table) == 1 || (options->timing->histogram && table_row_count(table) > 0)) {
        add_descriptions(document, session, options, table);
        return;
    }
}
