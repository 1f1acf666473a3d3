/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimates untimed calls from a timed sample.
 *
 * Decision: doc/decisions/sampling-by-bytes.
 */
#ifndef PLATFORM_ESTIMATE_H
#define PLATFORM_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* Cold memory makes a call tens of times as long as its shortest.  A call this many times as long
 * was preempted. */
#define ESTIMATE_INTERRUPTED_TIMES 1000

/* Was a call interrupted?  `least`: the shortest like it.
 * Units: ticks. */
static inline bool estimate_is_interrupted(uint64_t ticks, uint64_t least)
{
    return ticks / ESTIMATE_INTERRUPTED_TIMES > least;
}

/* Estimate the time of `count` calls; one of them took `ticks`.  All of them were in the last
 * `room` ticks.  If they do not fit there, the timed call was interrupted, and represents only
 * itself.
 * Units: ticks. */
static inline uint64_t estimate_all(uint64_t ticks, uint64_t count, uint64_t room)
{
    return ticks <= room / count ? ticks * count : ticks;
}

#endif
