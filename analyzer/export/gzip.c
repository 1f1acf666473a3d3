/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stream of stdio (fopencookie(3)) over zlib.
 */
#include "export/gzip.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/memory.h"

/* WINDOW: the largest, and 16 asks for the head and the end of gzip (zlib.h, deflateInit2). */
enum { BUFFER_SIZE = 64 * 1024, WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

struct gzip {
    FILE *out;
    z_stream stream;
    unsigned char buffer[BUFFER_SIZE];
};

/* Write all that the stream can give.  Returns: false: a write failed. */
static bool pass(struct gzip *gzip, int flush)
{
    size_t made;

    do {
        gzip->stream.next_out = gzip->buffer;
        gzip->stream.avail_out = BUFFER_SIZE;
        deflate(&gzip->stream, flush); /* it fails if the stream is misused, only */
        made = BUFFER_SIZE - gzip->stream.avail_out;
        if (fwrite(gzip->buffer, 1, made, gzip->out) != made)
            return false;
    } while (gzip->stream.avail_out == 0);
    return true;
}

static ssize_t write_some(void *cookie, const char *bytes, size_t size)
{
    struct gzip *gzip = cookie;

    gzip->stream.next_in = (z_const Bytef *)bytes;
    gzip->stream.avail_in = (uInt)size; /* at most a buffer of stdio, or one message */
    return pass(gzip, Z_NO_FLUSH) ? (ssize_t)size : 0;
}

static int finish(void *cookie)
{
    struct gzip *gzip = cookie;
    bool is_whole;

    gzip->stream.avail_in = 0;
    is_whole = pass(gzip, Z_FINISH);
    deflateEnd(&gzip->stream);
    free(gzip);
    return is_whole ? 0 : EOF;
}

FILE *gzip_open(FILE *out)
{
    const cookie_io_functions_t functions = {.write = write_some, .close = finish};
    struct gzip *gzip = memory_get_zeros(1, sizeof *gzip);

    gzip->out = out;
    if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        memory_have(NULL);
    return memory_have(fopencookie(gzip, "w", functions));
}
