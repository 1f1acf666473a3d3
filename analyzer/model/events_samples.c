/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of processor time.
 */
#include "model/events_parts.h"

#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

enum { LOW_BITS = (1 << TRACE_CHAIN_BITS) - 1 };

/* If a cell is neither a region nor a kernel, its part of the file is missing.  The chain still
 * shows where the thread was. */
static void place(const struct events *events, const struct events_lane *lane, uint32_t cell,
                  struct session_sample *sample)
{
    const struct tallies_cell *slot = tallies_find_cell(lane->tallies, cell, TRACE_CELL_SLOT);
    const struct tallies_cell *node = tallies_find_cell(lane->tallies, cell, TRACE_CELL_NODE);

    sample->slot = slot ? slot->index : SESSION_NONE;
    sample->region = node ? node->index : 0;
    sample->op = node ? node->op : 0;
    if (slot) {
        sample->region = session_slot_at(events->session, slot->index)->region;
        sample->op = session_slot_at(events->session, slot->index)->op;
    }
    sample->other_op = sample->op == 0 ? events_find_only_op(events) : 0;
    sample->thread =
        lane->heap.thread < events->session->threads.count ? lane->heap.thread : SESSION_NONE;
}

void events_on_sample(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    uint64_t word = event->words[0];
    struct session_sample sample = {
        .flags = (uint32_t)(word >> (TRACE_CHAIN_BITS + TRACE_CELL_BITS)),
        .count = 1,
        .periods = event->cell > 0 ? event->cell : 1,
    };

    place(events, lane, (uint32_t)(word >> TRACE_CHAIN_BITS) & LOW_BITS, &sample);
    chains_find_call(events->from.chains, lane->chains, (uint32_t)word & LOW_BITS, &sample.call);
    cpu_samples_take(&events->samples, &sample, clock_convert(events->from.clock, event->ticks));
}
