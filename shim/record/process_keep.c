/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the trace a file.
 *
 * Decision: doc/decisions/dropped-privileges.
 */
#include "record/process_keep.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "platform/readable.h"
#include "record/facts.h"
#include "record/guard.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/room.h"

/* The newest trace of this process or of the ancestors that it was forked from.  Their pages are
 * shared with it.  Not wiped by a fork. */
static struct trace_header *newest;

/* Other programs may have truncated that trace, and the pages with it. */
static void tell_ancestor(int error)
{
    struct trace_untraced *untraced = newest ? &newest->untraced : NULL;
    uint64_t number;

    if (!untraced || !readable((uintptr_t)untraced, sizeof *untraced))
        return;
    number = atomic_fetch_add((_Atomic uint64_t *)&untraced->count, 1);
    if (number < TRACE_UNTRACED_NAMED)
        untraced->pids[number] = (uint32_t)process->pid;
    process->is_counted = true;
    untraced->error = error;
    untraced->user = (uint32_t)geteuid();
}

void process_forget_parent(void)
{
    newest = NULL;
}

bool process_keep(void)
{
    if (process->file.is_kept || process->file.is_failed)
        return process->file.is_kept;
    if (!file_keep(&process->file)) {
        tell_ancestor(process->file.header->failed_errno);
        return false;
    }
    newest = process->file.header;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].keep)
            rooms[i].keep();
    guard_start();
    facts_flush();
    return true;
}

void process_keep_now(void)
{
    if (process->file.is_kept || process->file.is_failed || process_is_sandboxed())
        return;
    lock_take(&process->lock);
    process_keep();
    lock_release(&process->lock);
}

void process_keep_for_good(void)
{
    struct lane *lane = process_is_borrowed() ? NULL : lane_enter();

    if (!lane)
        return;
    lane_leave(lane);
    lane_keep();
    lock_take(&process->lock);
    (void)file_reserve(&process->file);
    lock_release(&process->lock);
}
