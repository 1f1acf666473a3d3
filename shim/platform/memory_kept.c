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
#include <sys/mman.h>

#include "platform/calls.h"

enum {
    EXTENTS_MAX = 64,
    PIECE_ALIGN = 64 /* a line of the cache, so that threads do not share one */
};

/* Offsets count over all extents.  The count outlives a fork, as the pieces do.  A piece that is
 * larger than half an extent, or one too many, has a mapping of its own.  Programs may limit their
 * address space, so extents are no larger than the tables of each process. */
struct pool {
    void *(*map)(size_t size);
    size_t extent_size;
    atomic_size_t used;
    void *_Atomic extents[EXTENTS_MAX];
};

/* A huge page would be cleared at the first touch, and be resident. */
static void *map_small_pages(size_t size)
{
    void *memory = memory_map(size);

    if (memory)
        calls_system(SYS_madvise, memory, size, MADV_NOHUGEPAGE);
    return memory;
}

static struct pool kept = {.map = map_small_pages, .extent_size = 11 << 19};
static struct pool kept_wiped = {.map = memory_map_wiped, .extent_size = 1 << 20};

/* No piece lies in two extents. */
static size_t take_offset(struct pool *pool, size_t size)
{
    size_t at;

    do
        at = atomic_fetch_add(&pool->used, size);
    while (at / pool->extent_size != (at + size - 1) / pool->extent_size);
    return at;
}

static void *take(struct pool *pool, size_t size)
{
    const size_t extent_size = pool->extent_size;
    size_t whole = (size + PIECE_ALIGN - 1) & -(size_t)PIECE_ALIGN, at;
    char *extent;

    if (whole > extent_size / 2 || atomic_load(&pool->used) >= EXTENTS_MAX * extent_size)
        return pool->map(size);
    at = take_offset(pool, whole);
    extent = at / extent_size < EXTENTS_MAX
                 ? memory_map_once(&pool->extents[at / extent_size], extent_size, pool->map)
                 : NULL;
    return extent ? extent + at % extent_size : pool->map(size);
}

void *memory_keep(size_t size)
{
    return take(&kept, size);
}

void *memory_keep_wiped(size_t size)
{
    return take(&kept_wiped, size);
}
