/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.h: the live heap of a program, replayed block by block.
 *
 * Memory: 64 bytes or less a live block, at the peak.
 */
#ifndef MODEL_HEAP_H
#define MODEL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"

enum { HEAP_OWED_MAX = 16 };

struct heap_block {
    uint64_t address; /* 0: this place is free */
    uint64_t size;
};

/* A block that was obtained again before it was given back. */
struct heap_owed {
    uint64_t address;
    uint64_t ticks; /* when it was obtained again */
};

struct heap {
    struct heap_block *places; /* open addressing, half empty or more */
    size_t mask;
    unsigned shift;
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t peak_bytes;
    uint64_t peak_ticks;
    uint64_t unknown_frees; /* of blocks that were never obtained */
    uint64_t missing_frees; /* of blocks that were obtained twice */
    uint64_t bad_addresses; /* blocks at address 0 */
    struct heap_owed owed[HEAP_OWED_MAX];
    unsigned owed_count;
};

/* Start with no block.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_init(struct heap *heap) MUST_CHECK;

void heap_fini(struct heap *heap);

/* Tell where the search for an address starts: multiplicative hashing with
 * 2^64 / golden ratio (Knuth, TAOCP 3, 6.4). */
static inline size_t heap_home(const struct heap *heap, uint64_t address)
{
    return (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> heap->shift);
}

/* Bring the place of an address near: one that comes soon, or any other. */
static inline void heap_prefetch(const struct heap *heap, uint64_t address)
{
    __builtin_prefetch(&heap->places[heap_home(heap, address)], 1);
}

/* A block was obtained.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_obtain(struct heap *heap, const struct heap_block *block,
                        uint64_t ticks) MUST_CHECK;

/* A block was given back.
 *
 * Returns: whether it was live; `size` is then its size.
 */
bool heap_release(struct heap *heap, uint64_t address, uint64_t ticks, uint64_t *size);

#endif
