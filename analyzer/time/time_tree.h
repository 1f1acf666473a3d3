/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a tree of functions: under their callers, or above them.
 */
#ifndef TIME_TIME_TREE_H
#define TIME_TIME_TREE_H

#include <stdbool.h>

#include "base/attributes.h"
#include "base/status.h"
#include "document/table.h"

struct cpu_time;

extern const struct table_schema time_tree_schema;

/* Add its rows to a table of that schema.
 * `is_callers`: rows have their callers below, not the functions that they call.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status time_tree_fill(struct table *table, const struct cpu_time *time,
                           bool is_callers) MUST_CHECK;

#endif
