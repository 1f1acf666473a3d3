/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of tprof time, for the screen that shows it: rows of processor time.
 */
#ifndef CPU_TIME_TABLE_H
#define CPU_TIME_TABLE_H

#include <stdbool.h>

#include "analysis/analysis.h"

struct session;
struct table;

/* Ask whether rows of this kind are a tree. */
bool time_table_is_tree(enum analysis_by by);

/* Fill a table that was not initialized. */
void time_table_build(const struct session *session, const struct analysis_options *options,
                      struct table *table);

#endif
