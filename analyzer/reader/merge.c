/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c: the events of all lanes in one stream, by time.
 *
 * A binary heap over the lanes, each with its next event decoded.  The lane
 * that gave the last event is still on top when the next one is asked for, so
 * a lane that goes on alone costs two comparisons an event.
 */
#include "reader/merge.h"

#include <stdlib.h>

struct merge_source {
    struct cursor cursor;
    struct reader_event event;
};

/* Sources are numbered by lane: ties go to the lower lane. */
static inline bool merge_is_before(const struct merge *merge, uint32_t a, uint32_t b)
{
    uint64_t a_ticks = merge->sources[a].event.ticks;
    uint64_t b_ticks = merge->sources[b].event.ticks;

    return a_ticks != b_ticks ? a_ticks < b_ticks : a < b;
}

static inline void merge_sift_down(struct merge *merge, size_t place)
{
    uint32_t *heap = merge->heap;
    uint32_t moved = heap[place];

    for (;;) {
        size_t child = 2 * place + 1;

        if (child >= merge->heap_count)
            break;
        if (child + 1 < merge->heap_count && merge_is_before(merge, heap[child + 1], heap[child]))
            child++;
        if (!merge_is_before(merge, heap[child], moved))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = moved;
}

static void merge_end_source(struct merge *merge, struct merge_source *source)
{
    merge->bad_records += source->cursor.bad_records;
    merge->torn_chunks += source->cursor.torn_chunks;
    cursor_close(&source->cursor);
}

/* Replaces the event that was given out last by the next of its lane. */
static inline void merge_advance(struct merge *merge)
{
    struct merge_source *source = &merge->sources[merge->heap[0]];

    if (!cursor_next(&source->cursor, &source->event)) {
        merge_end_source(merge, source);
        merge->heap[0] = merge->heap[--merge->heap_count];
    }
    if (merge->heap_count > 1)
        merge_sift_down(merge, 0);
}

const struct reader_event *merge_next(struct merge *merge)
{
    if (merge->heap_count > 0 && merge->is_started)
        merge_advance(merge);
    merge->is_started = true;
    return merge->heap_count > 0 ? &merge->sources[merge->heap[0]].event : NULL;
}

uint32_t merge_lane(const struct merge *merge, size_t source)
{
    return merge->sources[source].cursor.lane;
}

/* ---- opening ----------------------------------------------------------- */

static size_t merge_count_lanes(struct reader_span chunks)
{
    size_t count = 0;

    for (; chunks.first < chunks.end; count++)
        reader_next_lane(&chunks);
    return count;
}

static enum status merge_open_source(struct merge *merge, const struct reader *reader,
                                     struct reader_span lane)
{
    uint32_t number = (uint32_t)merge->source_count;
    struct merge_source *source = &merge->sources[number];
    enum status status = cursor_open(&source->cursor, reader, lane);

    if (status)
        return status;
    source->event.lane = source->cursor.lane;
    source->event.source = number;
    merge->source_count++;
    if (cursor_next(&source->cursor, &source->event))
        merge->heap[merge->heap_count++] = number;
    else
        merge_end_source(merge, source);
    return STATUS_OK;
}

static void merge_order(struct merge *merge)
{
    for (size_t i = merge->heap_count / 2; i-- > 0;)
        merge_sift_down(merge, i);
}

enum status merge_open(struct merge *merge, const struct reader *reader)
{
    struct reader_span rest = reader_chunks(reader, TRACE_EVENTS);
    size_t count = merge_count_lanes(rest);
    enum status status = STATUS_OK;

    *merge = (struct merge){
        .sources = calloc(count + 1, sizeof(struct merge_source)),
        .heap = calloc(count + 1, sizeof(uint32_t)),
    };
    if (!merge->sources || !merge->heap)
        status = STATUS_OUT_OF_MEMORY;
    while (!status && rest.first < rest.end)
        status = merge_open_source(merge, reader, reader_next_lane(&rest));
    if (status)
        merge_close(merge);
    else
        merge_order(merge);
    return status;
}

void merge_close(struct merge *merge)
{
    for (size_t i = 0; i < merge->source_count; i++)
        cursor_close(&merge->sources[i].cursor);
    free(merge->sources);
    free(merge->heap);
    *merge = (struct merge){0};
}
