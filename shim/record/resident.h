/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of resident memory, by kind, from /proc/self/smaps.
 *
 * The kernel walks the page tables for it: 7 µs a mapping and 13 ms a GiB of small pages.  So the
 * parts follow only readings at which the resident memory was higher than ever by a thirty-second,
 * or differs by a quarter from the last time.  In a forked child they also follow many page faults:
 * a write to a page that it shares with its parent copies the page, and changes no sum.  They take
 * at most one hundredth of the processor time, after a credit of 14 ms.  A child of a recorded
 * process has a credit of 1 ms and half a hundredth of its run.  Half of the credit is for the end.
 * Snapshots that the program takes may have a twentieth of the run.
 *
 * Decision: doc/decisions/parts-of-resident-memory.
 */
#ifndef RECORD_RESIDENT_H
#define RECORD_RESIDENT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/lane.h"
#include "spec/trace.h"

/* Why there is a reading. */
enum resident_occasion {
    RESIDENT_BY_INTERVAL,
    RESIDENT_ASKED, /* by the program */
    RESIDENT_AT_END
};

/* Write the parts behind a reading that the thread has just written, if they have changed, or the
 * program asked for the reading.  The lane is BUSY.
 * Safety: takes the process lock for a moment; the caller keeps errno. */
void resident_write(struct lane *lane, const struct trace_reading *reading,
                    enum resident_occasion occasion);

/* Note a mapping that the program itself asked for without reserving memory: the arenas of glibc
 * look the same.  Small ones do not matter; beyond a few, large ones pass for arenas.
 * Safety: any thread, a signal handler. */
void resident_note_unreserved(uintptr_t start, size_t size);

/* The program unmaps memory: what begins in it is forgotten. */
void resident_forget_unreserved(uintptr_t start, size_t size);

/* Ask whether the parts would be written. */
bool resident_is_due(const struct trace_reading *reading, enum resident_occasion occasion);

/* Members of rows of room.h and start/rooms.c: look at the end for the file in /dev/shm that had
 * most memory, and write its name if it is there. */
void resident_end(void);
bool resident_write_facts(unsigned *written);

#endif
