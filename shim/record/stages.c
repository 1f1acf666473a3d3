/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beginning stages, and what blocks are recorded since.
 *
 * The record of a stage stands in the trace before the first record in its manner, and its time
 * in the header before that: a process that is killed leaves no drawn blocks that a reader takes
 * for all.
 */
#include "record/stages.h"

#include "record/extended.h"
#include "record/process.h"
#include "record/settings.h"

/* As wide as the reader takes it. */
static const uint64_t distance_most = UINT32_MAX;

atomic_uint stages_alloc = STAGES_ALLOC_EVENTS;
atomic_uint stages_returns = STAGES_RETURNS_RECORDED;

static uint64_t within_most(uint64_t distance)
{
    return distance < distance_most ? distance : distance_most;
}

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

static bool is_of_blocks(enum trace_stage stage)
{
    return stage == TRACE_STAGE_CHAINS || stage == TRACE_STAGE_BLOCKS;
}

/* Without call chains and without records of blocks there is less to shed. */
static enum stages_alloc alloc_since(enum trace_stage stage)
{
    enum stages_alloc first = first_alloc();

    if (stage == TRACE_STAGE_CHAINS && first == STAGES_ALLOC_EVENTS)
        return STAGES_ALLOC_CHAINS;
    if (stage == TRACE_STAGE_BLOCKS && first < STAGES_ALLOC_DRAWN)
        return STAGES_ALLOC_DRAWN;
    return first;
}

/* Two stages may begin at once, in two threads. */
static void lower(atomic_uint *what, unsigned mode)
{
    unsigned before = atomic_load(what);

    while (before < mode && !atomic_compare_exchange_weak(what, &before, mode))
        continue;
}

static void lower_alloc(enum stages_alloc mode)
{
    lower(&stages_alloc, mode);
    lower(&stages_returns, returns_of(mode));
}

void stages_forget_returned(void)
{
    lower(&stages_returns, STAGES_RETURNS_FORGOTTEN);
}

static void set_value(enum trace_stage stage, uint64_t value)
{
    atomic_store(&process->stages.values[stage], value);
    if (is_of_blocks(stage) && value > 0 && stages_throw_points())
        atomic_store(&process->stages.distance, value);
}

static void write_change(struct lane *lane, uint64_t now, const uint64_t words[4])
{
    extended_write(lane, now, TRACE_EXTENDED_STAGE, words, 4);
}

void stages_begin(struct lane *lane, uint64_t now, enum trace_stage stage,
                  enum trace_stage_cause cause, uint64_t from, uint64_t to)
{
    const unsigned bit = 1u << stage;
    uint64_t value = is_of_blocks(stage) ? within_most(to) : to;

    if (atomic_fetch_or(&process->stages.claimed, bit) & bit)
        return;
    write_change(lane, now, (const uint64_t[]){stage, cause, from, value});
    atomic_store((_Atomic uint64_t *)&process->file.header->stage_ticks[stage], now);
    set_value(stage, value);
    atomic_fetch_or(&process->stages.begun, bit);
    if (is_of_blocks(stage))
        lower_alloc(alloc_since(stage));
}

void stages_change(struct lane *lane, uint64_t now, enum trace_stage stage,
                   enum trace_stage_cause cause, uint64_t to)
{
    write_change(lane, now, (const uint64_t[]){stage, cause, stages_value(stage), to});
    set_value(stage, to);
}

void stages_change_distance(struct lane *lane, uint64_t now, enum trace_stage_cause cause,
                            uint64_t to)
{
    const enum trace_stage stage =
        stages_has_begun(TRACE_STAGE_BLOCKS) ? TRACE_STAGE_BLOCKS : TRACE_STAGE_CHAINS;

    if (stages_has_begun(stage))
        write_change(lane, now,
                     (const uint64_t[]){stage, cause, stages_distance(), within_most(to)});
    set_value(stage, within_most(to));
}

void stages_note_chain(int64_t ticks, uint64_t count)
{
    mean_cost_note(&process->stages.chain, ticks, count);
}

uint64_t stages_chain_cost(void)
{
    return mean_cost_read(&process->stages.chain);
}
