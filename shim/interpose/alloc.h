/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording of allocations.
 */
#ifndef INTERPOSE_ALLOC_H
#define INTERPOSE_ALLOC_H

#include <stddef.h>

#include "record/lane.h"

/* Write the records of a block's malloc and free, as the exported functions do,
 * for the measurement of their cost.  The lane is BUSY. */
void alloc_write_pair(struct lane *lane, const void *address, size_t size);

/* The same without a call chain. */
void alloc_write_sparse_pair(struct lane *lane, const void *address, size_t size);

/* Do the work of the exported functions for a pair without a record, with its calls.  Points are
 * thrown, and the lane is the thread's own. */
void alloc_pass_pair(struct lane *lane, const void *address, size_t size);

/* Record the blocks from before, if recording was deferred until this lane, which is BUSY. */
void alloc_end_deferral(struct lane *lane);

#endif
