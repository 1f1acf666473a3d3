/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the chunks of a trace file.
 *
 * Chunks follow one another from the end of the header.  If a head is damaged, the walk continues
 * in steps of the smallest size of a chunk, so one damaged head costs one chunk.  A head contains
 * its own position in the file, so bytes inside a chunk are never mistaken for a head.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SEEK_DATA */
#endif
#include "reader/index.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "reader/packed.h"

static bool head_is_sound(const struct trace_chunk *head, uint64_t offset)
{
    if (head->magic != TRACE_CHUNK_MAGIC || head->offset != offset)
        return false;
    if (head->kind < TRACE_EVENTS || head->kind > TRACE_SYMBOLS)
        return false;
    if (head->kind == TRACE_TALLIES && head->size != TRACE_TALLY_CHUNK_SIZE)
        return false;
    if (head->kind == TRACE_STACKS && head->size != TRACE_STACK_CHUNK_SIZE)
        return false;
    return head->size >= TRACE_CHUNK_ALIGN && head->size % TRACE_CHUNK_ALIGN == 0 &&
           head->used >= sizeof *head && head->used <= head->size;
}

/* Bytes that the file should have.  The header of a packed copy keeps the size
 * of the original. */
static uint64_t claimed(const struct trace_header *header)
{
    return header->packed_size > 0 ? header->packed_size : header->size;
}

static bool read_head(const struct reader *reader, uint64_t offset, struct trace_chunk *head)
{
    return reader_read(reader, offset, head, sizeof *head) == sizeof *head &&
           head_is_sound(head, offset);
}

/* Skips a hole in the file: it may be as large as its owner liked. */
static uint64_t skip_hole(const struct reader *reader, uint64_t offset)
{
    off_t data = lseek(reader->descriptor, (off_t)offset, SEEK_DATA);

    if (data < 0)
        return errno == ENXIO ? reader->size : offset;
    uint64_t aligned = (uint64_t)data / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN;
    return aligned > offset ? aligned : offset;
}

/* Returns: the place of the next head from `offset` on, or the file's size. */
static uint64_t find_head(const struct reader *reader, uint64_t offset)
{
    struct trace_chunk head;

    while (offset < reader->size) {
        offset = skip_hole(reader, offset);
        if (offset >= reader->size || read_head(reader, offset, &head))
            break;
        offset += TRACE_CHUNK_ALIGN;
    }
    return offset < reader->size ? offset : reader->size;
}

/* A chunk that ends beyond the file was truncated with it; or its size is damaged, and other chunks
 * follow. */
static uint64_t find_end(struct reader *reader, const struct trace_chunk *head)
{
    if (head->size <= reader->size - head->offset)
        return head->offset + head->size;

    uint64_t end = find_head(reader, head->offset + TRACE_CHUNK_ALIGN);
    if (end < reader->size || head->used > reader->size - head->offset)
        reader->torn_chunks++;
    return end;
}

static bool is_packed(const struct trace_chunk *head)
{
    return head->kind == TRACE_PACKED || head->kind == TRACE_SYMBOLS;
}

static void need_unpacker(struct reader *reader)
{
    if (!reader->unpacker)
        reader->unpacker = unpacker_new();
}

/* Events are unpacked when they are read, and damage is counted then; all other chunks are tried
 * now. */
static void try_unpacking(struct reader *reader, const struct reader_chunk *chunk)
{
    char *bytes = memory_get((size_t)chunk->size);

    if (!packed_read(reader, chunk, bytes)) {
        reader->torn_chunks++;
        array_truncate(&reader->chunks, reader->chunks.count - 1);
    }
    free(bytes);
}

/* Describes a packed chunk by its contents; an incomplete one is dropped. */
static void look_inside(struct reader *reader, struct reader_chunk *chunk)
{
    struct trace_packed packed;
    const uint64_t behind_head = chunk->offset + sizeof(struct trace_chunk);

    if (chunk->size < sizeof(struct trace_chunk) + sizeof packed ||
        reader_read(reader, behind_head, &packed, sizeof packed) != sizeof packed ||
        !packed_head_is_sound(&packed) ||
        (packed.kind == TRACE_SYMBOLS) != (chunk->kind == TRACE_SYMBOLS)) {
        reader->torn_chunks++;
        array_truncate(&reader->chunks, reader->chunks.count - 1);
        return;
    }
    chunk->packed_size = chunk->size;
    chunk->size = sizeof(struct trace_chunk) + packed.kept;
    chunk->kind = packed.kind;
    need_unpacker(reader);
    if (chunk->kind != TRACE_EVENTS)
        try_unpacking(reader, chunk);
}

