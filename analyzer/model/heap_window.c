/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap in a window of the run.
 *
 * The replay reads all records before the window's end, so each freed block is known; but counts
 * cover only the window.  Blocks live at its start count as allocated then, so the difference is
 * still the freed blocks.
 *
 * Decision: doc/decisions/windows.
 */
#include "base/memory.h"
#include "model/heap_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session_unknown.h"

static void restart_site(struct heap_site *site, struct heap_before *before)
{
    *before = (struct heap_before){site->live_blocks, site->live_bytes};
    site->blocks = site->live_blocks;
    site->bytes = site->live_bytes;
    site->min_size = UINT64_MAX;
    site->max_size = 0;
    site->lifetime = 0;
    site->temporary = site->short_lived = site->moved = 0;
    site->grown_bytes = site->strange_frees = 0;
}

static void restart_sites(struct heap *heap)
{
    heap->before = memory_get_zeros(heap->site_count + 1, sizeof *heap->before);
    heap->before_count = heap->site_count;
    for (uint32_t i = 0; i < heap->site_count; i++)
        restart_site(&heap->sites[i], &heap->before[i]);
}

/* The live amounts and the variation of the rest stay. */
static void restart_row(struct heap_drawn_row *row)
{
    *row = (struct heap_drawn_row){
        .site = row->site,
        .class = row->class,
        .next = row->next,
        .min_size = UINT64_MAX,
        .live = row->live,
        .added_rest = row->added_rest,
        .added_variance = row->added_variance,
    };
}

static void restart_drawn(struct heap_drawn *drawn)
{
    const struct session_histogram none = {{0}, {0}};

    for (size_t i = 0; i < drawn->rows.count; i++)
        restart_row(array_at(&drawn->rows, i));
    drawn->sizes = drawn->size_rests = none;
    drawn->lifetimes = drawn->lifetime_rests = none;
}

static void restart_peak(struct heap *heap, uint64_t ticks)
{
    heap->peak = (struct heap_peak){
        .epoch = ++heap->epoch,
        .bytes = heap->live_bytes,
        .blocks = heap_live_blocks(heap),
        .ticks = ticks,
        .variance =
            heap->stage == HEAP_BLOCKS && !heap->is_counted ? heap->drawn.live.bytes_variance : 0,
        .site = SESSION_NONE,
        .region = SESSION_NONE,
        .thread = SESSION_NONE,
    };
    heap->peak_end = 0;
}

/* No stretch was closed before: all count from the window's start, as the clock does. */
static void restart_course(struct heap *heap)
{
    heap->before_bytes = heap->live_bytes;
    heap->moments.min = heap->moments.max = heap->live_bytes;
    heap->lowest = heap->highest = heap->live_bytes;
    heap->marks.count = heap->drawn.marks.count = heap->drawn.rests.count = 0;
    heap_note_marks(heap);
}

void heap_restart(struct heap *heap, uint64_t ticks)
{
    const struct session_histogram none = {{0}, {0}};
    const size_t regions = heap->options.region_count + 1;

    heap_check_time(heap, ticks);
    restart_sites(heap);
    restart_drawn(&heap->drawn);
    heap->sizes = heap->lifetimes = none;
    memset(heap->freed_bytes, 0, regions * sizeof *heap->freed_bytes);
    memset(heap->freed_rests, 0, regions * sizeof *heap->freed_rests);
    heap->unknown_frees = 0;
    restart_peak(heap, ticks);
    restart_course(heap);
}

void heap_cut(struct heap *heap)
{
    heap->options.counted.live_bytes = heap->counted.live_bytes;
    heap->borders.peak = UINT64_MAX;
    heap_set_border(heap);
}

void heap_raise_counted_peak(struct heap *heap, uint64_t ticks, uint64_t live_bytes)
{
    if (!heap->before || live_bytes <= heap->peak.bytes)
        return;
    restart_peak(heap, ticks);
    heap->peak.bytes = live_bytes;
}
