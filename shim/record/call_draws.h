/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Once the stages KERNELS and REGIONS have started, only drawn calls have a record: see
 * spec/drawn_calls.h.
 *
 * A lane adopts the current rates when it looks up and when it opens a chunk.  Until then it uses
 * the old rates; each record states its own.
 *
 * Budget: nothing on the usual path,  which compares a slot's calls with lane->events_each and asks
 * for a region's clock in any case.
 */
#ifndef RECORD_CALL_DRAWS_H
#define RECORD_CALL_DRAWS_H

#include "record/lane.h"
#include "spec/drawn_calls.h"

/* Adopt the current rates.  The lane is BUSY. */
void call_draws_adopt(struct lane *lane);

/* Ask whether a call of a slot or a region has a record; `number`: of the call, from 1.  Fills in
 * the power of two of the calls that the record represents. */
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
