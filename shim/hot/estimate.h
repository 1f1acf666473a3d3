/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a timed sample says of those that were not timed.
 */
#ifndef HOT_ESTIMATE_H
#define HOT_ESTIMATE_H

#include <stdint.h>

/* Tell what `count` of something took, of which one took `ticks`.  They were all
 * in the last `room` ticks: where they would not fit, the one that was timed was
 * interrupted, and stands for itself alone.
 * Units: ticks. */
static inline uint64_t estimate_all(uint64_t ticks, uint64_t count, uint64_t room)
{
    return ticks <= room / count ? ticks * count : ticks;
}

#endif
