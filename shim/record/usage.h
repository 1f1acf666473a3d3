/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the present memory and system resources of the process.
 */
#ifndef RECORD_USAGE_H
#define RECORD_USAGE_H

#include "record/lane.h"
#include "spec/trace.h"

struct usage {
    struct trace_reading reading;
    uint64_t shared_bytes; /* resident pages of files and of shared memory */
    uint64_t delay_ns;     /* that the thread was runnable without a processor */
    int32_t thread;        /* 0: delay_ns is not read */
};

/* Read now.  Values that cannot be read, or take long, are UINT64_MAX. */
struct usage usage_read(int32_t thread);

/* The same without those that need a file. */
struct trace_reading usage_read_without_files(void);

/* The same, except for the bytes of calls. */
struct trace_reading usage_read_soon(void);

/* Read what that left out of the first reading.  A member of a row of room.h. */
void usage_keep(void);

/* The same with the slow values, for a snapshot that was requested. */
struct usage usage_read_whole(int32_t thread);

/* Write the records that follow a reading that the thread has just written: the heap, the thread's
 * own values, and shared pages.  The lane is BUSY. */
void usage_write_beside(struct lane *lane, const struct usage *usage);

/* The process ends: write a last reading with the parts of its resident memory, if these are due.
 * No lock is held. */
void usage_write_last(void);

/* Returns: how long a thread of this process was runnable without a processor, from /proc;
 * UINT64_MAX if the kernel does not count. */
uint64_t usage_delay_ns(int32_t thread);

#endif
