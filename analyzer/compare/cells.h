/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells that the tables of comparisons and of the gate have in common.
 */
#ifndef COMPARE_CELLS_H
#define COMPARE_CELLS_H

#include "base/text.h"
#include "document/table.h"
#include "runs/run.h"

/* Set a number of a quantity: nanoseconds, bytes and counts are whole. */
void cells_set_number(struct value *value, enum run_quantity quantity, double number);

/* Set a text; `line` is empty after that, and needs no end. */
void cells_set_line(struct value *value, struct text *line);

#endif
