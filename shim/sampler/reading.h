/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of memory and system by the clock.  There is no helper thread and
 * no timer: whichever thread records something after TPROF_INTERVAL has
 * passed takes the reading, so a program that records nothing gets none.
 */
#ifndef SAMPLER_READING_H
#define SAMPLER_READING_H

#include "hot/lane.h"

/* Read now.  What cannot be read, or takes long, is UINT64_MAX. */
struct trace_reading reading_take(void);

/* The same and what takes long, for a snapshot that was asked for. */
struct trace_reading reading_take_whole(void);

/* Take a reading into the lane, which is BUSY, if the interval has passed.
 * Returns: the ticks at which to come back. */
uint64_t reading_take_if_due(struct lane *lane, uint64_t now);

#endif
