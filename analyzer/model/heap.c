/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.c: the live heap of a program, replayed block by block.
 *
 * Called for every allocation and free of a trace, so the map is our own:
 * open addressing with linear probing, at most half full, addresses and sizes
 * side by side.  A block goes by shifting those behind it back (Knuth, TAOCP
 * 3, 6.4, algorithm R): no place is ever wasted, however many come and go.
 *
 * Budget: one multiplication, one cache line of the map, no call.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#endif
#include "model/heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "spec/trace.h"

enum {
    HEAP_FIRST_BITS = 10,
    HEAP_HASH_BITS = 64,
    HEAP_HUGE_PAGE = 2 << 20,
    HEAP_SMALL_ALIGN = 64, /* a cache line holds four whole blocks */
    /* Recorded times of blocks are up to one step too early: records of two
     * threads that are closer than this may come in the wrong order. */
    HEAP_STEP_TICKS = 1 << TRACE_TICK_SHIFT
};

/* Returns: the place of the address, or the free place where it would be. */
static inline struct heap_block *heap_find(const struct heap *heap, uint64_t address)
{
    size_t at = heap_home(heap, address);

    while (heap->places[at].address != address && heap->places[at].address != 0)
        at = (at + 1) & heap->mask;
    return &heap->places[at];
}

/* A large map is hit all over: in pages of 4 KiB every look-up would miss the
 * translation too. */
static void *heap_map(size_t size)
{
    size_t alignment = size < HEAP_HUGE_PAGE ? HEAP_SMALL_ALIGN : HEAP_HUGE_PAGE;
    void *map = aligned_alloc(alignment, size);

    if (!map)
        return NULL;
    if (alignment == HEAP_HUGE_PAGE)
        madvise(map, size, MADV_HUGEPAGE);
    return memset(map, 0, size);
}

static enum status heap_allocate(struct heap *heap, unsigned bits)
{
    size_t count = (size_t)1 << bits;
    struct heap_block *places = heap_map(count * sizeof *places);

    if (!places)
        return STATUS_OUT_OF_MEMORY;
    heap->places = places;
    heap->mask = count - 1;
    heap->shift = HEAP_HASH_BITS - bits;
    return STATUS_OK;
}

enum status heap_init(struct heap *heap)
{
    *heap = (struct heap){0};
    return heap_allocate(heap, HEAP_FIRST_BITS);
}

void heap_fini(struct heap *heap)
{
    free(heap->places);
    *heap = (struct heap){0};
}

static enum status heap_grow(struct heap *heap)
{
    struct heap_block *old = heap->places;
    size_t count = heap->mask + 1;
    enum status status = heap_allocate(heap, HEAP_HASH_BITS - heap->shift + 1);

    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        if (old[i].address != 0)
            *heap_find(heap, old[i].address) = old[i];
    free(old);
    return STATUS_OK;
}

/* Closes the gap at `gap` by moving back what would be sought across it. */
static inline void heap_close_gap(struct heap *heap, size_t gap)
{
    for (size_t at = (gap + 1) & heap->mask; heap->places[at].address != 0;
         at = (at + 1) & heap->mask) {
        size_t home = heap_home(heap, heap->places[at].address);

        if (((at - home) & heap->mask) < ((at - gap) & heap->mask))
            continue;
        heap->places[gap] = heap->places[at];
        gap = at;
    }
    heap->places[gap] = (struct heap_block){0};
}

/* ---- blocks obtained twice --------------------------------------------- */

/* A free may stand behind the allocation that took its address again, when
 * two threads were closer than the steps of recorded times. */
static void heap_owe(struct heap *heap, uint64_t address, uint64_t ticks)
{
    unsigned at = heap->owed_count++ % HEAP_OWED_MAX;

    heap->owed[at] = (struct heap_owed){address, ticks};
    heap->missing_frees++;
}

/* Returns: whether this is the free that was owed. */
static bool heap_settle(struct heap *heap, uint64_t address, uint64_t ticks)
{
    for (unsigned i = 0; i < HEAP_OWED_MAX; i++) {
        struct heap_owed *owed = &heap->owed[i];

        if (owed->address != address || ticks - owed->ticks > HEAP_STEP_TICKS)
            continue;
        *owed = (struct heap_owed){0};
        heap->missing_frees--;
        return true;
    }
    return false;
}

/* ---- events ------------------------------------------------------------ */

static inline void heap_note_peak(struct heap *heap, uint64_t ticks)
{
    if (heap->live_bytes <= heap->peak_bytes)
        return;
    heap->peak_bytes = heap->live_bytes;
    heap->peak_ticks = ticks;
}

enum status heap_obtain(struct heap *heap, const struct heap_block *block, uint64_t ticks)
{
    if (block->address == 0) {
        heap->bad_addresses++;
        return STATUS_OK;
    }
    struct heap_block *place = heap_find(heap, block->address);
    if (place->address != 0) {
        heap->live_bytes -= place->size;
        heap_owe(heap, block->address, ticks);
    } else {
        heap->live_blocks++;
    }
    *place = *block;
    heap->live_bytes += block->size;
    heap_note_peak(heap, ticks);
    return 2 * heap->live_blocks > heap->mask ? heap_grow(heap) : STATUS_OK;
}

bool heap_release(struct heap *heap, uint64_t address, uint64_t ticks, uint64_t *size)
{
    if (heap->missing_frees > 0 && heap_settle(heap, address, ticks))
        return false;

    struct heap_block *place = heap_find(heap, address);
    if (place->address == 0) {
        heap->unknown_frees++;
        return false;
    }
    *size = place->size;
    heap->live_bytes -= place->size;
    heap->live_blocks--;
    heap_close_gap(heap, (size_t)(place - heap->places));
    return true;
}
