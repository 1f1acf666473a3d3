/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The handler of TPROF_SNAPSHOT_SIGNAL, and the work that it leaves to the next record.
 *
 * The handler may interrupt anything: the program's malloc, or the shim.  So it makes only system
 * calls, waits for no lock, and creates neither file nor chunk.
 *
 * Decision: doc/decisions/readings-without-a-timer.
 */
#include "sampler/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/keys.h"
#include "platform/vectors.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/incidents.h"
#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/process_keep.h"
#include "record/settings.h"
#include "record/slow.h"
#include "record/strings.h"
#include "record/usage.h"

/* As in a SNAPSHOT record. */
struct snapshot {
    uint64_t label;
    struct trace_reading reading;
};

enum {
    WORDS = sizeof(struct snapshot) / sizeof(uint64_t),
    HEAP_WORDS = 3,
    TURNS_WORDS = 3,
    HEAD_WORDS = 1,
    ALL_WORDS = HEAD_WORDS + WORDS + HEAD_WORDS + HEAP_WORDS + HEAD_WORDS + TURNS_WORDS
};

/* Why requested snapshots are missing; empty when none is. */
static char snapshot_obstacle[96];

static bool is_listening;

static void write_snapshot(struct lane *lane)
{
    struct usage usage = usage_read_whole(lane->thread);
    struct snapshot words = {STRINGS_SIGNAL, usage.reading};

    extended_write(lane, clock_read(), TRACE_EXTENDED_SNAPSHOT, (const uint64_t *)&words, WORDS);
    usage_write_beside(lane, &usage);
}

/* Write the snapshot where there is already room; no chunk is claimed.  The process lock is held,
 * against a thread that is just turning the image into a file; it may be this one. */
static bool write_where_room_is(void)
{
    struct lane *lane = lane_self;
    struct slow slow;

    if (lane->state != LANE_READY || !lane_has_room(lane, ALL_WORDS))
        return false;
    slow_begin(&slow);
    lane = lane_enter();
    write_snapshot(lane);
    lane_leave(lane);
    slow_end(&slow);
    return true;
}

static bool take_at_once(void)
{
    bool is_taken;

    if (!lock_try(&process->lock))
        return false;
    is_taken = write_where_room_is();
    lock_release(&process->lock);
    return is_taken;
}

/* The fence comes after the store of the deadline: see process_wake_lanes(). */
uint64_t snapshot_look_up(struct lane *lane, uint64_t now)
{
    (void)now;
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load(&process->has_snapshot))
        return UINT64_MAX;
    process_keep_now();
    if (atomic_exchange(&process->awaits_snapshot, false))
        write_snapshot(lane);
    return UINT64_MAX;
}

/* A forked child that has recorded nothing yet has no pid here. */
static bool is_own_memory(void)
{
    return process->pid == 0 || process->pid == calls_getpid();
}

static __attribute__((noinline)) void take_signal(void)
{
    int saved_errno = errno;

    if (!process_is_sandboxed() && is_own_memory()) {
        if (!take_at_once())
            atomic_store(&process->awaits_snapshot, true);
        atomic_store(&process->has_snapshot, true);
        incidents_note_signal(STRINGS_SIGNAL);
        if (!process->file.is_kept || atomic_load(&process->awaits_snapshot))
            process_wake_lanes();
    }
    errno = saved_errno;
}

static void on_signal(int unused)
{
    (void)unused;
    keys_open();
    take_signal();
}

/* System calls are restarted if possible (SA_RESTART).  The handler runs on the thread's stack for
 * signals, if it has one (SA_ONSTACK): a coroutine's stack may have no room.  All signals are
 * blocked meanwhile, because the records of another handler would be lost. */
void snapshot_listen(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigaction old;

    if (settings.snapshot_signal == 0 || sigaction(settings.snapshot_signal, NULL, &old) != 0)
        return;
    if ((old.sa_flags & SA_SIGINFO) != 0 || old.sa_handler != SIG_DFL) {
        snprintf(snapshot_obstacle, sizeof snapshot_obstacle, "%s %s", settings.snapshot_label,
                 old.sa_handler == SIG_IGN ? "was ignored when the program started"
                                           : "had a handler before tprof's could be installed");
        return;
    }
    sigfillset(&action.sa_mask);
    is_listening = sigaction(settings.snapshot_signal, &action, NULL) == 0;
}

static void note_replacement(void)
{
    struct sigaction now;

    if (is_listening && sigaction(settings.snapshot_signal, NULL, &now) == 0 &&
        now.sa_handler != on_signal)
        snprintf(snapshot_obstacle, sizeof snapshot_obstacle,
                 "the program uses %s itself, since some time after its start",
                 settings.snapshot_label);
}

void snapshot_end(void)
{
    note_replacement();
    if (atomic_exchange(&process->awaits_snapshot, false) && !write_where_room_is())
        snprintf(snapshot_obstacle, sizeof snapshot_obstacle,
                 "the last %s came when no more records followed", settings.snapshot_label);
}

void snapshot_keep(void)
{
    if (settings.snapshot_signal != 0)
        strings_put_signal(settings.snapshot_label);
}

bool snapshot_write_facts(unsigned *written)
{
    if (*written == 0 && snapshot_obstacle[0] != '\0')
        *written = facts_write_text("snapshot_obstacle", snapshot_obstacle);
    return *written == (snapshot_obstacle[0] != '\0');
}
