/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wakers of threads that waited for work: as a table, and in words.
 */
#ifndef WAITS_WAKER_TABLE_H
#define WAITS_WAKER_TABLE_H

#include "document/table.h"
#include "places/places.h"

struct session;

extern const struct table_schema waker_table_schema;

/* Add a row for each pair of a waiting place and a place that woke it, to a table with that
 * schema. */
void waker_table_fill(struct table *table, const struct session *session,
                             places_finder find);

/* Set a column of a table that has a row for each thread: "train.py:33 main (98.0 %)". */
void waker_table_fill_threads(struct table *table, size_t column,
                                     const struct session *session,
                                     places_finder find);

/* Say which code woke all threads except the first; nothing without a known wake. */
void waker_table_say(struct table *table, const struct session *session,
                            places_finder find);

#endif
