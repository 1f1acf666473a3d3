/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws kernel calls when there are too many to keep: bounded memory for any trace.
 *
 * A kept call takes 24 bytes: its duration in its slot, and its place in the course of its thread.
 * Up to session_options.calls_most calls are all kept.  When there are more, a coin decides for
 * each whether it stays; later calls are kept with the same probability.  So the kept calls of a
 * slot are a random sample for any rhythm of the program, and its intervals of percentiles and
 * means are valid.  Slots with few calls keep all; totals are in the tallies.
 *
 * The end of a course is not thinned, so that an ending call finds its inner calls.
 *
 * Decision: doc/decisions/drawn-calls.
 */
#include "model/events_parts.h"

#include "model/course.h"
#include "model/session_kernels.h"
#include "spec/drawn_calls.h"

enum {
    EVENTS_FEW_CALLS = 1024,  /* calls of a slot */
    EVENTS_INSIDE_MOST = 4096 /* the last calls of a course, which may be inside others */
};

static bool hit(struct events *events, unsigned doublings)
{
    return drawn_calls_hit(&events->draws.state, doublings);
}

bool events_keep_call(struct events *events, const struct session_slot *slot)
{
    return slot->doublings == 0 || hit(events, slot->doublings);
}

static void thin_slot(struct events *events, struct session_slot *slot)
{
    uint64_t *ns = slot->durations_ns.items;
    size_t kept = 0;

    if (slot->durations_ns.count <= EVENTS_FEW_CALLS || slot->doublings == DRAWN_CALLS_MOST)
        return;
    for (size_t i = 0; i < slot->durations_ns.count; i++)
        if (hit(events, 1))
            ns[kept++] = ns[i];
    array_truncate(&slot->durations_ns, kept);
    slot->doublings++;
}

/* Calls since the last thinning are thinned as much as the earlier ones were. */
static void thin_course(struct events *events, struct session_course *course)
{
    struct course_call *calls = course->calls.items;
    size_t count = course->calls.count, kept = 0;
    size_t end = count > EVENTS_INSIDE_MOST ? count - EVENTS_INSIDE_MOST : 0;
    size_t thinned = course->thinned < end ? course->thinned : end;

    for (size_t i = 0; i < end; i++)
        if (hit(events, i < thinned ? 1 : events->draws.doublings))
            calls[kept++] = calls[i];
    course->thinned = kept;
    for (size_t i = end; i < count; i++)
        calls[kept++] = calls[i];
    array_truncate(&course->calls, kept);
}

static uint64_t count_kept(const struct session *session)
{
    const struct session_course *course = session->courses.items;
    uint64_t count = 0;

    for (size_t i = 0; i < session->courses.count; i++)
        count += course[i].calls.count;
    return count;
}

static void thin(struct events *events)
{
    struct session *session = events->session;

    if (events->draws.doublings < DRAWN_CALLS_MOST)
        events->draws.doublings++;
    for (size_t i = 0; i < session->slots.count; i++)
        thin_slot(events, array_at(&session->slots, i));
    for (size_t i = 0; i < session->courses.count; i++)
        thin_course(events, array_at(&session->courses, i));
    events->draws.kept = count_kept(session);
    session->has_drawn_calls = true;
}

void events_bound_calls(struct events *events)
{
    if (++events->draws.kept > events->from.options->calls_most)
        thin(events);
}
