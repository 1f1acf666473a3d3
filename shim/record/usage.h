/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the process uses of memory and system at this moment, as the trace has it.
 */
#ifndef RECORD_USAGE_H
#define RECORD_USAGE_H

#include "record/lane.h"
#include "spec/trace.h"

/* Read now.  What cannot be read, or takes long, is UINT64_MAX. */
struct trace_reading usage_read(void);

/* The same and what takes long, for a snapshot that was asked for. */
struct trace_reading usage_read_whole(void);

/* Write what is the thread's own of a reading that it has just written.  The lane is BUSY. */
void usage_write_turns(struct lane *lane);

/* Returns: how long a thread wanted a processor and had none, by its file of /proc; UINT64_MAX
 * where the kernel does not count. */
uint64_t usage_delay_ns(const char *path);

#endif
