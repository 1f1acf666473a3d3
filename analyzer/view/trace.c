/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a trace as pages of tprof view.
 */
#include "view/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "screen/report.h"
#include "screen/shown.h"
#include "view/row.h"

/* The most rows of a table: the command prints all. */
enum { TRACE_ROWS = 2000 };

static const struct trace_table {
    const char *name;
    const struct analysis *analysis; /* NULL: the screen of tprof report */
    enum analysis_by by;
} tables[] = {
    {"report", NULL, ANALYSIS_BY_DEFAULT},
#define VIEW_TABLE(name, analysis, by) {name, &analysis_##analysis, ANALYSIS_BY_##by},
#include "view/tables.def"
#undef VIEW_TABLE
};

enum { TABLES = sizeof tables / sizeof *tables };

enum how { HOW_SAME, HOW_HEAD, HOW_TREE, HOW_ROOT };

static const struct behind {
    const struct analysis *from;
    const char *from_key;
    enum how how;
    const struct analysis *analysis;
    enum analysis_by by;
    const char *key;
    const char *heading;
} behinds[] = {
#define BEHIND(from, from_key, how, analysis, by, key, heading)                                    \
    {&analysis_##from, from_key, HOW_##how, &analysis_##analysis, ANALYSIS_BY_##by, key, heading},
#include "view/behind.def"
#undef BEHIND
};

enum { BEHINDS = sizeof behinds / sizeof *behinds };

/* A stored table: the pages behind its rows are parts of it. */
struct made {
    const struct analysis *analysis;
    enum analysis_by by;
    struct document document;
};

void view_trace_init(struct view_trace *trace, const struct session *session,
                     const struct analysis_options *options)
{
    *trace = (struct view_trace){session, options, {0}};
    array_init(&trace->made, sizeof(struct made *));
}

void view_trace_fini(struct view_trace *trace)
{
    for (size_t i = 0; i < trace->made.count; i++) {
        struct made *made = *(struct made **)array_at(&trace->made, i);

        document_fini(&made->document);
        free(made);
    }
    array_fini(&trace->made);
}

static const char *name_table(void *of, size_t index)
{
    (void)of;
    return tables[index].name;
}

static void build(const struct view_trace *trace, const struct analysis *analysis,
                  enum analysis_by by, struct document *document)
{
    const struct shown shown = {.session = trace->session,
                                .options = trace->options,
                                .analysis = analysis,
                                .by = by,
                                .most_rows = TRACE_ROWS};

    shown_build(&shown, document);
}

static void show_table(void *of, size_t index, struct document *document)
{
    const struct view_trace *trace = of;
    const struct trace_table *table = &tables[index];

    if (table->analysis)
        build(trace, table->analysis, table->by, document);
    else
        report_build(trace->session, trace->options, document);
}

/* ---- behind a row ---------------------------------------------------------------------- */

static struct made *find_made(const struct view_trace *trace, const struct behind *behind)
{
    for (size_t i = 0; i < trace->made.count; i++) {
        struct made *made = *(struct made **)array_at(&trace->made, i);

        if (made->analysis == behind->analysis && made->by == behind->by)
            return made;
    }
    return NULL;
}

static struct made *make(struct view_trace *trace, const struct behind *behind)
{
    struct made *made = memory_get_zeros(1, sizeof *made);
    struct made **place = array_add(&trace->made);

    *place = made;
    made->analysis = behind->analysis;
    made->by = behind->by;
    build(trace, behind->analysis, behind->by, &made->document);
    return made;
}

/* Returns: the table with the most rows, which is the subject of the analysis; NULL: none. */
static const struct table *largest_table(const struct document *document)
{
    const struct table *largest = NULL;

    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind == SECTION_TABLE && section_is_in(section, SECTION_IN_TEXT) &&
            (!largest || table_row_count(&section->table) > table_row_count(largest)))
            largest = &section->table;
    }
    return largest;
}

/* Returns: the words of a column without the blanks that indent a tree; NULL: it has none. */
static const char *words_of(const struct table *table, size_t row, const char *key)
{
    size_t column = table_find_column(table, key);
    const struct value *value = column < table->schema->column_count
                                    ? &table_row(table, row)[column]
                                    : NULL;

    if (!value || value->kind != VALUE_TEXT)
        return NULL;
    return value->text + strspn(value->text, " ");
}

