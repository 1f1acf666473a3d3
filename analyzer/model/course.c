/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kernels a thread called, one after another.
 *
 * Decision: doc/decisions/kernel-calls-kept-twice.
 */
#include "model/course.h"

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"

uint32_t course_pack_length(uint64_t ns)
{
    const uint32_t coarse = UINT32_C(1) << 31;

    if (ns < coarse)
        return (uint32_t)ns;
    ns >>= 10;
    return coarse | (uint32_t)(ns < coarse ? ns : coarse - 1);
}

const struct session_course *course_of(const struct session *session, uint32_t thread)
{
    static const struct session_course none;

    return thread < session->courses.count ? array_at(&session->courses, thread) : &none;
}

bool course_find_span(const struct session_course *course, uint64_t *from_ns, uint64_t *to_ns)
{
    const uint64_t first_parts = 100; /* the first part, of this many, does not count */
    const struct course_call *calls = course->calls.items;
    size_t count = course->calls.count, first = 0;
    uint64_t all_ns = 0, sum_ns = 0;

    if (count == 0)
        return false;
    for (size_t i = 0; i < count; i++)
        all_ns += course_length_ns(&calls[i]);
    while (first + 1 < count && (sum_ns += course_length_ns(&calls[first])) <= all_ns / first_parts)
        first++;
    *from_ns = calls[first].start_ns;
    *to_ns = course_end_ns(&calls[count - 1]);
    return true;
}

void course_make_all(struct session *session)
{
    for (size_t i = 0; i < session->threads.count; i++) {
        struct session_course *course = array_add(&session->courses);

        array_init(&course->calls, sizeof(struct course_call));
    }
}

void course_fini_all(struct session *session)
{
    struct session_course *course = session->courses.items;

    for (size_t i = 0; i < session->courses.count; i++)
        array_fini(&course[i].calls);
    array_fini(&session->courses);
}

/* Calls end before their outer calls, so inner calls are at the end. */
void course_add(struct session_course *course, const struct course_call *call)
{
    const struct course_call *calls = course->calls.items;
    size_t count = course->calls.count;

    while (count > 0 && calls[count - 1].start_ns >= call->start_ns)
        count--;
    course->calls.count = count;
    struct course_call *place = array_add_raw(&course->calls);
    *place = *call;
}

void course_judge_all(struct session *session)
{
    struct session_course *course = session->courses.items;
    const struct session_thread *thread = session->threads.items;
    const struct session_slot *slot = session->slots.items;

    for (size_t i = 0; i < session->courses.count; i++)
        course[i].is_whole = thread[i].lost_records == 0 &&
                             session->losses.overwritten_records == 0 &&
                             session->losses.torn_chunks == 0;
    for (size_t i = 0; i < session->slots.count; i++)
        if (slot[i].durations_ns.count < slot[i].calls && slot[i].thread < session->courses.count)
            course[slot[i].thread].is_whole = false;
}
