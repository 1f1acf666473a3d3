/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appends a chunk of facts to a trace.
 *
 * The chunk goes where the shim would have claimed its next one: the file after that position was
 * allocated and never used.
 */
#include "reader/append.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "reader/reader.h"

static struct trace_chunk make_head(const struct reader *reader, size_t size)
{
    struct reader_span facts = reader_chunks(reader, TRACE_FACTS);
    struct trace_chunk head = {.magic = TRACE_CHUNK_MAGIC,
                               .kind = TRACE_FACTS,
                               .offset = reader->header.size,
                               .used = sizeof head + size,
                               .clock = reader->header.start};

    for (; facts.first < facts.end; facts.first++) {
        head.sequence = facts.first->sequence + 1;
        head.clock = facts.first->clock;
    }
    head.size = (head.used + TRACE_CHUNK_ALIGN - 1) / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN;
    return head;
}

static bool write_all(int descriptor, const void *bytes, size_t size, uint64_t offset)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t written = pwrite(descriptor, next, size, (off_t)offset);

        if (written < 0 && errno != EINTR)
            return false;
        next += written > 0 ? written : 0;
        offset += written > 0 ? (uint64_t)written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* The size in the header is written last: before that, the chunk is no part of the trace. */
static bool add_chunk(int descriptor, const struct trace_chunk *head, const void *facts)
{
    uint64_t end = head->offset + head->size;
    char *chunk = memory_get_zeros(1, (size_t)head->size);
    bool is_written;

    memcpy(chunk, head, sizeof *head);
    memcpy(chunk + sizeof *head, facts, (size_t)head->used - sizeof *head);
    is_written = write_all(descriptor, chunk, (size_t)head->size, head->offset) &&
                 write_all(descriptor, &end, sizeof end, offsetof(struct trace_header, size));
    free(chunk);
    return is_written;
}

static enum status add_facts(const struct reader *reader, const void *facts, size_t size,
                             struct diagnostic *diagnostic)
{
    struct trace_chunk head = make_head(reader, size);
    enum status status = STATUS_OK;
    int descriptor;

    if (reader->header.packed_size > 0 || reader->is_truncated ||
        reader->header.size % TRACE_CHUNK_ALIGN != 0)
        return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                              "%s is packed or damaged: nothing is added to it", reader->path);
    descriptor = open(reader->path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0 || !add_chunk(descriptor, &head, facts))
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot write %s: %s", reader->path,
                                strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

enum status append_facts(const char *path, const void *facts, size_t size,
                         struct diagnostic *diagnostic)
{
    struct reader reader;
    enum status status = reader_open(&reader, path, diagnostic);

    if (status)
        return status;
    status = add_facts(&reader, facts, size, diagnostic);
    reader_close(&reader);
    return status;
}
