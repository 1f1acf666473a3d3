/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list and the sums of a child that waits.
 */
#include "record/waiting.h"

#include <errno.h>
#include <stdatomic.h>

#include "platform/next.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/process_start.h"
#include "record/stages.h"

/* A process that obtains more does more than start. */
enum { LARGE_BLOCK = 1 << 16, BYTES_MOST = 1 << 22 };

bool waiting_goes_on(void)
{
    return process && atomic_load(&process->state) == PROCESS_WAITING;
}

bool waiting_is_own(void)
{
    return waiting_goes_on() && !process_is_borrowed();
}

bool waiting_begin(void)
{
    int saved_errno = errno;
    bool waits = lane_self->state == LANE_BLANK && process_wait();

    if (waits)
        stages_wait();
    errno = saved_errno;
    return waits;
}

/* A signal handler, or a thread that began unseen, may find another inside.  The child of a vfork
 * has its parent's heap, and so its list. */
static struct process_waiting *enter(void)
{
    struct process_waiting *waiting = waiting_goes_on() ? &process->waiting : NULL;

    return waiting && !atomic_exchange(&waiting->is_entered, true) ? waiting : NULL;
}

static void leave(struct process_waiting *waiting)
{
    atomic_store(&waiting->is_entered, false);
}

static size_t usable_size(const void *address)
{
    return next.malloc_usable_size ? next.malloc_usable_size((void *)address) : 0;
}

/* The entry is complete before it counts: a signal handler may end the waiting. */
static bool note(struct process_waiting *waiting, const void *address, size_t size, bool is_freed)
{
    if (waiting->count == WAITING_MOST || waiting->bytes >= BYTES_MOST || size >= LARGE_BLOCK)
        return false;
    waiting->blocks[waiting->count] =
        (struct waiting_block){address, size, usable_size(address), is_freed};
    atomic_signal_fence(memory_order_seq_cst);
    waiting->count++;
    waiting->bytes += size;
    return true;
}

static bool note_alone(const void *address, size_t size, bool is_freed)
{
    struct process_waiting *waiting = enter();
    bool is_noted = waiting && note(waiting, address, size, is_freed);

    if (waiting)
        leave(waiting);
    return is_noted;
}

bool waiting_obtain(const void *address, size_t size)
{
    return note_alone(address, size, false);
}

bool waiting_give_back(const void *address)
{
    return note_alone(address, 0, true);
}

bool waiting_count_wait(uint64_t ticks)
{
    if (!waiting_goes_on())
        return false;
    atomic_fetch_add(&process->waiting.waits, 1);
    atomic_fetch_add(&process->waiting.wait_ticks, ticks);
    return true;
}

void waiting_write(struct lane *lane,
                   void (*write)(struct lane *lane, const struct waiting_block *block))
{
    struct process_waiting *waiting = &process->waiting;
    struct trace_header *header = process->file.header;

    header->early_waits += atomic_load(&waiting->waits);
    header->early_wait_ticks += atomic_load(&waiting->wait_ticks);
    process_add_slow_ticks(atomic_load(&waiting->slow_ticks));
    for (unsigned i = 0; i < waiting->count; i++)
        write(lane, &waiting->blocks[i]);
    waiting->count = 0;
}
