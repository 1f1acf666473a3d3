/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that the program maps.
 */
#include "model/events_parts.h"

#include <sys/mman.h>

/* Present mappings belong to the next stretches of time. */
void events_pass_time(struct events *events, uint64_t ticks)
{
    const struct heap *heap = &events->heap;

    heap_pass_time(&events->heap, ticks);
    mappings_pass_marks(&events->mappings, heap->marks.count, heap->moments.length);
}

static void find_origin(struct events *events, const struct reader_event *event, uint64_t chain,
                        struct mappings_origin *origin)
{
    chains_find_mapping(events->from.chains, events_find_lane(events, event)->chains, chain,
                        &origin->site);

    origin->ticks = event->ticks;
    if (origin->site == events->mappings.sites.count)
        mappings_add_site(&events->mappings);
}

/* The protection and the flags of mmap. */
static enum mappings_kind kind_of(uint64_t word)
{
    if (word >> 32 == PROT_NONE)
        return MAPPINGS_RESERVED;
    return word & MAP_ANONYMOUS ? MAPPINGS_MEMORY : MAPPINGS_FILE;
}

void events_on_map(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};
    struct mappings_origin origin;

    events_pass_time(events, event->ticks);
    find_origin(events, event, event->words[3], &origin);
    origin.kind = kind_of(event->words[2]);
    mappings_map(&events->mappings, extent, &origin);
    events->heap.mapped_bytes = events->mappings.bytes;
}

void events_on_unmap(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};

    events_pass_time(events, event->ticks);
    mappings_unmap(&events->mappings, extent);
    events->heap.mapped_bytes = events->mappings.bytes;
}

void events_on_remap_begin(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};
    struct events_lane *lane = events_find_lane(events, event);

    events_pass_time(events, event->ticks);
    lane->is_moving = true;
    mappings_begin_move(&events->mappings, extent, &lane->moving);
}

/* Without a record of its start, the move freed nothing: the memory grew in place, or the old
 * memory stays. */
void events_on_remap(struct events *events, const struct reader_event *event)
{
    const struct mappings_move move = {{event->words[0], event->words[1]},
                                       {event->words[2], event->words[3]}};
    struct events_lane *lane = events_find_lane(events, event);
    struct mappings_origin origin;

    events_pass_time(events, event->ticks);
    find_origin(events, event, event->words[4], &origin);
    if (lane->is_moving)
        mappings_end_move(&events->mappings, move.to, &lane->moving, &origin);
    else
        mappings_remap(&events->mappings, &move, &origin);
    lane->is_moving = false;
    events->heap.mapped_bytes = events->mappings.bytes;
}
