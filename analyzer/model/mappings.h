/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mappings.h: the memory that a program has mapped itself: by mmap, and not by
 * the allocator or the loader behind its back.
 */
#ifndef MODEL_MAPPINGS_H
#define MODEL_MAPPINGS_H

#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"

struct mappings {
    void *ranges; /* a tree, as tsearch makes it */
    uint64_t page_size;
    uint64_t maps; /* calls */
    uint64_t unmaps;
    uint64_t bytes; /* mapped now */
    uint64_t peak_bytes;
    uint64_t peak_ticks;
};

/* Bytes from an address on; a part of a page counts whole. */
struct mappings_extent {
    uint64_t address;
    uint64_t length;
};

/* Start with nothing mapped.  A page size that is no power of two is none. */
void mappings_init(struct mappings *mappings, uint64_t page_size);

void mappings_fini(struct mappings *mappings);

/* mmap returned this memory; what was mapped there before is gone.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status mappings_map(struct mappings *mappings, struct mappings_extent extent,
                         uint64_t ticks) MUST_CHECK;

/* munmap took this memory; what is not known to be mapped there does not matter.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status mappings_unmap(struct mappings *mappings, struct mappings_extent extent) MUST_CHECK;

/* A change by mremap.  Of length 0 the old memory stays, as it is shared. */
struct mappings_move {
    struct mappings_extent from;
    struct mappings_extent to;
};

/* mremap moved memory or changed its length.  Memory that is not known stays so.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status mappings_remap(struct mappings *mappings, const struct mappings_move *move,
                           uint64_t ticks) MUST_CHECK;

#endif
