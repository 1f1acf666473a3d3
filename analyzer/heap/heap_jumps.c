/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growth by jumps.
 *
 * The floor at a time is the lowest value of the heap from then on.  A container that is filled at
 * a steady rate r, and multiplies its room by g when it is full, jumps at intervals that grow by
 * the factor g, and by g times as many bytes each time.  The bytes of one jump last until the next,
 * at the rate r.  So each jump gives the rate, "added before / time since then", and the time of
 * the next jump.  Stairs of equal height are the same with g = 1.
 *
 * At least three jumps of a doubling container are seen from half of the warm-up on, wherever in
 * its course the program ends: jumps at 1, 1/2, 1/4 and 1/8 of the time.
 *
 * Decision: doc/decisions/leak-verdict.
 */
#include "heap/heap_jumps.h"

#include <math.h>

#include "heap/heap_course.h"
#include "model/session_heap.h"

enum { LEAST_JUMPS = 3, MOST_JUMPS = 32 };

static const double jump_share = 0.05;  /* share of the growth, in one stretch of time */
static const double jumps_share = 0.80; /* share of the growth, in all jumps */
static const double even_rates = 2.5;   /* largest ratio of two rates of a steady use */
static const double due = 1.25;         /* as a multiple of the time to the next jump: it may still
                                           come */
static const double overdue = 2;        /* and here it will not */

struct jumps {
    double time_ns[MOST_JUMPS];
    double bytes[MOST_JUMPS];
    unsigned count;
    double sum;
};

/* Backwards from the end: the lowest value that is still to come. */
static void keep_what_stays(struct heap_course *course)
{
    for (size_t i = course->count - 1; i-- > 0;)
        course->y[i] = fmin(course->y[i], course->y[i + 1]);
}

/* A stretch of time without the heap's change has no rise, so each jump is in one stretch.
 * There are at most 20 of a twentieth of the growth. */
static void take_jumps(struct jumps *jumps, const struct heap_course *course)
{
    double least = jump_share * (course->y[course->count - 1] - course->y[0]);

    for (size_t i = 1; i < course->count && jumps->count < MOST_JUMPS; i++) {
        double bytes = course->y[i] - course->y[i - 1];

        if (bytes <= 0 || bytes < least)
            continue;
        jumps->time_ns[jumps->count] = course->x[i];
        jumps->bytes[jumps->count++] = bytes;
        jumps->sum += bytes;
    }
}

/* The rate at which the bytes of jump i - 1 were used up. */
static double rate_of(const struct jumps *jumps, unsigned i)
{
    return jumps->bytes[i - 1] / (jumps->time_ns[i] - jumps->time_ns[i - 1]);
}

/* By the last ones: earlier ones are of the start-up, maybe. */
static void find_rates(struct heap_jumps *found, const struct jumps *jumps)
{
    unsigned first = jumps->count - LEAST_JUMPS, last = jumps->count - 1;
    double bytes = 0;

    found->low = INFINITY;
    found->high = 0;
    for (unsigned i = first + 1; i <= last; i++) {
        found->low = fmin(found->low, rate_of(jumps, i));
        found->high = fmax(found->high, rate_of(jumps, i));
        bytes += jumps->bytes[i - 1];
    }
    found->slope = bytes / (jumps->time_ns[last] - jumps->time_ns[first]);
}

/* Returns: the time since the last jump, as a part of the time to use up its bytes. */
static double find_wait(const struct jumps *jumps, double end_ns)
{
    unsigned last = jumps->count - 1;

    return (end_ns - jumps->time_ns[last]) * rate_of(jumps, last) / jumps->bytes[last];
}

static enum heap_jumping judge(struct heap_jumps *found, const struct jumps *jumps, double end_ns)
{
    double wait;

    if (jumps->count < 2)
        return HEAP_ONE_JUMP;
    wait = find_wait(jumps, end_ns);
    if (wait > overdue)
        return HEAP_JUMPS_STOPPED;
    if (jumps->count < LEAST_JUMPS || wait > due)
        return HEAP_JUMPS_UNCLEAR;
    find_rates(found, jumps);
    return found->high <= even_rates * found->low ? HEAP_JUMPS_GO_ON : HEAP_JUMPS_UNCLEAR;
}

struct heap_jumps heap_jumps_find(const struct session_heap *heap, uint64_t from_ns, uint64_t to_ns)
{
    struct heap_jumps found = {HEAP_NO_JUMPS, 0, NAN, NAN, NAN, NAN};
    struct jumps jumps = {.count = 0};
    struct heap_course course;

    heap_course_floor(&course, heap, from_ns, to_ns, SESSION_MOMENTS);
    if (course.count < 2)
        return found;
    keep_what_stays(&course);
    take_jumps(&jumps, &course);
    if (jumps.count == 0 || jumps.sum < jumps_share * (course.y[course.count - 1] - course.y[0]))
        return found;
    found.count = jumps.count;
    found.last_ns = jumps.time_ns[jumps.count - 1];
    found.kind = judge(&found, &jumps, (double)to_ns);
    return found;
}
