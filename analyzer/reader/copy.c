/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing and unpacking whole files, for `tprof pack`.
 *
 * The header is written last: a copy that was broken off is no trace.
 */
#include "reader/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "reader/packer.h"

/* The copying of one file. */
struct copy_work {
    struct copy *copy;
    const struct reader *reader;
    struct packer *packer; /* NULL when unpacking */
    struct diagnostic *diagnostic;
    char *bytes;       /* TRACE_PACKED_MAX: the contents of a chunk */
    uint64_t position; /* position of the next packed chunk */
    uint64_t packed_size;
};

/* A chunk that is copied: its head, and the head of packed contents. */
struct copy_chunk {
    struct trace_chunk head;
    struct trace_packed packed;
};

static enum status write_all(const struct copy_work *work, uint64_t offset, const void *bytes,
                             size_t size)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t written = pwrite(work->copy->descriptor, next, size, (off_t)offset);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return diagnostic_set(work->diagnostic, STATUS_IO, "cannot write %s: %s",
                                  work->copy->path, strerror(errno));
        next += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}

static void note_packing(const struct copy_work *work, struct trace_header *header)
{
    header->packed_size = work->packed_size;
    header->packed_from = work->reader->size;
    header->packed_torn = work->copy->torn_chunks;
}

static void forget_packing(const struct copy_work *work, struct trace_header *header)
{
    (void)work;
    header->packed_size = 0;
    header->packed_from = 0;
    header->packed_torn = 0;
}

static void keep_packing(const struct copy_work *work, struct trace_header *header)
{
    (void)work;
    (void)header;
}

/* The page from the file, with the header of the time when the chunks were
 * found: a running program may write on. */
static enum status write_header(const struct copy_work *work,
                                void (*change)(const struct copy_work *, struct trace_header *))
{
    char page[TRACE_HEADER_SIZE] = {0};
    struct trace_header header = work->reader->header;

    reader_read(work->reader, 0, page, sizeof page);
    if (work->packer == NULL)
        memcpy(&header, page, sizeof header);
    change(work, &header);
    memcpy(page, &header, sizeof header);
    if (ftruncate(work->copy->descriptor, (off_t)work->copy->size) != 0)
        return diagnostic_set(work->diagnostic, STATUS_IO, "cannot write %s: %s", work->copy->path,
                              strerror(errno));
    return write_all(work, 0, page, sizeof page);
}

/* With a capacity, a running process may have reused the chunk for newer records since it was
 * found. */
static bool read_chunk(const struct copy_work *work, const struct reader_chunk *chunk,
                       struct trace_chunk *head)
{
    size_t size = (size_t)(chunk->size - sizeof *head);

    return reader_read(work->reader, chunk->offset, head, sizeof *head) == sizeof *head &&
           head->magic == TRACE_CHUNK_MAGIC && head->kind == chunk->kind &&
           head->lane == chunk->lane && head->sequence == chunk->sequence &&
           reader_read(work->reader, chunk->offset + sizeof *head, work->bytes, size) == size;
}

static uint64_t align(uint64_t size)
{
    return (size + TRACE_CHUNK_ALIGN - 1) / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN;
}

/* The padding behind a payload is left to be a hole. */
static enum status write_packed(struct copy_work *work, struct copy_chunk *chunk,
                                const struct packed *packed)
{
    const uint64_t used = sizeof *chunk + packed->size;

    chunk->head.kind = chunk->packed.kind == TRACE_SYMBOLS ? TRACE_SYMBOLS : TRACE_PACKED;
    chunk->head.offset = work->position;
    chunk->head.size = align(used);
    chunk->head.used = used;
    enum status status = write_all(work, work->position, chunk, sizeof *chunk);
    if (!status)
        status = write_all(work, work->position + sizeof *chunk, packed->payload, packed->size);
    work->position += chunk->head.size;
    return status;
}

static enum status refuse_chunk(const struct copy_work *work, const struct reader_chunk *chunk)
{
    return diagnostic_set(work->diagnostic, STATUS_UNSUPPORTED,
                          "%s: byte %llu: expected a chunk of %d bytes at most, found %llu: "
                          "it cannot be packed",
                          work->reader->path, (unsigned long long)chunk->offset, TRACE_PACKED_MAX,
                          (unsigned long long)chunk->size);
}

