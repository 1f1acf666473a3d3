/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kernels a thread called, one after another.
 *
 * Of kernels inside kernels only the outermost are in it, so its calls do not
 * overlap.  Kernels whose timing is sampled are in it when they were timed.
 */
#ifndef MODEL_COURSE_H
#define MODEL_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

struct session;

/* A call, our own cost in it left in.  `length` is course_length's. */
struct course_call {
    uint64_t start_ns;
    uint32_t slot; /* of the session */
    uint32_t length;
};

/* Of one thread. */
struct session_course {
    struct array calls; /* of struct course_call, by their start */
    size_t thinned;     /* the first so many are what is left of more */
    bool is_whole;      /* no call is missing: none was lost, overwritten or only counted */
};

/* Lengths are in 32 bits: nanoseconds, or from 2^31 on units of 1024 ns, of which
 * the longest that can be told is 36 minutes. */
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

/* The course of a thread: index in session->threads. */
const struct session_course *course_of(const struct session *session, uint32_t thread);

/* Find from when to when a course computes: to the end of its last call, from its first
 * one that counts.  Those that together take at most 1 % of the time of all do not: numpy
 * calls a dot product when it is loaded, and then modules are read that have nothing to do
 * with the data.
 *
 * Returns: false when it has no calls.
 */
bool course_find_span(const struct session_course *course, uint64_t *from_ns, uint64_t *to_ns);

/* Make an empty course for each of the session's threads.
 */
void course_make_all(struct session *session);

void course_fini_all(struct session *session);

/* Add a call that has ended; calls that began after it were inside it, and go.
 */
void course_add(struct session_course *course, const struct course_call *call);

/* Find which courses are whole, when losses are known. */
void course_judge_all(struct session *session);

#endif
