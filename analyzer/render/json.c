/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c: tables and documents as JSON, in the order they were made.
 *
 * Unknown values are null, never 0.  Values keep the unit that their key
 * names.  jansson builds and writes the tree; each builder here gives NULL when
 * memory runs out, which jansson's setters pass on as an error.
 *
 * To read: RFC 8259.
 */
#include <jansson.h>
#include <math.h>

#include "base/text.h"
#include "render/display.h"
#include "render/render.h"

/* Takes over `value`, also when it fails or is NULL.  A failure frees the
 * object: the whole tree is then lost, and the caller needs one check.
 * Returns: the object or NULL. */
static json_t *json_with(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* The same for an array. */
static json_t *json_with_item(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *json_from_text(const char *string)
{
    struct text valid;

    text_init(&valid);
    display_append_valid(&valid, string);
    json_t *json = text_status(&valid) ? NULL : json_string(valid.bytes);
    text_fini(&valid);
    return json;
}

static json_t *json_from_real(double real)
{
    return isfinite(real) ? json_real(real) : json_null();
}

static json_t *json_from_interval(const struct value_interval *interval)
{
    json_t *array = json_array();

    array = json_with_item(array, json_from_real(interval->low));
    return json_with_item(array, json_from_real(interval->high));
}

static json_t *json_from_rows(const struct table *table);

static json_t *json_from_value(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL: break;
    case VALUE_INTEGER: return json_integer(value->integer);
    case VALUE_REAL: return json_from_real(value->real);
    case VALUE_TEXT: return json_from_text(value->text);
    case VALUE_BOOL: return json_boolean(value->boolean);
    case VALUE_INTERVAL: return json_from_interval(&value->interval);
    case VALUE_TABLE: return json_from_rows(value->table);
    }
    return json_null();
}

static json_t *json_from_row(const struct table_schema *schema, const struct value *row)
{
    json_t *object = json_object();

    for (size_t i = 0; i < schema->column_count; i++)
        object = json_with(object, schema->columns[i].key, json_from_value(&row[i]));
    return object;
}

static json_t *json_from_rows(const struct table *table)
{
    json_t *array = json_array();

    for (size_t i = 0; i < table_row_count(table); i++)
        array = json_with_item(array, json_from_row(table->schema, table_row(table, i)));
    return array;
}

static json_t *json_from_list(const struct text_list *list)
{
    json_t *array = json_array();

    for (size_t i = 0; i < text_list_count(list); i++)
        array = json_with_item(array, json_from_text(text_list_at(list, i)));
    return array;
}

static json_t *json_from_record(const struct record *record);

static json_t *json_from_field(const struct field *field)
{
    switch (field->kind) {
    case FIELD_VALUE: return json_from_value(&field->value);
    case FIELD_LIST: return json_from_list(&field->list);
    case FIELD_RECORD: break;
    }
    return json_from_record(&field->record);
}

static json_t *json_from_record(const struct record *record)
{
    json_t *object = json_object();

    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct field *field = record_field(record, i);
        object = json_with(object, field->column->key, json_from_field(field));
    }
    return object;
}

static json_t *json_from_section(const struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: return json_from_record(&section->record);
    case SECTION_TABLE: return json_from_rows(&section->table);
    case SECTION_PLOT: return json_null(); /* what it shows stands in tables */
    case SECTION_LINES: break;
    }
    return json_from_list(&section->lines);
}

static json_t *json_new_root(void)
{
    return json_with(json_object(), "schema_version", json_integer(RENDER_SCHEMA_VERSION));
}

/* Fifteen digits give decimal numbers back as they were written, 0.1 as 0.1;
 * seventeen give every double back, at the price of 0.10000000000000001.
 * ASCII alone, because a terminal obeys the control characters past it too. */
static size_t json_flags(const struct render_options *options)
{
    size_t digits = options->full_precision ? 17 : 15;

    return JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(digits);
}

/* Takes the tree over. */
static enum status json_write(json_t *root, const struct render_options *options, FILE *out,
                              struct diagnostic *diagnostic)
{
    if (!root)
        return diagnostic_set_out_of_memory(diagnostic);

    bool dumped = json_dumpf(root, out, json_flags(options)) == 0;
    json_decref(root);
    fputc('\n', out);
    enum status status = render_finish(out, diagnostic);
    if (status || dumped)
        return status;
    return diagnostic_set_out_of_memory(diagnostic);
}

static enum status json_render_table(const struct table *table,
                                     const struct render_options *options, FILE *out,
                                     struct diagnostic *diagnostic)
{
    json_t *root = json_new_root();

    root = json_with(root, "table", json_from_text(table->schema->name));
    root = json_with(root, "rows", json_from_rows(table));
    if (table->rows_cut > 0)
        root = json_with(root, "rows_cut", json_integer((json_int_t)table->rows_cut));
    root = json_with(root, "notes", json_from_list(&table->notes));
    return json_write(root, options, out, diagnostic);
}

static enum status json_render_document(const struct document *document,
                                        const struct render_options *options, FILE *out,
                                        struct diagnostic *diagnostic)
{
    json_t *root = json_new_root();

    if (document->name)
        root = json_with(root, "table", json_from_text(document->name));
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);
        if (section_is_in(section, SECTION_IN_JSON))
            root = json_with(root, section->key, json_from_section(section));
    }
    return json_write(root, options, out, diagnostic);
}

const struct renderer renderer_json = {
    .name = "json",
    .help = "JSON with a schema version, for programs.",
    .is_for_programs = true,
    .table = json_render_table,
    .document = json_render_document,
};
