/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command of an analysis shows people, as elements of the page.
 */
#include "page/analyses.h"

#include "figures/window_words.h"
#include "memory/memory_options.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "page/tables.h"

/* Of a table: who looks for more sorts and filters these, and then asks the command. */
enum { ANALYSES_ROWS = 200 };

static struct analysis_options choose_options(const struct page_request *request,
                                              const struct analysis *analysis)
{
    struct analysis_options options = *request->options;
    unsigned is_default = 1U << ANALYSIS_BY_DEFAULT;

    options.by = ANALYSIS_BY_DEFAULT;
    if (analysis->measured & is_default &&
        request->session->heap.peak_bytes != SESSION_UNKNOWN)
        options.measure = analysis->measure;
    if (!(analysis->composed & is_default) || analysis->long_rows & is_default)
        options.limit = ANALYSES_ROWS;
    return options;
}

static enum status arrange(struct table *table, const struct analysis *analysis)
{
    enum status status = STATUS_OK;
    size_t column;

    if (!table)
        return STATUS_OK;
    column = analysis->sort_key ? table_find_column(table, analysis->sort_key)
                                : table->schema->column_count;
    if (column < table->schema->column_count)
        status = table_sort(table, column, table->schema->columns[column].unit != UNIT_TEXT);
    table_truncate(table, ANALYSES_ROWS);
    return status;
}

static enum status put_document(struct html *html, const struct page_request *request,
                                const struct analysis *analysis,
                                const struct analysis_options *options)
{
    struct document document;
    enum status status = analysis->compose(request->session, options, &document);

    if (!status)
        status = window_words_add(&document, request->session);
    if (!status && analysis->is_arranged)
        status = arrange(document_main_table(&document), analysis);
    if (!status)
        tables_put_document(html, &document);
    document_fini(&document);
    return status;
}

/* What people read instead of the rows, where there is such. */
static enum status put_rows(struct html *html, const struct page_request *request,
                            const struct analysis *analysis, const struct table *table)
{
    struct document document;
    enum status status = STATUS_OK;

    document_init(&document);
    if (analysis->elaborate)
        status = analysis->elaborate(request->session, request->options, table, &document);
    if (!status && document_section_count(&document) > 0)
        tables_put_document(html, &document);
    else if (!status)
        tables_put_table(html, table);
    document_fini(&document);
    return status;
}

static enum status put_table(struct html *html, const struct page_request *request,
                             const struct analysis *analysis,
                             const struct analysis_options *options)
{
    struct table table;
    enum status status = analysis->build(request->session, options, &table);

    if (!status)
        status = window_words_add_note(&table, request->session);
    if (!status)
        status = arrange(&table, analysis);
    if (!status)
        status = put_rows(html, request, analysis, &table);
    table_fini(&table);
    return status;
}

enum status analyses_put(struct html *html, const struct page_request *request,
                         const struct analysis *analysis)
{
    const struct analysis_options options = choose_options(request, analysis);
    bool is_composed = analysis->compose && analysis->composed & 1U << ANALYSIS_BY_DEFAULT;

    return (is_composed ? put_document : put_table)(html, request, analysis, &options);
}

enum status analyses_put_heap(struct html *html, const struct page_request *request)
{
    struct analysis_options options = choose_options(request, &analysis_memory);
    struct memory_options of_memory = *options.memory;

    of_memory.timeline = true;
    options.memory = &of_memory;
    return put_document(html, request, &analysis_memory, &options);
}
