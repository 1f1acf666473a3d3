/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap of a program, replayed block by block.  In this file each block counts for itself;
 * until a stage starts, this holds for all blocks.
 *
 * One pass finds the live blocks of each site at the peak: a site notes its blocks before its first
 * change after a peak.  Most peaks are surpassed before that, and cost the sites nothing.
 *
 * Budget: one multiplication, one cache line of the map, two of the site, no
 * call on the common path.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#include "base/memory.h"
#include "model/heap_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session_unknown.h"
#include "spec/trace.h"

enum {
    HEAP_FIRST_SITES = 64,
    /* Recorded times of blocks may be up to one step too early: records of two threads within a
     * step may come in the wrong order. */
    HEAP_STEP_TICKS = 1 << TRACE_TICK_SHIFT
};

_Static_assert(sizeof(struct heap_site) == 2 * HEAP_MAP_LINE, "a site is two cache lines");

/* Before a site changes, note its present blocks: they were the same at the last peak. */
static ALWAYS_INLINE void note_site(struct heap *heap, uint32_t number)
{
    struct heap_site *site = &heap->sites[number];

    if (site->epoch == heap->epoch)
        return;
    site->peak_blocks = site->live_blocks;
    site->peak_bytes = site->live_bytes;
    site->epoch = heap->epoch;
}

void heap_note_site(struct heap *heap, uint32_t site)
{
    note_site(heap, site);
}

/* A record of the lane made this block live. */
static inline void note_peak(struct heap *heap, const struct heap_lane *lane,
                             const struct heap_block *block, uint64_t ticks)
{
    moments_raise(&heap->moments, heap->live_bytes);
    if (heap->live_bytes <= heap->peak.bytes)
        return;
    heap->peak = (struct heap_peak){
        .epoch = ++heap->epoch,
        .bytes = heap->live_bytes,
        .blocks = heap->block_count,
        .ticks = ticks,
        .site = block->site,
        .region = lane->region,
        .thread = lane->thread,
    };
}

/* `block` is live from now on. */
static ALWAYS_INLINE void add_live(struct heap *heap, const struct heap_block *block)
{
    struct heap_site *site = &heap->sites[block->site];

    note_site(heap, block->site);
    site->live_blocks++;
    site->live_bytes += block->size;
    heap->live_bytes += block->size;
    heap->block_count++;
    heap_chunks_add(&heap->chunks, block->address, block->size);
}

/* `block` is no longer live.  The caller notes the floor, unless another block replaces this
 * one. */
static ALWAYS_INLINE void drop_live(struct heap *heap, const struct heap_block *block)
{
    struct heap_site *site = &heap->sites[block->site];

    note_site(heap, block->site);
    site->live_blocks--;
    site->live_bytes -= block->size;
    heap->live_bytes -= block->size;
    heap->block_count--;
    heap_chunks_take(&heap->chunks, block->address, block->size);
}

void heap_put_plain(struct heap *heap, const struct heap_block *block)
{
    add_live(heap, block);
}

void heap_drop_plain(struct heap *heap, const struct heap_block *block)
{
    drop_live(heap, block);
}

static inline void note_floor(struct heap *heap)
{
    moments_lower(&heap->moments, heap->live_bytes);
}

void heap_pass_time(struct heap *heap, uint64_t ticks)
{
    heap_check_time(heap, ticks);
}

/* A free may come after the allocation that took its address again, if two threads were closer than
 * the steps of recorded times. */
static COLD void owe(struct heap *heap, const struct heap_block *block, uint64_t ticks)
{
    unsigned at = heap->owed_count++ % HEAP_OWED_MAX;

    if (heap_is_drawn(block))
        heap_drop_drawn(heap, block);
    else
        drop_live(heap, block);
    note_floor(heap);
    heap->owed[at] = (struct heap_owed){*block, ticks, !heap->is_lenient};
    heap->owed_open++;
    heap->missing_frees += !heap->is_lenient;
}

/* Returns: whether this is the free that was owed. */
static bool pay(struct heap *heap, uint64_t address, uint64_t ticks, struct heap_block *block)
{
    for (unsigned i = 0; i < HEAP_OWED_MAX; i++) {
        struct heap_owed *owed = &heap->owed[i];

        if (owed->block.address != address || ticks - owed->ticks > HEAP_STEP_TICKS)
            continue;
        *block = owed->block;
        heap->missing_frees -= owed->is_counted;
        heap->owed_open--;
        *owed = (struct heap_owed){0};
        return true;
    }
    return false;
}

/* Puts a block into the map. */
static ALWAYS_INLINE void find_place(struct heap *heap, const struct heap_block *block,
                                     uint64_t ticks)
{
    struct heap_block *place = heap_map_find(&heap->map, block->address);

    if (place)
        owe(heap, place, ticks);
    else
        place = heap_map_claim(&heap->map, block->address);
    *place = *block;
}

