/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list and the sums of a child whose recording is deferred.
 */
#include "record/deferral.h"

#include <errno.h>
#include <stdatomic.h>

#include "platform/next.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/process_start.h"
#include "record/stages.h"

/* A process that obtains more does more than start. */
enum { LARGE_BLOCK = 1 << 16, BYTES_MOST = 1 << 22 };

bool deferral_goes_on(void)
{
    return process && atomic_load(&process->state) == PROCESS_DEFERRED;
}

bool deferral_is_own(void)
{
    return deferral_goes_on() && !process_is_borrowed();
}

bool deferral_begin(void)
{
    int saved_errno = errno;
    bool begins = lane_self->state == LANE_BLANK && process_defer();

    if (begins)
        stages_defer();
    errno = saved_errno;
    return begins;
}

/* A signal handler, or a thread that began unseen, may find another inside.  The child of a vfork
 * has its parent's heap, and so its list. */
static struct process_deferral *enter(void)
{
    struct process_deferral *deferral = deferral_goes_on() ? &process->deferral : NULL;

    return deferral && !atomic_exchange(&deferral->is_entered, true) ? deferral : NULL;
}

static void leave(struct process_deferral *deferral)
{
    atomic_store(&deferral->is_entered, false);
}

static size_t usable_size(const void *address)
{
    return next.malloc_usable_size ? next.malloc_usable_size((void *)address) : 0;
}

/* The entry is complete before it counts: a signal handler may end the deferral. */
static bool note(struct process_deferral *deferral, const void *address, size_t size, bool is_freed)
{
    if (deferral->count == DEFERRED_MOST || deferral->bytes >= BYTES_MOST || size >= LARGE_BLOCK)
        return false;
    deferral->blocks[deferral->count] =
        (struct deferred_block){address, size, usable_size(address), is_freed};
    atomic_signal_fence(memory_order_seq_cst);
    deferral->count++;
    deferral->bytes += size;
    return true;
}

static bool note_alone(const void *address, size_t size, bool is_freed)
{
    struct process_deferral *deferral = enter();
    bool is_noted = deferral && note(deferral, address, size, is_freed);

    if (deferral)
        leave(deferral);
    return is_noted;
}

bool deferral_obtain(const void *address, size_t size)
{
    return note_alone(address, size, false);
}

bool deferral_give_back(const void *address)
{
    return note_alone(address, 0, true);
}

bool deferral_count_wait(uint64_t ticks)
{
    if (!deferral_goes_on())
        return false;
    atomic_fetch_add(&process->deferral.waits, 1);
    atomic_fetch_add(&process->deferral.wait_ticks, ticks);
    return true;
}

void deferral_write(struct lane *lane,
                    void (*write)(struct lane *lane, const struct deferred_block *block))
{
    struct process_deferral *deferral = &process->deferral;
    struct trace_header *header = process->file.header;

    header->early_waits += atomic_load(&deferral->waits);
    header->early_wait_ticks += atomic_load(&deferral->wait_ticks);
    process_add_slow_ticks(atomic_load(&deferral->slow_ticks));
    for (unsigned i = 0; i < deferral->count; i++)
        write(lane, &deferral->blocks[i]);
    deferral->count = 0;
}