static enum status pack_chunk(struct copy_work *work, const struct reader_chunk *chunk)
{
    struct copy_chunk to;

    if (chunk->size - sizeof to.head > TRACE_PACKED_MAX)
        return refuse_chunk(work, chunk);
    if (!read_chunk(work, chunk, &to.head)) {
        work->copy->torn_chunks++;
        return STATUS_OK;
    }
    to.packed = (struct trace_packed){
        .kind = to.head.kind,
        .offset = to.head.offset,
        .size = to.head.size,
        .used = to.head.used,
        .kept = chunk->size - sizeof to.head,
    };
    const struct packed packed = packer_pack(work->packer, &to.packed, work->bytes);
    return write_packed(work, &to, &packed);
}

/* Returns: the bytes of the whole facts from `from` on that one chunk holds. */
static size_t count_facts(const struct text *facts, size_t from)
{
    size_t end = from;

    while (end < facts->size) {
        struct trace_fact head;

        memcpy(&head, facts->bytes + end, sizeof head);
        size_t next = end + sizeof head + (head.size + 7) / 8 * 8;
        if (next - from > TRACE_PACKED_MAX)
            break;
        end = next;
    }
    return end - from;
}

static enum status write_symbols(struct copy_work *work)
{
    const struct text *facts = work->copy->symbols;
    enum status status = STATUS_OK;
    uint32_t sequence = 0;

    for (size_t from = 0; facts && from < facts->size && !status;) {
        size_t kept = count_facts(facts, from);
        struct copy_chunk to = {.head = {.magic = TRACE_CHUNK_MAGIC,
                                         .sequence = sequence++,
                                         .clock = work->reader->header.start},
                                .packed = {.kind = TRACE_SYMBOLS, .kept = kept}};
        const struct packed packed = packer_pack(work->packer, &to.packed, facts->bytes + from);

        status = write_packed(work, &to, &packed);
        from += kept;
    }
    return status;
}

/* Copy the packed bytes, up to the symbols. */
static enum status packed_bytes(struct copy_work *work)
{
    const uint64_t end = work->reader->header.packed_size;
    enum status status = STATUS_OK;

    while (work->position < end && !status) {
        uint64_t left = end - work->position;
        size_t size = (size_t)(left < TRACE_PACKED_MAX ? left : TRACE_PACKED_MAX);

        if (reader_read(work->reader, work->position, work->bytes, size) != size)
            return diagnostic_set(work->diagnostic, STATUS_CORRUPT,
                                  "%s: byte %llu: expected more, found the end: it was cut off, "
                                  "and takes no symbols",
                                  work->reader->path, (unsigned long long)work->position);
        status = write_all(work, work->position, work->bytes, size);
        work->position += size;
        if (work->copy->on_progress)
            work->copy->on_progress(work->position, end);
    }
    return status;
}

/* A chunk must have its old place, inside the file that was packed. */
static bool place_is_sound(const struct trace_packed *packed, uint64_t end)
{
    return packed->offset >= TRACE_HEADER_SIZE && packed->offset % TRACE_CHUNK_ALIGN == 0 &&
           packed->offset <= end && end - packed->offset >= sizeof(struct trace_chunk) &&
           end - packed->offset - sizeof(struct trace_chunk) >= packed->kept;
}

static enum status write_original(const struct copy_work *work, struct copy_chunk *chunk)
{
    const struct trace_packed *packed = &chunk->packed;

    chunk->head.kind = packed->kind;
    chunk->head.offset = packed->offset;
    chunk->head.size = packed->size;
    chunk->head.used = packed->used;
    enum status status = write_all(work, packed->offset, &chunk->head, sizeof chunk->head);
    return status ? status
                  : write_all(work, packed->offset + sizeof chunk->head, work->bytes,
                              (size_t)packed->kept);
}

static enum status unpack_chunk(struct copy_work *work, const struct reader_chunk *chunk)
{
    struct copy_chunk from;

