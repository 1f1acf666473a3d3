/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row of a table as a document of its own.
 */
#include "view/row.h"

static enum status copy_value(struct value *to, const struct value *from)
{
    switch (from->kind) {
    case VALUE_NULL:
    case VALUE_TABLE: return STATUS_OK;
    case VALUE_TEXT: return value_set_text(to, from->text);
    case VALUE_INTEGER:
    case VALUE_REAL:
    case VALUE_BOOL:
    case VALUE_INTERVAL: *to = *from; break;
    }
    return STATUS_OK;
}

static bool is_shown(const struct column *column, const struct value *value)
{
    return column->title && column->title[0] && column->unit != UNIT_ROWS &&
           value->kind != VALUE_NULL;
}

static enum status add_figures(struct document *document, const struct table *table,
                               const struct value *values)
{
    struct record *record = document_add_record(document, "row", NULL, SECTION_IN_TEXT);
    enum status status = record ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < table->schema->column_count && !status; i++) {
        const struct column *column = &table->schema->columns[i];
        struct value *value;

        if (!is_shown(column, &values[i]))
            continue;
        value = record_add_value(record, column);
        status = value ? copy_value(value, &values[i]) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

static enum status add_nested(struct document *document, const struct column *column,
                              const struct table *nested)
{
    struct table *added =
        document_start_table(document, column->key, SECTION_IN_TEXT, nested->schema);
    enum status status = added ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < table_row_count(nested) && !status; i++)
        status = table_share_row(added, table_row(nested, i));
    if (!status)
        added->title = column->help;
    return status;
}

enum status row_add(struct document *document, const struct table *table, size_t row)
{
    const struct value *values = table_row(table, row);
    enum status status = add_figures(document, table, values);

    for (size_t i = 0; i < table->schema->column_count && !status; i++)
        if (values[i].kind == VALUE_TABLE && table_row_count(values[i].table) > 0)
            status = add_nested(document, &table->schema->columns[i], values[i].table);
    return status;
}
