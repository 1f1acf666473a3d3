/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One value as text: for people with its unit, for machines raw.
 *
 * Called by the text, Markdown and CSV renderers, for tables and records.
 */
#include "render/cell.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "render/display.h"

/* Counts are whole as a rule; a mean of counts, or one past int64_t, is not. */
static char *format_count(char buffer[UNITS_SIZE], double number)
{
    bool is_whole = number == trunc(number) && fabs(number) < 0x1p63;

    return is_whole ? units_format_count(buffer, (int64_t)number)
                    : units_format_real(buffer, number);
}

char *cell_format_number(char *buffer, double number, enum unit unit)
{
    switch (unit) {
    case UNIT_COUNT: return format_count(buffer, number);
    case UNIT_NS: return units_format_time(buffer, number);
    case UNIT_BYTES: return units_format_bytes(buffer, number);
    case UNIT_FLOPS: return units_format_flops(buffer, number);
    case UNIT_FLOPS_PER_SECOND: return units_format_flop_rate(buffer, number);
    case UNIT_BYTES_PER_SECOND: return units_format_byte_rate(buffer, number);
    case UNIT_FRACTION: return units_format_percent(buffer, number);
    case UNIT_RATIO: return units_format_ratio(buffer, number);
    case UNIT_SPEEDUP: return units_format_speedup(buffer, number);
    case UNIT_PER_SECOND: return units_format_rate(buffer, number);
    case UNIT_TEXT:
    case UNIT_REAL:
    case UNIT_BOOL:
    case UNIT_ADDRESS:
    case UNIT_NUMBER:
    case UNIT_PLACE:
    case UNIT_ROWS: break;
    }
    return units_format_real(buffer, number);
}

/* Returns: the unit behind an unscaled number. */
static const char *base_unit(enum unit unit)
{
    switch (unit) {
    case UNIT_NS: return " ns";
    case UNIT_BYTES: return " B";
    case UNIT_FLOPS: return " FLOP";
    case UNIT_FLOPS_PER_SECOND: return " FLOP/s";
    case UNIT_BYTES_PER_SECOND: return " B/s";
    case UNIT_PER_SECOND: return " /s";
    case UNIT_RATIO:
    case UNIT_SPEEDUP: return "x";
    case UNIT_TEXT:
    case UNIT_COUNT:
    case UNIT_FRACTION:
    case UNIT_REAL:
    case UNIT_BOOL:
    case UNIT_ADDRESS:
    case UNIT_NUMBER:
    case UNIT_PLACE:
    case UNIT_ROWS: break;
    }
    return "";
}

static void append_number(struct text *out, double number, enum unit unit,
                          const struct render_options *options)
{
    char buffer[UNITS_SIZE];

    if (options->full_precision && isfinite(number))
        text_appendf(out, "%s%s", units_format_exact(buffer, number), base_unit(unit));
    else
        text_append(out, cell_format_number(buffer, number, unit));
}

/* Integers have a path of their own where a double would lose digits. */
static void append_integer(struct text *out, int64_t integer, enum unit unit,
                           const struct render_options *options)
{
    char buffer[UNITS_SIZE];

    if (unit == UNIT_ADDRESS)
        text_appendf(out, "0x%" PRIx64, (uint64_t)integer);
    else if (options->full_precision || unit == UNIT_NUMBER)
        text_appendf(out, "%" PRId64 "%s", integer, base_unit(unit));
    else if (unit == UNIT_COUNT)
        text_append(out, units_format_count(buffer, integer));
    else
        append_number(out, (double)integer, unit, options);
}

static bool is_number(const struct value *value)
{
    return value->kind == VALUE_INTEGER || value->kind == VALUE_REAL;
}

void cell_append(struct text *out, const struct value *value, enum unit unit,
                 const struct render_options *options)
{
    if (value->is_estimate && is_number(value))
        text_append(out, units_mark_estimate(""));
    switch (value->kind) {
    case VALUE_NULL: text_append(out, "-"); break;
    case VALUE_INTEGER: append_integer(out, value->integer, unit, options); break;
    case VALUE_REAL: append_number(out, value->real, unit, options); break;
    case VALUE_TEXT: display_append_safe(out, value->text, options->unicode); break;
    case VALUE_BOOL: text_append(out, value->boolean ? "yes" : "no"); break;
    case VALUE_INTERVAL:
        append_number(out, value->interval.low, unit, options);
        text_append(out, " .. ");
        append_number(out, value->interval.high, unit, options);
        break;
    case VALUE_TABLE: break; /* never in a cell: people see it below the row */
    }
}

/* An unknown bound of an interval leaves its side empty. */
static void append_raw_real(struct text *out, double real)
{
    char buffer[UNITS_SIZE];

    if (isfinite(real))
        text_append(out, units_format_exact(buffer, real));
}

/* The first column of the rows, innermost call first, as in folded stacks. */
static void append_raw_rows(struct text *out, const struct table *table)
{
    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct value *row = table_row(table, i);

        text_append(out, i ? ";" : "");
        text_append(out, row[0].kind == VALUE_TEXT ? row[0].text : "");
    }
}

void cell_append_raw(struct text *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL: break;
    case VALUE_INTEGER: text_appendf(out, "%" PRId64, value->integer); break;
    case VALUE_REAL: append_raw_real(out, value->real); break;
    case VALUE_TEXT: text_append(out, value->text); break;
    case VALUE_BOOL: text_append(out, value->boolean ? "true" : "false"); break;
    case VALUE_INTERVAL:
        append_raw_real(out, value->interval.low);
        text_append(out, "..");
        append_raw_real(out, value->interval.high);
        break;
    case VALUE_TABLE: append_raw_rows(out, value->table); break;
    }
}

bool cell_is_numeric(enum unit unit)
{
    return !cell_is_text(unit) && unit != UNIT_BOOL && unit != UNIT_ROWS;
}

bool cell_is_text(enum unit unit)
{
    return unit == UNIT_TEXT || unit == UNIT_PLACE;
}

bool cell_is_for_people(const struct column *column)
{
    return column->title && column->unit != UNIT_ROWS;
}

void cell_append_title(struct text *out, const struct column *column,
                       const struct render_options *options)
{
    display_append_safe(out, cell_title(column), options->unicode);
}

const char *cell_title(const struct column *column)
{
    return column->title ? column->title : column->key;
}
