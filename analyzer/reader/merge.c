/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of all lanes in one stream, by time.
 *
 * A tournament over the lanes (Knuth, TAOCP 3, 5.4.1): each inner node of the tree has the loser of
 * its match, and the winner's next event plays again from its leaf up.  The matches compile to
 * conditional moves: the winner is random when threads allocate at the same time, and a heap
 * mispredicted its branches once for each event.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#include "reader/merge.h"

#include <stdlib.h>

#include "base/memory.h"

static const uint64_t merge_ended = UINT64_MAX;

struct merge_source {
    struct cursor cursor;
    size_t next; /* in events */
    size_t count;
    uint64_t read_bytes; /* the counted part of the cursor's */
    struct reader_event events[MERGE_BATCH];
};

/* Sources are numbered by lane: ties go to the lower lane. */
static inline bool is_before(const struct merge *merge, uint32_t a, uint32_t b)
{
    uint64_t a_key = merge->keys[a];
    uint64_t b_key = merge->keys[b];

    return (a_key < b_key) | ((a_key == b_key) & (a < b));
}

/* Plays the matches from a source's leaf up to the root.  A mask exchanges winner and loser: gcc 12
 * would turn a choice into a branch. */
static inline void play(struct merge *merge, uint32_t source)
{
    uint32_t winner = source;

    for (size_t node = (merge->leaves + source) / 2; node > 0; node /= 2) {
        uint32_t other = merge->losers[node];
        uint32_t exchange = (winner ^ other) & -(uint32_t)is_before(merge, other, winner);

        merge->losers[node] = other ^ exchange;
        winner ^= exchange;
    }
    merge->winner = winner;
}

/* Returns: the winner of the matches under a node. */
static uint32_t play_all(struct merge *merge, size_t node)
{
    if (node >= merge->leaves)
        return (uint32_t)(node - merge->leaves);

    uint32_t left = play_all(merge, 2 * node);
    uint32_t right = play_all(merge, 2 * node + 1);
    bool is_left = is_before(merge, left, right);

    merge->losers[node] = is_left ? right : left;
    return is_left ? left : right;
}

static void end_source(struct merge *merge, struct merge_source *source)
{
    merge->bad_records += source->cursor.bad_records;
    merge->torn_chunks += source->cursor.torn_chunks;
    cursor_close(&source->cursor);
}

/* Returns: whether there are more events. */
static bool refill(struct merge *merge, struct merge_source *source)
{
    source->next = 0;
    source->count = cursor_read(&source->cursor, source->events, MERGE_BATCH);
    merge->read_bytes += source->cursor.read_bytes - source->read_bytes;
    source->read_bytes = source->cursor.read_bytes;
    if (source->count > 0)
        return true;
    end_source(merge, source);
    return false;
}

/* An event at the end of time is played as one just before it. */
static inline void update_key(struct merge *merge, uint32_t number)
{
    const struct merge_source *source = &merge->sources[number];
    uint64_t ticks = source->events[source->next].ticks;

    merge->keys[number] = ticks < merge_ended ? ticks : merge_ended - 1;
}

static void renew(struct merge *merge)
{
    merge->is_spent = false;
    if (refill(merge, &merge->sources[merge->winner]))
        update_key(merge, merge->winner);
    else
        merge->keys[merge->winner] = merge_ended;
    play(merge, merge->winner);
}

/* A batch ends with the last event of a source: the next ones would take its place. */
size_t merge_read(struct merge *merge, const struct reader_event **events)
{
    size_t count = 0;

    if (merge->is_spent)
        renew(merge);
    while (count < MERGE_BATCH && merge->keys[merge->winner] != merge_ended) {
        struct merge_source *source = &merge->sources[merge->winner];

        events[count++] = &source->events[source->next++];
        merge->is_spent = source->next == source->count;
        if (merge->is_spent)
            break;
        update_key(merge, merge->winner);
        play(merge, merge->winner);
    }
    return count;
}

uint32_t merge_lane(const struct merge *merge, size_t source)
{
    return merge->sources[source].cursor.lane;
}

static size_t count_lanes(struct reader_span chunks)
{
    size_t count = 0;

    for (; chunks.first < chunks.end; count++)
        reader_next_lane(&chunks);
    return count;
}

static void mark_events(struct merge_source *source, uint32_t number)
{
    for (size_t i = 0; i < MERGE_BATCH; i++)
        source->events[i].source = number;
}

static void open_source(struct merge *merge, const struct reader *reader, struct reader_span lane)
{
    uint32_t number = (uint32_t)merge->source_count;
    struct merge_source *source = &merge->sources[number];

    cursor_open(&source->cursor, reader, lane);
    mark_events(source, number);
    merge->source_count++;
    for (; lane.first < lane.end; lane.first++)
        merge->whole_bytes += lane.first->size;
    if (refill(merge, source))
        update_key(merge, number);
}

/* A power of two that is not below the count: the tree's matches are whole. */
static size_t count_leaves(size_t sources)
{
    size_t leaves = 1;

    while (leaves < sources)
        leaves *= 2;
    return leaves;
}

static void allocate(struct merge *merge, size_t sources)
{
    size_t leaves = count_leaves(sources);

    *merge = (struct merge){
        .sources = memory_get_zeros(sources + 1, sizeof(struct merge_source)),
        .keys = memory_get(leaves * sizeof *merge->keys),
        .losers = memory_get_zeros(leaves, sizeof *merge->losers),
        .leaves = leaves,
    };
    for (size_t i = 0; i < leaves; i++)
        merge->keys[i] = merge_ended;
}

void merge_open(struct merge *merge, const struct reader *reader)
{
    struct reader_span rest = reader_chunks(reader, TRACE_EVENTS);

    allocate(merge, count_lanes(rest));
    while (rest.first < rest.end)
        open_source(merge, reader, reader_next_lane(&rest));
    merge->winner = play_all(merge, 1);
}

void merge_close(struct merge *merge)
{
    for (size_t i = 0; i < merge->source_count; i++)
        cursor_close(&merge->sources[i].cursor);
    free(merge->sources);
    free(merge->keys);
    free(merge->losers);
    *merge = (struct merge){0};
}
