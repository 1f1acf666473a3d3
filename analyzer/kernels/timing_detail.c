/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read of rows of tprof timing beside the table: a line each, or all
 * that is known of one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "kernels/timing_options.h"
#include "kernels/timing_parts.h"
#include "model/session.h"
#include "model/session_unknown.h"

enum { SCREEN_BINS = 24, SCREEN_BAR = 32 };

/* ---- a line each --------------------------------------------------------------- */

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

/* In milliseconds with three decimals, whatever they are: scripts read this. */
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

static enum status add_lines(struct document *document, const struct table *table,
                             double confidence)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;
    enum status status = lines ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    text_init(&line);
    for (size_t i = 0; i < table_row_count(table) && !status; i++) {
        text_clear(&line);
        append_name(&line, table, i);
        text_append(&line, ": ");
        append_statistics(&line, table, i, confidence);
        status = text_status(&line);
        if (!status)
            status = text_list_add(lines, line.bytes);
    }
    text_fini(&line);
    return status;
}

/* ---- all that is known of a row ------------------------------------------------ */

/* A row of the description is a function that appends a line, or nothing. */
struct description {
    const struct timing_row *row;
    const struct session *session;
    const struct analysis_options *options;
};

/* Nothing where all calls were timed. */
static void append_timed(struct text *line, const struct group *group)
{
    char timed[UNITS_SIZE], error[UNITS_SIZE];

    if (group->timed_calls >= group->calls)
        return;
    text_appendf(line, "; an estimate: %s of them timed, ",
                 units_format_count(timed, (int64_t)group->timed_calls));
    if (isfinite(group->total_variance))
        text_appendf(line, "standard error %s",
                     units_format_time(error, sqrt(group->total_variance)));
    else
        text_append(line, "and its error is not known");
}

static void append_calls(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct group *group = of->row->group;
    char calls[UNITS_SIZE], warmup[UNITS_SIZE], samples[UNITS_SIZE], total[UNITS_SIZE];
    char share[UNITS_SIZE];

    text_appendf(
        line, "%s in %s, %s of thread time; %s for warm-up, %s in the statistics",
        units_format_count(calls, (int64_t)group->calls),
        units_format_time(total, (double)group->total_ns),
        units_format_percent(share, (double)group->self_ns / (double)of->session->thread_ns),
        units_format_count(warmup, (int64_t)group->warmup_calls),
        units_format_count(samples, (int64_t)of->row->summary.count));
    append_timed(line, group);
}

static void append_interval(struct text *line, const struct summary *summary, double confidence)
{
    char low[UNITS_SIZE], high[UNITS_SIZE];

    if (!isfinite(summary->mean_interval.low)) {
        text_appendf(line, "; n=%zu, no interval", summary->count);
        return;
    }
    text_appendf(line, "; %g %% interval %s .. %s (t, %.4g degrees of freedom)", 100 * confidence,
                 units_format_time(low, summary->mean_interval.low),
                 units_format_time(high, summary->mean_interval.high), summary->degrees);
}

static void append_mean(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    char mean[UNITS_SIZE], sd[UNITS_SIZE], percent[UNITS_SIZE];

    if (summary->count == 0)
        return;
    text_append(line, units_format_time(mean, summary->mean));
    if (summary->count > 1)
        text_appendf(line, ", sd %s (%s)", units_format_time(sd, summary->sd),
                     units_format_percent(percent, summary->sd / summary->mean));
    append_interval(line, summary, of->options->confidence);
}

static void append_median(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    char median[UNITS_SIZE], mad[UNITS_SIZE], minimum[UNITS_SIZE], maximum[UNITS_SIZE];

    if (summary->count > 0)
        text_appendf(line, "%s, MAD %s; from %s to %s",
                     units_format_time(median, summary->percentiles[SUMMARY_P50].value),
                     units_format_time(mad, summary->mad),
                     units_format_time(minimum, summary->minimum),
                     units_format_time(maximum, summary->maximum));
}

static void append_percentile(struct text *line, const struct description *of,
                              enum summary_percentile_id id)
{
    const struct summary *summary = &of->row->summary;
    const struct summary_percentile *percentile = &summary->percentiles[id];
    char time[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];

    if (summary->count == 0)
        return;
    text_append(line, units_format_time(time, timing_percentile(percentile, of->options)));
    if (isfinite(percentile->interval.low) && isfinite(percentile->interval.high))
        text_appendf(line, "; interval %s .. %s", units_format_time(low, percentile->interval.low),
                     units_format_time(high, percentile->interval.high));
    else
        text_appendf(line, "; not resolvable (n=%zu < %zu)", summary->count,
                     percentile->least_count);
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
        text_append(line, "none beyond the quartiles by 1.5 times their distance");
    else
        text_appendf(line,
                     "%zu slow (%zu of them beyond the quartile by 3 times their distance, the "
                     "others by 1.5), %zu fast (%zu); all are kept",
                     high, outliers->high_severe, low, outliers->low_severe);
}

static void append_dependence(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;

    if (!isfinite(summary->rho))
        return;
    text_appendf(line, "correlation with the call before %.2f", summary->rho);
    if (summary->is_corrected)
        text_appendf(line,
                     ": the samples tell the mean as surely as %.0f independent ones, on which "
                     "its interval rests; those of percentiles take them as independent",
                     summary->effective_count);
}

static void append_modes(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct modes *modes = &of->row->modes;
    char low[UNITS_SIZE], high[UNITS_SIZE], share[UNITS_SIZE], rest[UNITS_SIZE];

    if (modes->count == 1)
        text_append(line, "one");
    if (modes->count == 2)
        text_appendf(line, "two: %s (%s of the samples) and %s (%s), %.1f pooled MADs apart",
                     units_format_time(low, modes->mode[0].median),
                     units_format_percent(share, modes->mode[0].share),
                     units_format_time(high, modes->mode[1].median),
                     units_format_percent(rest, modes->mode[1].share), modes->separation);
}

