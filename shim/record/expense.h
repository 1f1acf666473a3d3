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

/* Sums since the process began. */
struct expense {
    uint64_t obtained; /* blocks */
    uint64_t obtained_bytes;
    uint64_t returned;
    uint64_t timed; /* calls of kernels ... */
    uint64_t untimed;
    uint64_t regions;
    uint64_t ops;
    uint64_t extended; /* records */
    uint64_t written;  /* bytes of all records */
};

/* Add up the cells of all lanes, some nanoseconds each. */
struct expense expense_read(void);

/* What one sum has beyond an earlier one. */
struct expense expense_since(const struct expense *now, const struct expense *before);

/* Blocks, calls of kernels and of regions, and ops. */
uint64_t expense_events(const struct expense *expense);

#endif
