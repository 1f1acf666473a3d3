/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An open trace file: its bytes and its chunks.
 */
#ifndef READER_READER_CHUNKS_H
#define READER_READER_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "spec/trace.h"

struct unpacker;

/* A chunk whose head made sense. */
struct reader_chunk {
    uint64_t offset;
    uint64_t size;        /* published bytes, with the head; unpacked */
    uint64_t packed_size; /* bytes of a packed chunk, with its head; 0: not packed */
    struct trace_clock_pair clock;
    uint32_t kind; /* enum trace_chunk_kind; for a packed chunk, the kind of its contents */
    uint32_t lane;
    uint32_t sequence;
};

struct reader {
    int descriptor;
    char *path;
    uint64_t size; /* size of the file when it was opened; for a packed copy, that of the
                      original */
    struct trace_header header;
    struct array chunks;       /* of struct reader_chunk, by kind, lane and sequence */
    uint64_t torn_chunks;      /* claimed but unreadable */
    bool is_truncated;         /* the file is shorter than its header claims */
    struct unpacker *unpacker; /* NULL while there are no packed chunks */
};

/* A run of chunks: from `first` up to, not with, `end`. */
struct reader_span {
    const struct reader_chunk *first;
    const struct reader_chunk *end;
};

/* Read up to `size` bytes at `offset`.
 *
 * Returns: the number of bytes read; fewer at the end of the file or after an error.
 */
size_t reader_read(const struct reader *reader, uint64_t offset, void *bytes, size_t size);

/* Give the chunks of one kind, by lane and sequence. */
struct reader_span reader_chunks(const struct reader *reader, enum trace_chunk_kind kind);

/* Give the first of the chunks of a span that belong to one lane. */
struct reader_span reader_next_lane(struct reader_span *rest);

#endif
