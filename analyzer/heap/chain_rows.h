/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains as nested tables, with one row for each place.  Chains share most of their places, so
 * a shared place is a single row: an import of torch has 610,000 chains of 32 million frames.
 */
#ifndef HEAP_CHAIN_ROWS_H
#define HEAP_CHAIN_ROWS_H

#include "document/table.h"
#include "places/places.h"

struct chain_rows;

struct chain_rows *chain_rows_new(void) MUST_CHECK;

/* Free rows that no table owns. */
void chain_rows_free(struct chain_rows *rows);

/* A chain, and how much of it people see. */
struct chain_view {
    const struct array *places; /* of struct place, the innermost first */
    size_t owner;               /* index of the place that the row names already */
    size_t callers;             /* callers beyond the owner that people see */
};

/* Set a chain as the rows of a value. */
void chain_rows_set(struct chain_rows *rows, struct value *value, const struct chain_view *chain);

#endif
