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

static inline struct heap_variance *heap_variance_of(const struct heap *heap, uint32_t site)
{
    return (struct heap_variance *)heap->variances.items + site;
}

static inline struct heap_weight heap_weigh(const struct heap *heap, uint64_t size)
{
    if (heap->sample_bytes > 0)
        return heap_weigh_sample(heap->sample_bytes, size);
    return (struct heap_weight){1, size};
}

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

/* Add a sampled block to the variances of its site. */
void heap_vary_obtained(struct heap *heap, const struct heap_block *block);

/* Count a block for its site, and for the distribution of sizes. */
static inline void heap_count_obtained(struct heap *heap, const struct heap_block *block)
{
    const struct heap_weight weight = heap_weigh(heap, block->size);
    struct heap_site *site = &heap->sites[block->site];
    unsigned bin = heap_bin(block->size);

    site->records++;
    site->blocks += weight.blocks;
    site->bytes += weight.bytes;
    site->min_size = block->size < site->min_size ? block->size : site->min_size;
    site->max_size = block->size > site->max_size ? block->size : site->max_size;
    heap->sizes.counts[bin] += weight.blocks;
    heap->sizes.bytes[bin] += weight.bytes;
    if (heap->sample_bytes > 0)
        heap_vary_obtained(heap, block);
}

/* A life that is less than none is two records in the wrong order, or damage. */
static inline uint64_t heap_life_of(const struct heap_freed *freed)
{
    int64_t life = (int64_t)(freed->ticks - freed->block.birth);

    return life > 0 ? (uint64_t)life : 0;
}

/* Returns: the amount or 0, without a branch. */
static inline uint64_t heap_if(bool condition, uint64_t amount)
{
    return -(uint64_t)condition & amount;
}

/* Count a block that is gone for its site, and for the distribution of lifetimes. */
static inline void heap_count_freed(struct heap *heap, const struct heap_freed *freed)
{
    const struct heap_block *block = &freed->block;
    const struct heap_weight weight = heap_weigh(heap, block->size);
    struct heap_site *site = &heap->sites[block->site];
    uint64_t life = heap_life_of(freed);
    unsigned bin = heap_life_bin(heap, life);

    site->lifetime += (double)(int64_t)life * (double)(int64_t)weight.blocks;
    site->temporary += heap_if(freed->is_temporary & !freed->goes_on, weight.blocks);
    site->short_lived += heap_if((life < heap->short_ticks) & !freed->goes_on, weight.blocks);
    site->strange_frees += heap_if(freed->thread != block->thread, weight.blocks);
    heap->lifetimes.counts[bin] += weight.blocks;
    heap->lifetimes.bytes[bin] += weight.bytes;
    heap->freed_bytes[freed->region] += weight.bytes;
}

/* Make the bins of lifetimes.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_make_bins(struct heap *heap, const struct clock *clock) MUST_CHECK;

#endif
