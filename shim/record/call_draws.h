/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of kernels and regions without a record, once the stages KERNELS and REGIONS have begun:
 * spec/drawn_calls.h says which.
 *
 * A lane takes over what is in force when it looks up and when it opens a chunk.  Until then it
 * goes on in the old manner, which each record shows by itself.
 *
 * Budget: none on the usual way, which compares a slot's calls with lane->events_each as ever,
 * and asks for a region's clock as ever.
 */
#ifndef RECORD_CALL_DRAWS_H
#define RECORD_CALL_DRAWS_H

#include "record/lane.h"
#include "spec/drawn_calls.h"

/* Take over what is in force.  The lane is BUSY. */
void call_draws_adopt(struct lane *lane);

/* Ask of a call of a slot or a region whether it has a record; `number`: of the call, from 1.
 * Returns: whether it has; fills how many calls it stands for, as a power of two. */
static inline bool call_draws_kernel(struct lane *lane, uint64_t number, uint8_t *doublings)
{
    *doublings = (uint8_t)drawn_calls_doublings(number, lane->kernel_doublings);
    return number <= lane->events_most && drawn_calls_hit(&lane->call_random, *doublings);
}

static inline bool call_draws_region(struct lane *lane, uint64_t number, uint8_t *doublings)
{
    *doublings = (uint8_t)drawn_calls_doublings(number, lane->region_doublings);
    return drawn_calls_hit(&lane->call_random, *doublings);
}

#endif
