/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording of allocations.
 */
#ifndef INTERPOSE_ALLOC_H
#define INTERPOSE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "record/lane.h"

/* How allocations are recorded; TPROF_ALLOC.  Set before the first record is written; EVENTS
 * until then. */
enum alloc_recording {
    ALLOC_EVENTS_ALONE, /* without call chains */
    ALLOC_EVENTS,
    ALLOC_SAMPLES,
    ALLOC_COUNTS,
    ALLOC_NOTHING
};
extern enum alloc_recording alloc_recording;

/* Set it as the settings say.  A row of room.h; returns true. */
bool alloc_begin(void);

/* Write the records of a block's malloc and free, as the exported functions do,
 * for the measurement of their cost.  The lane is BUSY. */
void alloc_write_pair(struct lane *lane, const void *address, size_t size);

#endif
