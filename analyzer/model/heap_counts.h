/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is counted of the blocks of a site, as they come and go: inline, as each record of
 * a block asks for it.
 */
#ifndef MODEL_HEAP_COUNTS_H
#define MODEL_HEAP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "model/clock.h"
#include "model/heap.h"

enum { HEAP_BIN_BITS = 64 };

/* The bin of an amount by its binary logarithm. */
static inline unsigned heap_bin(uint64_t size)
{
    return HEAP_BIN_BITS - 1 - (unsigned)__builtin_clzll(size | 1);
}

/* Doubling the ticks adds one to the bin at most. */
static inline unsigned heap_life_bin(const struct heap *heap, uint64_t ticks)
{
    unsigned bin = heap->life_bins[heap_bin(ticks)];

    return bin + (ticks >= heap->life_limits[bin + 1]);
}

/* Count a block for its site, and for the distribution of sizes. */
static inline void heap_count_obtained(struct heap *heap, const struct heap_block *block)
{
    struct heap_site *site = &heap->sites[block->site];
    unsigned bin = heap_bin(block->size);

    site->blocks++;
    site->bytes += block->size;
    site->min_size = block->size < site->min_size ? block->size : site->min_size;
    site->max_size = block->size > site->max_size ? block->size : site->max_size;
    heap->sizes.counts[bin]++;
    heap->sizes.bytes[bin] += block->size;
}

/* A life that is less than none is two records in the wrong order, or damage. */
static inline uint64_t heap_life_of(const struct heap_freed *freed)
{
    int64_t life = (int64_t)(freed->ticks - freed->block.birth);

    return life > 0 ? (uint64_t)life : 0;
}

/* Count a block that is gone for its site, and for the distribution of lifetimes. */
static inline void heap_count_freed(struct heap *heap, const struct heap_freed *freed)
{
    const struct heap_block *block = &freed->block;
    struct heap_site *site = &heap->sites[block->site];
    uint64_t life = heap_life_of(freed);
    unsigned bin = heap_life_bin(heap, life);

    site->lifetime += (double)(int64_t)life;
    site->temporary += freed->is_temporary & !freed->goes_on;
    site->short_lived += (life < heap->short_ticks) & !freed->goes_on;
    site->strange_frees += freed->thread != block->thread;
    heap->lifetimes.counts[bin]++;
    heap->lifetimes.bytes[bin] += block->size;
    heap->freed_bytes[freed->region] += block->size;
}

/* Make the bins of lifetimes.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_make_bins(struct heap *heap, const struct clock *clock) MUST_CHECK;

#endif
