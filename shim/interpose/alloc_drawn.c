/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawn blocks, and all blocks in a stage that drops some records or chains.  Called by the
 * functions of alloc.c, on the thread that calls them.
 *
 * The stage may change between the records of a block.  If a block is obtained in the old stage and
 * freed in the new, and was not drawn, the reader forgot it when the stage started.  If realloc
 * releases a block in the old stage, and its new block has no record, a free ends the release.  A
 * drawn block freed in the old stage keeps its address in the table: a later free at that address
 * refers to no block.
 *
 * Budget of a drawn block: its chain, a line of the table, seven reads of the clock.  Budget of a
 * block without a record: a clock read at one in 64.
 */
#include "interpose/alloc_parts.h"

#include <stdatomic.h>

#include "interpose/alloc.h"
#include "record/budget.h"
#include "record/live_heap.h"
#include "record/process.h"
#include "record/samples.h"
#include "record/stages.h"

static uint64_t second_word(struct block block, struct origin origin)
{
    uint64_t size = block.size < TRACE_SIZE_LARGE ? block.size : TRACE_SIZE_LARGE;

    return size | (uint64_t)origin.chain << TRACE_SIZE_BITS;
}

void alloc_write_large(struct lane *lane, uint64_t now, struct origin origin, struct block block)
{
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, 3, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (!has_room)
        return;
    lane->cursor[0] = alloc_first_word(origin.kind, delta, block.address);
    lane->cursor[1] = second_word(block, origin);
    lane->cursor[2] = block.size;
    lane_commit(lane, 3);
}

/* Usable bytes beyond the requested ones; 0 if they are not counted. */
static uint64_t excess_of(struct block block, uint64_t distance)
{
    const uint64_t most = UINT64_MAX >> (TRACE_KIND_BITS + TRACE_DISTANCE_BITS);
    uint64_t usable = live_heap_timed_size(block.address, samples_weigh(block.size, distance));
    uint64_t excess = usable > block.size ? usable - block.size : 0;

    return excess < most ? excess : most;
}

/* `distance`: mean of the points that hit the block. */
static void write_drawn(struct lane *lane, struct origin origin, struct block block,
                        uint64_t distance)
{
    const bool is_large = block.size >= TRACE_SIZE_LARGE;
    const unsigned words = is_large ? 4 : 3;
    const uint64_t now = clock_read();
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, words, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (has_room) {
        lane->cursor[0] = alloc_first_word(TRACE_EVENT_DRAWN, delta, block.address);
        lane->cursor[1] = second_word(block, origin);
        lane->cursor[2] = origin.kind | distance << TRACE_KIND_BITS |
                          excess_of(block, distance) << (TRACE_KIND_BITS + TRACE_DISTANCE_BITS);
        if (is_large)
            lane->cursor[3] = block.size;
        lane_commit(lane, words);
    }
    lane_check_deadline(lane, now);
}

uint64_t alloc_look_up_first(struct lane *lane, uint64_t now)
{
    lane_look_up(lane, now);
    return clock_read();
}

static ALWAYS_INLINE void check_now_and_then(struct lane *lane, uint64_t calls)
{
    if (UNLIKELY(alloc_is_look_due(calls)))
        lane_check_deadline(lane, clock_read());
}

/* If blocks can pass, only few come here. */
static void check_obtained(struct lane *lane)
{
    if (atomic_load_explicit(&live_heap_is_before, memory_order_relaxed))
        lane_check_deadline(lane, clock_read());
    else
        check_now_and_then(lane, lane->node->allocations);
}

static bool remember_drawn(const void *address)
{
    if (samples_remember((uintptr_t)address))
        return true;
    atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_samples, 1);
    return false;
}

/* One that cannot be remembered is no drawn one. */
static void record_drawn(struct lane *lane, struct origin origin, struct block block,
                         uint64_t distance)
{
    if (remember_drawn(block.address))
        write_drawn(lane, origin, block, distance);
    else
        alloc_record_block(lane, origin, block);
}

