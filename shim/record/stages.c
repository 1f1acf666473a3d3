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

/* The sizes of blocks stand before them, and the process goes on. */
static atomic_bool may_pass;

static bool lets_pass(void)
{
    return atomic_load_explicit(&may_pass, memory_order_relaxed);
}

static enum stages_way way_to_obtain(void)
{
    switch (stages_alloc_mode()) {
    case STAGES_ALLOC_EVENTS: break;
    case STAGES_ALLOC_ALONE:
    case STAGES_ALLOC_CHAINS: return STAGES_WAY_SPARSE;
    case STAGES_ALLOC_DRAWN:
    case STAGES_ALLOC_COUNTS: return lets_pass() ? STAGES_WAY_PASSED : STAGES_WAY_COUNTED;
    case STAGES_ALLOC_NOTHING: return STAGES_WAY_REAL;
    }
    return STAGES_WAY_USUAL;
}

static enum stages_way way_to_give_back(void)
{
    if (stages_alloc_mode() == STAGES_ALLOC_NOTHING)
        return STAGES_WAY_REAL;
    return stages_return_mode() == STAGES_RETURNS_DRAWN && lets_pass() ? STAGES_WAY_PASSED
                                                                       : STAGES_WAY_USUAL;
}

static void set_ways(enum stages_way to_obtain, enum stages_way to_give_back)
{
    const struct stages_ways *obtain = &stages_each_way[to_obtain];
    const struct stages_ways *give_back = &stages_each_way[to_give_back];

    atomic_store(&stages_ways.obtain, obtain->obtain);
    atomic_store(&stages_ways.obtain_zeroed, obtain->obtain_zeroed);
    atomic_store(&stages_ways.resize, give_back->resize);
    atomic_store(&stages_ways.give_back, give_back->give_back);
}

void stages_defer(void)
{
    set_ways(STAGES_WAY_DEFERRED, STAGES_WAY_DEFERRED);
}

/* Of two threads that choose at once, the later one sees both changes. */
void stages_choose_ways(void)
{
    set_ways(way_to_obtain(), way_to_give_back());
}

void stages_let_pass(bool may)
{
    atomic_store(&may_pass, may);
    stages_choose_ways();
}

void stages_start(void)
{
    atomic_store(&stages_alloc, first_alloc());
    atomic_store(&stages_returns, returns_of(first_alloc()));
    stages_choose_ways();
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
    stages_choose_ways();
}

void stages_forget_returned(void)
{
    lower(&stages_returns, STAGES_RETURNS_FORGOTTEN);
    stages_choose_ways();
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
