/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds missing records of a lane from its remaining chunks.
 *
 * Chunks of a lane are numbered, and each records when it was opened.  So the remaining chunks
 * bound the gaps between them.  The time of a chunk's last record is known only after decoding the
 * whole chunk; this is repeated for the few chunks before a hole.
 */
#include "model/holes.h"

#include "model/session.h"
#include "model/session_holes.h"
#include "model/session_losses.h"
#include "model/session_threads.h"
#include "reader/cursor.h"

/* A lane that found no room claims a chunk again after 100 ms at least: RETRY_NS of
 * shim/record/lane_chunks.c. */
static const uint64_t least_lost_ns = 100000000;

/* The lane at hand. */
struct holes {
    struct session *session;
    const struct losses_sources *sources;
    const struct tallies_lane *tallies;
    size_t found; /* number of holes found in the lane */
};

/* Found by decoding a chunk. */
struct chunk_times {
    uint64_t begin_ticks; /* time of its first record; for a call, of the call's start */
    uint64_t end_ticks;   /* time of its last record */
    bool is_damaged;
};

static uint64_t ns_of(const struct holes *holes, uint64_t ticks)
{
    return clock_convert(holes->sources->events->from.clock, ticks);
}

static uint64_t end_of(const struct session *session, const struct session_thread *thread)
{
    uint64_t wall_ns = session->process.wall_ns;

    return thread->has_ended && thread->last_ns < wall_ns ? thread->last_ns : wall_ns;
}

/* A lane serves threads one after the other: each has its part. */
static void add(struct holes *holes, uint64_t from_ns, uint64_t to_ns,
                enum session_hole_cause cause)
{
    const struct tallies_lane *lane = holes->tallies;

    holes->found++;
    for (uint32_t i = 0; i < lane->thread_count; i++) {
        uint32_t number = lane->first_thread + i;
        const struct session_thread *thread = session_thread_at(holes->session, number);
        uint64_t last_ns = end_of(holes->session, thread);
        uint64_t from = from_ns > thread->first_ns ? from_ns : thread->first_ns;
        uint64_t to = to_ns < last_ns ? to_ns : last_ns;
        struct session_hole *hole;

        if (from >= to)
            continue;
        hole = array_add(&holes->session->holes);
        *hole = (struct session_hole){number, cause, from, to};
    }
}

/* Chunks in the middle disappear when they are reused, or with a part of the file. */
static enum session_hole_cause find_cause(const struct holes *holes)
{
    return holes->session->losses.reused_chunks > 0 ? SESSION_HOLE_OVERWRITTEN
                                                    : SESSION_HOLE_UNREADABLE;
}

/* The first record may be older than the chunk, which was opened for it. */
static uint64_t find_begin(const struct reader_event *event, uint64_t opened_ticks)
{
    bool is_call = event->kind == TRACE_EVENT_KERNEL || event->kind == TRACE_EVENT_LEAVE;
    uint64_t ticks = event->ticks - (is_call ? event->duration : 0);

    return ticks < opened_ticks ? ticks : opened_ticks;
}

static void decode_chunk(const struct reader *reader, const struct reader_chunk *chunk,
                         struct chunk_times *times)
{
    enum { AT_ONCE = 64 };
    struct reader_event events[AT_ONCE];
    struct cursor cursor;

    cursor_open(&cursor, reader, (struct reader_span){chunk, chunk + 1});
    times->begin_ticks = times->end_ticks = chunk->clock.ticks;
    for (size_t count, all = 0; (count = cursor_read(&cursor, events, AT_ONCE)) > 0; all += count) {
        if (all == 0)
            times->begin_ticks = find_begin(&events[0], chunk->clock.ticks);
        times->end_ticks = events[count - 1].ticks;
    }
    times->is_damaged = cursor.bad_records + cursor.torn_chunks > 0;
    cursor_close(&cursor);
}

static bool may_have_lost(const struct holes *holes, const struct reader_chunk *chunk)
{
    return holes->tallies->lost > 0 &&
           ns_of(holes, chunk[1].clock.ticks) - ns_of(holes, chunk->clock.ticks) >= least_lost_ns;
}

/* Between a chunk and the next one. */
static void add_between(struct holes *holes, const struct reader_chunk *chunk)
{
    bool is_missing = chunk[1].sequence != chunk->sequence + 1;
    const struct reader *reader = holes->sources->reader;
    struct chunk_times before, behind;

    if (!is_missing && holes->sources->events->bad_records == 0 && !may_have_lost(holes, chunk))
        return;
    decode_chunk(reader, chunk, &before);
    decode_chunk(reader, chunk + 1, &behind);
    uint64_t from_ns = ns_of(holes, before.end_ticks), to_ns = ns_of(holes, behind.begin_ticks);
    if (is_missing) {
        add(holes, from_ns, to_ns, find_cause(holes));
        return;
    }
    if (before.is_damaged) {
        add(holes, from_ns, to_ns, SESSION_HOLE_UNREADABLE);
        return;
    }
    if (holes->tallies->lost > 0 && from_ns + least_lost_ns <= to_ns) {
        add(holes, from_ns, to_ns, SESSION_HOLE_LOST);
        return;
    }
}

/* Behind the last record.  A gap at a lane's end has no chunk number. */
static void add_behind(struct holes *holes, const struct reader_chunk *last)
{
    const struct losses_sources *sources = holes->sources;
    const struct session_losses *losses = &holes->session->losses;
    struct chunk_times times;

    if (losses->torn_chunks + sources->events->bad_records + holes->tallies->lost == 0)
        return;
    decode_chunk(sources->reader, last, &times);
    bool is_torn = losses->torn_chunks > 0 &&
                   losses_count_missing(holes->session, holes->tallies, sources->events) > 0;
    if (times.is_damaged || (holes->found == 0 && is_torn)) {
        add(holes, ns_of(holes, times.end_ticks), UINT64_MAX, SESSION_HOLE_UNREADABLE);
        return;
    }
    if (holes->found == 0 && holes->tallies->lost > 0) {
        add(holes, ns_of(holes, times.end_ticks), UINT64_MAX, SESSION_HOLE_LOST);
        return;
    }
}

static void add_before(struct holes *holes, const struct reader_chunk *first)
{
    struct chunk_times times;

    if (first->sequence == 0)
        return;
    decode_chunk(holes->sources->reader, first, &times);
    add(holes, 0, ns_of(holes, times.begin_ticks), find_cause(holes));
}

static void find_in_lane(struct holes *holes, struct reader_span lane)
{
    add_before(holes, lane.first);

    for (; lane.first + 1 < lane.end; lane.first++)
        add_between(holes, lane.first);
    add_behind(holes, lane.first);
}

void holes_find(struct session *session, const struct losses_sources *sources)
{
    struct reader_span rest = reader_chunks(sources->reader, TRACE_EVENTS);

    while (rest.first < rest.end) {
        struct reader_span lane = reader_next_lane(&rest);
        struct holes holes = {session, sources,
                              tallies_find_lane(sources->tallies, lane.first->lane), 0};

        if (holes.tallies)
            find_in_lane(&holes, lane);
    }
}
