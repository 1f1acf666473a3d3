/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that are remembered for handles of a library: the name of a kernel, the id of a queue.
 *
 * A table with open addressing, in a window of places from the handle's hash; so no entry has to
 * move.  A handle may be used again for another object: the last number counts.  The table is in
 * memory that a fork wipes, because ids of strings belong to one trace.
 *
 *   operation      any thread   signal handler
 *   handles_find   yes          yes
 *   handles_set    yes          yes; of two at a time one may be missed
 */
#ifndef DEVICE_HANDLES_H
#define DEVICE_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What a handle is: two objects of different sorts may have one address. */
enum handles_sort { HANDLES_DEVICE, HANDLES_QUEUE, HANDLES_NAME, HANDLES_SOURCE };

bool handles_init(void);

/* Returns: the number; 0 when the handle is unknown. */
uint64_t handles_find(const void *handle, enum handles_sort sort);

/* Remember a number, or forget the handle when it is 0.  Without room nothing is remembered. */
void handles_set(const void *handle, enum handles_sort sort, uint64_t number);

#endif
