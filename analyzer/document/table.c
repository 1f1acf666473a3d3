/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one type that analyses hand to renderers.
 *
 * Analyses fill tables; renderers read them.  Each row is a separate block, so a row may be filled
 * while others are added, and sorting moves only pointers.
 */
#include "document/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void value_set_integer(struct value *value, int64_t integer)
{
    value_fini(value);
    *value = (struct value){.kind = VALUE_INTEGER, .integer = integer};
}

void value_set_unsigned(struct value *value, uint64_t number)
{
    if (number <= INT64_MAX)
        value_set_integer(value, (int64_t)number);
    else
        value_set_real(value, (double)number);
}

void value_set_rounded(struct value *value, double real)
{
    if (fabs(real) < 0x1p63)
        value_set_integer(value, llrint(real));
    else
        value_set_real(value, real);
}

void value_set_real(struct value *value, double real)
{
    value_fini(value);
    if (isfinite(real))
        *value = (struct value){.kind = VALUE_REAL, .real = real};
}

void value_set_ratio(struct value *value, long double dividend, long double divisor)
{
    value_set_real(value, divisor > 0 ? (double)(dividend / divisor) : NAN);
}

void value_set_known(struct value *value, uint64_t count)
{
    if (count == UINT64_MAX)
        value_fini(value);
    else
        value_set_unsigned(value, count);
}

void value_set_count(struct value *value, long double count)
{
    if (count >= 0 && count < 0x1p64L)
        value_set_unsigned(value, (uint64_t)llroundl(count));
    else
        value_set_real(value, (double)count);
}

void value_set_text(struct value *value, const char *string)
{
    /* Copied first: the string may be the one the value holds. */
    char *copy = string ? memory_copy(string) : NULL;

    value_fini(value);
    if (string)
        *value = (struct value){.kind = VALUE_TEXT, .text = copy};
}

void value_take_text(struct value *value, struct text *text)
{
    value_set_text(value, text->size > 0 ? text->bytes : NULL);
    text_fini(text);
}

void value_set_bool(struct value *value, bool boolean)
{
    value_fini(value);
    *value = (struct value){.kind = VALUE_BOOL, .boolean = boolean};
}

void value_set_interval(struct value *value, double low, double high)
{
    value_fini(value);
    if (!isfinite(low) && !isfinite(high))
        return;
    value->kind = VALUE_INTERVAL;
    value->interval.low = isfinite(low) ? low : NAN;
    value->interval.high = isfinite(high) ? high : NAN;
}

void value_mark_estimate(struct value *value, bool is_estimate)
{
    value->is_estimate = is_estimate;
}

void values_mark_estimates(struct value *row, const unsigned char *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value_mark_estimate(&row[columns[i]], true);
}

struct table *value_set_table(struct value *value, const struct table_schema *schema)
{
    struct table *table = memory_get(sizeof *table);

    value_fini(value);
    table_init(table, schema);
    *value = (struct value){.kind = VALUE_TABLE, .table = table};
    return table;
}

double value_number(const struct value *value)
{
    if (value->kind == VALUE_INTEGER)
        return (double)value->integer;
    return value->kind == VALUE_REAL ? value->real : NAN;
}

void value_fini(struct value *value)
{
    if (value->kind == VALUE_TEXT)
        free(value->text);
    if (value->kind == VALUE_TABLE) {
        table_fini(value->table);
        free(value->table);
    }
    *value = (struct value){.kind = VALUE_NULL};
}

/* Kinds of the same rank compare with each other. */
static int rank_of(const struct value *value)
{
    switch (value->kind) {
    case VALUE_INTEGER:
    case VALUE_REAL: return 0;
    case VALUE_INTERVAL: return 1;
    case VALUE_BOOL: return 2;
    case VALUE_TEXT: return 3;
    case VALUE_TABLE: return 4;
    case VALUE_NULL: break;
    }
    return 5;
}

/* Long double holds every int64_t and every double exactly on our machines, so
 * integers and reals have one order, as sorting needs. */
static long double sort_number(const struct value *value)
{
    switch (value->kind) {
    case VALUE_INTEGER: return value->integer;
    case VALUE_REAL: return value->real;
    case VALUE_INTERVAL: /* an unknown lower bound may be anything */
        return isnan(value->interval.low) ? -HUGE_VALL : value->interval.low;
    case VALUE_BOOL: return value->boolean;
    case VALUE_TEXT:
    case VALUE_TABLE:
    case VALUE_NULL: break;
    }
    return 0;
}

