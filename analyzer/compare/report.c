/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The document of a comparison.
 */
#include "compare/report.h"

#include "base/text.h"
#include "compare/doubts.h"
#include "compare/report_parts.h"
#include "compare/texts.h"
#include "compare/words.h"
#include "document/fields.h"

static const struct column doubts_columns[] = {FIELD("doubts", UNIT_TEXT)};

static enum status add_doubts(struct document *document, const struct compared *compared)
{
    struct record *record = document_add_record(document, "environment", NULL, SECTION_IN_JSON);
    struct text_list *list, *lines;
    enum status status;

    list = record ? record_add_list(record, &doubts_columns[0]) : NULL;
    if (!list)
        return STATUS_OUT_OF_MEMORY;
    status = doubts_add(list, &compared->pair);
    if (status || text_list_count(list) == 0)
        return status;
    lines = document_add_lines(document, doubts_title_text.words);
    return lines ? doubts_add(lines, &compared->pair) : STATUS_OUT_OF_MEMORY;
}

static enum status add_headline(struct document *document, const struct compared *compared,
                                const struct figure_options *options)
{
    struct text_list *lines = document_add_lines(document, NULL);

    return lines ? report_add_headline(lines, compared, options) : STATUS_OUT_OF_MEMORY;
}

static struct table *add_table(struct document *document, const struct table_schema *schema)
{
    struct table *table = document_add_table(document, schema->name, SECTION_IN_BOTH);

    if (table)
        table_init(table, schema);
    return table;
}

/* Where sizes differ, so do all rows of a kernel. */
static enum status note_shapes(struct table *table, const struct compared *compared)
{
    for (size_t i = 0; i < compared->pair.parts.count; i++) {
        const struct pair_part *part = array_at(&compared->pair.parts, i);

        if ((pair_part_is_new(part) || pair_part_is_missing(part)) && part->shape[0] != '\0')
            return table_say(table, compare_shapes_left_out_text);
    }
    return STATUS_OK;
}

/* For people a sentence stands for a table without rows. */
static enum status add_structure(struct document *document, const struct compared *compared)
{
    struct table rows, *table;
    struct text_list *lines;
    enum status status;
    bool is_same;

    table_init(&rows, &report_structure_schema);
    status = report_add_structure(&rows, compared);
    is_same = table_row_count(&rows) == 0;
    table = status ? NULL
                   : document_add_table(document, "structure",
                                        is_same ? SECTION_IN_JSON : SECTION_IN_BOTH);
    if (!table) {
        table_fini(&rows);
        return STATUS_OUT_OF_MEMORY;
    }
    *table = rows;
    if (!is_same)
        return note_shapes(table, compared);
    lines = document_add_lines(document, "Structure");
    return lines ? text_list_say(lines, compare_structure_same_text) : STATUS_OUT_OF_MEMORY;
}

/* Returns: how many there are but that of the wall time. */
static size_t count_tests(const struct compared *compared, bool *is_wall_tested)
{
    size_t count = 0;

    *is_wall_tested = false;
    for (size_t i = 0; i < compared->figures.count; i++) {
        const struct figure *figure = array_at(&compared->figures, i);
        bool is_tested = figure->adjusted_p_value <= 1;

        *is_wall_tested |= is_tested && figure->is_main;
        count += is_tested && !figure->is_main;
    }
    return count;
}

static bool has_calls(const struct compared *compared)
{
    for (size_t i = 0; i < compared->figures.count; i++)
        if (((const struct figure *)array_at(&compared->figures, i))->basis == FIGURE_OF_CALLS)
            return true;
    return false;
}

static bool has_any(const struct compared *compared, enum run_quantity quantity)
{
    for (size_t i = 0; i < compared->figures.count; i++)
        if (((const struct figure *)array_at(&compared->figures, i))->quantity == quantity)
            return true;
    return false;
}

static size_t find_largest_batch(const struct compared *compared)
{
    size_t largest = 1;

    for (size_t i = 0; i < compared->figures.count; i++) {
        const struct figure *figure = array_at(&compared->figures, i);

        if (figure->batch > largest)
            largest = figure->batch;
    }
    return largest;
}

static enum status note_calls(struct table *table, const struct compared *compared)
{
    size_t largest = find_largest_batch(compared);
    enum status status;

    if (!has_calls(compared))
        return STATUS_OK;
    status = table_say(table, compare_calls_text);
    if (status || largest == 1)
        return status;
    return table_say(table, compare_batches_text, said_count(largest));
}

static enum status note_warmup(struct table *table, const struct compared *compared)
{
    struct text line;

    text_init(&line);
    if (has_any(compared, RUN_CALL))
        words_append_warmup(&line, &compared->pair);
    return text_list_take(&table->notes, &line);
}

static bool has_outcome(const struct compared *compared, enum figure_outcome outcome)
{
    for (size_t i = 0; i < compared->figures.count; i++)
        if (((const struct figure *)array_at(&compared->figures, i))->outcome == outcome)
            return true;
    return false;
}

