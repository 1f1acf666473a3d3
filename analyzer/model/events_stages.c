/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages of recording, and the heap that the shim counted itself.
 */
#include "model/events_parts.h"

#include <string.h>

#include "model/moments.h"
#include "model/session_process.h"
#include "model/session_stages.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

bool events_take_chains(const struct events *events)
{
    return strcmp(events->session->process.alloc_mode, "nostack") != 0;
}

static void scale(uint64_t *bytes, double ratio)
{
    if (*bytes != SESSION_UNKNOWN)
        *bytes = moments_scale(*bytes, ratio);
}

static void scale_lanes(struct events *events, double ratio)
{
    struct events_lane *lane = events->lanes.items;

    for (size_t i = 0; i < events->lanes.count; i++) {
        heap_settle(&events->heap, &lane[i].heap);
        scale(&lane[i].outer_begin_bytes, ratio);
        scale(&lane[i].ended_begin_bytes, ratio);
    }
}

static void scale_regions(struct session *session, double ratio)
{
    struct session_region *region = session->regions.items;

    for (size_t i = 0; i < session->regions.count; i++) {
        scale(&region[i].begin_heap_bytes, ratio);
        scale(&region[i].end_heap_bytes, ratio);
        scale(&region[i].peak_heap_bytes, ratio);
    }
}

static void scale_readings(struct session *session, double ratio)
{
    struct session_reading *reading = session->readings.items;

    for (size_t i = 0; i < session->readings.count; i++) {
        scale(&reading[i].live_heap_bytes, ratio);
        scale(&reading[i].begin_heap_bytes, ratio);
    }
}

/* Convert earlier amounts of live bytes to the unit of later ones, for comparison. */
void events_on_blocks(void *of, double ratio)
{
    struct events *events = of;

    scale_lanes(events, ratio);
    scale_regions(events->session, ratio);
    scale_readings(events->session, ratio);
    peaks_scale(&events->peaks, ratio);
    beats_scale(events, ratio);
}

/* The header has the stage earlier, unless the process was killed in between. */
static void begin(struct events *events, const struct reader_event *event)
{
    if (event->words[0] == TRACE_STAGE_CHAINS && events_take_chains(events))
        heap_begin_stage(&events->heap, HEAP_CHAINS, event->ticks);
    else if (event->words[0] == TRACE_STAGE_BLOCKS)
        heap_begin_stage(&events->heap, HEAP_BLOCKS, event->ticks);
}

void events_on_stage(struct events *events, const struct reader_event *event)
{
    struct session_stage *change;

    if (event->words[0] >= TRACE_STAGES || event->words[1] >= TRACE_STAGE_CAUSES) {
        events_skip(events);
        return;
    }
    change = array_add(&events->session->stages.changes);
    *change = (struct session_stage){
        .stage = (enum trace_stage)event->words[0],
        .cause = (enum trace_stage_cause)event->words[1],
        .time_ns = clock_convert(events->from.clock, event->ticks),
        .from = event->words[2],
        .to = event->words[3],
    };
    begin(events, event);
}

/* The first one after a reading follows it directly.  Others tell of a change between readings. */
void events_on_heap(struct events *events, const struct reader_event *event)
{
    struct session_reading *reading = events_find_reading(events, event);

    heap_note_counted(&events->heap, event->ticks, event->words[0]);
    if (!reading || reading->usable_heap_bytes != SESSION_UNKNOWN)
        return;
    reading->usable_heap_bytes = event->words[0];
    if (events->heap.is_counted)
        reading->live_heap_bytes = event->words[0];
}
