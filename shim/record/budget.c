/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of the budgets, and their limits.
 *
 * Decision: doc/decisions/budgets-as-accounts.
 */
#include "record/budget.h"

#include "platform/calls.h"
#include "platform/clock.h"
#include "record/pace.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/stages.h"

uint64_t budget_run_ns(void)
{
    return clock_monotonic() - process->file.header->start.monotonic_ns;
}

uint64_t budget_cpu_ns(void)
{
    return calls_clock(CLOCK_PROCESS_CPUTIME_ID) - process->budget.cpu_begin_ns;
}

void budget_set_limits(void)
{
    struct pace *pace = &process->budget.pace;
    struct file *file = &process->file;

    if (file->free_bytes != UINT64_MAX)
        pace_note_free(pace, file_bounded_bytes(file), file->free_bytes);
    file->free_bytes = UINT64_MAX;
    file->limit_bytes = pace->limit_bytes;
    file->event_limit_bytes = pace_events_limit(pace);
}

void budget_note_claim(struct lane *lane)
{
    struct budget *budget = &process->budget;

    if (!settings_has_budget())
        return;
    budget_set_limits();
    if (!pace_is_due(&budget->pace, budget_run_ns(), file_bounded_bytes(&process->file)))
        return;
    atomic_store(&budget->due_ticks, 0);
    lane->deadline = 0;
}

void budget_note_walks(uint64_t ticks, uint64_t timed, uint64_t typical_ticks)
{
    struct budget_notes *notes = &process->budget.notes;

    atomic_fetch_add_explicit(&notes->timed_walks, timed, memory_order_relaxed);
    atomic_store_explicit(&notes->typical_walk, typical_ticks, memory_order_relaxed);
    process_add_slow_ticks(ticks);
    atomic_fetch_add_explicit(&notes->walks, ticks, memory_order_relaxed);
}

/* One that was interrupted, or took memory, is left out: it would look like thousands. */
void budget_note_drawn(uint64_t ticks)
{
    if (ticks < TRACE_LONG_TICKS)
        atomic_fetch_add_explicit(&process->budget.notes.drawn, ticks, memory_order_relaxed);
}

void budget_note_reading(uint64_t ticks)
{
    atomic_fetch_add_explicit(&process->budget.notes.readings, ticks, memory_order_relaxed);
    atomic_fetch_add_explicit(&process->budget.notes.reading_count, 1, memory_order_relaxed);
}

bool budget_is_in_force(void)
{
    return atomic_load_explicit(&process->budget.is_in_force, memory_order_relaxed);
}

uint64_t budget_bytes_left(void)
{
    const struct file *file = &process->file;
    uint64_t taken = file_bounded_bytes(file);

    if (file->limit_bytes == 0 || settings.capacity_bytes != 0)
        return UINT64_MAX;
    return file->event_limit_bytes > taken ? file->event_limit_bytes - taken : 0;
}

bool budget_has_room_for_stacks(void)
{
    return pace_has_room_for_stacks(&process->budget.pace, process->file.stack_bytes);
}

uint64_t budget_interval_ns(void)
{
    return stages_has_begun(TRACE_STAGE_READINGS) ? stages_value(TRACE_STAGE_READINGS)
                                                  : settings.interval_ns;
}

/* Borders are many more than readings, so they become fewer sooner. */
uint64_t budget_border_ns(uint64_t first_ns)
{
    uint64_t interval_ns = budget_interval_ns();
    uint64_t factor = settings.interval_ns == 0 ? 1 : interval_ns / settings.interval_ns;
    uint64_t longest_ns = interval_ns > first_ns ? interval_ns : first_ns;

    return factor > UINT32_MAX || first_ns * factor > longest_ns / factor
               ? longest_ns
               : first_ns * factor * factor;
}
