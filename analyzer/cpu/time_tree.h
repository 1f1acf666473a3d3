/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a tree of functions: under their callers, or above them.
 */
#ifndef CPU_TIME_TREE_H
#define CPU_TIME_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "document/table.h"

struct cpu_time;

extern const struct table_schema time_tree_schema;

struct time_tree_options {
    double least_fraction; /* share of the processor time: smaller rows are left out */
    size_t depth;          /* levels */
    bool is_callers;       /* rows have their callers below, not the functions that they call */
};

/* Add its rows to a table of that schema. */
void time_tree_fill(struct table *table, const struct cpu_time *time,
                    const struct time_tree_options *options);

#endif
