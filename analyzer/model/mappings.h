/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that a program has mapped itself by mmap (excluding mappings of the allocator and the
 * loader), and the sites of the calls.
 *
 * Memory: 64 bytes a range, 344 a site.
 */
#ifndef MODEL_MAPPINGS_H
#define MODEL_MAPPINGS_H

#include <stdint.h>

#include "base/array.h"
#include "model/marks.h"

/* The kinds of mapped memory. */
enum mappings_kind {
    MAPPINGS_MEMORY,
    MAPPINGS_FILE,     /* also shared memory or a device: any mapping with a descriptor */
    MAPPINGS_RESERVED, /* mapped without access: addresses for later */
    MAPPINGS_KINDS
};

/* Counts of the memory that one site mapped. */
struct mappings_site {
    uint64_t calls;                      /* calls that gave memory */
    uint64_t bytes;                      /* bytes obtained by these calls */
    uint64_t kind_bytes[MAPPINGS_KINDS]; /* the same by kind */
    uint64_t live_ranges;
    uint64_t live_bytes;
    uint64_t peak_ranges; /* when all mapped memory was at its peak */
    uint64_t peak_bytes;
    uint64_t epoch; /* epoch of the mappings when the peak was noted */
};

struct mappings {
    void *ranges; /* a tree of tsearch */
    uint64_t page_size;
    uint64_t maps; /* calls */
    uint64_t unmaps;
    uint64_t bytes; /* mapped now */
    uint64_t kind_bytes[MAPPINGS_KINDS];
    uint64_t peak_bytes;
    uint64_t peak_kind_bytes[MAPPINGS_KINDS]; /* at the peak of all kinds */
    uint64_t peak_ticks;
    uint64_t epoch;     /* grows with each peak: sites need a new note then */
    struct array sites; /* of struct mappings_site */
    struct marks marks;
    uint64_t marks_length; /* length of the stretches between marks */
};

/* Bytes from an address on; a part of a page counts whole. */
struct mappings_extent {
    uint64_t address;
    uint64_t length;
};

/* Start with nothing mapped.  A page size must be a power of two, or is ignored. */
void mappings_init(struct mappings *mappings, uint64_t page_size);

void mappings_fini(struct mappings *mappings);

/* Add a site.  Its number is one above the last. */
void mappings_add_site(struct mappings *mappings);

/* `count` marks have passed, between stretches of this length; nothing has changed since the last
 * mark of the previous call. */
void mappings_pass_marks(struct mappings *mappings, uint32_t count, uint64_t length);

/* The site, time and kind of a mapping; mremap does not change the kind. */
struct mappings_origin {
    uint32_t site;
    uint64_t ticks;
    enum mappings_kind kind;
};

/* mmap returned this memory; it replaces older mappings there. */
void mappings_map(struct mappings *mappings, struct mappings_extent extent,
                  const struct mappings_origin *origin);

/* munmap removed this memory; unknown mappings there are ignored. */
void mappings_unmap(struct mappings *mappings, struct mappings_extent extent);

/* The memory that mremap took and has not placed yet.  All of it has the kind of its first
 * range. */
struct mappings_moving {
    uint64_t bytes; /* 0: no known mapping was there */
    enum mappings_kind kind;
};

/* mremap is about to remove this memory; fills `moving`.  Other threads may map memory there, but
 * until the move ends the bytes count as mapped, so that no reading lacks them.
 */
void mappings_begin_move(struct mappings *mappings, struct mappings_extent extent,
                         struct mappings_moving *moving);

/* The move ended at this memory.  Unknown memory stays unknown. */
void mappings_end_move(struct mappings *mappings, struct mappings_extent to,
                       const struct mappings_moving *moving, const struct mappings_origin *origin);

/* A change by mremap.  With a length of 0 the old memory stays, because it is shared. */
struct mappings_move {
    struct mappings_extent from;
    struct mappings_extent to;
};

/* mremap moved memory or changed its length: the whole memory now belongs to the site of this call,
 * like a block to its realloc.  Unknown memory stays unknown.
 */
void mappings_remap(struct mappings *mappings, const struct mappings_move *move,
                    const struct mappings_origin *origin);

/* Call `visit` for the mapped parts of an extent, with their site and length. */
void mappings_visit(const struct mappings *mappings, struct mappings_extent extent,
                    void (*visit)(uint32_t site, uint64_t length, void *of), void *of);

/* A window starts: mappings stay, and all counts start over. */
void mappings_restart(struct mappings *mappings, uint64_t ticks);

/* The recording ends: fill the peak of every site. */
void mappings_finish(struct mappings *mappings);

#endif
