/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stages of recording, and the heap that the shim counted itself.
 */
#include "model/events_parts.h"

#include "model/session_process.h"
#include "model/session_stages.h"

enum status events_on_stage(struct events *events, const struct reader_event *event)
{
    struct session_stage *change;

    if (event->words[0] >= TRACE_STAGES || event->words[1] >= TRACE_STAGE_CAUSES)
        return events_skip(events);
    change = array_add(&events->session->stages.changes);
    if (!change)
        return STATUS_OUT_OF_MEMORY;
    *change = (struct session_stage){
        .stage = (enum trace_stage)event->words[0],
        .cause = (enum trace_stage_cause)event->words[1],
        .time_ns = clock_convert(events->from.clock, event->ticks),
        .from = event->words[2],
        .to = event->words[3],
    };
    return STATUS_OK;
}

/* It stands right behind its reading. */
enum status events_on_heap(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    struct session_reading *reading;

    if (lane->reading == 0)
        return events_skip(events);
    reading = array_at(&events->session->readings, lane->reading - 1);
    reading->usable_heap_bytes = event->words[0];
    return STATUS_OK;
}
