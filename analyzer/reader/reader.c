/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a trace file and checking its header.
 *
 * Used by the model and by `tprof dump`; a reader belongs to one thread.
 *
 * Decision: doc/decisions/trace-versions.
 */
#include "reader/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "reader/index.h"
#include "reader/packed.h"

enum {
    READER_MAGIC_SIZE = 8,
    READER_SHOWN = 16 /* bytes of a foreign file that a message shows */
};

_Static_assert(sizeof TRACE_MAGIC - 1 == READER_MAGIC_SIZE, "the magic fills its field");

char *reader_load(const struct reader *reader, const struct reader_chunk *chunk, size_t *size)
{
    uint64_t wanted = chunk->size - sizeof(struct trace_chunk);

    if (wanted > READER_LOAD_MAX)
        wanted = READER_LOAD_MAX;
    char *bytes = memory_get(wanted + 1);
    if (chunk->packed_size > 0)
        *size = packed_read(reader, chunk, bytes) ? wanted : 0;
    else
        *size = reader_read(reader, chunk->offset + sizeof(struct trace_chunk), bytes, wanted);
    return bytes;
}

/* Writes the printable start of a file that is no trace. */
static void show_bytes(const char *bytes, size_t size, char shown[READER_SHOWN + 1])
{
    size_t length = size < READER_SHOWN ? size : READER_SHOWN;

    for (size_t i = 0; i < length; i++)
        shown[i] = bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '.';
    shown[length] = '\0';
}

/* A file that has room and no header yet. */
static bool is_blank(const struct reader *reader, size_t size)
{
    const char *bytes = (const char *)&reader->header;

    return size > 0 && bytes[0] == '\0' && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* The file is there for a moment before its header is. */
static enum status refuse_empty(const struct reader *reader, const char *found,
                                struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_CORRUPT,
                          "%s: byte 0: expected a tprof trace, found %s: its program was killed "
                          "as it began the trace, or begins it now",
                          reader->path, found);
}

static enum status check_magic(const struct reader *reader, size_t size,
                               struct diagnostic *diagnostic)
{
    const char *found = reader->header.magic;
    char shown[READER_SHOWN + 1];
    size_t compared = size < READER_MAGIC_SIZE ? size : READER_MAGIC_SIZE;

    if (size == 0)
        return refuse_empty(reader, "an empty file", diagnostic);
    if (is_blank(reader, size))
        return refuse_empty(reader, "zeros", diagnostic);
    if (memcmp(found, TRACE_MAGIC, compared) == 0)
        return STATUS_OK;
    show_bytes((const char *)&reader->header, size, shown);
    return diagnostic_set(diagnostic, STATUS_CORRUPT,
                          "%s: byte 0: expected the magic \"tprof\", found "
                          "\"%s\": not a tprof trace",
                          reader->path, shown);
}

static enum status check_length(const struct reader *reader, size_t size,
                                struct diagnostic *diagnostic)
{
    if (size == sizeof reader->header && reader->size >= TRACE_HEADER_SIZE)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_CORRUPT,
                          "%s: byte %llu: expected a header of %d bytes, found "
                          "the end of the file: the trace was cut off; record "
                          "or copy it again",
                          reader->path, (unsigned long long)reader->size, TRACE_HEADER_SIZE);
}

/* The byte order is checked first: the version cannot be read without it. */
static enum status check_byte_order(const struct reader *reader, struct diagnostic *diagnostic)
{
    uint32_t found = reader->header.byte_order;
    bool is_swapped = found == __builtin_bswap32(TRACE_BYTE_ORDER);

    if (found == TRACE_BYTE_ORDER)
        return STATUS_OK;
    return diagnostic_set(diagnostic, is_swapped ? STATUS_UNSUPPORTED : STATUS_CORRUPT,
                          "%s: byte %zu: expected the byte order 0x%08x, found "
                          "0x%08x%s",
                          reader->path, offsetof(struct trace_header, byte_order),
                          (unsigned)TRACE_BYTE_ORDER, found,
                          is_swapped ? ": the machine that recorded has the "
                                       "other byte order; read the trace there"
                                     : "");
}

