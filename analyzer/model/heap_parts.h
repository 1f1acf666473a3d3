/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the heap have of each other: heap.c replays blocks that count for
 * themselves, heap_stages.c those that are drawn, and heap_course.c the stretches of time.
 * What is counted of the blocks of a site is inline, as each record of a block asks for it.
 */
#ifndef MODEL_HEAP_PARTS_H
#define MODEL_HEAP_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "model/clock.h"
#include "model/heap.h"

/* Where the block of an address was. */
enum heap_found {
    HEAP_NOWHERE,
    HEAP_OWED, /* counted as gone before */
    HEAP_LIVE
};

/* Set the moments at which stages begin; samples are drawn from the start. */
void heap_begin(struct heap *heap);

/* Begin a stage that has not begun. */
void heap_enter_stage(struct heap *heap, enum heap_stage stage);

/* Note what a site, a row or each of them has now: it had it at the last peak and marks. */
void heap_note_site(struct heap *heap, uint32_t site);
void heap_note_row(struct heap *heap, uint32_t row);
void heap_note_all(struct heap *heap);

/* The open stretch of time is over, or a stage begins, or the peak has come. */
COLD void heap_pass_border(struct heap *heap, uint64_t ticks);

/* Find the border that comes next. */
void heap_set_border(struct heap *heap);

/* Note sites for the marks that have passed. */
void heap_note_marks(struct heap *heap);

/* In a window the readings alone tell the peak, unless that of the run is in it. */
void heap_raise_counted_peak(struct heap *heap, uint64_t ticks, uint64_t live_bytes);

/* Close the stretches of time before `ticks`, and note sites where they are marks. */
void heap_close_moments(struct heap *heap, uint64_t ticks);

/* Make the course so far one in usable bytes, of so many to each that was asked for since the
 * last reading. */
void heap_convert_course(struct heap *heap, double ratio);

/* So much is live, whatever drawn blocks say. */
void heap_set_live(struct heap *heap, uint64_t live_bytes);

/* The heap as the shim counted it is at its peak. */
void heap_note_counted_peak(struct heap *heap);

/* Put a block into the map; one that has its address is owed. */
void heap_find_place(struct heap *heap, const struct heap_block *block, uint64_t ticks);

/* Replay a block that counts for a site. */
void heap_add_plain(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site);

/* It is live from now on, or no more. */
void heap_put_plain(struct heap *heap, const struct heap_block *block);
void heap_drop_plain(struct heap *heap, const struct heap_block *block);

/* Replay a block that is drawn, or that came since a stage began. */
void heap_add_other(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site);

/* A drawn block is in the map and live again. */
void heap_put_drawn(struct heap *heap, const struct heap_lane *lane, const struct heap_block *block,
                    uint64_t ticks);

/* It is live no more; it was given back for good. */
void heap_drop_drawn(struct heap *heap, const struct heap_block *block);
void heap_count_drawn(struct heap *heap, const struct heap_freed *freed);

/* A realloc since HEAP_CHAINS: the block that comes is drawn, or counts for its class. */
void heap_count_moved(struct heap *heap, const struct heap_lane *lane,
                      const struct reader_event *event, uint32_t site);

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
 */
void heap_make_bins(struct heap *heap, const struct clock *clock);

static inline bool heap_is_drawn(const struct heap_block *block)
{
    return (block->site & HEAP_DRAWN) != 0;
}

static inline void heap_check_time(struct heap *heap, uint64_t ticks)
{
    if (ticks >= heap->borders.next)
        heap_pass_border(heap, ticks);
}

#endif
