/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A k-way merge of the courses: a lane waits in the heap for its next border, the start of a call
 * or the end of the current one.
 */
#include "waits/sweep.h"

#include "base/pool.h"
#include "model/course.h"
#include "model/session.h"

struct sweep_lane {
    const struct course_call *calls;
    size_t count;
    size_t next;     /* the call that is open, or the one to come */
    uint64_t due_ns; /* time of the next border */
    size_t place;    /* in `inside`, while a call is open */
    uint32_t thread;
    bool is_open;
};

static bool is_before(const struct sweep *sweep, size_t one, size_t other)
{
    return sweep->lanes[sweep->heap[one]].due_ns < sweep->lanes[sweep->heap[other]].due_ns;
}

static void exchange(struct sweep *sweep, size_t one, size_t other)
{
    uint32_t lane = sweep->heap[one];

    sweep->heap[one] = sweep->heap[other];
    sweep->heap[other] = lane;
}

static void sink(struct sweep *sweep, size_t at)
{
    for (;;) {
        size_t least = at, child = 2 * at + 1;

        if (child < sweep->heap_count && is_before(sweep, child, least))
            least = child;
        if (child + 1 < sweep->heap_count && is_before(sweep, child + 1, least))
            least = child + 1;
        if (least == at)
            return;
        exchange(sweep, at, least);
        at = least;
    }
}

static void fill_lanes(struct sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->session->courses.count; i++) {
        const struct session_course *course = course_of(sweep->session, i);
        struct sweep_lane *lane = &sweep->lanes[sweep->heap_count];

        if (course->calls.count == 0)
            continue;
        *lane = (struct sweep_lane){
            .calls = course->calls.items, .count = course->calls.count, .thread = i};
        lane->due_ns = lane->calls[0].start_ns;
        sweep->heap[sweep->heap_count] = (uint32_t)sweep->heap_count;
        sweep->heap_count++;
    }
    for (size_t i = sweep->heap_count; i-- > 0;)
        sink(sweep, i);
    if (sweep->heap_count > 0)
        sweep->now_ns = sweep->lanes[sweep->heap[0]].due_ns;
}

void sweep_init(struct sweep *sweep, const struct session *session)
{
    size_t count = session->courses.count + 1;

    *sweep = (struct sweep){
        .session = session,
        .lanes = pool_get_zeros(count, sizeof *sweep->lanes),
        .heap = pool_get_zeros(count, sizeof *sweep->heap),
        .inside = pool_get_zeros(count, sizeof *sweep->inside),
        .threads = pool_get_zeros(count, sizeof *sweep->threads),
        .slots = pool_get_zeros(count, sizeof *sweep->slots),
    };
    fill_lanes(sweep);
}

static void open_call(struct sweep *sweep, struct sweep_lane *lane)
{
    const struct course_call *call = &lane->calls[lane->next];
    uint64_t end_ns = course_end_ns(call);

    lane->place = sweep->count++;
    sweep->inside[lane->place] = (uint32_t)(lane - sweep->lanes);
    sweep->threads[lane->place] = lane->thread;
    sweep->slots[lane->place] = call->slot;
    lane->due_ns = end_ns > lane->due_ns ? end_ns : lane->due_ns;
    lane->is_open = true;
}

/* The last of the inner threads takes the free place. */
static void close_call(struct sweep *sweep, struct sweep_lane *lane)
{
    size_t last = --sweep->count;

    sweep->inside[lane->place] = sweep->inside[last];
    sweep->threads[lane->place] = sweep->threads[last];
    sweep->slots[lane->place] = sweep->slots[last];
    sweep->lanes[sweep->inside[lane->place]].place = lane->place;
    lane->is_open = false;
    lane->next++;
}

/* Calls that overlap by a rounding follow one another. */
static void pass_border(struct sweep *sweep)
{
    struct sweep_lane *lane = &sweep->lanes[sweep->heap[0]];

    if (lane->is_open) {
        uint64_t now_ns = lane->due_ns;

        close_call(sweep, lane);
        if (lane->next < lane->count)
            lane->due_ns = lane->calls[lane->next].start_ns > now_ns
                               ? lane->calls[lane->next].start_ns
                               : now_ns;
        else
            sweep->heap[0] = sweep->heap[--sweep->heap_count];
    } else
        open_call(sweep, lane);
    sink(sweep, 0);
}

bool sweep_next(struct sweep *sweep, struct sweep_span *span)
{
    while (sweep->heap_count > 0 && sweep->lanes[sweep->heap[0]].due_ns <= sweep->now_ns)
        pass_border(sweep);
    if (sweep->heap_count == 0)
        return false;
    *span = (struct sweep_span){
        .start_ns = sweep->now_ns,
        .end_ns = sweep->lanes[sweep->heap[0]].due_ns,
        .count = sweep->count,
        .threads = sweep->threads,
        .slots = sweep->slots,
    };
    sweep->now_ns = span->end_ns;
    return true;
}