static enum status check_version(const struct reader *reader, struct diagnostic *diagnostic)
{
    uint32_t found = reader->header.version;

    if (found >= TRACE_VERSION_OLDEST && found <= TRACE_VERSION)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "%s: byte %zu: expected version %d to %d, found version "
                          "%u: read this trace with the tprof that recorded it%s",
                          reader->path, offsetof(struct trace_header, version),
                          TRACE_VERSION_OLDEST, TRACE_VERSION, found,
                          found > TRACE_VERSION ? " or a later one" : "");
}

static enum status check_header(const struct reader *reader, size_t size,
                                struct diagnostic *diagnostic)
{
    enum status status = check_magic(reader, size, diagnostic);

    if (!status)
        status = check_length(reader, size, diagnostic);
    if (!status)
        status = check_byte_order(reader, diagnostic);
    if (!status)
        status = check_version(reader, diagnostic);
    return status;
}

static enum status refuse(const char *path, const char *what, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "%s: expected a trace file, found %s", path, what);
}

static enum status check_type(const char *path, mode_t mode, struct diagnostic *diagnostic)
{
    if (S_ISREG(mode))
        return STATUS_OK;
    if (S_ISDIR(mode))
        return refuse(path, "a directory: name a trace in it", diagnostic);
    return refuse(path, "something that is not a regular file", diagnostic);
}

/* Opened without blocking: a FIFO without a writer would block before its type is known. */
static enum status open_file(struct reader *reader, struct diagnostic *diagnostic)
{
    struct stat status;

    reader->descriptor = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (reader->descriptor < 0 || fstat(reader->descriptor, &status) != 0)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: cannot be opened: %s", reader->path,
                              strerror(errno));
    return check_type(reader->path, status.st_mode, diagnostic);
}

/* The header is read before the file's size: a trace still being recorded grows before its header
 * says so. */
static enum status read_header(struct reader *reader, struct diagnostic *diagnostic)
{
    struct stat status;
    size_t size = reader_read(reader, 0, &reader->header, sizeof reader->header);

    if (fstat(reader->descriptor, &status) != 0 || status.st_size < 0)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: cannot be read: %s", reader->path,
                              strerror(errno));
    reader->size = (uint64_t)status.st_size;
    return check_header(reader, size, diagnostic);
}

/* The caller closes the reader, even after an error. */
static enum status open_header(struct reader *reader, const char *path,
                               struct diagnostic *diagnostic)
{
    enum status status;

    *reader = (struct reader){.descriptor = -1, .path = memory_copy(path)};
    array_init(&reader->chunks, sizeof(struct reader_chunk));
    status = open_file(reader, diagnostic);
    return status ? status : read_header(reader, diagnostic);
}

enum status reader_check(const char *path, struct diagnostic *diagnostic)
{
    struct reader reader;
    enum status status = open_header(&reader, path, diagnostic);

    reader_close(&reader);
    return status;
}

enum status reader_open(struct reader *reader, const char *path, struct diagnostic *diagnostic)
{
    enum status status = open_header(reader, path, diagnostic);

    if (!status)
        index_build(reader);
    if (status)
        reader_close(reader);
    return status;
}

void reader_close(struct reader *reader)
{
    if (!reader->path)
        return;
    if (reader->descriptor >= 0)
        close(reader->descriptor);
    free(reader->path);
    unpacker_free(reader->unpacker);
    array_fini(&reader->chunks);
    *reader = (struct reader){.descriptor = -1};
}

bool reader_peek(const char *path, struct trace_header *header)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    bool is_trace;

    if (descriptor < 0)
        return false;
    is_trace = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
               pread(descriptor, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
               memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) == 0;
    close(descriptor);
    return is_trace;
}
