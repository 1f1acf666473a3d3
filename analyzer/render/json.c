/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as JSON, in the order they were made.
 *
 * Unknown values are null, never 0.  Values keep the unit named by their key.  jansson builds and
 * writes each row and each section separately, because the tree of a whole report takes many times
 * the memory of its tables: a frame of a chain takes 1 KB.  The brackets and commas between rows
 * and sections are written here.
 *
 * To read: RFC 8259.
 *
 * Decision: doc/decisions/rows-one-by-one.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "render/json_values.h"
#include "render/render.h"

/* The notes below all tables, in the order of the tables. */
static json_t *from_notes(const struct document *document)
{
    json_t *array = json_array();

    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind == SECTION_TABLE && section_is_in(section, SECTION_IN_TEXT))
            array = json_with_list(array, &section->table.notes);
    }
    return array;
}

/* The output, and the position in it. */
struct json_page {
    FILE *out;
    size_t flags;   /* flags of jansson */
    int indent;     /* indent of the current value, in spaces */
    bool has_items; /* the last begun object or array has items */
};

enum { JSON_STEP = 2 };

static size_t choose_flags(const struct render_options *options)
{
    return JSON_INDENT(JSON_STEP) | JSON_ENCODE_ANY | json_flags(options);
}

/* jansson indents from the left margin, and writes no line ends in texts. */
static void print(struct json_page *page, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        fwrite(text, 1, (size_t)(end + 1 - text), page->out);
        fprintf(page->out, "%*s", page->indent, "");
    }
    fputs(text, page->out);
}

/* Takes the value over. */
static void put(struct json_page *page, json_t *value)
{
    char *text = memory_have(json_dumps(value, page->flags));

    print(page, text);
    free(text);
    json_decref(value);
}

static void begin(struct json_page *page, char bracket)
{
    fputc(bracket, page->out);
    page->indent += JSON_STEP;
    page->has_items = false;
}

static void begin_item(struct json_page *page)
{
    fprintf(page->out, "%s\n%*s", page->has_items ? "," : "", page->indent, "");
    page->has_items = true;
}

static void begin_member(struct json_page *page, const char *key)
{
    begin_item(page);
    put(page, json_string(key));
    fputs(": ", page->out);
}

/* Ends an object or array, which is itself an item. */
static void end_item(struct json_page *page, char bracket)
{
    page->indent -= JSON_STEP;
    if (page->has_items)
        fprintf(page->out, "\n%*s", page->indent, "");
    fputc(bracket, page->out);
    page->has_items = true;
}

/* Rows that are not read need not be made. */
static bool goes_on(const struct json_page *page)
{
    return !ferror(page->out);
}

static void put_rows(struct json_page *page, const struct table *table)
{
    begin(page, '[');
    for (size_t i = 0; i < table_row_count(table) && goes_on(page); i++) {
        begin_item(page);
        put(page, json_from_row(table->schema, table_row(table, i)));
    }
    end_item(page, ']');
}

static void put_section(struct json_page *page, const struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: put(page, json_from_record(&section->record)); return;
    case SECTION_TABLE: put_rows(page, &section->table); return;
    case SECTION_PLOT: put(page, json_null()); return; /* tables have the same data */
    case SECTION_LINES: put(page, json_from_list(&section->lines)); return;
    }
}

static struct json_page open_page(const struct render_options *options, FILE *out)
{
    struct json_page page = {.out = out, .flags = choose_flags(options)};

    begin(&page, '{');
    begin_member(&page, "schema_version");
    put(&page, json_integer(RENDER_SCHEMA_VERSION));
    return page;
}

static enum status close_page(struct json_page *page, struct diagnostic *diagnostic)
{
    end_item(page, '}');
    fputc('\n', page->out);
    return render_finish(page->out, diagnostic);
}

static void put_cut(struct json_page *page, const struct table *table, const char *key)
{
    if (table->rows_cut == 0)
        return;
    begin_member(page, key);
    put(page, json_integer((json_int_t)table->rows_cut));
}

/* "mappings_rows_cut" beside "mappings". */
static void put_cut_of(struct json_page *page, const struct section *section)
{
    struct text key;

    text_init(&key);
    text_appendf(&key, "%s_rows_cut", section->key);
    put_cut(page, &section->table, key.bytes);
    text_fini(&key);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct json_page page = open_page(options, out);

    begin_member(&page, "table");
    put(&page, json_from_text(table->schema->name));
    begin_member(&page, "rows");
    put_rows(&page, table);
    put_cut(&page, table, "rows_cut");
    begin_member(&page, "notes");
    put(&page, json_from_list(&table->notes));
    return close_page(&page, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    const struct table *main = document_main_table(document);
    struct json_page page = open_page(options, out);

    if (document->name) {
        begin_member(&page, "table");
        put(&page, json_from_text(document->name));
    }
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (!section_is_in(section, SECTION_IN_JSON))
            continue;
        begin_member(&page, section->key);
        put_section(&page, section);
        if (section->kind == SECTION_TABLE && &section->table != main)
            put_cut_of(&page, section);
    }
    if (main) {
        put_cut(&page, main, "rows_cut");
        begin_member(&page, "notes");
        put(&page, from_notes(document));
    }
    return close_page(&page, diagnostic);
}

const struct renderer renderer_json = {
    .name = "json",
    .help = "JSON with a schema version, for programs.",
    .is_for_programs = true,
    .table = render_table,
    .document = render_document,
};
