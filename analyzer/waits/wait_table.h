/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of a session as a table: of tprof waits, and in the JSON of a report.
 */
#ifndef WAITS_WAIT_TABLE_H
#define WAITS_WAIT_TABLE_H

#include "analysis/analysis.h"
#include "document/table.h"

struct session;

extern const struct table_schema wait_table_schema;

/* Add the rows to a table of that schema. */
void wait_table_fill(struct table *table, const struct session *session, enum analysis_by by);

#endif