    if (chunk->kind == TRACE_SYMBOLS)
        return STATUS_OK; /* the original had none */
    if (chunk->packed_size > 0 &&
        reader_read(work->reader, chunk->offset, &from, sizeof from) == sizeof from &&
        place_is_sound(&from.packed, work->copy->size) &&
        packed_read(work->reader, chunk, work->bytes))
        return write_original(work, &from);
    work->copy->torn_chunks++;
    return STATUS_OK;
}

static int compare_offsets(const void *left, const void *right)
{
    const struct reader_chunk *const *a = left;
    const struct reader_chunk *const *b = right;

    return ((*a)->offset > (*b)->offset) - ((*a)->offset < (*b)->offset);
}

/* Returns: the chunks in the order of the file, for the caller to free. */
static const struct reader_chunk **sort_chunks(const struct reader *reader)
{
    const struct reader_chunk *chunk = reader->chunks.items;
    size_t count = reader->chunks.count;
    const struct reader_chunk **order = memory_get_zeros(count + 1, sizeof *order);

    for (size_t i = 0; i < count; i++)
        order[i] = &chunk[i];
    qsort(order, count, sizeof *order, compare_offsets);
    return order;
}

static enum status all(struct copy_work *work,
                       enum status (*copy_chunk)(struct copy_work *, const struct reader_chunk *))
{
    const struct reader_chunk **order = sort_chunks(work->reader);
    size_t count = work->reader->chunks.count;
    uint64_t whole = 0;
    uint64_t done = 0;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        whole += order[i]->size;
    for (size_t i = 0; i < count && !status; i++) {
        status = copy_chunk(work, order[i]);
        done += order[i]->size;
        if (work->copy->on_progress)
            work->copy->on_progress(done, whole);
    }
    free(order);
    return status;
}

static void write_head(struct copy_work *work)
{
    work->copy->torn_chunks = work->reader->torn_chunks;
    work->position = TRACE_HEADER_SIZE;
    work->bytes = memory_get(TRACE_PACKED_MAX);
}

enum status copy_pack(struct copy *copy, const struct reader *reader, struct diagnostic *diagnostic)
{
    struct copy_work work = {
        .copy = copy, .reader = reader, .diagnostic = diagnostic, .packer = packer_new()};
    enum status status;

    write_head(&work);
    status = all(&work, pack_chunk);
    work.packed_size = work.position;
    if (!status)
        status = write_symbols(&work);
    copy->size = work.position;
    if (!status)
        status = write_header(&work, note_packing);
    if (work.packer)
        copy->events = packer_count_events(work.packer);
    packer_free(work.packer);
    free(work.bytes);
    return status;
}

/* Chunks begin at multiples of their alignment, and so must an added chunk. */
static enum status check_end(const struct copy_work *work)
{
    uint64_t end = work->reader->header.packed_size;

    if (end >= TRACE_HEADER_SIZE && end % TRACE_CHUNK_ALIGN == 0)
        return STATUS_OK;
    return diagnostic_set(work->diagnostic, STATUS_CORRUPT,
                          "%s: expected packed chunks up to a multiple of %d bytes, found %llu: "
                          "it takes no symbols",
                          work->reader->path, TRACE_CHUNK_ALIGN, (unsigned long long)end);
}

enum status copy_change_symbols(struct copy *copy, const struct reader *reader,
                                struct diagnostic *diagnostic)
{
    struct copy_work work = {
        .copy = copy, .reader = reader, .diagnostic = diagnostic, .packer = packer_new()};
    enum status status;

    write_head(&work);
    status = check_end(&work);
    if (!status)
        status = packed_bytes(&work);
    if (!status)
        status = write_symbols(&work);
    copy->size = work.position;
    if (!status)
        status = write_header(&work, keep_packing);
    packer_free(work.packer);
    free(work.bytes);
    return status;
}

enum status copy_unpack(struct copy *copy, const struct reader *reader,
                        struct diagnostic *diagnostic)
{
    struct copy_work work = {.copy = copy, .reader = reader, .diagnostic = diagnostic};
    enum status status;

    write_head(&work);
    copy->size = reader->header.packed_from;
    status = all(&work, unpack_chunk);
    if (!status)
        status = write_header(&work, forget_packing);
    free(work.bytes);
    return status;
}
