/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One value as text: for people with its unit, for machines raw.
 */
#ifndef RENDER_CELL_H
#define RENDER_CELL_H

#include <stdbool.h>

#include "base/text.h"
#include "document/table.h"
#include "render/render.h"

/* Format a number of a unit for people, scaled: "1.5 GiB".
 * Returns: `buffer`, of UNITS_SIZE characters. */
char *cell_format_number(char *buffer, double number, enum unit unit);

/* Append a value for people, safe for a terminal; an unknown one is "-", and an estimate
 * "~1.5 GiB".
 *
 * Units: those of the column; with `full_precision`, its base unit, unscaled.
 */
void cell_append(struct text *out, const struct value *value, enum unit unit,
                 const struct render_options *options);

/* Append a value for machines: all digits, no unit, text unchanged, an interval as "low..high", a
 * call chain as "inner;outer", nothing for an unknown value. */
void cell_append_raw(struct text *out, const struct value *value);

/* Ask whether cells of a unit are aligned right, with digits below digits. */
bool cell_is_numeric(enum unit unit);

/* Ask whether cells of a unit are texts, which may be shortened. */
bool cell_is_text(enum unit unit);

/* Ask whether people see a column; a column without a title is only for programs. */
bool cell_is_for_people(const struct column *column);

/* Append the title of a column, made safe for a terminal: it may contain the name of a trace. */
void cell_append_title(struct text *out, const struct column *column,
                       const struct render_options *options);

/* Give the title of a column, or its key if it has none; not made safe yet. */
const char *cell_title(const struct column *column);

#endif
