/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spans and moments that the program marked for other tools.
 */
#include "model/events_parts.h"

#include "model/session_spans.h"

enum { DOUBLINGS_BITS = 6 };

/* Returns: the cell of a span or a moment, or NULL after counting it as bad. */
static const struct tallies_cell *find_cell(struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);
    uint32_t number = (uint32_t)event->words[0] & ((1 << TRACE_CELL_BITS) - 1);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, number, (enum trace_cell_kind)TALLIES_SPAN);

    if (!cell)
        events_skip(events);
    return cell;
}

static uint32_t calls_of(const struct reader_event *event)
{
    unsigned doublings =
        event->words[0] >> TRACE_RANGE_DOUBLINGS_SHIFT & ((1 << DOUBLINGS_BITS) - 1);

    return doublings < 32 ? UINT32_C(1) << doublings : 1;
}

/* In a window, calls and times come from the records of spans that start and end in it. */
static void add(struct events *events, const struct session_span *span)
{
    struct session *session = events->session;
    struct session_span_row *row = array_at(&session->span_rows, span->row);
    struct session_span *added;

    if (events->window.place == EVENTS_INSIDE) {
        row->calls += span->calls;
        row->total_ns += span->calls * (span->end_ns - span->start_ns);
        row->is_estimated |= span->calls > 1;
    }
    row->recorded++;
    if (session->spans.count >= SESSION_SPANS_MOST) {
        session->has_spans_left_out = true;
        return;
    }
    added = array_add(&session->spans);
    *added = *span;
}

void events_on_span(struct events *events, const struct reader_event *event)
{
    const struct clock *clock = events->from.clock;
    const struct tallies_cell *cell = find_cell(events, event);
    uint64_t end = event->ticks - event->words[4];

    if (!cell)
        return;
    if (event->words[4] > event->ticks || event->words[1] > end) {
        events_skip(events);
        return;
    }
    if (events->window.place == EVENTS_INSIDE && end - event->words[1] < events->window.from_ticks)
        return;
    add(events, &(struct session_span){
                    .start_ns = clock_convert(clock, end - event->words[1]),
                    .end_ns = clock_convert(clock, end),
                    .row = cell->index,
                    .thread = events_find_thread(events, events_find_lane(events, event)),
                    .started_in = (uint32_t)event->words[2],
                    .calls = calls_of(event),
                });
}

void events_on_mark(struct events *events, const struct reader_event *event)
{
    const struct tallies_cell *cell = find_cell(events, event);
    uint64_t time_ns = clock_convert(events->from.clock, event->ticks);

    if (!cell)
        return;
    add(events, &(struct session_span){
                    .start_ns = time_ns,
                    .end_ns = time_ns,
                    .row = cell->index,
                    .thread = events_find_thread(events, events_find_lane(events, event)),
                    .calls = calls_of(event),
                });
}

/* Only a timeline shows it. */
void events_on_payload(struct events *events, const struct reader_event *event)
{
    (void)events;
    (void)event;
}

/* Spans that ended before the window do not count. */
void events_restart_spans(struct events *events)
{
    struct session *session = events->session;
    struct session_span_row *row = session->span_rows.items;

    for (size_t i = 0; i < session->span_rows.count; i++)
        row[i].calls = row[i].total_ns = row[i].recorded = row[i].open = 0;
    array_truncate(&session->spans, 0);
}
