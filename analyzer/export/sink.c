/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer before a file.
 *
 * Decision: doc/decisions/exports-in-place.
 */
#include "export/sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Larger ones were no faster, and smaller ones wait more often for the file. */
enum { SINK_SIZE = 128 * 1024 };

void sink_init(struct sink *sink, FILE *out)
{
    *sink = (struct sink){.out = out};
}

static void flush(struct sink *sink)
{
    if (sink->used > 0)
        fwrite(sink->bytes, 1, sink->used, sink->out);
    sink->used = 0;
}

char *sink_make_room(struct sink *sink, size_t size)
{
    size_t capacity = size > SINK_SIZE ? size : SINK_SIZE;
    char *bytes;

    flush(sink);
    if (size <= sink->capacity)
        return sink->bytes;
    bytes = memory_resize(sink->bytes, capacity);
    sink->bytes = bytes;
    sink->capacity = capacity;
    return bytes;
}

void sink_append(struct sink *sink, const char *bytes, size_t size)
{
    char *place = sink_reserve(sink, size);

    if (!place)
        return;
    memcpy(place, bytes, size);
    sink_commit(sink, place + size);
}

char *sink_put_digits(char *place, uint64_t number)
{
    char digits[SINK_DIGITS];
    size_t at = SINK_DIGITS;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    memcpy(place, digits + at, SINK_DIGITS - at);
    return place + SINK_DIGITS - at;
}

void sink_fini(struct sink *sink)
{
    flush(sink);
    free(sink->bytes);
    sink->bytes = NULL;
    sink->capacity = 0;
}
