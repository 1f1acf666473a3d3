/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that a program has mapped itself: by mmap, and not by
 * the allocator or the loader behind its back; and by which site.
 *
 * Memory: 64 bytes a range, 344 a site.
 */
#ifndef MODEL_MAPPINGS_H
#define MODEL_MAPPINGS_H

#include <stdint.h>

#include "base/array.h"
#include "model/marks.h"

/* What is mapped. */
enum mappings_kind {
    MAPPINGS_MEMORY,
    MAPPINGS_FILE,     /* or shared memory or a device: what has a descriptor */
    MAPPINGS_RESERVED, /* without access when it was mapped: addresses for later */
    MAPPINGS_KINDS
};

/* What has become of the memory that one site mapped. */
struct mappings_site {
    uint64_t calls;                      /* that gave memory */
    uint64_t bytes;                      /* that they gave */
    uint64_t kind_bytes[MAPPINGS_KINDS]; /* the same by what it was */
    uint64_t live_ranges;
    uint64_t live_bytes;
    uint64_t peak_ranges; /* when all mapped memory was at its peak */
    uint64_t peak_bytes;
    uint64_t epoch; /* of the mappings when the peak was noted */
};

struct mappings {
    void *ranges; /* a tree, as tsearch makes it */
    uint64_t page_size;
    uint64_t maps; /* calls */
    uint64_t unmaps;
    uint64_t bytes; /* mapped now */
    uint64_t kind_bytes[MAPPINGS_KINDS];
    uint64_t peak_bytes;
    uint64_t peak_kind_bytes[MAPPINGS_KINDS]; /* at the peak of all */
    uint64_t peak_ticks;
    uint64_t epoch;     /* another with each peak: sites are then to be noted */
    struct array sites; /* of struct mappings_site */
    struct marks marks;
    uint64_t marks_length; /* of the stretches of time between which these stand */
};

/* Bytes from an address on; a part of a page counts whole. */
struct mappings_extent {
    uint64_t address;
    uint64_t length;
};

/* Start with nothing mapped.  A page size that is no power of two is none. */
void mappings_init(struct mappings *mappings, uint64_t page_size);

void mappings_fini(struct mappings *mappings);

/* Add a site, whose number is one above the last.
 */
void mappings_add_site(struct mappings *mappings);

/* So many marks have passed, between stretches of this length; nothing has changed since
 * the last of them that was told. */
void mappings_pass_marks(struct mappings *mappings, uint32_t count, uint64_t length);

/* Who mapped, when, and what; mremap takes what it was for what it is. */
struct mappings_origin {
    uint32_t site;
    uint64_t ticks;
    enum mappings_kind kind;
};

/* mmap returned this memory; what was mapped there before is gone.
 */
void mappings_map(struct mappings *mappings, struct mappings_extent extent,
                  const struct mappings_origin *origin);

/* munmap took this memory; what is not known to be mapped there does not matter.
 */
void mappings_unmap(struct mappings *mappings, struct mappings_extent extent);

/* What mremap took, and has not put elsewhere yet; all of it is what its first range was. */
struct mappings_moving {
    uint64_t bytes; /* 0: nothing was known to be mapped there */
    enum mappings_kind kind;
};

/* mremap is about to take this memory away, which is told in `moving`: others may map
 * there, but until the move ends its bytes count as mapped, so that no reading lacks them.
 */
void mappings_begin_move(struct mappings *mappings, struct mappings_extent extent,
                         struct mappings_moving *moving);

/* The move came to this memory.  What was not known stays so.
 */
void mappings_end_move(struct mappings *mappings, struct mappings_extent to,
                       const struct mappings_moving *moving, const struct mappings_origin *origin);

/* A change by mremap.  Of length 0 the old memory stays, as it is shared. */
struct mappings_move {
    struct mappings_extent from;
    struct mappings_extent to;
};

/* mremap moved memory or changed its length, all at once: the whole is now of the site that
 * asked for it, as a block is of the realloc that gave it.  Memory that is not known stays so.
 */
void mappings_remap(struct mappings *mappings, const struct mappings_move *move,
                    const struct mappings_origin *origin);

/* A window begins: what is mapped stays, and all counts are of what comes. */
void mappings_restart(struct mappings *mappings, uint64_t ticks);

/* The recording ends: what every site had at the peak is in it. */
void mappings_finish(struct mappings *mappings);

#endif
