/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels come from the sweep over all threads.  A thread's waiting is known from its own readings:
 * time that passed without processor time.
 */
#include "steps/step_parts.h"

#include <math.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/slots.h"
#include "steps/texts.h"
#include "waits/sweep.h"

/* The contribution of one slot's calls to the parts. */
struct kernel_share {
    double ns;
    double counted_ns;
    double calls;
};

/* A parallel walk through steps and spans, both in the order of time. */
struct walk {
    const struct step *steps;
    size_t count;
    size_t next;
};

/* Shorten a span to the time in its next step, from `from_ns` on.
 * Returns: whether they overlap. */
static bool find_overlap(struct walk *walk, struct sweep_span *span, uint64_t from_ns)
{
    const struct step *step;

    while (walk->next < walk->count && walk->steps[walk->next].end_ns <= from_ns)
        walk->next++;
    step = &walk->steps[walk->next];
    if (walk->next == walk->count || step->start_ns >= span->end_ns || from_ns >= span->end_ns)
        return false;
    span->start_ns = step->start_ns > from_ns ? step->start_ns : from_ns;
    span->end_ns = step->end_ns < span->end_ns ? step->end_ns : span->end_ns;
    return true;
}

/* Part of the calls of a slot: `share` of them. */
static void add_share(struct step_parts *parts, enum role role, double share,
                      const struct kernel_share *of)
{
    parts->kernel_ns[role] += share * of->ns;
    parts->counted_ns[role] += share * of->counted_ns;
    parts->kernel_calls[role] += share * of->calls;
}

static void add_by_role(struct step_parts *parts, const struct role_entry *entry,
                        const struct kernel_share *of)
{
    if (entry->part_count == 0)
        add_share(parts, entry->role, 1, of);
    for (size_t i = 0; i < entry->part_count; i++)
        add_share(parts, entry->parts[i].role, entry->parts[i].share, of);
}

/* Adds the measured time, and separately that of calls that were only counted. */
static void share_span(struct step_parts *parts, const struct session *session,
                       const struct roles *roles, const struct sweep_span *span)
{
    double each_ns = (double)(span->end_ns - span->start_ns) / (double)span->count;

    for (size_t i = 0; i < span->count; i++) {
        const struct session_slot *slot = session_slot_at(session, span->slots[i]);

        add_by_role(parts, roles_of(roles, span->slots[i]),
                    &(struct kernel_share){
                        .ns = each_ns,
                        .counted_ns = each_ns * slots_estimated_by_timed(session, slot)});
    }
}

static void add_kernels(struct step_parts *parts, const struct walk *steps,
                        const struct session *session, const struct roles *roles)
{
    struct walk walk = *steps;
    struct sweep_span span;
    struct sweep sweep;

    sweep_init(&sweep, session);
    while (sweep_next(&sweep, &span)) {
        struct sweep_span part = span;

        while (find_overlap(&walk, &part, part.start_ns)) {
            share_span(parts, session, roles, &part);
            part.start_ns = part.end_ns;
            part.end_ns = span.end_ns;
        }
    }
}

static bool is_inside(struct walk *walk, uint64_t time_ns)
{
    while (walk->next < walk->count && walk->steps[walk->next].end_ns <= time_ns)
        walk->next++;
    return walk->next < walk->count && walk->steps[walk->next].start_ns <= time_ns;
}

static void count_calls(struct step_parts *parts, const struct walk *steps,
                        const struct session *session, const struct roles *roles)
{
    for (uint32_t thread = 0; thread < session->courses.count; thread++) {
        const struct session_course *course = course_of(session, thread);
        const struct course_call *calls = course->calls.items;
        struct walk walk = *steps;

        for (size_t i = 0; i < course->calls.count; i++) {
            const struct session_slot *slot = session_slot_at(session, calls[i].slot);

            if (!is_inside(&walk, calls[i].start_ns))
                continue;
            add_by_role(parts, roles_of(roles, calls[i].slot),
                        &(struct kernel_share){.calls = slots_stands_for(slot)});
            parts->own_ns += slots_outer_cost_ns(session, slot);
        }
    }
}

static bool only_one_thread_has_kernels(const struct session *session)
{
    size_t threads = 0;

    for (uint32_t i = 0; i < session->courses.count; i++)
        threads += course_of(session, i)->calls.count > 0;
    return threads <= 1;
}

/* The thread's own waiting is between kernels, because kernels are assumed not to wait; preemption
 * may happen at any time.  If preemption was not counted, all of it counts as waiting, with a
 * note. */
static void share_waiting(struct step_parts *parts)
{
    double gap_share = parts->gap_ns / parts->whole_ns;
    struct waiting_shares shares = waiting_split(&parts->watched);
    double aside = isnan(shares.aside) ? 0 : shares.aside;
    double room_ns = parts->gap_ns - parts->own_ns;

    parts->waiting_is_most = isnan(shares.aside);
    parts->waiting_ns = fmin(shares.waited * parts->whole_ns, room_ns);
    parts->aside_ns = fmin(aside * gap_share * parts->whole_ns, room_ns - parts->waiting_ns);
}

static void find_waiting(struct step_parts *parts, const struct steps *steps,
                         const struct session *session, const struct walk *walk)
{
    parts->watched = waiting_find(session, steps->thread, walk->steps[0].start_ns,
                                  walk->steps[walk->count - 1].end_ns);
    parts->waiting_ns = parts->aside_ns = (double)NAN;
    if (!only_one_thread_has_kernels(session))
        parts->no_waiting = steps_many_threads_text.words;
    else if (!(parts->watched.watched_ns > 0))
        parts->no_waiting = steps_no_readings_text.words;
    else if (isnan(parts->watched.off_ns))
        parts->no_waiting = steps_no_time_text.words;
    else
        share_waiting(parts);
}

/* Estimated time must fit the available time. */
static double add_counted(struct step_parts *parts)
{
    double kernels_ns = 0, counted_ns = 0, part;

    for (size_t i = 0; i < ROLES; i++) {
        kernels_ns += parts->kernel_ns[i];
        counted_ns += parts->counted_ns[i];
    }
    part = counted_ns > 0 ? fmin(1, fmax(0, parts->whole_ns - kernels_ns) / counted_ns) : 0;
    for (size_t i = 0; i < ROLES; i++)
        parts->kernel_ns[i] += part * parts->counted_ns[i];
    return kernels_ns + part * counted_ns;
}

static void split_gap(struct step_parts *parts, const struct steps *steps,
                      const struct session *session, const struct walk *walk)
{
    parts->gap_ns = fmax(0, parts->whole_ns - add_counted(parts));
    parts->own_ns = fmin(parts->own_ns, parts->gap_ns);
    find_waiting(parts, steps, session, walk);
    parts->rest_ns = parts->gap_ns - parts->own_ns;
    if (!isnan(parts->waiting_ns))
        parts->rest_ns -= parts->waiting_ns + parts->aside_ns;
}

void step_parts_find(struct step_parts *parts, const struct steps *steps,
                     const struct session *session, const struct roles *roles)
{
    size_t count = steps_count_whole(steps);
    struct walk walk = {.count = count > parts->first ? count - parts->first : 0};

    *parts = (struct step_parts){.first = parts->first, .steps = walk.count};
    if (walk.count == 0)
        return;
    walk.steps = array_at(&steps->steps, parts->first);
    for (size_t i = 0; i < walk.count; i++)
        parts->whole_ns += (double)(walk.steps[i].end_ns - walk.steps[i].start_ns);
    add_kernels(parts, &walk, session, roles);
    count_calls(parts, &walk, session, roles);
    split_gap(parts, steps, session, &walk);
}
