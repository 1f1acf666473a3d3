/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the document that the command of an analysis shows.
 */
#include "screen/shown.h"

#include "analysis/window_words.h"
#include "base/pool.h"
#include "model/session.h"
#include "model/session_unknown.h"

static struct analysis_options choose_options(const struct shown *shown)
{
    const struct analysis *analysis = shown->analysis;
    struct analysis_options options = *shown->options;
    unsigned rows = 1U << shown->by;

    options.by = shown->by;
    options.is_for_people = true;
    if (analysis->measured & rows && shown->session->heap.peak_bytes != SESSION_UNKNOWN)
        options.measure = analysis->measure;
    if (!(analysis->composed & rows) || analysis->long_rows & rows)
        options.limit = shown->most_rows;
    return options;
}

static void arrange(struct table *table, const struct shown *shown)
{
    const char *key = shown->analysis->sort_key;
    size_t column;

    if (!table)
        return;
    column = key ? table_find_column(table, key) : table->schema->column_count;
    if (column < table->schema->column_count)
        table_sort(table, column, table->schema->columns[column].unit != UNIT_TEXT);
    table_truncate(table, shown->most_rows);
}

static void compose(const struct shown *shown, const struct analysis_options *options,
                    struct document *document)
{
    shown->analysis->compose(shown->session, options, document);
    window_words_add(document, shown->session);
    if (shown->analysis->is_arranged)
        arrange(document_main_table(document), shown);
}

/* The rows become a section, unless something better was said of them. */
static void add_rows(const struct shown *shown, struct table *table, struct document *document)
{
    struct table *added;

    if (shown->analysis->elaborate && shown->is_elaborated)
        shown->analysis->elaborate(shown->session, shown->options, table, document);
    if (document_section_count(document) > 0)
        return;
    added = document_start_table(document, table->schema->name, SECTION_IN_BOTH, table->schema);
    table_fini(added);
    *added = *table;
    table_init(table, added->schema);
}

static void build(const struct shown *shown, const struct analysis_options *options,
                  struct document *document)
{
    struct table table;

    shown->analysis->build(shown->session, options, &table);
    document_init(document);
    window_words_add_note(&table, shown->session);
    arrange(&table, shown);
    add_rows(shown, &table, document);
    table_fini(&table);
}

void shown_build(const struct shown *shown, struct document *document)
{
    const struct analysis *analysis = shown->analysis;
    const struct analysis_options options = choose_options(shown);
    bool is_composed = analysis->compose && analysis->composed & 1U << shown->by;

    struct pool pool;

    pool_enter(&pool);
    (is_composed ? compose : build)(shown, &options, document);
    pool_leave(&pool);
}
