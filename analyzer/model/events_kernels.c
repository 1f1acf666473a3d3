/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of kernels: the duration of each, and the call around it.
 */
#include "model/events_parts.h"

#include <math.h>

#include "model/course.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* At most this many outer slots are distinguished; parts of large routines have more. */
enum { AROUND_MOST = 64 };

static bool is_same_work(const struct session_slot *a, const struct session_slot *b)
{
    return a->flops_each == b->flops_each || (isnan(a->flops_each) && isnan(b->flops_each));
}

/* Returns: the entry of a slot around, which may be new, without time. */
static struct session_around *find_around(struct session_slot *slot, uint32_t around)
{
    struct session_around *items = slot->around.items;

    for (size_t i = slot->around.count; i > 0; i--)
        if (items[i - 1].slot == around)
            return &items[i - 1];
    items = array_add(&slot->around);
    if (items)
        items->slot = around;
    return items;
}

/* An ended call was around the later-started calls at the end of the course. */
static void note_around(const struct session *session, const struct course_call *call)
{
    const struct session_slot *slot = session_slot_at(session, call->slot);
    const struct session_course *course = course_of(session, slot->thread);
    const struct course_call *calls = course->calls.items;

    for (size_t i = course->calls.count; i > 0 && calls[i - 1].start_ns >= call->start_ns; i--) {
        struct session_slot *inner = array_at(&session->slots, calls[i - 1].slot);
        bool is_told = is_same_work(inner, slot) && inner->around.count < AROUND_MOST;
        struct session_around *around =
            inner->nested ? find_around(inner, is_told ? call->slot : SESSION_NONE) : NULL;

        if (around)
            around->ns += course_length_ns(&calls[i - 1]);
    }
}

/* A call from before the recording is damage, and in no order with others. */
static void add_call(struct events *events, const struct reader_event *event,
                     const struct session_slot *slot, uint64_t duration_ns)
{
    const struct session *session = events->session;
    const struct course_call call = {
        .start_ns = clock_convert(events->from.clock, event->ticks - event->duration),
        .slot = (uint32_t)(slot - (const struct session_slot *)session->slots.items),
        .length = course_pack_length(duration_ns)};

    if (event->duration > event->ticks)
        return;
    note_around(session, &call);
    course_add(array_at(&session->courses, slot->thread), &call);
}

static void add_duration(struct session_slot *slot, uint64_t ns)
{
    uint64_t *duration_ns = array_add_raw(&slot->durations_ns);

    *duration_ns = ns;
}

void events_on_kernel(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_SLOT);

    lane->others++;
    if (!cell) {
        events_skip(events);
        return;
    }
    struct session_slot *slot = array_at(&events->session->slots, cell->index);
    uint64_t ns = clock_convert_length(events->from.clock, event->duration);
    if (slot->op == 0)
        events_credit_worker(events, slot, event);
    if (events_keep_call(events, slot))
        add_duration(slot, ns);
    add_call(events, event, slot, ns);
    events_bound_calls(events);
}
