/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present number of records of all threads, from the tallies.  So the common path counts
 * nothing for the budgets.
 *
 * Safety: the caller holds the process lock.  Other threads continue, so a number may lack the
 * record that is just being written.
 */
#ifndef RECORD_EXPENSE_H
#define RECORD_EXPENSE_H

#include <stdint.h>

#include "record/process_parts.h"

/* Add up the cells of all lanes; each cell takes some nanoseconds. */
struct expense expense_read(void);

/* Give the difference of two sums. */
struct expense expense_since(const struct expense *now, const struct expense *before);

#endif