static void append_first(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct summary *summary = &of->row->summary;
    const struct group *group = of->row->group;
    char first[UNITS_SIZE], times[UNITS_SIZE];

    if (group->first_ns == SESSION_UNKNOWN)
        return;
    text_append(line, units_format_time(first, (double)group->first_ns));
    if (summary->count > 0 && summary->percentiles[SUMMARY_P50].value > 0)
        text_appendf(line, ", %s the median",
                     units_format_ratio(times, (double)group->first_ns /
                                                   summary->percentiles[SUMMARY_P50].value));
}

/* The longest warm-up of a place and thread, beside what was left out. */
static void append_steadiness(struct text *line, const void *described)
{
    const struct description *of = described;
    const struct steadiness *steadiness = &of->row->steadiness;

    switch (steadiness->from) {
    case STEADINESS_UNKNOWN: return;
    case STEADINESS_NEVER: text_append(line, "not seen to become steady"); break;
    case STEADINESS_NO_CHANGE:
        text_append(line, "too noisy for evenness within 2 %, and no change seen");
        break;
    case STEADINESS_BY_EVENNESS:
        text_appendf(line, "steady after %zu call%s (from there ten in a row within 2 %%)",
                     steadiness->before, units_choose(steadiness->before, "", "s"));
        break;
    case STEADINESS_BY_CHANGE:
        text_appendf(line, "steady after %zu call%s (where they came down)", steadiness->before,
                     units_choose(steadiness->before, "", "s"));
        break;
    }
    if (of->row->group->series.count > 1)
        text_appendf(line, ", in the worst of %zu series of one shape, place and thread",
                     of->row->group->series.count);
    text_appendf(line, "; the first %u %s left out%s", of->options->warmup,
                 units_choose(of->options->warmup, "was", "were"),
                 steadiness->before > of->options->warmup ? ": try --warmup with more" : "");
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

static enum status add_percentiles(struct record *record, const struct description *of)
{
    struct text line;
    enum status status = STATUS_OK;

    text_init(&line);
    for (unsigned i = 0; i < SUMMARY_PERCENTILES && !status; i++) {
        append_percentile(&line, of, (enum summary_percentile_id)i);
        status = record_add_line(record, &percentile_columns[i], &line);
    }
    text_fini(&line);
    return status;
}

static enum status add_record(struct document *document, const struct description *of)
{
    struct record *record = document_add_record(document, "description", "Timing", SECTION_IN_TEXT);
    enum status status =
        record ? record_add_lines(record, first_rows, sizeof first_rows / sizeof *first_rows, of)
               : STATUS_OUT_OF_MEMORY;

    if (!status)
        status = add_percentiles(record, of);
    return status ? status
                  : record_add_lines(record, last_rows, sizeof last_rows / sizeof *last_rows, of);
}

static enum status add_histogram(struct document *document, const struct timing_row *row,
                                 const struct session *session)
{
    struct histogram histogram = timing_histogram(row, session, SCREEN_BINS);
    struct table *table = document_add_table(document, "histogram", SECTION_IN_TEXT);

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &timing_histogram_schema);
    table->bar_width = SCREEN_BAR;
    for (size_t i = 0; i < histogram.bins; i++)
        table->bar_whole =
            fmax(table->bar_whole, (double)histogram.counts[i] / (double)row->summary.count);
    return timing_fill_histogram(table, &histogram, &row->summary);
}

static enum status add_description(struct document *document, const struct session *session,
                                   const struct analysis_options *options,
                                   const struct group *group)
{
    struct timing_row row;
    enum status status = timing_row_init(&row, group, session, options);

    if (status)
        return status;
    status = add_record(document, &(struct description){&row, session, options});
    if (!status && row.summary.count > 0)
        status = add_histogram(document, &row, session);
    timing_row_fini(&row);
    return status;
}

/* ---- rows that are left -------------------------------------------------------- */

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

static enum status add_title(struct document *document, const struct table *table, size_t row)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;
    enum status status;

    if (!lines)
        return STATUS_OUT_OF_MEMORY;
    text_init(&line);
    append_name(&line, table, row);
    status = text_status(&line);
    if (!status)
        status = text_list_add(lines, line.bytes);
    text_fini(&line);
    return status;
}

static enum status add_notes(struct document *document, const struct table *table)
{
    struct text_list *lines = document_add_lines(document, NULL);
    enum status status = lines ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < text_list_count(&table->notes) && !status; i++)
        status = text_list_add(lines, text_list_at(&table->notes, i));
    return status;
}

static enum status add_descriptions(struct document *document, const struct session *session,
                                    const struct analysis_options *options,
                                    const struct table *table)
{
    struct groups groups;
    enum status status = groups_init(&groups, session, options);

    if (status)
        return status;
    for (size_t i = 0; i < table_row_count(table) && !status; i++) {
        const struct group *group = find_group(&groups, table, i);

        if (!group)
            continue;
        status = add_title(document, table, i);
        if (!status)
            status = add_description(document, session, options, group);
    }
    if (!status)
        status = add_notes(document, table);
    groups_fini(&groups);
    return status;
}

enum status timing_elaborate(const struct session *session, const struct analysis_options *options,
                             const struct table *table, struct document *document)
{

    if (options->timing->slowest > 0 || options->timing->calls)
        return STATUS_OK;
    if (options->timing->oneline)
        return add_lines(document, table, options->confidence);
    if (table_row_count(table) == 1 || (options->timing->histogram && table_row_count(table) > 0))
        return add_descriptions(document, session, options, table);
    return STATUS_OK;
}
