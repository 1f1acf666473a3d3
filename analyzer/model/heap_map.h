/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live blocks, by address.
 *
 * Every allocation and free of a trace looks up a block, so the map is specialized.  Its buckets
 * are half-empty cache lines, and a block in one is chosen without a branch.  A block that does not
 * fit goes into the next bucket, and each bucket counts the blocks that passed it: with a count of
 * 0 the search ends there.  Removed blocks leave no unused places.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#ifndef MODEL_HEAP_MAP_H
#define MODEL_HEAP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

enum {
    HEAP_MAP_BUCKET = 2, /* blocks: a cache line */
    HEAP_MAP_PASSED_MAX = UINT8_MAX,
    HEAP_MAP_LINE = 64 /* bytes of a cache line, which holds two whole blocks */
};

struct heap_block {
    uint64_t address; /* 0: this place is free */
    uint64_t size;
    uint64_t birth; /* ticks */
    uint32_t site;   /* or a drawn block: heap_drawn.h */
    uint32_t thread; /* the thread that obtained it */
};

struct heap_map {
    struct heap_block *places; /* buckets of HEAP_MAP_BUCKET, half empty or more */
    unsigned char *passed;     /* by bucket: number of blocks that did not fit */
    size_t mask;               /* mask of bucket numbers */
    unsigned shift;
};

/* Start with no block.
 */
void heap_map_init(struct heap_map *map);

void heap_map_fini(struct heap_map *map);

/* Double the buckets.
 */
void heap_map_grow(struct heap_map *map);

/* Give memory aligned to a cache line, for random access; NULL when there is none. */
void *heap_map_allocate(size_t size);

static inline bool heap_map_is_full(const struct heap_map *map, uint64_t blocks)
{
    return blocks > HEAP_MAP_BUCKET / 2 * map->mask;
}

/* Give the bucket of an address: multiplicative hashing with 2^64 / golden ratio (Knuth, TAOCP 3,
 * 6.4). */
static inline size_t heap_map_home(const struct heap_map *map, uint64_t address)
{
    return (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> map->shift);
}

static inline struct heap_block *heap_map_bucket(const struct heap_map *map, size_t bucket)
{
    return &map->places[HEAP_MAP_BUCKET * bucket];
}

/* Prefetch the bucket of an address; any address may be given. */
static ALWAYS_INLINE void heap_map_prefetch(const struct heap_map *map, uint64_t address)
{
    __builtin_prefetch(heap_map_bucket(map, heap_map_home(map, address)), 1);
}

/* Choose the block of a bucket that has an address, if there is one: without a branch, as it would
 * be unpredictable. */
static inline struct heap_block *heap_map_choose(struct heap_block *bucket, uint64_t address)
{
    return &bucket[bucket[1].address == address];
}

/* Returns: the place of the address, or NULL. */
static inline struct heap_block *heap_map_find(const struct heap_map *map, uint64_t address)
{
    size_t home = heap_map_home(map, address);
    size_t at = home;

    do {
        struct heap_block *place = heap_map_choose(heap_map_bucket(map, at), address);

        if (place->address == address)
            return place;
        if (map->passed[at] == 0)
            return NULL;
        at = (at + 1) & map->mask;
    } while (at != home);
    return NULL;
}

/* Returns: a free place for the address. */
static inline struct heap_block *heap_map_claim(struct heap_map *map, uint64_t address)
{
    size_t at = heap_map_home(map, address);

    for (;;) {
        struct heap_block *place = heap_map_choose(heap_map_bucket(map, at), 0);

        if (place->address == 0)
            return place;
        if (map->passed[at] < HEAP_MAP_PASSED_MAX)
            map->passed[at]++;
        at = (at + 1) & map->mask;
    }
}

/* Returns: the block at an address whose bucket was prefetched; another block if none has the
 * address. */
static ALWAYS_INLINE struct heap_block *heap_map_near(const struct heap_map *map, uint64_t address)
{
    return heap_map_choose(heap_map_bucket(map, heap_map_home(map, address)), address);
}

/* A count at its maximum stays there. */
static inline void heap_map_clear(struct heap_map *map, struct heap_block *place)
{
    size_t end = (size_t)(place - map->places) / HEAP_MAP_BUCKET;

    for (size_t at = heap_map_home(map, place->address); at != end; at = (at + 1) & map->mask)
        if (map->passed[at] < HEAP_MAP_PASSED_MAX)
            map->passed[at]--;
    place->address = 0;
}

#endif
