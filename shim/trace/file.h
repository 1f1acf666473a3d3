/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace file, and the chunks that lanes write in.
 *
 * At first there is no file: header, tallies and events of the first thread are in anonymous
 * memory, so the many small processes of a build leave no files.  file_keep() writes that image to
 * a file and maps the file over it at the same addresses; from then on chunks are claimed from the
 * file.  No descriptor stays open: a program may close and reuse any number.
 *
 * Safety: callers hold the process lock.
 */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "spec/trace.h"

/* The size of claimed chunks is a multiple of this, because they are mapped one by one: some
 * kernels for AArch64 have pages of this size, and none has larger ones. */
enum { FILE_UNIT = 65536 };

struct file_extent {
    uint64_t offset;
    uint64_t size;
    uint64_t opened; /* in ticks */
    uint64_t closed;
};

/* Part of the file that is mapped before it is needed: file_reserve(). */
struct file_reserve {
    char *start; /* NULL: there is none */
    uint64_t offset;
    uint64_t size;
};

struct file {
    struct trace_header *header; /* NULL before file_open_image */
    bool is_kept;
    volatile bool is_cut; /* by another program; a signal handler may find out */
    bool is_failed; /* no more chunks: reason in header->failed_errno */
    dev_t device;
    ino_t inode;
    uint64_t image_size;
    uint64_t last_offset; /* offset of the last claimed chunk; 0: in the image */
    uint64_t event_bytes; /* claimed for events so far */
    uint64_t stack_bytes; /* and for call chains */
    /* The budget.  Under a capacity it is for chunks that are not reused. */
    uint64_t limit_bytes;       /* 0: none */
    uint64_t event_limit_bytes; /* the part of it for events: totals may go beyond */
    uint64_t free_bytes;        /* free space besides the file, at the last query; UINT64_MAX:
                                   unknown */
    uint64_t free_due_bytes;    /* the file's size at which to ask again */
    bool is_at_limit;           /* a chunk was refused for it */
    char path[PATH_MAX];
    struct file_reserve reserve;
    /* A ring of the full event chunks, the oldest first; used with a capacity. */
    struct file_extent *full;
    unsigned full_size; /* places in the ring */
    unsigned full_first;
    unsigned full_count;
    /* Incidents, in the trace: their chunks leave the ring.  NULL: none is kept. */
    struct trace_incident *incidents[TRACE_INCIDENTS_MAX];
    uint64_t kept_bytes;        /* of their chunks */
    uint64_t overwritten_ticks; /* the last record of the chunks that were reused */
};

/* Make the image in memory.  Returns: false when memory is refused. */
bool file_open_image(struct file *file);

/* The chunks of the image: the first thread's, claimed once. */
struct trace_chunk *file_image_tallies(const struct file *file);
struct trace_chunk *file_image_stacks(const struct file *file);
struct trace_chunk *file_image_events(const struct file *file);

/* Create the file and move the image into it.  A second call does nothing.  A trace of an earlier
 * run is replaced; if any other file has the name, a number is added.
 * Returns: false when the file cannot be created; errno says why. */
bool file_keep(struct file *file);

/* Map what the file may still grow by, for a process that will not be able to open it again: it is
 * about to change its user, or its root.  The file gets a hole of that size at its end, which takes
 * no room on the disk.  A second call does nothing.
 * Returns: whether chunks can be claimed without opening the file. */
bool file_reserve(struct file *file);

/* Claim a chunk of `size` bytes, a multiple of FILE_UNIT, and map it; its head is filled in.
 * Returns: NULL when there is no room, or the budget has none; counted in the header. */
struct trace_chunk *file_claim(struct file *file, enum trace_chunk_kind kind, uint32_t lane,
                               uint32_t sequence, uint64_t size);

/* Has an incident room for `size` bytes more? */
bool file_has_room_to_keep(const struct file *file, uint64_t size);

/* Claim an event chunk; under the header's capacity the oldest full one is used again, unless an
 * incident keeps it. */
struct trace_chunk *file_claim_events(struct file *file, uint32_t lane, uint32_t sequence,
                                      uint64_t size);

/* The bytes that the budget is for. */
uint64_t file_bounded_bytes(const struct file *file);

/* Has the budget room for a chunk? */
bool file_is_in_budget(const struct file *file, enum trace_chunk_kind kind, uint64_t size);

/* Unmap a chunk that will not be written again. */
void file_unmap(const struct file *file, struct trace_chunk *chunk);

/* Return a full event chunk and unmap it. */
void file_release_events(struct file *file, struct trace_chunk *chunk);

#endif
