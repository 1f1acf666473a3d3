/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of one lane, in the order of writing.
 *
 * Memory: one window of a chunk, whatever the file contains.
 */
#ifndef READER_CURSOR_H
#define READER_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "reader/reader.h"
#include "spec/trace.h"

/* One record.  The kind decides which fields are valid; TIME is never returned. */
struct reader_event {
    enum trace_event_kind kind;
    uint32_t source; /* index of the lane among those merged */
    uint32_t excess; /* for drawn blocks: usable bytes beyond `size`; 0: unknown */
    uint32_t cell;   /* KERNEL: slot; ENTER, LEAVE: node; blocks: call chain; EXTENDED: note */
    uint64_t ticks;  /* KERNEL: the end of the call */
    union {
        uint64_t address;      /* for blocks; undefined for other kinds */
        const uint64_t *words; /* EXTENDED: as many as the type has; valid until
                                  the lane's next events are read */
    };
    union {
        uint64_t size;     /* size of an obtained block; EXTENDED: words */
        uint64_t duration; /* KERNEL, LEAVE: in ticks */
    };
    union {
        enum trace_extended_type type; /* for EXTENDED: one of the known types */
        uint32_t distance;             /* for blocks: mean bytes between the sampling points that
                                          drew it; 0: it was not drawn.  Its kind is MALLOC ...,
                                          never DRAWN */
        uint32_t doublings;            /* KERNEL, LEAVE: it represents 2^doublings calls */
    };
};

struct cursor {
    const struct reader *reader;
    struct reader_span chunks; /* chunks not opened yet */
    uint32_t lane;
    char *window;
    size_t capacity; /* capacity of the window */
    size_t position; /* in the window, of the next record */
    size_t filled;
    uint64_t offset; /* in the file, of the byte after the window */
    uint64_t stop;   /* in the file, of the open chunk's last record */
    uint64_t ticks;  /* time of the last record */
    uint64_t read_bytes;
    uint64_t bad_records;
    uint64_t torn_chunks; /* became unreadable after the index was built */
};

/* Start before the first event of a lane's chunks.  The span has at least one.
 */
void cursor_open(struct cursor *cursor, const struct reader *reader, struct reader_span chunks);

void cursor_close(struct cursor *cursor);

/* Decode the next events, at most `most` of them.
 *
 * Returns: how many; 0 at the end.  An impossible record is counted and ends
 * its chunk, because the start of the next record is unknown.
 */
size_t cursor_read(struct cursor *cursor, struct reader_event *events, size_t most) MUST_CHECK;

#endif
