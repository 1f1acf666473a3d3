/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the heap: heap.c replays blocks that count for themselves, heap_stages.c
 * drawn blocks, and heap_course.c the stretches of time.  Counting the blocks of a site is inline,
 * because each record of a block does it.
 */
#ifndef MODEL_HEAP_PARTS_H
#define MODEL_HEAP_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "model/clock.h"
#include "model/heap.h"

/* The former place of an address. */
enum heap_found {
    HEAP_NOWHERE,
    HEAP_OWED, /* counted as freed earlier */
    HEAP_LIVE
};

/* Set the starts of the stages.  Samples start at once. */
void heap_begin(struct heap *heap);

/* Start a stage that has not started yet. */
void heap_enter_stage(struct heap *heap, enum heap_stage stage);

/* Note the present amounts of a site, of a row or of all, as those at the last peak and marks. */
void heap_note_site(struct heap *heap, uint32_t site);
void heap_note_row(struct heap *heap, uint32_t row);
void heap_note_all(struct heap *heap);

/* The open stretch of time is over, or a stage starts, or the peak has come. */
COLD void heap_pass_border(struct heap *heap, uint64_t ticks);

/* Find the next border. */
void heap_set_border(struct heap *heap);

/* Note sites for the marks that have passed. */
void heap_note_marks(struct heap *heap);

/* In a window only readings give the peak, unless the window has the peak of the run. */
void heap_raise_counted_peak(struct heap *heap, uint64_t ticks, uint64_t live_bytes);

/* Close the stretches of time before `ticks`, and note sites at marks. */
void heap_close_moments(struct heap *heap, uint64_t ticks);

/* Convert the earlier course to usable bytes; `ratio`: usable to requested bytes since the last
 * reading. */
void heap_convert_course(struct heap *heap, double ratio);

/* Set the live bytes, against the sum of drawn blocks. */
void heap_set_live(struct heap *heap, uint64_t live_bytes);

/* The heap by the shim's count is at its peak. */
void heap_note_counted_peak(struct heap *heap);

/* Put a block into the map; an older block with the same address becomes owed. */
void heap_find_place(struct heap *heap, const struct heap_block *block, uint64_t ticks);

/* Replay a block that counts for a site. */
void heap_add_plain(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site);

/* The block is live from now on, or no longer. */
void heap_put_plain(struct heap *heap, const struct heap_block *block);
void heap_drop_plain(struct heap *heap, const struct heap_block *block);

/* Replay a drawn block, or any block after a stage has started. */
void heap_add_other(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site);

/* A drawn block is in the map and live again. */
void heap_put_drawn(struct heap *heap, const struct heap_lane *lane, const struct heap_block *block,
                    uint64_t ticks);

/* The first: a drawn block is no longer live.  The second: it was freed for good. */
void heap_drop_drawn(struct heap *heap, const struct heap_block *block);
void heap_count_drawn(struct heap *heap, const struct heap_freed *freed);

/* A realloc after HEAP_CHAINS: the new block is drawn, or counts for its class. */
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

/* A negative lifetime means two records in the wrong order, or damage. */
static inline uint64_t heap_life_of(const struct heap_freed *freed)
{
    int64_t life = (int64_t)(freed->ticks - freed->block.birth);

    return life > 0 ? (uint64_t)life : 0;
}

/* Count a freed block for its site, and for the distribution of lifetimes. */
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
