/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer before a file, for many small messages that are composed in place.
 *
 * Copies and calls of stdio would take most of the time of an export of many events.  As with
 * texts, a failure is remembered and checked at the end.  Failures of the file remain in the FILE.
 */
#ifndef EXPORT_SINK_H
#define EXPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sink {
    FILE *out;
    char *bytes;
    size_t used;
    size_t capacity;
    bool has_no_memory;
};

/* Start a sink; nothing else may write to the file until the end. */
void sink_init(struct sink *sink, FILE *out);

/* Write the rest, and free the buffer. */
void sink_fini(struct sink *sink);

/* Write enough to the file that `size` bytes fit.  Returns: the same as sink_reserve. */
char *sink_make_room(struct sink *sink, size_t size);

/* Returns: a place for at most `size` bytes. */
static inline char *sink_reserve(struct sink *sink, size_t size)
{
    return size <= sink->capacity - sink->used ? sink->bytes + sink->used
                                               : sink_make_room(sink, size);
}

/* Keep the bytes put there, up to `end`. */
static inline void sink_commit(struct sink *sink, const char *end)
{
    sink->used = (size_t)(end - sink->bytes);
}

void sink_append(struct sink *sink, const char *bytes, size_t size);

/* Write the digits of a number to a place of SINK_DIGITS bytes.  Returns: the address behind the
 * digits. */
enum { SINK_DIGITS = 20 };
char *sink_put_digits(char *place, uint64_t number);

#endif
