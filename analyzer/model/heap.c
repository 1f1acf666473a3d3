/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap of a program, replayed block by block.
 *
 * What every site had live at the peak is known after one pass: a site notes
 * what it has before it changes for the first time since a peak.  Most peaks
 * are surpassed before that, and cost their sites nothing.
 *
 * Budget: one multiplication, one cache line of the map, two of the site, no
 * call on the common path.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#include "model/heap.h"

#include <stdlib.h>
#include <string.h>

#include "model/heap_counts.h"
#include "model/session_unknown.h"
#include "spec/trace.h"

enum {
    HEAP_FIRST_SITES = 64,
    /* Recorded times of blocks are up to one step too early: records of two
     * threads that are closer than this may come in the wrong order. */
    HEAP_STEP_TICKS = 1 << TRACE_TICK_SHIFT
};

_Static_assert(sizeof(struct heap_site) == 2 * HEAP_MAP_LINE, "a site is two cache lines");

static uint64_t round_units(const struct heap *heap, uint64_t units, unsigned point)
{
    if (heap->sample_bytes == 0)
        return units;
    return (units >> point) + (units >> (point - 1) & 1);
}

uint64_t heap_blocks(const struct heap *heap, uint64_t units)
{
    return round_units(heap, units, HEAP_BLOCK_POINT);
}

uint64_t heap_bytes(const struct heap *heap, uint64_t units)
{
    return round_units(heap, units, HEAP_BYTE_POINT);
}

static void note_site_peak(struct heap *heap, uint32_t number)
{
    struct heap_site *site = &heap->sites[number];

    site->peak_blocks = site->live_blocks;
    site->peak_bytes = site->live_bytes;
    if (heap->sample_bytes > 0)
        heap_variance_of(heap, number)->peak_bytes = heap_variance_of(heap, number)->live_bytes;
}

/* Before a site changes: what it has now, it had at the last peak. */
static ALWAYS_INLINE void note_site(struct heap *heap, uint32_t number)
{
    struct heap_site *site = &heap->sites[number];

    if (site->epoch == heap->epoch)
        return;
    note_site_peak(heap, number);
    site->epoch = heap->epoch;
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
        .blocks = heap->live_blocks,
        .ticks = ticks,
        .variance = heap->variance,
        .site = block->site,
        .region = lane->region,
        .thread = lane->thread,
    };
}

/* A block of a sampled heap came, or went: the sign says which. */
static void vary_live(struct heap *heap, const struct heap_block *block, double sign)
{
    double size = (double)block->size;
    double variance = sign * size * size * heap_vary_sample(heap->sample_bytes, block->size);

    heap_variance_of(heap, block->site)->live_bytes += variance;
    heap->variance += variance;
}

/* `block` is live from now on. */
static ALWAYS_INLINE void add_live(struct heap *heap, const struct heap_block *block)
{
    const struct heap_weight weight = heap_weigh(heap, block->size);
    struct heap_site *site = &heap->sites[block->site];

    note_site(heap, block->site);
    site->live_blocks += weight.blocks;
    site->live_bytes += weight.bytes;
    heap->live_blocks += weight.blocks;
    heap->live_bytes += weight.bytes;
    heap->block_count++;
    if (heap->sample_bytes > 0)
        vary_live(heap, block, 1);
}

/* `block` is not live any more.  Whoever drops it notes the floor, once nothing comes in
 * its place. */
static ALWAYS_INLINE void drop_live(struct heap *heap, const struct heap_block *block)
{
    const struct heap_weight weight = heap_weigh(heap, block->size);
    struct heap_site *site = &heap->sites[block->site];

    note_site(heap, block->site);
    site->live_blocks -= weight.blocks;
    site->live_bytes -= weight.bytes;
    heap->live_blocks -= weight.blocks;
    heap->live_bytes -= weight.bytes;
    heap->block_count--;
    if (heap->sample_bytes > 0)
        vary_live(heap, block, -1);
}

static inline void note_floor(struct heap *heap)
{
    moments_lower(&heap->moments, heap->live_bytes);
}

static void note_all_sites(struct heap *heap)
{
    for (uint32_t i = 0; i < heap->site_count; i++)
        note_site(heap, i);
}

/* The stretches were `length` long before. */
static void pass_marks(struct heap *heap, uint64_t length)
{
    const struct marks_live live = {&heap->sites->live_bytes,
                                    sizeof *heap->sites / sizeof heap->sites->live_bytes,
                                    heap->site_count};

    for (; length < heap->moments.length; length *= 2)
        marks_merge(&heap->marks);
    marks_pass(&heap->marks, (uint32_t)(heap->moments.count / MARKS_MOMENTS) + 1, &live);
}

