/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values, rows and records as trees of jansson.
 *
 * jansson takes its memory from base/memory.h.
 */
#include "render/json_values.h"

#include <math.h>

#include "base/text.h"
#include "base/utf8.h"

json_t *json_add_member(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* As json_add_member, for an array. */
static json_t *with_item(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *json_from_text(const char *string)
{
    struct text valid;

    text_init(&valid);
    utf8_append_valid(&valid, string);
    json_t *json = json_string(valid.bytes);
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
    case VALUE_TEXT: return json_from_text(value->text);
    case VALUE_BOOL: return json_boolean(value->boolean);
    case VALUE_INTERVAL: return from_interval(&value->interval);
    case VALUE_TABLE: return from_rows(value->table);
    }
    return json_null();
}

json_t *json_from_row(const struct table_schema *schema, const struct value *row)
{
    json_t *object = json_object();

    for (size_t i = 0; i < schema->column_count; i++)
        object = json_add_member(object, schema->columns[i].key, from_value(&row[i]));
    return object;
}

static json_t *from_rows(const struct table *table)
{
    json_t *array = json_array();

    for (size_t i = 0; i < table_row_count(table); i++)
        array = with_item(array, json_from_row(table->schema, table_row(table, i)));
    return array;
}

json_t *json_with_list(json_t *array, const struct text_list *list)
{
    for (size_t i = 0; i < text_list_count(list); i++)
        array = with_item(array, json_from_text(text_list_at(list, i)));
    return array;
}

json_t *json_from_list(const struct text_list *list)
{
    return json_with_list(json_array(), list);
}

static json_t *from_field(const struct field *field)
{
    switch (field->kind) {
    case FIELD_VALUE: return from_value(&field->value);
    case FIELD_LIST: return json_from_list(&field->list);
    case FIELD_RECORD: break;
    }
    return json_from_record(&field->record);
}

json_t *json_from_record(const struct record *record)
{
    json_t *object = json_object();

    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct field *field = record_field(record, i);
        object = json_add_member(object, field->column.key, from_field(field));
    }
    return object;
}

size_t json_flags(const struct render_options *options)
{
    return JSON_ENSURE_ASCII | JSON_REAL_PRECISION(options->full_precision ? 17U : 15U);
}
