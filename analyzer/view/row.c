/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row of a table as a document of its own.
 */
#include "view/row.h"

static void copy_value(struct value *to, const struct value *from)
{
    switch (from->kind) {
    case VALUE_NULL:
    case VALUE_TABLE: return;
    case VALUE_TEXT: value_set_text(to, from->text); return;
    case VALUE_INTEGER:
    case VALUE_REAL:
    case VALUE_BOOL:
    case VALUE_INTERVAL: *to = *from; break;
    }
}

static bool is_shown(const struct column *column, const struct value *value)
{
    return column->title && column->title[0] && column->unit != UNIT_ROWS &&
           value->kind != VALUE_NULL;
}

static void add_figures(struct document *document, const struct table *table,
                        const struct value *values)
{
    struct record *record = document_add_record(document, "row", NULL, SECTION_IN_TEXT);

    for (size_t i = 0; i < table->schema->column_count; i++) {
        const struct column *column = &table->schema->columns[i];
        struct value *value;

        if (!is_shown(column, &values[i]))
            continue;
        value = record_add_value(record, column);
        copy_value(value, &values[i]);
    }
}

static void add_nested(struct document *document, const struct column *column,
                       const struct table *nested)
{
    struct table *added =
        document_start_table(document, column->key, SECTION_IN_TEXT, nested->schema);

    for (size_t i = 0; i < table_row_count(nested); i++)
        table_share_row(added, table_row(nested, i));
    added->title = column->help;
}

void row_add(struct document *document, const struct table *table, size_t row)
{
    const struct value *values = table_row(table, row);

    add_figures(document, table, values);
    for (size_t i = 0; i < table->schema->column_count; i++)
        if (values[i].kind == VALUE_TABLE && table_row_count(values[i].table) > 0)
            add_nested(document, &table->schema->columns[i], values[i].table);
}
