/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the memory and the system resources that the process uses now.
 */
#ifndef RECORD_USAGE_H
#define RECORD_USAGE_H

#include "record/lane.h"
#include "spec/trace.h"

/* Read now.  Values that cannot be read, or take long, are UINT64_MAX. */
struct trace_reading usage_read(void);

/* The same with the values that take long, for a snapshot that was requested. */
struct trace_reading usage_read_whole(void);

/* Write what stands behind a reading that the thread has just written: the heap, and the
 * thread's own values.  The lane is BUSY. */
void usage_write_beside(struct lane *lane);

/* Returns: how long a thread was runnable without a processor, by its file of /proc; UINT64_MAX
 * where the kernel does not count. */
uint64_t usage_delay_ns(const char *path);

#endif
