/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long calls that waited, and calls that woke a thread.
 */
#include "model/events_parts.h"

#include "model/session_unknown.h"
#include "model/session_waits.h"

enum { CELL_MASK = (1 << TRACE_CELL_BITS) - 1, CHAIN_MASK = (1 << TRACE_CHAIN_BITS) - 1 };

/* The chain of its longest call represents a wait. */
static void keep_chain(struct session_wait *wait, const struct session_wait_call *call)
{
    uint64_t ns = call->end_ns - call->start_ns;

    if (call->chain == SESSION_NONE || ns < wait->chained_ns)
        return;
    wait->chained_ns = ns;
    wait->chain = call->chain;
}

static void find_chain(const struct events *events, const struct events_lane *lane, uint32_t number,
                       uint32_t *chain)
{
    *chain = SESSION_NONE;
    if (number != 0)
        chains_find_call(events->from.chains, lane->chains, number, chain);
}

static uint32_t find_thread(const struct events *events, const struct events_lane *lane)
{
    return lane->heap.thread < events->session->threads.count ? lane->heap.thread : SESSION_NONE;
}

static void take_bytes(struct session_wait_call *call, const struct session_wait *wait,
                       uint64_t bytes)
{
    call->bytes = wait->has_bytes ? bytes : 0;
    call->is_in_vain = wait->class == TRACE_WAIT_CLASS_IDLE && bytes == TRACE_WAIT_IN_VAIN;
}

void events_on_wait(struct events *events, const struct reader_event *event)
{
    const struct clock *clock = events->from.clock;
    const struct events_lane *lane = events_find_lane(events, event);
    uint32_t number = (uint32_t)(event->words[0] >> TRACE_CHAIN_BITS) & CELL_MASK;
    const struct tallies_cell *cell = tallies_find_cell(lane->tallies, number, TRACE_CELL_WAIT);

    if (!cell || event->words[1] > event->ticks) {
        events_skip(events);
        return;
    }
    struct session_wait_call *call = array_add(&events->session->wait_calls);
    *call = (struct session_wait_call){
        .start_ns = clock_convert(clock, event->ticks - event->words[1]),
        .end_ns = clock_convert(clock, event->ticks),
        .wait = cell->index,
    };
    take_bytes(call, array_at(&events->session->waits, cell->index), event->words[2]);
    find_chain(events, lane, (uint32_t)event->words[0] & CHAIN_MASK, &call->chain);
    keep_chain(array_at(&events->session->waits, cell->index), call);
}

void events_on_wake(struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);
    struct session_wake *wake = array_add(&events->session->wakes);

    *wake = (struct session_wake){
        .time_ns = clock_convert(events->from.clock, event->ticks),
        .address = event->words[1],
        .thread = find_thread(events, lane),
        .is_for_all = event->words[0] >> TRACE_CHAIN_BITS & 1,
    };
    find_chain(events, lane, (uint32_t)event->words[0] & CHAIN_MASK, &wake->chain);
}