void heap_find_place(struct heap *heap, const struct heap_block *block, uint64_t ticks)
{
    find_place(heap, block, ticks);
}

/* Puts a block into the map and among the live blocks. */
static ALWAYS_INLINE void put(struct heap *heap, const struct heap_lane *lane,
                              struct heap_block block, uint64_t ticks)
{
    find_place(heap, &block, ticks);
    add_live(heap, &block);
    note_peak(heap, lane, &block, ticks);
    if (heap_map_is_full(&heap->map, heap->block_count))
        heap_map_grow(&heap->map);
}

/* Takes the block of an address from the map; it still counts as live. */
static ALWAYS_INLINE enum heap_found take(struct heap *heap, uint64_t address, uint64_t ticks,
                                          struct heap_block *block)
{
    heap_check_time(heap, ticks);
    if (heap->owed_open > 0 && address != 0 && pay(heap, address, ticks, block))
        return HEAP_OWED;
    struct heap_block *place = address != 0 ? heap_map_find(&heap->map, address) : NULL;
    if (!place) {
        heap->unknown_frees += !heap->is_lenient;
        return HEAP_NOWHERE;
    }
    *block = *place;
    heap_map_clear(&heap->map, place);
    return HEAP_LIVE;
}

/* The conditions have no branch: in some programs half of all blocks are temporary, without a
 * predictable pattern. */
static inline struct heap_freed describe(const struct heap_lane *lane,
                                         const struct heap_block *block, uint64_t ticks)
{
    return (struct heap_freed){
        .block = *block,
        .ticks = ticks,
        .thread = lane->thread,
        .region = lane->region,
        .is_temporary = (block->address == lane->last) & (block->thread == lane->thread),
    };
}

static COLD void give_back_drawn(struct heap *heap, const struct heap_freed *freed, bool is_live)
{
    if (is_live)
        heap_drop_drawn(heap, &freed->block);
    heap_count_drawn(heap, freed);
}

static ALWAYS_INLINE void give_back(struct heap *heap, const struct heap_freed *freed, bool is_live)
{
    if (heap_is_drawn(&freed->block)) {
        give_back_drawn(heap, freed, is_live);
        return;
    }
    if (is_live)
        drop_live(heap, &freed->block);
    heap_count_freed(heap, freed);
}

/* The released block is gone. */
static void end_release(struct heap *heap, struct heap_lane *lane)
{
    if (lane->release.block.address != 0)
        give_back(heap, &lane->release, lane->is_held);
    lane->release.block.address = 0;
    lane->release_address = 0;
    lane->is_held = false;
}

void heap_settle(struct heap *heap, struct heap_lane *lane)
{
    end_release(heap, lane);
    note_floor(heap);
}

/* Until the realloc is over the block is live, though its address may be another's
 * already. */
void heap_release(struct heap *heap, struct heap_lane *lane, const struct reader_event *event)
{
    struct heap_block block;

    heap_check_time(heap, event->ticks);
    heap_settle(heap, lane);
    lane->release_address = event->address;
    lane->release_record = ++lane->records;
    enum heap_found found = take(heap, event->address, event->ticks, &block);
    if (found == HEAP_NOWHERE)
        return;
    lane->release = describe(lane, &block, event->ticks);
    lane->is_held = found == HEAP_LIVE;
}

static ALWAYS_INLINE void add_plain(struct heap *heap, const struct heap_lane *lane,
                                    const struct reader_event *event, uint32_t site)
{
    const struct heap_block block = {event->address, event->size, event->ticks, site, lane->thread};

    heap_count_obtained(heap, &block);
    put(heap, lane, block, event->ticks);
}

void heap_add_plain(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site)
{
    add_plain(heap, lane, event, site);
}

/* A block was allocated that replaces no other. */
static ALWAYS_INLINE void add(struct heap *heap, struct heap_lane *lane,
                              const struct reader_event *event, uint32_t site)
{
    lane->records++;
    if (event->address == 0) {
        heap->bad_addresses++;
        return;
    }
    lane->last = event->address;
    if (heap->stage != HEAP_EXACT || event->distance > 0) {
        heap_add_other(heap, lane, event, site);
        return;
    }
    add_plain(heap, lane, event, site);
}

/* The malloc that realloc calls for its new block may get the old one's address. */
void heap_obtain(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                 uint32_t site)
{
    heap_check_time(heap, event->ticks);
    if (heap_is_released(lane, event->address))
        heap_settle(heap, lane);
    add(heap, lane, event, site);
}

/* A free of the block that realloc released means that realloc freed it; the record before was the
 * release. */
