/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of recording in a process.
 */
#include "record/process.h"

#include "platform/calls.h"

struct process *process;
struct process_prices process_prices;

static atomic_bool is_inside; /* a sandbox, which outlives a fork */

void process_tell_prices(void)
{
    struct trace_header *header = process->file.header;

    header->overhead = process_prices.overhead;
    header->sparse_cost = process_prices.sparse_cost;
    header->undrawn_cost = process_prices.undrawn_cost;
}

bool process_is_inside_sandbox(void)
{
    return atomic_load(&is_inside);
}

bool process_is_sandboxed(void)
{
    return atomic_load(&is_inside) || (process && atomic_load(&process->asking) > 0);
}

bool process_is_recording(void)
{
    return process && !process_is_sandboxed() && atomic_load(&process->state) == PROCESS_RECORDING;
}

bool process_is_new(void)
{
    return process && !process_is_sandboxed() && !process_has_begun(atomic_load(&process->state));
}

bool process_is_own(void)
{
    return process_is_recording() && process->pid == calls_getpid();
}

/* A vfork child runs in its parent's memory; a forked child finds no process id there. */
bool process_is_borrowed(void)
{
    return process && process->pid != 0 && process->pid != calls_getpid();
}

void process_stay_in_sandbox(void)
{
    atomic_store(&is_inside, true);
}

void process_miss_record(void)
{
    if (UNLIKELY(process && atomic_load(&process->asking) > 0))
        atomic_fetch_add(&process->missed, 1);
}

void process_add_slow_ticks(uint64_t ticks)
{
    if (process && process->file.header)
        atomic_fetch_add((_Atomic uint64_t *)&process->file.header->slow_ticks, ticks);
    else if (process)
        atomic_fetch_add(&process->deferral.slow_ticks, ticks);
}

/* A lane that is just writing its next deadline checks for messages afterwards, so one of the two
 * threads sees the other's store. */
void process_wake_lanes(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    for (struct lane *lane = process ? process->lanes : NULL; lane; lane = lane->next)
        atomic_store_explicit((_Atomic uint64_t *)&lane->deadline, 0, memory_order_relaxed);
}

void process_cut(void)
{
    process->file.is_cut = true;
    atomic_store(&process->state, PROCESS_OFF);
    process_wake_lanes();
}

/* A sandbox may allow no question for the process id, and in one nothing is cut. */
bool process_is_cut(void)
{
    return process && process->file.is_cut && process->pid == calls_getpid();
}

void process_store_status(int status)
{
    process->file.header->exit_status = status & 0xff; /* in the form of waitpid */
}