int value_compare(const struct value *left, const struct value *right)
{
    int left_rank = rank_of(left);
    int right_rank = rank_of(right);

    if (left_rank != right_rank)
        return left_rank < right_rank ? -1 : 1;
    if (left->kind == VALUE_TEXT)
        return strcmp(left->text, right->text);
    long double left_number = sort_number(left);
    long double right_number = sort_number(right);
    return (left_number > right_number) - (left_number < right_number);
}

/* A row in memory; other files know only its values. */
struct row {
    unsigned tables;    /* the number of tables with this row */
    unsigned char rank; /* see table_rank_row */
    struct value values[];
};

static struct row *row_of(struct value *values)
{
    return (struct row *)((char *)values - offsetof(struct row, values));
}

void table_init(struct table *table, const struct table_schema *schema)
{
    *table = (struct table){.schema = schema};
    array_init_owned(&table->rows, sizeof(struct value *));
    text_list_init_owned(&table->notes);
}

static void free_row(struct value *values, size_t column_count)
{
    struct row *row = row_of(values);

    if (--row->tables > 0)
        return;
    for (size_t i = 0; i < column_count; i++)
        value_fini(&values[i]);
    free(row);
}

void table_fini(struct table *table)
{
    table_truncate(table, 0);
    array_fini(&table->rows);
    text_list_fini(&table->notes);
}

struct value *table_add_row(struct table *table)
{
    struct row *row =
        memory_get_zeros(1, sizeof *row + table->schema->column_count * sizeof *row->values);
    struct value **place = array_add(&table->rows);

    row->tables = 1;
    *place = row->values;
    return row->values;
}

void table_share_row(struct table *table, struct value *row)
{
    struct value **place = array_add(&table->rows);

    row_of(row)->tables++;
    *place = row;
}

const char *table_title(const struct table *table)
{
    return table->title ? table->title : table->schema->title;
}

void table_rank_row(struct table *table, unsigned char rank)
{
    size_t count = table->rows.count;

    if (count > 0)
        row_of(table_row(table, count - 1))->rank = rank;
}

unsigned char table_rank_at(const struct table *table, size_t index)
{
    return row_of(table_row(table, index))->rank;
}

size_t table_row_count(const struct table *table)
{
    return table->rows.count;
}

struct value *table_row(const struct table *table, size_t index)
{
    return *(struct value **)array_at(&table->rows, index);
}

size_t table_find_column(const struct table *table, const char *key)
{
    const struct table_schema *schema = table->schema;
    size_t i = 0;

    while (i < schema->column_count && strcmp(schema->columns[i].key, key) != 0)
        i++;
    return i;
}

void table_add_note(struct table *table, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_list_add_formatted(&table->notes, format, arguments);
    va_end(arguments);
}

/* A row while it is sorted.  The C library's qsort may reorder equals and
 * passes no context, so each item has its index and the direction. */
struct sort_item {
    struct value *row;
    const struct value *value;
    size_t index;
    int direction;
};

static int compare_items(const void *left_item, const void *right_item)
{
    const struct sort_item *left = left_item;
    const struct sort_item *right = right_item;
    bool has_null = left->value->kind == VALUE_NULL || right->value->kind == VALUE_NULL;
    int order = value_compare(left->value, right->value);

    if (order == 0)
        return (left->index > right->index) - (left->index < right->index);
    return has_null || left->direction > 0 ? order : -order;
}

void table_sort(struct table *table, size_t column, bool descending)
{
    size_t count = table_row_count(table);
    struct value **rows = table->rows.items;

    if (count < 2)
        return;
    struct sort_item *items = memory_get_zeros(count, sizeof *items);

    for (size_t i = 0; i < count; i++)
        items[i] = (struct sort_item){rows[i], &rows[i][column], i, descending ? -1 : 1};
    qsort(items, count, sizeof *items, compare_items);
    for (size_t i = 0; i < count; i++)
        rows[i] = items[i].row;
    free(items);
}

void table_keep_rows(struct table *table, table_wants wants, const void *of)
{
    struct value **rows = table->rows.items;
    size_t kept = 0;

    for (size_t i = 0; i < table_row_count(table); i++) {
        if (wants(table, rows[i], of))
            rows[kept++] = rows[i];
        else
            free_row(rows[i], table->schema->column_count);
    }
    array_truncate(&table->rows, kept);
}

void table_truncate(struct table *table, size_t count)
{
    for (size_t i = count; i < table_row_count(table); i++) {
        free_row(table_row(table, i), table->schema->column_count);
        table->rows_cut++;
    }
    array_truncate(&table->rows, count);
}
