/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer before a file, where many small messages are composed in place.
 *
 * A copy of each and a call of stdio would take most of the time of an export of many events.
 * As with texts a failure stays, and is asked for at the end; failures of the file are the file's.
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

/* Start; nothing else may write to the file until the end. */
void sink_init(struct sink *sink, FILE *out);

/* Write the rest, and free the buffer. */
void sink_fini(struct sink *sink);

/* Write so much that there is room.  Returns: as sink_reserve. */
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

/* Put digits at a place that has SINK_DIGITS bytes.  Returns: the place behind them. */
enum { SINK_DIGITS = 20 };
char *sink_put_digits(char *place, uint64_t number);

#endif
