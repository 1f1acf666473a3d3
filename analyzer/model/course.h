/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of a thread: its outermost kernel calls, one after another.
 *
 * Calls inside other kernels are left out, so the calls of a course do not overlap.  For kernels
 * whose timing is sampled, it has only timed calls.
 */
#ifndef MODEL_COURSE_H
#define MODEL_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

struct session;

/* A call, with our own cost.  `length` is in the format of course_length_ns. */
struct course_call {
    uint64_t start_ns;
    uint32_t slot; /* index in the session */
    uint32_t length;
};

/* The course of one thread. */
struct session_course {
    struct array calls; /* of struct course_call, by their start */
    size_t thinned;     /* the first `thinned` calls are drawn from more */
    bool is_whole;      /* no call is missing: none was lost, overwritten or only counted */
};

/* Lengths have 32 bits: nanoseconds, or from 2^31 on units of 1024 ns, up to 36 minutes. */
uint32_t course_pack_length(uint64_t ns);

static inline uint64_t course_length_ns(const struct course_call *call)
{
    const uint32_t coarse = UINT32_C(1) << 31;

    return call->length & coarse ? (uint64_t)(call->length & ~coarse) << 10 : call->length;
}

static inline uint64_t course_end_ns(const struct course_call *call)
{
    return call->start_ns + course_length_ns(call);
}

/* Give the course of a thread: index in session->threads. */
const struct session_course *course_of(const struct session *session, uint32_t thread);

/* Find the time that a course computes: from the start of its first call that counts to the end of
 * its last call.  First calls that together take at most 1 % of the time of all calls do not count:
 * numpy calls a dot product when it is loaded, and then other modules are loaded.
 *
 * Returns: false when it has no calls.
 */
bool course_find_span(const struct session_course *course, uint64_t *from_ns, uint64_t *to_ns);

/* Make an empty course for each of the session's threads.
 */
void course_make_all(struct session *session);

void course_fini_all(struct session *session);

/* Add a call that has ended.  Calls that started later were inside it, and are removed. */
void course_add(struct session_course *course, const struct course_call *call);

/* Mark the courses that are whole, once losses are known. */
void course_judge_all(struct session *session);

#endif
