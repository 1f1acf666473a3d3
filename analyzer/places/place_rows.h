/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a place: in parts, and as one text.  At the end of a row they show the place that
 * a reader looks for, followed by the call chain.
 */
#ifndef PLACES_PLACE_ROWS_H
#define PLACES_PLACE_ROWS_H

#include "document/table.h"
#include "places/places.h"

enum place_column {
    PLACE_FUNCTION,
    PLACE_FILE,
    PLACE_LINE,
    PLACE_OFFSET,
    PLACE_MODULE,
    PLACE_TEXT,
    PLACE_COLUMNS,
    PLACE_CHAIN = PLACE_COLUMNS,
    PLACE_CHAIN_COLUMNS
};

/* The columns, starting with number `first`; `what` is the help of the place. */
#define PLACE_ROWS(first, what)                                                                    \
    [(first) +                                                                                     \
        PLACE_FUNCTION] = {"function", NULL, "of the place", UNIT_TEXT, 0},                        \
        [(first) + PLACE_FILE] = {"file", NULL, "of the source", UNIT_TEXT, 0},                    \
        [(first) + PLACE_LINE] = {"line", NULL, "of the source", UNIT_COUNT, 0},                   \
        [(first) + PLACE_OFFSET] = {"offset", NULL, "of the call, without a line", UNIT_COUNT, 0}, \
        [(first) + PLACE_MODULE] = {"module", NULL, "that holds the function", UNIT_TEXT, 0},      \
        [(first) + PLACE_TEXT] = {"place", "where", what, UNIT_PLACE, 0}

/* The same with the chain. */
#define PLACE_CHAIN_ROWS(first, what)                                                              \
    PLACE_ROWS(first, what),                                                                       \
        [(first) + PLACE_CHAIN] = {"chain", NULL, "the calls, innermost first", UNIT_ROWS, 0}

/* Set the columns of a place.
 *
 * Shape: PLACE_COLUMNS cells.
 */
void place_rows_set(struct value *cells, const struct place *place);

/* Set the words that are appended to a place, if there are any.  Errors: as above. */
void place_rows_set_words(struct value *cell, const struct place *place, place_appender append);

#endif
