/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the walks of a lane, for the budget and the told cost of recording.
 *
 * Within a budget of time each walk is timed, since a few walks cost as much as thousands of
 * others.  Without one a sample is: there may be millions.
 *
 * Budget: an addition and a comparison; two reads of the clock for a timed walk.
 * Safety: the lane is BUSY.
 */
#ifndef CHAIN_WALK_CLOCK_H
#define CHAIN_WALK_CLOCK_H

#include "chain/lane_chain.h"
#include "platform/clock.h"
#include "record/lane.h"

/* Start to time walks, by the settings. */
void walk_clock_init(struct lane_chain *chain);

/* Add a timed walk. */
void walk_clock_add(struct lane_chain *chain, uint64_t start, uint64_t end);

/* Is the next walk timed?  Not if it is a part of one that is. */
static ALWAYS_INLINE bool walk_clock_is_due(struct lane_chain *chain)
{
    return !chain->is_timed && (++chain->walks & chain->untimed_mask) == 0;
}

static ALWAYS_INLINE uint64_t walk_clock_begin(struct lane_chain *chain)
{
    chain->is_timed = true;
    return clock_read();
}

static ALWAYS_INLINE void walk_clock_end(struct lane_chain *chain, uint64_t start)
{
    chain->is_timed = false;
    walk_clock_add(chain, start, clock_read());
}

#endif
