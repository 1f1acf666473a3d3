/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the trace a file.
 */
#include "record/process_keep.h"

#include "record/facts.h"
#include "record/guard.h"
#include "record/process.h"
#include "record/room.h"

bool process_keep(void)
{
    if (process->file.is_kept || process->file.is_failed)
        return process->file.is_kept;
    if (!file_keep(&process->file))
        return false;
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
