/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of the live heap over time: stretches, marks, and the starts of stages.
 *
 * If only drawn blocks are recorded and the shim counted the heap, the course comes from the shim's
 * readings, exact in usable bytes.  The earlier course is converted to usable bytes by the ratio of
 * the readings at that time.
 */
#include "model/heap_parts.h"

#include "model/heap_weight.h"

/* A smaller difference is mostly the lag of the counter. */
static const uint64_t ratio_least = 1 << 18;

/* A call chain that is walked for the first time takes less. */
static const uint64_t peak_delay_ns = 100000;

/* Once drawn blocks have taken over, sites have no live blocks and are not noted. */
void heap_note_all(struct heap *heap)
{
    for (uint32_t i = 0; i < heap->site_count && heap->stage != HEAP_BLOCKS; i++)
        heap_note_site(heap, i);
    for (uint32_t i = 0; i < heap->drawn.rows.count; i++)
        heap_note_row(heap, i);
}

static void merge_marks(struct heap *heap)
{
    marks_merge(&heap->marks);
    marks_merge(&heap->drawn.marks);
    marks_merge(&heap->drawn.rests);
}

void heap_note_marks(struct heap *heap)
{
    const struct heap_drawn_row *row = heap->drawn.rows.items;
    const uint32_t rows = (uint32_t)heap->drawn.rows.count;
    const size_t stride = sizeof *row / sizeof(uint64_t);
    const uint32_t count = (uint32_t)(heap->moments.count / MARKS_MOMENTS) + 1;
    const struct marks_live sites = {&heap->sites->live_bytes,
                                     sizeof *heap->sites / sizeof(uint64_t),
                                     heap->stage == HEAP_BLOCKS ? 0 : heap->site_count};

    marks_pass(&heap->marks, count, &sites);
    marks_pass(&heap->drawn.marks, count,
               &(struct marks_live){row ? &row->live.bytes : NULL, stride, rows});
    marks_pass(&heap->drawn.rests, count,
               &(struct marks_live){row ? &row->live.rest_bytes : NULL, stride, rows});
}

/* The stretches were `length` long before. */
static void pass_marks(struct heap *heap, uint64_t length)
{
    for (; length < heap->moments.length; length *= 2)
        merge_marks(heap);
    heap_note_marks(heap);
}

static uint64_t sum_of(const uint64_t *exact, const uint64_t *rests, unsigned point)
{
    uint64_t sum = 0;

    for (int i = 0; i < SESSION_BINS; i++)
        sum += exact[i] + (rests[i] >> point);
    return sum;
}

/* The shim's count is known only at readings. */
static struct moments_state state_of(const struct heap *heap)
{
    const struct session_histogram *exact = &heap->sizes, *rests = &heap->drawn.sizes;

    return (struct moments_state){
        .obtained_blocks = sum_of(exact->counts, rests->counts, HEAP_BLOCK_POINT),
        .obtained_bytes = sum_of(exact->bytes, rests->bytes, HEAP_BYTE_POINT),
        .bytes = heap->is_counted ? heap->counted.live_bytes : heap->live_bytes,
        .blocks = heap_live_blocks(heap),
        .mapped_bytes = heap->mapped_bytes,
        .ratio = heap->usable_ratio,
    };
}

static void take_counted(struct heap *heap)
{
    if (!heap->is_counted)
        return;
    heap->moments.min = heap->lowest;
    heap->moments.max = heap->highest;
}

