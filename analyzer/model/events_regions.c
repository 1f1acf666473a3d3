/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions: their laps, and the live heap at their start, at their end and at its peak.
 */
#include "model/events_parts.h"

#include <string.h>

#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Returns: the cell of an event, or NULL after counting it as bad. */
static const struct tallies_cell *find_cell(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);

    lane->others++;
    events->bad_records += !cell;
    return cell;
}

/* Regions of a lane nest, so that the outermost one under way is one at most. */
static void note_begin(struct events *events, const struct reader_event *event, uint32_t index)
{
    const struct session_region *region = session_region_at(events->session, index);
    struct events_lane *lane = events_find_lane(events, event);

    if (region->parent != 0)
        return;
    lane->outer_region = index;
    lane->outer_begin_bytes = events_live_bytes(events);
}

/* For the reading that may follow. */
static void note_end(struct events *events, const struct reader_event *event, uint32_t index)
{
    const struct session_region *region = session_region_at(events->session, index);
    struct events_lane *lane = events_find_lane(events, event);

    if (region->parent != 0)
        return;
    lane->ended_begin_bytes =
        lane->outer_region == index ? lane->outer_begin_bytes : SESSION_UNKNOWN;
    lane->outer_region = 0;
}

void events_on_enter(struct events *events, const struct reader_event *event)
{
    const struct tallies_cell *cell = find_cell(events, event);

    if (!cell)
        return;
    if (cell->is_op) {
        events_enter_op(events, event, cell);
        return;
    }
    uint32_t index = cell->index;
    struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    events_find_lane(events, event)->heap.region = index;
    note_begin(events, event, index);
    if (to->begin_heap_bytes == SESSION_UNKNOWN)
        to->begin_heap_bytes = events_live_bytes(events);
    beats_add_region(events, events_find_lane(events, event), event, index);
    if (region->open++ > 0)
        return;
    peaks_mark(&events->peaks, events->heap.live_bytes, &region->moment);
}

static void close_region(struct events *events, uint32_t index)
{
    const struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    uint64_t highest = peaks_forget(&events->peaks, region->moment);

    if (to->peak_heap_bytes == SESSION_UNKNOWN || to->peak_heap_bytes < highest)
        to->peak_heap_bytes = highest;
}

void events_on_clock(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);

    memcpy(lane->clock_words, event->words, sizeof lane->clock_words);
    lane->has_clock = true;
}

/* Add the reading of a lap's clock, if it belongs to its region. */
static void add_clock(struct events *events, const struct events_lane *lane,
                      const struct reader_event *event)
{
    const uint64_t *words = lane->clock_words;
    struct session_clock *clock;

    if (!lane->has_clock || (uint32_t)words[0] != event->cell)
        return;
    clock = array_add(&events->session->clocks);
    *clock = (struct session_clock){.lap = events->session->laps.count - 1,
                                    .drawn_of = (double)(words[0] >> 32),
                                    .passed_ns = (double)words[1],
                                    .before_ns =
                                        (double)clock_convert_length(events->from.clock, words[2])};
}

/* A lap that starts before the recording is damaged, like such a call of a kernel. */
static void add_lap(struct events *events, const struct reader_event *event, uint32_t region)
{
    struct session_lap *lap;

    if (event->duration > event->ticks)
        return;
    lap = array_add(&events->session->laps);
    *lap = (struct session_lap){
        .start_ns = clock_convert(events->from.clock, event->ticks - event->duration),
        .end_ns = clock_convert(events->from.clock, event->ticks),
        .region = region,
        .thread = events_find_thread(events, events_find_lane(events, event)),
    };
    add_clock(events, events_find_lane(events, event), event);
}

/* An end whose start was overwritten closes nothing. */
void events_on_leave(struct events *events, const struct reader_event *event)
{
    const struct tallies_cell *cell = find_cell(events, event);

    if (!cell)
        return;
    if (cell->is_op) {
        events_leave_op(events, event, cell);
        return;
    }
    uint32_t index = cell->index;
    struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    events_find_lane(events, event)->heap.region = to->parent;
    note_end(events, event, index);
    to->end_heap_bytes = events_live_bytes(events);
    if (region->open > 0 && --region->open == 0)
        close_region(events, index);
    beats_add_region(events, events_find_lane(events, event), event, index);
    add_lap(events, event, index);
    events_find_lane(events, event)->has_clock = false;
}

/* The recording ends in regions that were never left. */
void events_close_regions(struct events *events)
{
    const struct events_region *region = events->regions.items;

    for (uint32_t i = 0; i < events->regions.count; i++)
        if (region[i].open > 0)
            close_region(events, i);
}
