/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of memory and system by the clock.  There is no helper thread and no timer: the first
 * thread that records something after TPROF_INTERVAL takes the reading, so a program that records
 * nothing gets none.
 */
#ifndef SAMPLER_READING_H
#define SAMPLER_READING_H

#include "record/lane.h"

/* Take a reading into the lane, which is BUSY, if the interval has passed.
 * Returns: the ticks of the next call.  A row of room.h. */
uint64_t reading_look_up(struct lane *lane, uint64_t now);

#endif
