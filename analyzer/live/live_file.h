/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace that still grows, read again and again.
 *
 * Only the header and the totals are read, by pread: chunks of tallies and facts stay where they
 * are, and event chunks, which a capacity reuses, are never looked into.  Nothing is locked, and
 * the process is not asked.  Cells only grow, so a frame with a number that went back was read
 * while a cell was written, or belongs to another process: it is dropped.
 *
 * Decision: doc/decisions/live-without-a-lock.
 */
#ifndef LIVE_LIVE_FILE_H
#define LIVE_LIVE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "spec/trace.h"

/* The cells of a lane in a frame: number n is cells[first + n]; the first one is none. */
struct live_lane {
    uint32_t lane;
    struct trace_open open;
    size_t first;
    size_t count;
};

/* All that was read at one moment. */
struct live_frame {
    uint64_t taken_ns; /* CLOCK_MONOTONIC */
    struct trace_header header;
    struct array lanes; /* of struct live_lane, by number */
    struct array cells; /* of union trace_cell */
    uint64_t fact_bytes;
};

/* The requests of an endpoint in an hour, as of the last frame. */
struct live_request_sums {
    uint64_t offset;
    struct trace_request_sums sums;
};

/* The last readings of a device, as of the last frame.  All ones: unknown. */
struct live_device {
    uint64_t offset;
    uint64_t ticks; /* of them; 0: none could be read */
    uint32_t device;
    uint64_t values[TRACE_DEVICE_NUMBERS];
    uint64_t most[TRACE_DEVICE_NUMBERS]; /* the largest possible ones; 0: unknown */
};

struct live_file {
    int descriptor;
    char *path;
    uint64_t walked;     /* bytes whose chunks are known */
    struct array tables; /* of struct live_chunk: tallies, by lane and sequence */
    struct array facts;  /* of struct live_chunk */
    struct array requests; /* of struct live_request_sums */
    uint64_t hour;         /* the latest of these */
    struct array devices;  /* of struct live_device */
    uint64_t dropped;    /* frames */
    uint64_t read_bytes;
};

/* Open a trace.  Errors: those of reader_check. */
enum status live_file_open(struct live_file *file, const char *path,
                           struct diagnostic *diagnostic) MUST_CHECK;
void live_file_close(struct live_file *file);

void live_frame_init(struct live_frame *frame);
void live_frame_fini(struct live_frame *frame);

/* Read a frame.  Returns: false when the file cannot be read, or its header is another's. */
bool live_file_read(struct live_file *file, struct live_frame *frame) MUST_CHECK;

/* Ask whether a frame can follow another: nothing went back.  Counts it as dropped if not. */
bool live_file_follows(struct live_file *file, const struct live_frame *before,
                       const struct live_frame *frame) MUST_CHECK;

/* Returns: the lane of a frame, or NULL. */
const struct live_lane *live_frame_lane(const struct live_frame *frame, uint32_t lane);

static inline const union trace_cell *live_frame_cell(const struct live_frame *frame,
                                                      const struct live_lane *lane, size_t number)
{
    return array_at(&frame->cells, lane->first + number);
}

#endif