/* By which tests, and how many: a p value that is one of many means less. */
static enum status note_tests(struct table *table, const struct figure_options *options,
                              size_t tests, bool is_wall_tested)
{
    struct text line;

    text_init(&line);
    if (options->test == FIGURE_BY_MEAN)
        say(&line, compare_by_means_text);
    else
        say(&line, compare_by_ranks_text);
    say(&line, compare_confidence_text, said_real(100 * options->confidence));
    if (is_wall_tested && tests > 1)
        say(&line, compare_adjusted_others_text, said_count(tests));
    else if (tests > 1)
        say(&line, compare_adjusted_text, said_count(tests));
    return text_list_take(&table->notes, &line);
}

static enum status note_times(struct table *table, const struct compared *compared,
                              const struct figure_options *options)
{
    bool is_wall_tested;
    size_t tests = count_tests(compared, &is_wall_tested);
    enum status status = STATUS_OK;

    if (has_outcome(compared, FIGURE_DIFFERS))
        status = table_say(table, compare_differs_here_text);
    if (status || (tests == 0 && !is_wall_tested))
        return status;
    status = report_note_calls(table, compared);
    if (!status)
        status = note_calls(table, compared);
    if (!status && has_outcome(compared, FIGURE_UNDECIDED))
        status = table_say(table, compare_undecided_here_text);
    return status ? status : note_tests(table, options, tests, is_wall_tested);
}

static enum status add_times(struct document *document, const struct compared *compared,
                             const struct figure_options *options)
{
    struct table *table = add_table(document, &report_times_schema);
    enum status status = table ? report_add_times(table, compared) : STATUS_OUT_OF_MEMORY;

    if (!status)
        status = note_times(table, compared, options);
    return status ? status : note_warmup(table, compared);
}

static enum status add_memory(struct document *document, const struct compared *compared)
{
    struct table *table = add_table(document, &report_memory_schema);

    return table ? report_add_memory(table, compared) : STATUS_OUT_OF_MEMORY;
}

/* For people where there is any of what it is about. */
static struct table *add_optional(struct document *document, const struct table_schema *schema,
                                  bool is_shown)
{
    struct table *table =
        document_add_table(document, schema->name, is_shown ? SECTION_IN_BOTH : SECTION_IN_JSON);

    if (table)
        table_init(table, schema);
    return table;
}

static enum status add_rates(struct document *document, const struct compared *compared)
{
    struct table *table =
        add_optional(document, &report_rates_schema, has_any(compared, RUN_ITEM_RATE));

    return table ? report_add_rates(table, compared) : STATUS_OUT_OF_MEMORY;
}

static enum status add_metrics(struct document *document, const struct compared *compared)
{
    struct table *table =
        add_optional(document, &report_metrics_schema, has_any(compared, RUN_VALUE));

    return table ? report_add_metrics(table, compared) : STATUS_OUT_OF_MEMORY;
}

static enum status add_tables(struct document *document, const struct compared *compared,
                              const struct report_request *request)
{
    enum status status = add_structure(document, compared);

    if (!status)
        status = add_times(document, compared, &request->figure);
    if (!status)
        status = add_rates(document, compared);
    if (!status)
        status = add_memory(document, compared);
    return status ? status : add_metrics(document, compared);
}

static enum status add_chain(struct document *document, const struct report_request *request)
{
    struct table *table;

    if (request->count < 3)
        return STATUS_OK;
    table = add_table(document, &report_chain_schema);
    return table ? report_add_chain(table, request) : STATUS_OUT_OF_MEMORY;
}

/* Of more than two sides the last is laid beside the first. */
static enum status add_pair(struct report *report, const struct report_request *request,
                            struct diagnostic *diagnostic)
{
    struct document *document = &report->document;
    struct compared compared;
    enum status status = compared_init(&compared, &request->sides[0],
                                       &request->sides[request->count - 1], &request->figure);

    if (!status)
        status = add_doubts(document, &compared);
    if (!status)
        status = add_headline(document, &compared, &request->figure);
    if (!status)
        status = report_add_whole(document, &compared, request);
    if (!status)
        status = add_chain(document, request);
    if (!status)
        status = report_add_sides(report, request, diagnostic);
    if (!status)
        status = add_tables(document, &compared, request);
    compared_fini(&compared);
    return status;
}

enum status report_compare(struct report *report, const struct report_request *request,
                           struct diagnostic *diagnostic)
{
    enum status status;

    document_init(&report->document);
    array_init(&report->columns, sizeof(struct column));
    report->document.name = "compare";
    report->document.main = "time";
    status = add_pair(report, request, diagnostic);
    return status == STATUS_OUT_OF_MEMORY ? diagnostic_set_out_of_memory(diagnostic) : status;
}

void report_fini(struct report *report)
{
    document_fini(&report->document);
    array_fini(&report->columns);
}
