/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a call chain, at the end of a row: the place that a reader looks for,
 * in parts and in one, and the chain below it.
 */
#ifndef MEMORY_PLACE_ROWS_H
#define MEMORY_PLACE_ROWS_H

#include "memory/memory_parts.h"

enum place_column {
    PLACE_FUNCTION,
    PLACE_FILE,
    PLACE_LINE,
    PLACE_OFFSET,
    PLACE_MODULE,
    PLACE_TEXT,
    PLACE_CHAIN,
    PLACE_COLUMNS
};

/* The columns from number `first` on; `what` tells what the place is. */
#define PLACE_ROWS(first, what)                                                                    \
    [(first) +                                                                                     \
        PLACE_FUNCTION] = {"function", NULL, "of the place", UNIT_TEXT, 0},                        \
        [(first) + PLACE_FILE] = {"file", NULL, "of the source", UNIT_TEXT, 0},                    \
        [(first) + PLACE_LINE] = {"line", NULL, "of the source", UNIT_COUNT, 0},                   \
        [(first) + PLACE_OFFSET] = {"offset", NULL,                                                \
                                    "of the call in its function, where its line is unknown",      \
                                    UNIT_COUNT, 0},                                                \
        [(first) + PLACE_MODULE] = {"module", NULL, "that holds the function", UNIT_TEXT, 0},      \
        [(first) + PLACE_TEXT] = {"place", "where", what, UNIT_PLACE, 0},                          \
        [(first) + PLACE_CHAIN] = {"chain", NULL, "the calls, innermost first", UNIT_ROWS, 0}

/* Set function, file, line, offset and module alone.  Shape and errors as below. */
enum status place_rows_set_parts(struct value *cells, const struct place *place) MUST_CHECK;

/* Set the cells of a chain, by its call.
 *
 * Shape: PLACE_COLUMNS cells.
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status place_rows_set(struct value *cells, struct memory_work *work, uint32_t call) MUST_CHECK;

#endif
