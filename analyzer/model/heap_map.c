/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Room for the blocks that are live.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#endif
#include "model/heap_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

enum { HEAP_MAP_FIRST_BITS = 9, HEAP_MAP_HASH_BITS = 64, HEAP_HUGE_PAGE = 2 << 20 };

_Static_assert(sizeof(struct heap_block) == HEAP_MAP_LINE / 2, "two blocks a cache line");

/* Accesses to a large map are scattered: with pages of 4 KiB each look-up would also miss the
 * address translation. */
void *heap_map_allocate(size_t size)
{
    size_t alignment = size < HEAP_HUGE_PAGE ? HEAP_MAP_LINE : HEAP_HUGE_PAGE;
    void *map = aligned_alloc(alignment, size);

    if (!map)
        return NULL;
    if (alignment == HEAP_HUGE_PAGE)
        madvise(map, size, MADV_HUGEPAGE);
    return map;
}

static void allocate(struct heap_map *map, unsigned bits)
{
    size_t count = (size_t)1 << bits;
    size_t size = count * HEAP_MAP_BUCKET * sizeof *map->places;

    map->places = heap_map_allocate(size);
    map->passed = memory_get_zeros(count, sizeof *map->passed);
    memset(map->places, 0, size);
    map->mask = count - 1;
    map->shift = HEAP_MAP_HASH_BITS - bits;
}

void heap_map_init(struct heap_map *map)
{
    allocate(map, HEAP_MAP_FIRST_BITS);
}

void heap_map_fini(struct heap_map *map)
{
    free(map->places);
    free(map->passed);
}

void heap_map_grow(struct heap_map *map)
{
    struct heap_block *old = map->places;
    size_t count = HEAP_MAP_BUCKET * (map->mask + 1);

    free(map->passed);
    allocate(map, HEAP_MAP_HASH_BITS - map->shift + 1);
    for (size_t i = 0; i < count; i++)
        if (old[i].address != 0)
            *heap_map_claim(map, old[i].address) = old[i];
    free(old);
}
