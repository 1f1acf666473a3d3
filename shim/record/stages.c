/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages that have begun, and the recorded blocks since.
 */
#include "record/stages.h"

#include "record/process.h"
#include "record/settings.h"

atomic_uint stages_alloc = STAGES_ALLOC_EVENTS;
atomic_uint stages_returns = STAGES_RETURNS_RECORDED;

static enum stages_alloc first_alloc(void)
{
    switch (settings.alloc) {
    case SETTINGS_ALLOC_FULL: break;
    case SETTINGS_ALLOC_NOSTACK: return STAGES_ALLOC_ALONE;
    case SETTINGS_ALLOC_SAMPLE: return STAGES_ALLOC_DRAWN;
    case SETTINGS_ALLOC_COUNT: return STAGES_ALLOC_COUNTS;
    case SETTINGS_ALLOC_OFF: return STAGES_ALLOC_NOTHING;
    }
    return STAGES_ALLOC_EVENTS;
}

static uint64_t first_distance(void)
{
    switch (settings.alloc) {
    case SETTINGS_ALLOC_FULL:
    case SETTINGS_ALLOC_NOSTACK: break;
    case SETTINGS_ALLOC_SAMPLE: return settings.sample_bytes;
    case SETTINGS_ALLOC_COUNT:
    case SETTINGS_ALLOC_OFF: return 0;
    }
    return settings_has_budget() ? STAGES_DISTANCE_FIRST : 0;
}

static enum stages_returns returns_of(enum stages_alloc mode)
{
    return mode <= STAGES_ALLOC_CHAINS ? STAGES_RETURNS_RECORDED : STAGES_RETURNS_DRAWN;
}

void stages_start(void)
{
    atomic_store(&stages_alloc, first_alloc());
    atomic_store(&stages_returns, returns_of(first_alloc()));
    atomic_store(&process->stages.distance, first_distance());
}

bool stages_throw_points(void)
{
    return stages_distance() != 0;
}

uint64_t stages_distance(void)
{
    return atomic_load_explicit(&process->stages.distance, memory_order_relaxed);
}

bool stages_has_begun(enum trace_stage stage)
{
    return atomic_load_explicit(&process->stages.begun, memory_order_relaxed) >> stage & 1;
}

uint64_t stages_value(enum trace_stage stage)
{
    return atomic_load_explicit(&process->stages.values[stage], memory_order_relaxed);
}

/* Without call chains and without records of blocks there is less to reduce. */
static enum stages_alloc alloc_since(enum trace_stage stage)
{
    enum stages_alloc first = first_alloc();

    if (stage == TRACE_STAGE_CHAINS && first == STAGES_ALLOC_EVENTS)
        return STAGES_ALLOC_CHAINS;
    if (stage == TRACE_STAGE_BLOCKS && first < STAGES_ALLOC_DRAWN)
        return STAGES_ALLOC_DRAWN;
    return first;
}

/* Two stages may start at once, in two threads. */
static void lower(atomic_uint *what, unsigned mode)
{
    unsigned before = atomic_load(what);

    while (before < mode && !atomic_compare_exchange_weak(what, &before, mode))
        continue;
}

void stages_lower_alloc(enum trace_stage stage)
{
    enum stages_alloc mode = alloc_since(stage);

    lower(&stages_alloc, mode);
    lower(&stages_returns, returns_of(mode));
}

void stages_forget_returned(void)
{
    lower(&stages_returns, STAGES_RETURNS_FORGOTTEN);
}

void stages_set_value(enum trace_stage stage, uint64_t value)
{
    atomic_store(&process->stages.values[stage], value);
    if (stages_is_of_blocks(stage) && value > 0 && stages_throw_points())
        atomic_store(&process->stages.distance, value);
}

void stages_note_chain(int64_t ticks, uint64_t count)
{
    mean_cost_note(&process->stages.chain, ticks, count);
}

uint64_t stages_chain_cost(void)
{
    return mean_cost_read(&process->stages.chain);
}
