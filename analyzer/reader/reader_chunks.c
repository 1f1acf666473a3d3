/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace file that is open: its bytes, and its chunks.
 */
#include "reader/reader_chunks.h"

#include <errno.h>
#include <unistd.h>

size_t reader_read(const struct reader *reader, uint64_t offset, void *bytes, size_t size)
{
    size_t done = 0;

    if (offset > INT64_MAX - size)
        return 0;
    while (done < size) {
        ssize_t read =
            pread(reader->descriptor, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (read == 0 || (read < 0 && errno != EINTR))
            break;
        done += read > 0 ? (size_t)read : 0;
    }
    return done;
}

struct reader_span reader_chunks(const struct reader *reader, enum trace_chunk_kind kind)
{
    const struct reader_chunk *chunk = reader->chunks.items;
    const struct reader_chunk *end = chunk;

    if (reader->chunks.count > 0)
        end += reader->chunks.count;
    while (chunk < end && chunk->kind < (uint32_t)kind)
        chunk++;
    struct reader_span span = {chunk, chunk};
    while (span.end < end && span.end->kind == (uint32_t)kind)
        span.end++;
    return span;
}

struct reader_span reader_next_lane(struct reader_span *rest)
{
    struct reader_span span = {rest->first, rest->first};

    while (span.end < rest->end && span.end->lane == span.first->lane)
        span.end++;
    rest->first = span.end;
    return span;
}
