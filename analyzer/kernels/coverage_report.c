/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage: the functions that were hooked or called, and those out of reach.
 * "Not used" and "not seen" are different rows here.
 */
#include "kernels/coverage_report.h"

#include <stdio.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "document/fields.h"
#include "document/table.h"
#include "kernels/coverage.h"
#include "kernels/coverage_report_parts.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"

enum row_index {
    ROW_TARGET,
    ROW_NAME,
    ROW_STATE,
    ROW_CALLS,
    ROW_TIME,
    ROW_SLOTS,
    ROW_HOOKED,
    ROW_CALLER,
    ROW_REASON
};

static const struct column row_columns[] = {
    [ROW_TARGET] = {"library", "library", "the file that holds the function", UNIT_TEXT, 0},
    [ROW_NAME] = {"name", "kernel", "symbol of the function", UNIT_TEXT, 0},
    [ROW_STATE] = {"state", "state",
                   "called; not used: hooked, and nobody called; not hooked: there are slots, and "
                   "the reason why not; not reachable: no slot leads there",
                   UNIT_TEXT, 0},
    [ROW_CALLS] = {"calls", "calls", "calls by any way", UNIT_COUNT, 0},
    [ROW_TIME] = {"time_ns", "time", "time in these calls, without kernels inside them", UNIT_NS,
                  1},
    [ROW_SLOTS] = {"slots", "slots", "places through which objects call it", UNIT_COUNT, 2},
    [ROW_HOOKED] = {"hooked", "hooked", "slots that tprof hooked", UNIT_COUNT, 4},
    [ROW_CALLER] = {"module", "called from",
                    "object whose slots these are, or the number of objects", UNIT_TEXT, 3},
    [ROW_REASON] = {"reason", "why", "reason why tprof did not see it", UNIT_TEXT, 5},
};

static const struct table_schema row_schema = {"coverage", "Kernels", row_columns,
                                               sizeof row_columns / sizeof *row_columns, NULL};

static void set_caller(struct value *value, const struct coverage_row *row)
{
    char text[32];

    if (row->caller) {
        value_set_text(value, text_base_name(row->caller->path));
        return;
    }
    if (row->callers == 0)
        return;
    snprintf(text, sizeof text, "%u object%s", row->callers, units_choose(row->callers, "", "s"));
    value_set_text(value, text);
}

static void set_row(struct value *values, const struct coverage *coverage,
                    const struct coverage_row *row)
{
    const struct coverage_library *library = coverage_library_of(coverage, row);
    bool is_hooked = row->state == COVERAGE_CALLED || row->state == COVERAGE_NOT_USED;

    value_set_text(&values[ROW_NAME], row->symbol);
    value_set_unsigned(&values[ROW_SLOTS], row->slots);
    value_set_unsigned(&values[ROW_HOOKED], row->hooked);
    if (is_hooked) { /* unknown for the others */
        value_set_unsigned(&values[ROW_CALLS], row->calls);
        value_set_unsigned(&values[ROW_TIME], row->time_ns);
    }
    if (library)
        value_set_text(&values[ROW_TARGET], library->name);
    value_set_text(&values[ROW_STATE], coverage_state_name(row->state));
    set_caller(&values[ROW_CALLER], row);
    value_set_text(&values[ROW_REASON], row->reason);
}

typedef bool (*coverage_filter)(const struct coverage_row *row);

/* Fill a table that was not initialized with the rows that are wanted. */
static void build_rows(const struct coverage *coverage, coverage_filter is_wanted,
                       struct table *table)
{
    table_init(table, &row_schema);
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);
        struct value *values;

        if (!is_wanted(row))
            continue;
        values = table_add_row(table);
        set_row(values, coverage, row);
    }
    table_sort(table, ROW_CALLS, true);
}

static bool is_known(const struct coverage_row *row)
{
    return row->state != COVERAGE_NOT_MEANT;
}

/* People look for functions that were called or failed; for uncalled ones, the table of libraries
 * has a number. */
static bool is_of_interest(const struct coverage_row *row)
{
    return row->state == COVERAGE_CALLED || row->state == COVERAGE_NOT_HOOKED;
}

/* Name the kernels of a library without a slot, and the reason. */
static void note_unreached(struct table *table, const struct coverage *coverage, uint32_t library)
{
    const struct coverage_library *of = array_at(&coverage->libraries, library);
    const char *reason = NULL;
    struct text names;
    size_t count = 0;

    text_init(&names);
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);

        if (row->library != library || row->state != COVERAGE_NOT_REACHABLE)
            continue;
        if (count++ < COVERAGE_REPORT_NAMES_SHOWN)
            text_appendf(&names, "%s%s", count > 1 ? ", " : "", row->symbol);
        reason = reason ? reason : row->reason;
    }
    if (count > COVERAGE_REPORT_NAMES_SHOWN)
        say_part(&names, coverage_more_names_text, said_count(count - COVERAGE_REPORT_NAMES_SHOWN));
    if (reason)
        table_say(table, coverage_unreached_text, said_words(of->name), said_words(names.bytes),
                  said_words(reason));
}

