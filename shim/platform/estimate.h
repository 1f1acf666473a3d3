/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a timed sample says of those that were not timed.
 *
 * Decision: doc/decisions/sampling-by-bytes.
 */
#ifndef PLATFORM_ESTIMATE_H
#define PLATFORM_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* Cold memory makes a call tens of times as long as its shortest: one so many times as
 * long did not have the processor all the time. */
#define ESTIMATE_INTERRUPTED_TIMES 1000

/* Ask whether a call of which the shortest like it took `least` was interrupted.
 * Units: ticks. */
static inline bool estimate_is_interrupted(uint64_t ticks, uint64_t least)
{
    return ticks / ESTIMATE_INTERRUPTED_TIMES > least;
}

/* Tell what `count` of something took, of which one took `ticks`.  They were all
 * in the last `room` ticks: where they would not fit, the one that was timed was
 * interrupted, and stands for itself alone.
 * Units: ticks. */
static inline uint64_t estimate_all(uint64_t ticks, uint64_t count, uint64_t room)
{
    return ticks <= room / count ? ticks * count : ticks;
}

#endif
