/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a call only when a record refers to it.
 *
 * Most calls of a trace belong to blocks.  An analysis without blocks needs few calls: one of 20
 * for a training of 95 MB.
 */
#include "base/memory.h"
#include "model/chains_parts.h"
#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>

/* The entry of a number that was not read yet. */
static const uint32_t unread = UINT32_MAX - 1;

/* Calls of a chunk, from the number `first` up to, not with, `end`. */
struct later_chunk {
    const struct reader_chunk *chunk;
    uint32_t first;
    uint32_t end;
    char *bytes; /* NULL: not needed yet */
    size_t size;
};

struct chains_later {
    const struct reader *reader;
    uint32_t *epochs;
    struct array chunks;  /* of struct later_chunk, by their numbers */
    struct array waiting; /* uint32_t: numbers to be read, each for the one before it */
};

void chains_later_free(struct chains_later *later)
{
    struct later_chunk *chunk = later ? later->chunks.items : NULL;

    if (!later)
        return;
    for (size_t i = 0; i < later->chunks.count; i++)
        free(chunk[i].bytes);
    array_fini(&later->chunks);
    array_fini(&later->waiting);
    free(later->epochs);
    free(later);
}

/* The same rule as for chunks that are read at once: the first of two chunks with the same numbers
 * counts, and numbers may run ahead of the chunks a little. */
static void add_chunks(struct chains_later *later, struct reader_span chunks, uint32_t *end)
{
    size_t most = chains_most_chunks(chunks);

    *end = 1;
    for (; chunks.first < chunks.end; chunks.first++) {
        uint32_t first = chains_first_of(chunks.first);
        uint64_t size = chunks.first->size - sizeof(struct trace_chunk);
        struct later_chunk *chunk;

        if (chunks.first->sequence >= most || first < *end)
            continue;
        chunk = array_add(&later->chunks);
        size = size < READER_LOAD_MAX ? size : READER_LOAD_MAX;
        *end = first + (uint32_t)(size / sizeof(struct trace_call));
        *chunk = (struct later_chunk){.chunk = chunks.first, .first = first, .end = *end};
    }
}

/* Number 0 is no chain, which leads to the root. */
static void make_entries(struct chains_lane *lane, uint32_t count)
{
    lane->entries = memory_get(count * sizeof *lane->entries);
    lane->later->epochs = memory_get_zeros(count, sizeof *lane->later->epochs);
    for (uint32_t i = 0; i < count; i++)
        lane->entries[i] = unread;
    lane->entries[0] = CHAINS_CALL;
    lane->count = count;
}

void chains_later_start(struct chains_lane *lane, const struct reader *reader,
                        struct reader_span chunks)
{
    uint32_t end;

    lane->later = memory_get_zeros(1, sizeof *lane->later);
    lane->later->reader = reader;
    array_init(&lane->later->chunks, sizeof(struct later_chunk));
    array_init(&lane->later->waiting, sizeof(uint32_t));
    add_chunks(lane->later, chunks, &end);
    make_entries(lane, end);
}

static int compare_end(const void *item, const void *key)
{
    const struct later_chunk *chunk = item;
    uint32_t number = *(const uint32_t *)key;

    return chunk->end <= number ? -1 : 1;
}

/* Returns in `is_there`: whether the trace has the call of a number. */
static void find_raw(struct chains_later *later, uint32_t number, struct trace_call *raw,
                     bool *is_there)
{
    size_t at = array_first_from(&later->chunks, &number, compare_end);
    struct later_chunk *chunk =
        at < later->chunks.count ? array_at(&later->chunks, at) : NULL;

    *is_there = false;
    if (!chunk || number < chunk->first)
        return;
    if (!chunk->bytes)
        chunk->bytes = reader_load(later->reader, chunk->chunk, &chunk->size);
    *is_there = (number - chunk->first + 1) * sizeof *raw <= chunk->size;
    if (*is_there)
        memcpy(raw, chunk->bytes + (number - chunk->first) * sizeof *raw, sizeof *raw);
}

static bool is_unread(const struct chains_lane *lane, uint64_t number, uint32_t below)
{
    return number < below && lane->entries[number] == unread;
}

/* Schedules a call number that another call refers to: it is read first. */
static void wait_for(const struct chains_lane *lane, uint32_t number)
{
    uint32_t *next = array_add(&lane->later->waiting);

    *next = number;
}

/* Reads the number that waits last, or lets one more wait that it refers to. */
static void read_next(struct chains *chains, struct chains_reading *reading)
{
    const struct chains_lane *lane = reading->lane;
    struct array *waiting = &lane->later->waiting;
    struct trace_call raw;
    bool is_there;

    reading->number = *(const uint32_t *)array_at(waiting, waiting->count - 1);
    find_raw(lane->later, reading->number, &raw, &is_there);
    if (is_there && raw.parent != 0 && is_unread(lane, raw.parent, reading->number)) {
        wait_for(lane, raw.parent);
        return;
    }
    if (is_there && (raw.flags & TRACE_CALL_MIXED) &&
        is_unread(lane, raw.address, reading->number)) {
        wait_for(lane, (uint32_t)raw.address);
        return;
    }
    array_truncate(waiting, waiting->count - 1);
    if (is_there) {
        chains_read_call(chains, reading, &raw);
        return;
    }
    lane->entries[reading->number] = CHAINS_UNKNOWN;
}

void chains_later_read(struct chains *chains, const struct chains_lane *lane, uint32_t number)
{
    struct chains_lane of = *lane;
    struct chains_reading reading = {.lane = &of, .epochs = lane->later->epochs};

    if (lane->entries[number] != unread)
        return;
    wait_for(lane, number);
    while (lane->later->waiting.count > 0)
        read_next(chains, &reading);
}