static bool matches(const struct behind *behind, const char *found, const char *words)
{
    size_t length = strlen(words);

    if (!found || length == 0 || strncmp(found, words, length) != 0)
        return false;
    return found[length] == '\0' || (behind->how == HOW_HEAD && found[length] == ' ');
}

static double depth_of(const struct table *table, size_t row)
{
    size_t column = table_find_column(table, "depth");

    return column < table->schema->column_count ? value_number(&table_row(table, row)[column]) : 0;
}

static bool is_tree(const struct behind *behind)
{
    return behind->how == HOW_TREE || behind->how == HOW_ROOT;
}

/* Adds a row, and in a tree also the rows below it.
 * Returns: how many were taken. */
static size_t take_rows(struct table *to, const struct behind *behind, const struct table *from,
                        size_t row)
{
    size_t end = row + 1;

    while (is_tree(behind) && end < table_row_count(from) &&
           depth_of(from, end) > depth_of(from, row))
        end++;
    for (size_t i = row; i < end; i++) {
        table_share_row(to, table_row(from, i));
    }
    return end - row;
}

/* Returns: the depth of the rows to take; for roots, the depth of the first row from the root. */
static double find_depth(const struct behind *behind, const struct table *from, const char *words)
{
    double least = INFINITY;

    for (size_t i = 0; behind->how == HOW_ROOT && i < table_row_count(from); i++)
        if (matches(behind, words_of(from, i, behind->key), words))
            least = fmin(least, depth_of(from, i));
    return least;
}

static void take_matches(struct table *to, const struct behind *behind, const struct table *from,
                         const char *words)
{
    double depth = find_depth(behind, from, words);

    for (size_t i = 0; i < table_row_count(from);)
        if (matches(behind, words_of(from, i, behind->key), words) && depth_of(from, i) <= depth)
            i += take_rows(to, behind, from, i);
        else
            i++;
}

/* A table with only the opened row has nothing new. */
static bool is_news(const struct table *taken, const struct table *table, size_t row)
{
    size_t count = table_row_count(taken);

    return count > 1 ||
           (count == 1 && (taken->schema != table->schema ||
                           value_compare(&table_row(taken, 0)[0], &table_row(table, row)[0]) != 0));
}

static void add_table(struct document *document, const struct behind *behind,
                      const struct table *taken)
{
    struct table *added =
        document_start_table(document, behind->analysis->name, SECTION_IN_TEXT, taken->schema);

    for (size_t i = 0; i < table_row_count(taken); i++)
        table_share_row(added, table_row(taken, i));
    added->title = behind->heading;
}

static void add_behind(struct view_trace *trace, const struct behind *behind,
                       const struct table *table, size_t row, struct document *document)
{
    const char *words = words_of(table, row, behind->from_key);
    struct made *made = words ? find_made(trace, behind) : NULL;
    const struct table *from;
    struct table taken;

    if (!words)
        return;
    if (!made)
        made = make(trace, behind);
    from = largest_table(&made->document);
    if (!from)
        return;
    table_init(&taken, from->schema);
    take_matches(&taken, behind, from, words);
    if (is_news(&taken, table, row))

        add_table(document, behind, &taken);
    table_fini(&taken);
}

static bool is_of(const struct table *table, const struct analysis *analysis)
{
    return table->schema->name && strcmp(table->schema->name, analysis->name) == 0;
}

/* The name of a row's page: the first known one of these cells, or the row's number. */
static void append_name(struct text *name, const struct table *table, size_t row)
{
    static const char *const keys[] = {"name", "function", "place", "path", "what"};
    const char *words = NULL;

    for (size_t i = 0; i < sizeof keys / sizeof *keys && !words; i++)
        words = words_of(table, row, keys[i]);
    if (words)
        text_append(name, words);
    else
        text_appendf(name, "row %zu", row + 1);
}

static void open_row(void *of, const struct table *table, size_t row, struct text *name,
                     struct document *document)
{
    struct view_trace *trace = of;
    row_add(document, table, row);

    append_name(name, table, row);
    for (size_t i = 0; i < BEHINDS; i++)
        if (is_of(table, behinds[i].from))
            add_behind(trace, &behinds[i], table, row, document);
}

struct view_source view_trace_source(struct view_trace *trace)
{
    return (struct view_source){trace, TABLES, name_table, show_table, open_row};
}
