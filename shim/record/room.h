/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rooms: the folders above that record/ calls at certain moments, as rows of a table.
 *
 * record/ knows when a lane is made, a thread starts, a quiet moment comes, the trace becomes a
 * file and the process ends.  It then calls the rows of start/rooms.c, in this order.  A member may
 * be NULL.
 */
#ifndef RECORD_ROOM_H
#define RECORD_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct lane;

struct room {
    /* Recording starts in a process.
     * Returns: false when nothing can be recorded.  The caller holds the process lock. */
    bool (*begin)(void);
    /* Recording is deferred (record/deferral.h).  The caller holds the process lock. */
    void (*defer)(void);
    /* A lane is new.  The caller holds the process lock. */
    void (*open_lane)(struct lane *lane);
    /* A lane, which is BUSY, serves another thread.  The caller is that thread. */
    void (*begin_thread)(struct lane *lane);
    /* The lane's deadline has passed, so there is time for work; the lane is BUSY.
     * Returns: the ticks of the next call.  No lock is held; the caller keeps errno. */
    uint64_t (*look_up)(struct lane *lane, uint64_t now);
    /* The trace has become a file.  The caller holds the process lock. */
    void (*keep)(void);
    /* The process is about to end; its thread's lane is READY.  No lock is held. */
    void (*finish)(void);
    /* The process ends, or enters a sandbox.  The caller holds the process lock. */
    void (*end)(void);
    /* The shim's memory is unmapped for good: touch none of it any more. */
    void (*leave)(void);
};

extern const struct room rooms[];
extern const unsigned room_count;

/* Writes the new facts of one kind.  `written` is the writer's own count, in memory that a fork
 * wipes.
 * Returns: false when there was no room; the next flush calls it again.  The caller holds the
 * process lock. */
typedef bool (*fact_writer)(unsigned *written);

extern const fact_writer fact_writers[];
extern const unsigned fact_writer_count;

enum { FACT_WRITERS_MAX = 40 };

#endif