/* Returns: the position after the chunk. */
static uint64_t add(struct reader *reader, const struct trace_chunk *head)
{
    uint64_t end = find_end(reader, head);
    uint64_t available = end - head->offset;

    if (is_packed(head) && head->used > available)
        return end; /* half of it is worth nothing, and counted */
    struct reader_chunk *chunk = array_add(&reader->chunks);
    *chunk = (struct reader_chunk){
        .offset = head->offset,
        .size = head->used < available ? head->used : available,
        .clock = head->clock,
        .kind = head->kind,
        .lane = head->lane,
        .sequence = head->sequence,
    };
    if (is_packed(head))
        look_inside(reader, chunk);
    return end;
}

/* Space behind the claimed size was about to be claimed. */
static uint64_t skip_gap(struct reader *reader, uint64_t offset)
{
    uint64_t next = find_head(reader, offset + TRACE_CHUNK_ALIGN);

    if (next < reader->size || offset < claimed(&reader->header))
        reader->torn_chunks++;
    return next;
}

static void walk(struct reader *reader)
{
    struct trace_chunk head;

    for (uint64_t offset = TRACE_HEADER_SIZE; offset < reader->size;) {
        if (read_head(reader, offset, &head))
            offset = add(reader, &head);
        else
            offset = skip_gap(reader, offset);
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct reader_chunk *a = left;
    const struct reader_chunk *b = right;
    int order = compare_numbers(a->kind, b->kind);

    if (order == 0)
        order = compare_numbers(a->lane, b->lane);
    if (order == 0)
        order = compare_numbers(a->sequence, b->sequence);
    return order ? order : compare_numbers(a->offset, b->offset);
}

/* Counts the places where a sequence does not increase by one: a head with a damaged size hides the
 * chunks after it. */
static uint64_t count_gaps(struct reader_span span)
{
    uint64_t count = 0;

    while (span.first < span.end) {
        struct reader_span lane = reader_next_lane(&span);
        uint32_t expected = 0;

        for (const struct reader_chunk *chunk = lane.first; chunk < lane.end; chunk++) {
            count += chunk->sequence != expected;
            expected = chunk->sequence + 1;
        }
    }
    return count;
}

/* A torn head also leaves a gap in its sequence, but is counted only once.  Reused event chunks are
 * expected to be missing. */
static void check_sequences(struct reader *reader)
{
    uint64_t gaps = count_gaps(reader_chunks(reader, TRACE_TALLIES)) +
                    count_gaps(reader_chunks(reader, TRACE_FACTS)) +
                    count_gaps(reader_chunks(reader, TRACE_STACKS));

    if (reader->header.reused_chunks == 0)
        gaps += count_gaps(reader_chunks(reader, TRACE_EVENTS));
    if (gaps > reader->torn_chunks)
        reader->torn_chunks = gaps;
}

/* A packed copy contains the gaps and the size of its original.  But if the
 * copy itself was cut off, that is reported instead. */
static void take_original(struct reader *reader)
{
    struct trace_header *header = &reader->header;

    reader->torn_chunks += header->packed_torn;
    if (header->packed_size > reader->size)
        header->size = header->packed_size;
    else
        reader->size = header->packed_from;
}

void index_build(struct reader *reader)
{
    walk(reader);

    if (reader->chunks.count > 0)
        qsort(reader->chunks.items, reader->chunks.count, sizeof(struct reader_chunk), compare);
    if (reader->header.packed_size > 0)
        take_original(reader);
    check_sequences(reader);
    reader->is_truncated = reader->header.size > reader->size;
    if (reader->is_truncated && reader->torn_chunks == 0)
        reader->torn_chunks = 1;
}