void heap_free(struct heap *heap, struct heap_lane *lane, const struct reader_event *event)
{
    struct heap_block block;

    if (heap_is_released(lane, event->address)) {
        heap_check_time(heap, event->ticks);
        heap_settle(heap, lane);
        return;
    }
    lane->records++;
    enum heap_found found = take(heap, event->address, event->ticks, &block);
    if (found == HEAP_NOWHERE)
        return;
    const struct heap_freed freed = describe(lane, &block, event->ticks);
    give_back(heap, &freed, found == HEAP_LIVE);
    note_floor(heap);
}

/* A realloc's two records are consecutive in a thread.  With drawn blocks either record may be
 * missing, so they prove nothing. */
static bool is_resized(const struct heap *heap, const struct heap_lane *lane)
{
    return heap->stage != HEAP_BLOCKS && lane->release.block.address != 0 &&
           lane->records == lane->release_record;
}

static void count_moved(struct heap *heap, const struct heap_lane *lane,
                        const struct reader_event *event, uint32_t site)
{
    uint64_t old = lane->release.block.size;

    if (heap->stage != HEAP_EXACT) {
        heap_count_moved(heap, lane, event, site);
        return;
    }
    heap->sites[site].moved += lane->release.block.address != event->address;
    heap->sites[site].grown_bytes += event->size > old ? event->size - old : 0;
}

void heap_move(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
               uint32_t site)
{
    heap_check_time(heap, event->ticks);
    if (site < heap->site_count)
        heap->sites[site].is_resized = true;
    if (is_resized(heap, lane)) {
        count_moved(heap, lane, event, site);
        lane->release.goes_on = true;
    }
    end_release(heap, lane);
    add(heap, lane, event, site);
    note_floor(heap);
}

/* A realloc failed, so its block is live again.  If the block was unknown, its release was no
 * unknown free either. */
void heap_restore(struct heap *heap, struct heap_lane *lane, uint64_t ticks)
{
    heap_check_time(heap, ticks);
    const struct heap_block block = lane->release.block;
    bool was_held = lane->is_held;

    lane->records++;
    lane->release_address = 0;
    lane->release.block.address = 0;
    lane->is_held = false;
    if (was_held) {
        find_place(heap, &block, ticks);
        return;
    }
    if (block.address != 0) {
        if (heap_is_drawn(&block))
            heap_put_drawn(heap, lane, &block, ticks);
        else
            put(heap, lane, block, ticks);
        return;
    }
    if (heap->unknown_frees > 0 && !heap->is_lenient)
        heap->unknown_frees--;
}

static void grow_sites(struct heap *heap)
{
    uint32_t capacity = heap->site_capacity > 0 ? 2 * heap->site_capacity : HEAP_FIRST_SITES;
    size_t size = heap->site_count * sizeof *heap->sites;
    struct heap_site *sites = heap_map_allocate(capacity * sizeof *sites);

    if (size > 0)
        memcpy(sites, heap->sites, size);
    free(heap->sites);
    heap->sites = sites;
    heap->site_capacity = capacity;
}

static struct heap make(const struct heap_options *options)
{
    uint64_t short_ns = options->short_ns;

    return (struct heap){
        .epoch = 1,
        .peak = {.site = SESSION_NONE, .region = SESSION_NONE, .thread = SESSION_NONE},
        .short_ticks = clock_find_length(options->clock, short_ns + (short_ns < UINT64_MAX)),
        .options = *options,
    };
}

void heap_init(struct heap *heap, const struct heap_options *options)
{
    *heap = make(options);
    heap_drawn_init(&heap->drawn);
    marks_init(&heap->marks);
    heap->freed_bytes = memory_get_zeros(options->region_count + 1, sizeof *heap->freed_bytes);
    heap->freed_rests = memory_get_zeros(options->region_count + 1, sizeof *heap->freed_rests);
    heap_make_bins(heap, options->clock);
    moments_init(&heap->moments, options->clock->start_ticks, options->end_ticks);
    grow_sites(heap);
    heap_map_init(&heap->map);
    heap_begin(heap);
}

void heap_fini(struct heap *heap)
{
    heap_map_fini(&heap->map);
    heap_drawn_fini(&heap->drawn);
    free(heap->freed_bytes);
    free(heap->freed_rests);
    free(heap->life_bins);
    free(heap->life_limits);
    free(heap->sites);
    free(heap->before);
    marks_fini(&heap->marks);
    moments_fini(&heap->moments);
    *heap = (struct heap){0};
}

void heap_add_site(struct heap *heap)
{
    if (heap->site_count == heap->site_capacity)
        grow_sites(heap);
    heap->sites[heap->site_count++] = (struct heap_site){.min_size = UINT64_MAX};
    heap->owner_count = heap->site_count;
}