/* Rare, and out of the way of what is not. */
static COLD void close_moments(struct heap *heap, uint64_t ticks)
{
    const struct moments_state state = {heap->live_bytes, heap->live_blocks, heap->mapped_bytes};
    uint64_t length = heap->moments.length;

    moments_close(&heap->moments, ticks, &state);
    pass_marks(heap, length);
}

static inline void check_time(struct heap *heap, uint64_t ticks)
{
    if (moments_are_over(&heap->moments, ticks))
        close_moments(heap, ticks);
}

void heap_pass_time(struct heap *heap, uint64_t ticks)
{
    check_time(heap, ticks);
}

/* A free may stand behind the allocation that took its address again, when
 * two threads were closer than the steps of recorded times. */
static void owe(struct heap *heap, const struct heap_block *block, uint64_t ticks)
{
    unsigned at = heap->owed_count++ % HEAP_OWED_MAX;

    drop_live(heap, block);
    note_floor(heap);
    heap->owed[at] = (struct heap_owed){*block, ticks};
    heap->missing_frees++;
}

/* Returns: whether this is the free that was owed. */
static bool pay(struct heap *heap, uint64_t address, uint64_t ticks, struct heap_block *block)
{
    for (unsigned i = 0; i < HEAP_OWED_MAX; i++) {
        struct heap_owed *owed = &heap->owed[i];

        if (owed->block.address != address || ticks - owed->ticks > HEAP_STEP_TICKS)
            continue;
        *block = owed->block;
        *owed = (struct heap_owed){0};
        heap->missing_frees--;
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

/* Puts a block into the map and among what is live. */
static ALWAYS_INLINE enum status put(struct heap *heap, const struct heap_lane *lane,
                                     struct heap_block block, uint64_t ticks)
{
    find_place(heap, &block, ticks);
    add_live(heap, &block);
    note_peak(heap, lane, &block, ticks);
    return heap_map_is_full(&heap->map, heap->block_count) ? heap_map_grow(&heap->map) : STATUS_OK;
}

/* Where the block of an address was. */
enum heap_found {
    HEAP_NOWHERE,
    HEAP_OWED, /* counted as gone before */
    HEAP_LIVE
};

/* Takes the block of an address out of the map; it counts as live as before. */
static ALWAYS_INLINE enum heap_found take(struct heap *heap, uint64_t address, uint64_t ticks,
                                          struct heap_block *block)
{
    check_time(heap, ticks);
    if (heap->missing_frees > 0 && address != 0 && pay(heap, address, ticks, block))
        return HEAP_OWED;
    struct heap_block *place = address != 0 ? heap_map_find(&heap->map, address) : NULL;
    if (!place) {
        heap->unknown_frees++;
        return HEAP_NOWHERE;
    }
    *block = *place;
    heap_map_clear(&heap->map, place);
    return HEAP_LIVE;
}

/* Conditions without a branch: half of all blocks are temporary in some
 * programs, and no pattern says which. */
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

/* That block is gone. */
static void end_release(struct heap *heap, struct heap_lane *lane)
{
    if (lane->is_held)
        drop_live(heap, &lane->release.block);
    if (lane->release.block.address != 0)
        heap_count_freed(heap, &lane->release);
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

    check_time(heap, event->ticks);
    heap_settle(heap, lane);
    lane->release_address = event->address;
    lane->release_record = ++lane->records;
    enum heap_found found = take(heap, event->address, event->ticks, &block);
    if (found == HEAP_NOWHERE)
        return;
    lane->release = describe(lane, &block, event->ticks);
    lane->is_held = found == HEAP_LIVE;
}

/* A block came that takes no other's place. */
static ALWAYS_INLINE enum status add(struct heap *heap, struct heap_lane *lane,
                                     const struct reader_event *event, uint32_t site)
{
    const struct heap_block block = {event->address, event->size, event->ticks, site, lane->thread};

    lane->records++;
    if (event->address == 0) {
        heap->bad_addresses++;
        return STATUS_OK;
    }
    lane->last = event->address;
    heap_count_obtained(heap, &block);
    return put(heap, lane, block, event->ticks);
}

/* A malloc by which realloc obtains its block may be given the old one's address. */
enum status heap_obtain(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                        uint32_t site)
{
    check_time(heap, event->ticks);
    if (heap_is_released(lane, event->address))
        heap_settle(heap, lane);
    return add(heap, lane, event, site);
}

/* The free of what realloc was given tells that it came to nothing; the record before
 * it was that of the free. */
void heap_free(struct heap *heap, struct heap_lane *lane, const struct reader_event *event)
{
    struct heap_block block;

    if (heap_is_released(lane, event->address)) {
        check_time(heap, event->ticks);
        heap_settle(heap, lane);
        return;
    }
    lane->records++;
    enum heap_found found = take(heap, event->address, event->ticks, &block);
    if (found == HEAP_NOWHERE)
        return;
    if (found == HEAP_LIVE) {
        drop_live(heap, &block);
        note_floor(heap);
    }
    const struct heap_freed freed = describe(lane, &block, event->ticks);
    heap_count_freed(heap, &freed);
}

/* Nothing of a thread comes between a realloc's two records.  Of sampled ones
 * either may be missing, so they tell nothing. */
static bool is_resized(const struct heap *heap, const struct heap_lane *lane)
{
    return heap->sample_bytes == 0 && lane->release.block.address != 0 &&
           lane->records == lane->release_record;
}

enum status heap_move(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                      uint32_t site)
{
    uint64_t old = lane->release.block.size;

    if (is_resized(heap, lane)) {
        heap->sites[site].moved += lane->release.block.address != event->address;
        heap->sites[site].grown_bytes += event->size > old ? event->size - old : 0;
        lane->release.goes_on = true;
    }
    check_time(heap, event->ticks);
    end_release(heap, lane);
    enum status status = add(heap, lane, event, site);
    note_floor(heap);
    return status;
}

/* If it was not known before, its release was no loss either. */
enum status heap_restore(struct heap *heap, struct heap_lane *lane, uint64_t ticks)
{
    const struct heap_block block = lane->release.block;
    bool was_held = lane->is_held;

    lane->records++;
    lane->release_address = 0;
    lane->release.block.address = 0;
    lane->is_held = false;
    check_time(heap, ticks);
    if (was_held) {
        find_place(heap, &block, ticks);
        return STATUS_OK;
    }
    if (block.address != 0)
        return put(heap, lane, block, ticks);
    if (heap->unknown_frees > 0)
        heap->unknown_frees--;
    return STATUS_OK;
}

static enum status grow_sites(struct heap *heap)
{
    uint32_t capacity = heap->site_capacity > 0 ? 2 * heap->site_capacity : HEAP_FIRST_SITES;
    size_t size = heap->site_count * sizeof *heap->sites;
    struct heap_site *sites = heap_map_allocate(capacity * sizeof *sites);

    if (!sites)
        return STATUS_OUT_OF_MEMORY;
    if (size > 0)
        memcpy(sites, heap->sites, size);
    free(heap->sites);
    heap->sites = sites;
    heap->site_capacity = capacity;
    return marks_reserve(&heap->marks, capacity);
}

enum status heap_init(struct heap *heap, const struct heap_options *options)
{
    uint64_t short_ns = options->short_ns;

    *heap = (struct heap){
        .sample_bytes = options->sample_bytes,
        .epoch = 1,
        .peak = {.site = SESSION_NONE, .region = SESSION_NONE, .thread = SESSION_NONE}};
    array_init(&heap->variances, sizeof(struct heap_variance));
    marks_init(&heap->marks);
    heap->short_ticks = clock_find_length(options->clock, short_ns + (short_ns < UINT64_MAX));
    heap->freed_bytes = calloc(options->region_count + 1, sizeof *heap->freed_bytes);
    if (!heap->freed_bytes || heap_make_bins(heap, options->clock) ||
        moments_init(&heap->moments, options->clock->start_ticks) || grow_sites(heap))
        return STATUS_OUT_OF_MEMORY;
    return heap_map_init(&heap->map);
}

void heap_fini(struct heap *heap)
{
    heap_map_fini(&heap->map);
    free(heap->freed_bytes);
    free(heap->life_bins);
    free(heap->life_limits);
    free(heap->sites);
    array_fini(&heap->variances);
    marks_fini(&heap->marks);
    moments_fini(&heap->moments);
    *heap = (struct heap){0};
}

enum status heap_add_site(struct heap *heap)
{
    if (heap->site_count == heap->site_capacity && grow_sites(heap))
        return STATUS_OUT_OF_MEMORY;
    if (heap->sample_bytes > 0 && !array_add(&heap->variances))
        return STATUS_OUT_OF_MEMORY;
    heap->sites[heap->site_count++] = (struct heap_site){.min_size = UINT64_MAX};
    return STATUS_OK;
}

void heap_finish(struct heap *heap, uint64_t ticks)
{
    const struct moments_state state = {heap->live_bytes, heap->live_blocks, heap->mapped_bytes};

    close_moments(heap, ticks);
    note_all_sites(heap);
    moments_finish(&heap->moments, ticks, &state);
}
