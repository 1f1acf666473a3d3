/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels come from the sweep over all threads.  That a thread waits is known
 * from readings that it took itself: time that passed without processor time.
 */
#include "analysis/time/step_parts.h"

#include <math.h>

#include "analysis/time/sweep.h"
#include "model/course.h"

/* Steps under way through the spans, both in the order of time. */
struct walk {
    const struct step *steps;
    size_t count;
    size_t next;
};

/* Shorten a span to the time in its next step, from `from_ns` on.
 * Returns: whether there is such. */
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

/* How many calls of a slot one stands for that was timed. */
static double weight_of(const struct session *session, uint32_t slot)
{
    const struct session_slot *of = array_at(&session->slots, slot);

    return of->timed_calls > 0 && of->timed_calls < of->calls
               ? (double)of->calls / (double)of->timed_calls
               : 1;
}

static void share_span(struct step_parts *parts, const struct session *session,
                       const struct roles *roles, const struct sweep_span *span)
{
    for (size_t i = 0; i < span->count; i++)
        parts->kernel_ns[roles_of(roles, span->slots[i])->role] +=
            weight_of(session, span->slots[i]) * (double)(span->end_ns - span->start_ns) /
            (double)span->count;
}

static enum status add_kernels(struct step_parts *parts, const struct walk *steps,
                               const struct session *session, const struct roles *roles)
{
    struct walk walk = *steps;
    struct sweep_span span;
    struct sweep sweep;
    enum status status = sweep_init(&sweep, session);

    if (status)
        return status;
    while (sweep_next(&sweep, &span)) {
        struct sweep_span part = span;

        while (find_overlap(&walk, &part, part.start_ns)) {
            share_span(parts, session, roles, &part);
            part.start_ns = part.end_ns;
            part.end_ns = span.end_ns;
        }
    }
    sweep_fini(&sweep);
    return STATUS_OK;
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

        for (size_t i = 0; i < course->calls.count; i++)
            if (is_inside(&walk, calls[i].start_ns))
                parts->kernel_calls[roles_of(roles, calls[i].slot)->role] +=
                    weight_of(session, calls[i].slot);
    }
}

/* ---- between kernels ------------------------------------------------------------- */

static uint64_t count_all_calls(const struct session *session)
{
    uint64_t count = 0;

    for (size_t i = 0; i < session->slots.count; i++)
        count += ((const struct session_slot *)array_at(&session->slots, i))->calls;
    return count;
}

/* What tprof takes beside kernels' own records goes by time. */
static double estimate_own_ns(const struct step_parts *parts, const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    double each = isnan(overhead->kernel_ns) ? 0 : overhead->kernel_ns;
    double kernels_ns = each * (double)count_all_calls(session), calls = 0;
    double others_ns = (double)overhead->total_ns - kernels_ns;
    double part = session->thread_ns > 0 ? parts->whole_ns / (double)session->thread_ns : 0;

    for (size_t i = 0; i < ROLES; i++)
        calls += parts->kernel_calls[i];
    return each * calls + (others_ns > 0 ? others_ns * part : 0);
}

static double add_known(double sum, uint64_t before, uint64_t after)
{
    return before == SESSION_UNKNOWN || after == SESSION_UNKNOWN ? (double)NAN
                                                                 : sum + (double)(after - before);
}

/* Two readings of the thread, one after the other. */
static double watch(struct step_parts *parts, const struct session_reading *before,
                    const struct session_reading *after)
{
    const struct trace_reading *from = &before->values, *to = &after->values;
    double passed_ns = (double)(after->time_ns - before->time_ns);
    double cpu_ns = add_known(0, from->thread_cpu_ns, to->thread_cpu_ns);

    parts->watched_ns += passed_ns;
    parts->called_bytes = add_known(parts->called_bytes, from->called_bytes, to->called_bytes);
    parts->disk_bytes = add_known(parts->disk_bytes, from->read_bytes, to->read_bytes);
    parts->voluntary =
        add_known(parts->voluntary, from->voluntary_switches, to->voluntary_switches);
    parts->involuntary =
        add_known(parts->involuntary, from->involuntary_switches, to->involuntary_switches);
    parts->system_ns = add_known(parts->system_ns, from->system_ns, to->system_ns);
    parts->faults = add_known(parts->faults, from->minor_faults, to->minor_faults);
    return isnan(cpu_ns) ? cpu_ns : fmax(passed_ns - cpu_ns, 0);
}

/* Returns: how long the thread of the steps was off the processors between its
 * readings during the steps. */
static double watch_thread(struct step_parts *parts, const struct steps *steps,
                           const struct session *session, const struct walk *walk)
{
    uint64_t from_ns = walk->steps[0].start_ns, to_ns = walk->steps[walk->count - 1].end_ns;
    const struct session_reading *last = NULL;
    double off_ns = 0;

    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = array_at(&session->readings, i);

        if (reading->thread != steps->thread || reading->time_ns > to_ns)
            continue;
        if (last && last->time_ns >= from_ns)
            off_ns += watch(parts, last, reading);
        last = reading;
    }
    return off_ns;
}

static bool only_one_thread_has_kernels(const struct session *session)
{
    size_t threads = 0;

    for (uint32_t i = 0; i < session->courses.count; i++)
        threads += course_of(session, i)->calls.count > 0;
    return threads <= 1;
}

/* A kernel is taken to keep its thread busy. */
static void find_waiting(struct step_parts *parts, const struct steps *steps,
                         const struct session *session, const struct walk *walk)
{
    double off_ns = watch_thread(parts, steps, session, walk);
    double waiting_ns = off_ns * parts->whole_ns / parts->watched_ns;
    double most_ns = parts->gap_ns - parts->own_ns;

    parts->waiting_ns = (double)NAN;
    if (!only_one_thread_has_kernels(session))
        parts->no_waiting = "several threads call kernels, and may wait for each other";
    else if (parts->watched_ns <= 0)
        parts->no_waiting = "no two readings were taken during the steps; run longer, or with a "
                            "shorter TPROF_INTERVAL";
    else if (isnan(off_ns))
        parts->no_waiting = "the thread's processor time was not read";
    else
        parts->waiting_ns = waiting_ns < most_ns ? waiting_ns : most_ns;
}

static void split_gap(struct step_parts *parts, const struct steps *steps,
                      const struct session *session, const struct walk *walk)
{
    double kernels_ns = 0;

    for (size_t i = 0; i < ROLES; i++)
        kernels_ns += parts->kernel_ns[i];
    parts->gap_ns = parts->whole_ns > kernels_ns ? parts->whole_ns - kernels_ns : 0;
    parts->own_ns = fmin(estimate_own_ns(parts, session), parts->gap_ns);
    find_waiting(parts, steps, session, walk);
    parts->rest_ns = parts->gap_ns - parts->own_ns;
    if (!isnan(parts->waiting_ns))
        parts->rest_ns -= parts->waiting_ns;
}

enum status step_parts_find(struct step_parts *parts, const struct steps *steps,
                            const struct session *session)
{
    struct walk walk = {steps->steps.items, steps_count_whole(steps), 0};
    struct roles roles;
    enum status status;

    *parts = (struct step_parts){.steps = walk.count};
    if (walk.count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < walk.count; i++)
        parts->whole_ns += (double)(walk.steps[i].end_ns - walk.steps[i].start_ns);
    status = roles_init(&roles, session);
    if (status)
        return status;
    status = add_kernels(parts, &walk, session, &roles);
    if (!status) {
        count_calls(parts, &walk, session, &roles);
        split_gap(parts, steps, session, &walk);
    }
    roles_fini(&roles);
    return status;
}
