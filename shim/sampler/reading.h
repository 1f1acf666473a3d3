/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of memory and system by the clock.  There is no helper thread and
 * no timer: whichever thread records something after TPROF_INTERVAL has
 * passed takes the reading, so a program that records nothing gets none.
 */
#ifndef SAMPLER_READING_H
#define SAMPLER_READING_H

#include "record/lane.h"

/* Read now.  What cannot be read, or takes long, is UINT64_MAX. */
struct trace_reading reading_take(void);

/* The same and what takes long, for a snapshot that was asked for. */
struct trace_reading reading_take_whole(void);

/* Write what is the thread's own of a reading that it has just written.  The lane is BUSY. */
void reading_write_turns(struct lane *lane);

/* Returns: how long a thread wanted a processor and had none, by its file of /proc; UINT64_MAX
 * where the kernel does not count. */
uint64_t reading_delay_ns(const char *path);

/* Take a reading into the lane, which is BUSY, if the interval has passed.
 * Returns: the ticks at which to come back. */
uint64_t reading_take_if_due(struct lane *lane, uint64_t now);

#endif
