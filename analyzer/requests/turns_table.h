/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of event loops, and of what held them.
 */
#ifndef REQUESTS_TURNS_TABLE_H
#define REQUESTS_TURNS_TABLE_H

#include "places/places.h"

struct document;
struct session;

/* Add both tables to a document; a session without a loop has them in JSON alone. */
void turns_tables_add(struct document *document, const struct session *session, places_finder find);

#endif
