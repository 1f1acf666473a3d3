/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as JSON, in the order they were made.
 *
 * Unknown values are null, never 0.  Values keep the unit that their key
 * names.  jansson builds and writes each row and each section by itself, as the
 * tree of a whole report takes many times the memory of its tables: a frame of a
 * chain 1 KB.  What holds the rows and sections together is written here.  Each
 * builder gives NULL when memory runs out, which jansson's setters pass on as an
 * error.
 *
 * To read: RFC 8259.
 *
 * Decision: doc/decisions/rows-one-by-one.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "render/render.h"

/* Takes over `value`, also when it fails or is NULL.  A failure frees the
 * object: the whole tree is then lost, and the caller needs one check.
 * Returns: the object or NULL. */
static json_t *add_member(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* The same for an array. */
static json_t *with_item(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *from_text(const char *string)
{
    struct text valid;

    text_init(&valid);
    utf8_append_valid(&valid, string);
    json_t *json = text_status(&valid) ? NULL : json_string(valid.bytes);
    text_fini(&valid);
    return json;
}

static json_t *from_real(double real)
{
    return isfinite(real) ? json_real(real) : json_null();
}

static json_t *from_interval(const struct value_interval *interval)
{
    json_t *array = json_array();

    array = with_item(array, from_real(interval->low));
    return with_item(array, from_real(interval->high));
}

static json_t *from_rows(const struct table *table);

static json_t *from_value(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL: break;
    case VALUE_INTEGER: return json_integer(value->integer);
    case VALUE_REAL: return from_real(value->real);
    case VALUE_TEXT: return from_text(value->text);
    case VALUE_BOOL: return json_boolean(value->boolean);
    case VALUE_INTERVAL: return from_interval(&value->interval);
    case VALUE_TABLE: return from_rows(value->table);
    }
    return json_null();
}

static json_t *from_row(const struct table_schema *schema, const struct value *row)
{
    json_t *object = json_object();

    for (size_t i = 0; i < schema->column_count; i++)
        object = add_member(object, schema->columns[i].key, from_value(&row[i]));
    return object;
}

static json_t *from_rows(const struct table *table)
{
    json_t *array = json_array();

    for (size_t i = 0; i < table_row_count(table); i++)
        array = with_item(array, from_row(table->schema, table_row(table, i)));
    return array;
}

static json_t *with_list(json_t *array, const struct text_list *list)
{
    for (size_t i = 0; i < text_list_count(list); i++)
        array = with_item(array, from_text(text_list_at(list, i)));
    return array;
}

static json_t *from_list(const struct text_list *list)
{
    return with_list(json_array(), list);
}

/* What people read below any of the tables, in the order of these. */
static json_t *from_notes(const struct document *document)
{
    json_t *array = json_array();

    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind == SECTION_TABLE && section_is_in(section, SECTION_IN_TEXT))
            array = with_list(array, &section->table.notes);
    }
    return array;
}

static json_t *from_record(const struct record *record);

static json_t *from_field(const struct field *field)
{
    switch (field->kind) {
    case FIELD_VALUE: return from_value(&field->value);
    case FIELD_LIST: return from_list(&field->list);
    case FIELD_RECORD: break;
    }
    return from_record(&field->record);
}

static json_t *from_record(const struct record *record)
{
    json_t *object = json_object();

    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct field *field = record_field(record, i);
        object = add_member(object, field->column->key, from_field(field));
    }
    return object;
}

/* What is written, and where in it we are. */
struct json_page {
    FILE *out;
    size_t flags;   /* of jansson */
    int indent;     /* of the value that is being written, in spaces */
    bool has_items; /* of the object or array that was begun last */
    bool is_short;  /* memory ran out */
};

enum { JSON_STEP = 2 };

/* Fifteen digits give decimal numbers back as they were written, 0.1 as 0.1;
 * seventeen give every double back, at the price of 0.10000000000000001.
 * ASCII alone, because a terminal obeys the control characters past it too. */
static size_t choose_flags(const struct render_options *options)
{
    size_t digits = options->full_precision ? 17 : 15;

    return JSON_INDENT(JSON_STEP) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(digits) |
           JSON_ENCODE_ANY;
}

/* jansson indents from the left margin; in texts it writes no line ends. */
static void print(struct json_page *page, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        fwrite(text, 1, (size_t)(end + 1 - text), page->out);
        fprintf(page->out, "%*s", page->indent, "");
    }
    fputs(text, page->out);
}

/* Takes the value over, NULL too. */
static void put(struct json_page *page, json_t *value)
{
    char *text = value ? json_dumps(value, page->flags) : NULL;

    if (text)
        print(page, text);
    else
        page->is_short = true;
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

/* What was begun is an item itself. */
static void end_item(struct json_page *page, char bracket)
{
    page->indent -= JSON_STEP;
    if (page->has_items)
        fprintf(page->out, "\n%*s", page->indent, "");
    fputc(bracket, page->out);
    page->has_items = true;
}

/* Rows that nobody will read need not be made. */
static bool goes_on(const struct json_page *page)
{
    return !page->is_short && !ferror(page->out);
}

static void put_rows(struct json_page *page, const struct table *table)
{
    begin(page, '[');
    for (size_t i = 0; i < table_row_count(table) && goes_on(page); i++) {
        begin_item(page);
        put(page, from_row(table->schema, table_row(table, i)));
    }
    end_item(page, ']');
}

static void put_section(struct json_page *page, const struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: put(page, from_record(&section->record)); return;
    case SECTION_TABLE: put_rows(page, &section->table); return;
    case SECTION_PLOT: put(page, json_null()); return; /* tables have the same data */
    case SECTION_LINES: put(page, from_list(&section->lines)); return;
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
    enum status status = render_finish(page->out, diagnostic);
    if (status || !page->is_short)
        return status;
    return diagnostic_set_out_of_memory(diagnostic);
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
    if (!text_status(&key))
        put_cut(page, &section->table, key.bytes);
    else
        page->is_short = true;
    text_fini(&key);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct json_page page = open_page(options, out);

    begin_member(&page, "table");
    put(&page, from_text(table->schema->name));
    begin_member(&page, "rows");
    put_rows(&page, table);
    put_cut(&page, table, "rows_cut");
    begin_member(&page, "notes");
    put(&page, from_list(&table->notes));
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
        put(&page, from_text(document->name));
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
