/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The duration of each call of an op, as far as laps exist.
 */
#ifndef PAGE_OP_TIMES_H
#define PAGE_OP_TIMES_H

#include "analysis/analysis.h"
#include "document/table.h"

struct session;

/* Fill a table that was not initialized: a row for each name with laps of all its calls, with the
 * columns for distribution.h. */
void op_times_build(const struct session *session, const struct analysis_options *options,
                    struct table *table);

#endif