static void note_all_unreached(struct table *table, const struct coverage *coverage)
{
    for (uint32_t i = 0; i < coverage->libraries.count; i++)
        if (((const struct coverage_library *)array_at(&coverage->libraries, i))->hooked == 0)
            note_unreached(table, coverage, i);
}

static void build_shown(const struct coverage *coverage, struct table *table)
{
    size_t count = 0;

    build_rows(coverage, is_of_interest, table);
    for (size_t i = 0; i < coverage->rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage->rows, i);

        count += row->state == COVERAGE_NOT_USED;
    }
    note_all_unreached(table, coverage);
    if (count == 0)
        return;
    table_say(table,
              coverage->session->losses.unmatched > 0 ? coverage_unended_text
                                                      : coverage_never_called_text,
              said_count(count));
}

bool coverage_report_has_libraries(const struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->libraries.count; i++)
        if (coverage_report_is_listed(array_at(&coverage->libraries, i)))
            return true;
    return false;
}

bool coverage_report_has_kernels(const struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->rows.count; i++)
        if (is_known(array_at(&coverage->rows, i)))
            return true;
    return false;
}
static const struct column libraries_column = FIELD("libraries", UNIT_ROWS);

static uint64_t count_called(const struct session *session)
{
    uint64_t called = 0;

    for (size_t i = 0; i < session->bindings.count; i++)
        called += session_binding_at(session, i)->calls > 0;
    return called;
}

/* The schema comes with the rows. */
static void add_libraries(struct record *record, const struct coverage *coverage)
{
    struct value *value = record_add_value(record, &libraries_column);
    struct table *table = value_set_table(value, NULL);

    coverage_report_build_libraries(coverage, table);
}

void coverage_report_add_record(struct document *document, const struct coverage *coverage)
{
    const struct session *session = coverage->session;
    struct record *record = document_add_record(document, "coverage", NULL, SECTION_IN_JSON);
    struct coverage_share share = coverage_share(coverage);
    struct record *fields = record;

    fields_put_count(fields, "hooked_slots", UNIT_COUNT, coverage->slots);
    fields_put_count(fields, "missed_slots", UNIT_COUNT, coverage->missed);
    fields_put_count(fields, "bindings", UNIT_COUNT, session->bindings.count);
    fields_put_count(fields, "called_bindings", UNIT_COUNT, count_called(session));
    fields_put_real(fields, "kernel_fraction_of_cpu", UNIT_FRACTION, coverage_fraction(coverage));
    fields_put_real(fields, "least_kernel_fraction_of_cpu", UNIT_FRACTION, share.least);
    fields_put_real(fields, "most_kernel_fraction_of_cpu", UNIT_FRACTION, share.most);
    fields_put_count(fields, "kernel_ns", UNIT_NS, coverage->kernel_ns);
    fields_put_count(fields, "cpu_ns", UNIT_NS, coverage->cpu_ns);
    fields_put_count(fields, "other_threads_cpu_ns", UNIT_NS, coverage->silent_cpu_ns);
    fields_put_count(fields, "objects_left_out", UNIT_COUNT, session->process.objects_left_out);
    fields_put_count(fields, "rows_left_out", UNIT_COUNT, session->process.hooks_left_out);
    fields_put_count(fields, "namespace_objects", UNIT_COUNT, session->process.namespace_objects);
    add_libraries(record, coverage);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct coverage coverage;

    coverage_init(&coverage, session, true);
    (void)options;
    table_init(table, &row_schema);
    build_rows(&coverage, is_known, table);
}

/* A line of text says more than an empty table. */
static void add_shown_libraries(struct document *document, const struct coverage *coverage)
{
    struct table *libraries;

    if (!coverage_report_has_libraries(coverage))
        return;
    libraries = document_add_table(document, "libraries", SECTION_IN_TEXT);
    coverage_report_build_libraries(coverage, libraries);
}

static void add_shown_rows(struct document *document, const struct coverage *coverage)
{
    struct table *shown;

    if (!coverage_report_has_kernels(coverage))
        return;
    shown = document_add_table(document, "shown", SECTION_IN_TEXT);
    build_shown(coverage, shown);
}

static void add_rows(struct document *document, const struct coverage *coverage)
{
    struct table *rows = document_add_table(document, "rows", SECTION_IN_JSON);

    build_rows(coverage, is_known, rows);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct coverage coverage;

    coverage_init(&coverage, session, true);
    document_init(document);
    document->name = "coverage";
    document->main = "rows";
    coverage_find_named(&coverage, options->find_frames);
    coverage_report_add_head(document, &coverage);
    coverage_report_add_record(document, &coverage);
    add_shown_libraries(document, &coverage);
    add_shown_rows(document, &coverage);
    add_rows(document, &coverage);
}

const struct analysis analysis_coverage = {
    .name = "coverage",
    .help = "What was hooked and called, and what could not be reached.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
};
