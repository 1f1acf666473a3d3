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

static void add_doubts(struct document *document, const struct compared *compared)
{
    struct record *record = document_add_record(document, "environment", NULL, SECTION_IN_JSON);
    struct text_list *list, *lines;

    list = record_add_list(record, &doubts_columns[0]);
    doubts_add(list, &compared->pair);
    if (text_list_count(list) == 0)
        return;
    lines = document_add_lines(document, doubts_title_text.words);
    doubts_add(lines, &compared->pair);
}

static void add_headline(struct document *document, const struct compared *compared,
                         const struct figure_options *options)
{
    struct text_list *lines = document_add_lines(document, NULL);

    report_add_headline(lines, compared, options);
}

static struct table *add_table(struct document *document, const struct table_schema *schema)
{
    struct table *table = document_add_table(document, schema->name, SECTION_IN_BOTH);

    table_init(table, schema);
    return table;
}

/* If sizes differ, all rows of a kernel differ. */
static void note_shapes(struct table *table, const struct compared *compared)
{
    for (size_t i = 0; i < compared->pair.parts.count; i++) {
        const struct pair_part *part = array_at(&compared->pair.parts, i);

        if ((pair_part_is_new(part) || pair_part_is_missing(part)) && part->shape[0] != '\0') {
            table_say(table, compare_shapes_left_out_text);
            return;
        }
    }
}

/* For people, a sentence replaces a table without rows. */
static void add_structure(struct document *document, const struct compared *compared)
{
    struct table rows, *table;
    struct text_list *lines;
    bool is_same;

    table_init(&rows, &report_structure_schema);
    report_add_structure(&rows, compared);
    is_same = table_row_count(&rows) == 0;
    table = document_add_table(document, "structure", is_same ? SECTION_IN_JSON : SECTION_IN_BOTH);
    *table = rows;
    if (!is_same) {
        note_shapes(table, compared);
        return;
    }
    lines = document_add_lines(document, "Structure");
    text_list_say(lines, compare_structure_same_text);
}

/* Returns: how many tests there are besides that of the wall time. */
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

static void note_calls(struct table *table, const struct compared *compared)
{
    size_t largest = find_largest_batch(compared);

    if (!has_calls(compared))
        return;
    table_say(table, compare_calls_text);
    if (largest == 1)
        return;
    table_say(table, compare_batches_text, said_count(largest));
}

static void note_warmup(struct table *table, const struct compared *compared)
{
    struct text line;

    text_init(&line);
    if (has_any(compared, RUN_CALL))
        words_append_warmup(&line, &compared->pair);
    text_list_take(&table->notes, &line);
}

static bool has_outcome(const struct compared *compared, enum figure_outcome outcome)
{
    for (size_t i = 0; i < compared->figures.count; i++)
        if (((const struct figure *)array_at(&compared->figures, i))->outcome == outcome)
            return true;
    return false;
}

/* Names the tests and their number: a p value among many means less. */
static void note_tests(struct table *table, const struct figure_options *options, size_t tests,
                       bool is_wall_tested)
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
    text_list_take(&table->notes, &line);
}

static void note_times(struct table *table, const struct compared *compared,
                       const struct figure_options *options)
{
    bool is_wall_tested;
    size_t tests = count_tests(compared, &is_wall_tested);

    if (has_outcome(compared, FIGURE_DIFFERS))
        table_say(table, compare_differs_here_text);
    if (tests == 0 && !is_wall_tested)
        return;
    report_note_calls(table, compared);
    note_calls(table, compared);
    if (has_outcome(compared, FIGURE_UNDECIDED))
        table_say(table, compare_undecided_here_text);
    note_tests(table, options, tests, is_wall_tested);
}

static void add_times(struct document *document, const struct compared *compared,
                      const struct figure_options *options)
{
    struct table *table = add_table(document, &report_times_schema);

    report_add_times(table, compared);
    note_times(table, compared, options);
    note_warmup(table, compared);
}

static void add_memory(struct document *document, const struct compared *compared)
{
    struct table *table = add_table(document, &report_memory_schema);

    report_add_memory(table, compared);
}

/* People see the table only if some rows matter to them. */
static struct table *add_optional(struct document *document, const struct table_schema *schema,
                                  bool is_shown)
{
    struct table *table =
        document_add_table(document, schema->name, is_shown ? SECTION_IN_BOTH : SECTION_IN_JSON);

    table_init(table, schema);
    return table;
}

static void add_rates(struct document *document, const struct compared *compared)
{
    struct table *table =
        add_optional(document, &report_rates_schema, has_any(compared, RUN_ITEM_RATE));

    report_add_rates(table, compared);
}

static void add_metrics(struct document *document, const struct compared *compared)
{
    struct table *table =
        add_optional(document, &report_metrics_schema, has_any(compared, RUN_VALUE));

    report_add_metrics(table, compared);
}

static void add_tables(struct document *document, const struct compared *compared,
                       const struct report_request *request)
{
    add_structure(document, compared);

    add_times(document, compared, &request->figure);
    add_rates(document, compared);
    add_memory(document, compared);
    add_metrics(document, compared);
}

static void add_chain(struct document *document, const struct report_request *request)
{
    struct table *table;

    if (request->count < 3)
        return;
    table = add_table(document, &report_chain_schema);
    report_add_chain(table, request);
}

/* With more than two sides, the last is compared with the first. */
static enum status add_pair(struct report *report, const struct report_request *request,
                            struct diagnostic *diagnostic)
{
    struct document *document = &report->document;
    struct compared compared;
    enum status status;

    compared_init(&compared, &request->sides[0], &request->sides[request->count - 1],
                  &request->figure);
    add_doubts(document, &compared);
    add_headline(document, &compared, &request->figure);
    report_add_whole(document, &compared, request);
    add_chain(document, request);
    status = report_add_sides(report, request, diagnostic);
    if (!status)
        add_tables(document, &compared, request);
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
    return status;
}

void report_fini(struct report *report)
{
    document_fini(&report->document);
    array_fini(&report->columns);
}
