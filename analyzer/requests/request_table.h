/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of requests: by endpoint, and the slowest ones.
 */
#ifndef REQUESTS_REQUEST_TABLE_H
#define REQUESTS_REQUEST_TABLE_H

#include <stddef.h>

struct request_rows;
struct session;
struct table;
struct table_schema;

extern const struct table_schema request_table_schema;
extern const struct table_schema slowest_table_schema;

/* Fill a table of the first schema. */
void request_table_fill(struct table *table, const struct request_rows *rows);

/* Fill a table of the second one with the `count` slowest requests. */
void slowest_table_fill(struct table *table, const struct session *session,
                        const struct request_rows *rows, size_t count);

#endif