void alloc_begin_drawn(struct lane *lane)
{
    struct mean_cost_timing timing = mean_cost_begin();

    samples_note_hit(lane);
    lane->chain_empty_ticks = timing.empty;
    lane->chain_ticks = timing.start;
}

void alloc_end_drawn(struct lane *lane, struct origin origin, struct block block)
{
    const struct mean_cost_timing timing = {lane->chain_ticks, lane->chain_empty_ticks};
    const int64_t ticks = mean_cost_end(&timing);
    const uint64_t distance = samples_throw(lane);

    stages_note_chain(ticks, samples_weigh(block.size, distance));
    record_drawn(lane, origin, block, distance);
}

/* No point hit it.  The deadline is checked even where nothing is recorded, since any thread may
 * have to take a reading. */
static bool record_undrawn(struct lane *lane, struct origin origin, struct block block)
{
    if (stages_alloc_mode() <= STAGES_ALLOC_CHAINS) {
        alloc_record_block(lane, origin, block);
        return true;
    }
    check_obtained(lane);
    return false;
}

bool alloc_record_part(struct lane *lane, enum trace_event_kind kind, struct block block,
                       struct unwind_state caller)
{
    const bool is_drawn = samples_hit(lane, block.size);
    const uint64_t start = is_drawn ? clock_read() : 0;
    struct origin origin = {.kind = kind};

    passed_move(lane);
    if (UNLIKELY(is_drawn || stages_alloc_mode() == STAGES_ALLOC_EVENTS))
        origin.chain = alloc_chain_of(lane, caller);
    if (LIKELY(!is_drawn))
        return record_undrawn(lane, origin, block);
    record_drawn(lane, origin, block, samples_throw(lane));
    budget_note_drawn(clock_read() - start);
    return true;
}

void alloc_write_sparse_pair(struct lane *lane, const void *address, size_t size)
{
    live_heap_add(lane, (int64_t)size);
    alloc_record_block(lane, (struct origin){.kind = TRACE_EVENT_MALLOC},
                       (struct block){address, size});
    live_heap_add(lane, -(int64_t)size);
    alloc_record_known(lane, TRACE_EVENT_FREE, address);
}

static void call_nothing(void)
{
}

/* Replaces the C library's function, which is called through a pointer, too. */
static void (*volatile next_function)(void) = call_nothing;

static __attribute__((noinline)) void pass_obtained(size_t size)
{
    struct lane *lane;

    next_function();
    lane = lane_self;
    if (UNLIKELY(!lane_is_ready(lane) || !samples_try_to_pass(lane, size)))
        return;
    passed_obtain(lane, size, size);
}

static __attribute__((noinline)) void pass_returned(const void *address, size_t size)
{
    struct lane *lane = lane_self;

    if (UNLIKELY(!lane_is_ready(lane) || samples_may_have((uintptr_t)address)))
        return;
    if (passed_give_back(lane, size))
        live_heap_flush(lane);
}

void alloc_pass_pair(struct lane *lane, const void *address, size_t size)
{
    (void)lane;
    pass_obtained(size);
    pass_returned(address, size);
}

bool alloc_record_sparse_return(struct lane *lane, enum trace_event_kind kind, const void *address)
{
    bool is_drawn = stages_throw_points() && samples_forget((uintptr_t)address);
    bool is_recorded = is_drawn || stages_return_mode() == STAGES_RETURNS_FORGOTTEN;

    if (is_recorded)
        alloc_record_known(lane, kind, address);
    else
        check_now_and_then(lane, lane->node->frees);
    return is_recorded;
}

/* A block that was forgotten in between is remembered again, even one that was not drawn; its free
 * then refers to nothing. */
enum trace_event_kind alloc_restoring_kind(const void *address)
{
    bool is_drawn =
        stages_return_mode() == STAGES_RETURNS_RECORDED || remember_drawn(address);

    return is_drawn ? TRACE_EVENT_RESTORE : TRACE_EVENT_FREE;
}
