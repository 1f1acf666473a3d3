/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory for the life of the process, piece by piece out of large mappings.
 *
 * A process that does nothing else pays for its start alone, and the kernel's share of that is
 * mappings and first touches: each mapping of its own takes three system calls and a page.
 *
 * Decision: doc/decisions/memory-of-the-shim.
 */
#include "platform/memory.h"

#include <stdatomic.h>

enum {
    EXTENT_SIZE = 1 << 20,        /* programs may limit their address space */
    PIECE_MOST = EXTENT_SIZE / 2, /* a larger piece, or one too many, has a mapping of its own */
    EXTENTS_MAX = 64,
    PIECE_ALIGN = 64 /* a line of the cache, so that threads do not share one */
};

/* Offsets count over all extents.  The count outlives a fork, as the pieces do. */
struct pool {
    void *(*map)(size_t size);
    atomic_size_t used;
    void *_Atomic extents[EXTENTS_MAX];
};

static struct pool kept = {.map = memory_map};
static struct pool kept_wiped = {.map = memory_map_wiped};

/* No piece lies in two extents. */
static size_t take_offset(struct pool *pool, size_t size)
{
    size_t at;

    do
        at = atomic_fetch_add(&pool->used, size);
    while (at / EXTENT_SIZE != (at + size - 1) / EXTENT_SIZE);
    return at;
}

static void *take(struct pool *pool, size_t size)
{
    size_t whole = (size + PIECE_ALIGN - 1) & -(size_t)PIECE_ALIGN, at;
    char *extent;

    if (whole > PIECE_MOST || atomic_load(&pool->used) >= (size_t)EXTENTS_MAX * EXTENT_SIZE)
        return pool->map(size);
    at = take_offset(pool, whole);
    extent = at / EXTENT_SIZE < EXTENTS_MAX
                 ? memory_map_once(&pool->extents[at / EXTENT_SIZE], EXTENT_SIZE, pool->map)
                 : NULL;
    return extent ? extent + at % EXTENT_SIZE : pool->map(size);
}

void *memory_keep(size_t size)
{
    return take(&kept, size);
}

void *memory_keep_wiped(size_t size)
{
    return take(&kept_wiped, size);
}
