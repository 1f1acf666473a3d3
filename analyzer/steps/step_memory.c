/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If ops define the steps, their beats give the peaks, exact to the block.  Otherwise the heap's
 * course has the highest value in each of some thousand stretches of the whole time.  Stretches
 * entirely inside a step give its peak; a stretch shared by two steps does not.
 */
#include "steps/step_memory.h"

#include <stdlib.h>

#include "base/pool.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "steps/step_heap.h"
#include "steps/texts.h"

/* With fewer stretches, those at both ends are too large a part of a step. */
enum { LEAST_STRETCHES = 8 };

struct walk {
    const struct session *session;
    const struct roles *roles;
    uint32_t thread; /* thread of the steps */
};

static uint64_t end_of(const struct session *session, size_t moment)
{
    const struct array *moments = &session->heap.moments;

    return moment + 1 < moments->count
               ? ((const struct session_moment *)array_at(moments, moment + 1))->time_ns
               : session->process.wall_ns;
}

static int compare_moment(const void *item, const void *key)
{
    uint64_t time_ns = ((const struct session_moment *)item)->time_ns;
    uint64_t other = *(const uint64_t *)key;

    return (time_ns > other) - (time_ns < other);
}

/* Returns: the stretch with the highest value; SIZE_MAX when there are too few. */
static size_t find_highest(const struct session *session, const struct step *step)
{
    const struct array *moments = &session->heap.moments;
    const struct session_moment *moment = moments->items;
    size_t first = array_first_from(moments, &step->start_ns, compare_moment);
    size_t highest = first, i = first;

    for (; i < moments->count && end_of(session, i) <= step->end_ns; i++)
        if (moment[i].max_bytes > moment[highest].max_bytes)
            highest = i;
    return i - first >= LEAST_STRETCHES ? highest : SIZE_MAX;
}

static uint64_t overlap(const struct course_call *call, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t start = call->start_ns > from_ns ? call->start_ns : from_ns;
    uint64_t end = course_end_ns(call) < to_ns ? course_end_ns(call) : to_ns;

    return end > start ? end - start : 0;
}

/* Find the first call that ends after `time_ns`; the calls do not overlap. */
static size_t first_after(const struct array *calls, uint64_t time_ns)
{
    const struct course_call *call = calls->items;
    size_t low = 0, high = calls->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (course_end_ns(&call[middle]) <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Find the role of a thread's kernels with the longest time in a stretch. */
static enum role role_in(const struct array *calls, const struct roles *roles, uint64_t from_ns,
                         uint64_t to_ns)
{
    const struct course_call *call = calls->items;
    uint64_t times[ROLES + 1] = {[ROLES] = to_ns - from_ns};
    size_t longest = ROLES;

    for (size_t i = first_after(calls, from_ns); i < calls->count && call[i].start_ns < to_ns;
         i++) {
        uint64_t ns = overlap(&call[i], from_ns, to_ns);

        times[roles_of(roles, call[i].slot)->role] += ns;
        times[ROLES] -= ns;
    }
    for (size_t i = 0; i < ROLES; i++)
        if (times[i] > times[longest])
            longest = i;
    return (enum role)longest;
}

static int compare_bytes(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static void find_median(struct step_memory *memory)
{
    const struct step_peak *peak = memory->peaks.items;
    size_t count = memory->peaks.count;
    uint64_t *bytes = pool_get(count * sizeof *bytes + 1);

    for (size_t i = 0; i < count; i++)
        bytes[i] = peak[i].bytes;
    qsort(bytes, count, sizeof *bytes, compare_bytes);
    memory->median_bytes = count > 0 ? bytes[(count - 1) / 2] : SESSION_UNKNOWN;
}

static void add_peak(struct step_memory *memory, const struct step_peak *peak)
{
    struct step_peak *place = array_add(&memory->peaks);
    const struct step_peak *first = memory->peaks.items;

    *place = *peak;
    if (peak->bytes > first[memory->most].bytes)
        memory->most = memory->peaks.count - 1;
    memory->at_role[peak->role]++;
}

/* By the heap's course.  The bytes of a step that is too short are SESSION_UNKNOWN. */
static struct step_peak find_by_course(const struct walk *walk, const struct step *step)
{
    const struct session *session = walk->session;
    const struct session_moment *moment = session->heap.moments.items;
    size_t highest = find_highest(session, step);
    struct step_peak peak = {0, SESSION_UNKNOWN, SESSION_UNKNOWN, ROLES};

    if (highest == SIZE_MAX)
        return peak;
    peak.bytes = moment[highest].max_bytes;
    peak.time_ns = moment[highest].time_ns;
    peak.role = role_in(&course_of(session, walk->thread)->calls, walk->roles, peak.time_ns,
                        end_of(session, highest));
    return peak;
}

/* The course has the time of the peak, if it has the same peak. */
static struct step_peak find_peak(const struct walk *walk, const struct step *step)
{
    struct step_peak peak = find_by_course(walk, step);
    struct step_heap heap;

    if (!step_heap_find(&heap, walk->session, step->start_ns, step->end_ns))
        return peak;
    if (heap.peak_bytes != peak.bytes)
        peak.time_ns = SESSION_UNKNOWN;
    peak.bytes = heap.peak_bytes;
    peak.role = heap.peak_op != 0 ? walk->roles->ops.of[heap.peak_op] : ROLES;
    return peak;
}

static void find_peaks(struct step_memory *memory, const struct steps *steps,
                       const struct walk *walk)
{
    const struct step *step = steps->steps.items;

    for (size_t i = 0; i < steps->steps.count; i++) {
        struct step_peak peak = find_peak(walk, &step[i]);

        peak.step = i;
        if (peak.bytes != SESSION_UNKNOWN)
            add_peak(memory, &peak);
    }
    find_median(memory);
}

void step_memory_find(struct step_memory *memory, const struct steps *steps,
                      const struct session *session, const struct roles *roles)
{
    *memory = (struct step_memory){.median_bytes = SESSION_UNKNOWN};
    array_init(&memory->peaks, sizeof(struct step_peak));
    if (session->heap.peak_bytes == SESSION_UNKNOWN) {
        memory->reason = session->heap.reason ? session->heap.reason : "records are missing";
        return;
    }
    find_peaks(memory, steps, &(struct walk){session, roles, steps->thread});
    if (memory->peaks.count == 0)
        memory->reason = steps_short_text.words;
}

const char *step_memory_place(enum role role)
{
    return role < ROLES ? role_name(role) : "other code";
}
