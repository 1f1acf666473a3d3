/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all threads have recorded by now, from the tallies that are kept anyway: so nothing is
 * counted for the budgets on the common path.
 *
 * Safety: the caller holds the process lock.  Other threads go on; a number may lag behind by the
 * record that is just written.
 */
#ifndef RECORD_EXPENSE_H
#define RECORD_EXPENSE_H

#include <stdint.h>

#include "record/process_parts.h"

/* Add up the cells of all lanes, some nanoseconds each. */
struct expense expense_read(void);

/* What one sum has beyond an earlier one. */
struct expense expense_since(const struct expense *now, const struct expense *before);

/* Blocks, calls of kernels and of regions, and ops. */
uint64_t expense_events(const struct expense *expense);

#endif