void heap_close_moments(struct heap *heap, uint64_t ticks)
{
    const struct moments_state state = state_of(heap);
    uint64_t length = heap->moments.length;

    take_counted(heap);
    moments_close(&heap->moments, ticks, &state);
    heap->lowest = heap->moments.min;
    heap->highest = heap->moments.max;
    pass_marks(heap, length);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t first_stage(const struct heap_borders *borders)
{
    return least(borders->chains, least(borders->blocks, borders->peak));
}

void heap_set_border(struct heap *heap)
{
    heap->borders.next = least(heap->moments.end, first_stage(&heap->borders));
}

static void note_bytes(struct heap *heap, uint64_t bytes)
{
    heap->lowest = least(heap->lowest, bytes);
    heap->highest = bytes > heap->highest ? bytes : heap->highest;
}

/* The blocks that are live now were live at the peak. */
static void pass_peak(struct heap *heap)
{
    if (!heap->is_counted)
        return;
    heap->peak_end =
        heap->options.counted.peak_ticks + clock_find_length(heap->options.clock, peak_delay_ns);
    heap_note_counted_peak(heap);
    note_bytes(heap, heap->peak.bytes);
}

static void pass_stage(struct heap *heap, uint64_t now)
{
    struct heap_borders *borders = &heap->borders;
    const struct heap_borders before = *borders;

    if (now >= before.chains) {
        borders->chains = UINT64_MAX;
        heap_enter_stage(heap, HEAP_CHAINS);
    }
    if (now >= before.blocks) {
        borders->blocks = UINT64_MAX;
        heap_enter_stage(heap, HEAP_BLOCKS);
    }
    if (now >= before.peak) {
        borders->peak = UINT64_MAX;
        pass_peak(heap);
    }
}

void heap_pass_border(struct heap *heap, uint64_t ticks)
{
    uint64_t stage = first_stage(&heap->borders);

    while (stage <= ticks && stage < UINT64_MAX) {
        heap_close_moments(heap, stage);
        pass_stage(heap, stage);
        stage = first_stage(&heap->borders);
    }
    heap_close_moments(heap, ticks);
    heap_set_border(heap);
}

/* ---- the shim's count -------------------------------------------------- */

static void note_ratio(struct heap *heap, uint64_t live_bytes)
{
    if (heap->counted.peak_bytes == 0 && live_bytes > heap->live_bytes)
        heap->inherited_bytes = live_bytes - heap->live_bytes;
    if (heap->live_bytes < ratio_least || live_bytes < heap->live_bytes)
        return;
    heap->usable_ratio = (double)live_bytes / (double)heap->live_bytes;
}

void heap_note_counted(struct heap *heap, uint64_t ticks, uint64_t live_bytes)
{
    heap_check_time(heap, ticks);
    if (heap->stage != HEAP_BLOCKS)
        note_ratio(heap, live_bytes);
    if (heap->is_counted) {
        heap_set_live(heap, live_bytes);
        note_bytes(heap, live_bytes);
        heap_raise_counted_peak(heap, ticks, live_bytes);
    }
    heap->counted.live_bytes = live_bytes;
    if (live_bytes > heap->counted.peak_bytes)
        heap->counted.peak_bytes = live_bytes;
}

static void convert_marks(struct marks *marks, const struct moments *moments)
{
    for (uint32_t i = 0; i < marks->count; i++)
        marks_scale(marks, i, moments_ratio(moments, (size_t)i * MARKS_MOMENTS));
}

void heap_convert_course(struct heap *heap, double ratio)
{
    moments_settle_ratios(&heap->moments, ratio);
    convert_marks(&heap->marks, &heap->moments);
    convert_marks(&heap->drawn.marks, &heap->moments);
    convert_marks(&heap->drawn.rests, &heap->moments);
    moments_convert(&heap->moments, ratio);
    heap->before_bytes = moments_scale(heap->before_bytes, ratio);
    heap->lowest = heap->moments.min;
    heap->highest = heap->moments.max;
}

/* A peak that no record came after was at the end. */
static void finish_counted(struct heap *heap)
{
    if (!heap->is_counted)
        return;
    if (heap->borders.peak < UINT64_MAX)
        pass_peak(heap);
    heap->counted.live_bytes = heap->options.counted.live_bytes;
    heap_set_live(heap, heap->counted.live_bytes);
    note_bytes(heap, heap->live_bytes);
}

void heap_finish(struct heap *heap, uint64_t ticks)
{
    heap_pass_border(heap, ticks);
    finish_counted(heap);
    heap_note_all(heap);
    take_counted(heap);
    const struct moments_state state = state_of(heap);
    moments_finish(&heap->moments, ticks, &state);
}
