/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of the process and of its threads.
 */
#include "model/events_parts.h"

#include <string.h>

#include "model/session_process.h"
#include "model/session_unknown.h"

/* The words of a reading follow the words of its type. */
static void add_reading(struct events *events, const struct reader_event *event,
                        enum session_reading_kind kind, const uint64_t *words)
{
    struct session *session = events->session;
    struct session_reading *reading = array_add(&session->readings);

    reading->kind = kind;
    reading->time_ns = clock_convert(events->from.clock, event->ticks);
    reading->thread = events_find_thread(events, events_find_lane(events, event));
    if (kind != SESSION_READING_PERIODIC)
        reading->label = facts_string(events->from.facts, event->words[0]);
    reading->live_heap_bytes = events_live_bytes(events);
    reading->begin_heap_bytes = kind == SESSION_READING_END
                                    ? events_find_lane(events, event)->ended_begin_bytes
                                    : SESSION_UNKNOWN;
    reading->usable_heap_bytes = SESSION_UNKNOWN;
    reading->shared_bytes = SESSION_UNKNOWN;
    reading->mapped_bytes = events->mappings.bytes;
    memcpy(&reading->values, words, sizeof reading->values);
    reading->delay_ns = reading->voluntary_switches = reading->involuntary_switches =
        SESSION_UNKNOWN;
    events_find_lane(events, event)->reading = session->readings.count;
    if (!session->process.has_last)
        session->process.last = reading->values;
}

struct session_reading *events_find_reading(const struct events *events,
                                            const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);

    return lane->reading > 0 ? array_at(&events->session->readings, lane->reading - 1) : NULL;
}

void events_on_turns(struct events *events, const struct reader_event *event)
{
    struct session_reading *reading = events_find_reading(events, event);

    if (!reading) {
        events_skip(events);
        return;
    }
    reading->delay_ns = event->words[0];
    reading->voluntary_switches = event->words[1];
    reading->involuntary_switches = event->words[2];
}

void events_on_shared(struct events *events, const struct reader_event *event)
{
    struct session_reading *reading = events_find_reading(events, event);

    if (!reading) {
        events_skip(events);
        return;
    }
    reading->shared_bytes = event->words[0];
}

void events_on_reading(struct events *events, const struct reader_event *event)
{
    add_reading(events, event, SESSION_READING_PERIODIC, event->words);
}

void events_on_snapshot(struct events *events, const struct reader_event *event)
{
    add_reading(events, event, SESSION_READING_SNAPSHOT, event->words + 1);
}

void events_on_border(struct events *events, const struct reader_event *event)
{
    add_reading(events, event, event->words[1] != 0 ? SESSION_READING_BEGIN : SESSION_READING_END,
                event->words + 2);
}

void events_on_surroundings(struct events *events, const struct reader_event *event)
{
    struct session_surroundings *surroundings = array_add(&events->session->surroundings);

    surroundings->time_ns = clock_convert(events->from.clock, event->ticks);
    memcpy(&surroundings->values, event->words, sizeof surroundings->values);
}
