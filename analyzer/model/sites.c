/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts the results of the heap's replay into the session: nanoseconds instead
 * of ticks.
 */
#include "model/sites_parts.h"

#include <math.h>
#include <string.h>

#include "model/session_heap.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/sites.h"

static uint64_t convert_lifetime(const struct events *events, double ticks)
{
    double ns = ticks * events->from.clock->ns_per_tick + 0.5;

    return ns < 0x1p64 ? (uint64_t)ns : SESSION_UNKNOWN - 1;
}

static void take_amounts(struct session_site *to, const struct heap *heap, uint32_t number)
{
    const struct heap_site *from = &heap->sites[number];
    struct heap_before before = heap_find_before(heap, number);
    bool was_shed = heap->stage == HEAP_BLOCKS;
    bool has_peak = !was_shed || heap->peak.epoch <= heap->blocks_epoch;

    to->records = to->allocations = from->blocks - before.blocks;
    to->allocated_bytes = from->bytes - before.bytes;
    to->frees = from->blocks - from->live_blocks;
    to->freed_bytes = from->bytes - from->live_bytes;
    to->live_blocks = was_shed ? 0 : from->live_blocks;
    to->live_bytes = was_shed ? 0 : from->live_bytes;
    to->peak_blocks = has_peak ? from->peak_blocks : 0;
    to->peak_bytes = has_peak ? from->peak_bytes : 0;
    to->min_size = to->allocations > 0 ? from->min_size : 0;
    to->max_size = from->max_size;
}

static void take_habits(struct session_site *to, const struct heap_site *from)
{
    to->temporary = from->temporary;
    to->short_lived = from->short_lived;
    to->moved = from->moved;
    to->grown_bytes = from->grown_bytes;
    to->strange_frees = from->strange_frees;
    to->is_resized = from->is_resized;
}

static void fill_sites(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    struct session_site *site = session->sites.items;

    for (uint32_t i = 0; i < heap->owner_count; i++) {
        take_amounts(&site[i], heap, i);
        take_habits(&site[i], &heap->sites[i]);
        site[i].lifetime_ns = convert_lifetime(events, heap->sites[i].lifetime);
    }
}

/* Sums of single records, including blocks whose owner was not drawn. */
static void sum_recorded(struct session_heap *to, const struct heap *heap)
{
    const struct heap_drawn_row *row = heap->drawn.rows.items;

    for (uint32_t i = 0; i < heap->site_count; i++) {
        to->temporary += heap->sites[i].temporary;
        to->short_lived += heap->sites[i].short_lived;
        to->moved += heap->sites[i].moved;
        to->grown_bytes += heap->sites[i].grown_bytes;
        to->strange_frees += heap->sites[i].strange_frees;
    }
    for (size_t i = 0; i < heap->drawn.rows.count; i++) {
        to->temporary += row[i].temporary.drawn;
        to->short_lived += row[i].short_lived.drawn;
        to->moved += row[i].moved.drawn;
        to->grown_bytes += row[i].grown.drawn;
        to->strange_frees += row[i].strange_frees.drawn;
    }
}

static void sum_estimated(struct session *session)
{
    const struct session_site *site = session->sites.items;
    struct session_heap *to = &session->heap;

    to->temporary = to->moved = to->grown_bytes = SESSION_UNKNOWN;
    for (size_t i = 0; i < session->sites.count; i++) {
        if (i == to->undrawn_site)
            continue;
        to->short_lived += site[i].short_lived;
        to->strange_frees += site[i].strange_frees;
    }
}

static void sum_sites(struct session *session, const struct heap *heap)
{
    if (heap->stage == HEAP_BLOCKS)
        sum_estimated(session);
    else
        sum_recorded(&session->heap, heap);
}

/* The record of an undrawn block has only its class. */
static uint32_t find_peak_site(const struct heap *heap)
{
    uint32_t site = heap->peak.site;

    if (site == SESSION_NONE)
        return SESSION_NONE;
    if (site & HEAP_DRAWN)
        return site & ~HEAP_DRAWN;
    return site < heap->owner_count ? site : SESSION_NONE;
}

static double error_of(double variance, uint64_t bytes)
{
    return bytes > 0 && variance > 0 ? sqrt(variance) : 0;
}

/* If a lane's tallies are missing, its thread is unknown. */
static void fill_peak(struct session *session, const struct events *events)
{
    const struct heap_peak *peak = &events->heap.peak;
    struct session_heap *to = &session->heap;
    bool is_counted = events->heap.is_counted && peak->epoch > events->heap.blocks_epoch;

    to->peak_bytes = peak->bytes;
    to->peak_blocks = peak->blocks;
    to->peak_time_ns = clock_convert(events->from.clock, peak->ticks);
    to->peak_site = find_peak_site(&events->heap);
    to->peak_region = peak->region;
    to->peak_thread = peak->thread < session->threads.count ? peak->thread : SESSION_NONE;
    to->peak_error = error_of(peak->variance, peak->bytes);
    to->peak_unit = is_counted ? SESSION_HEAP_USABLE : SESSION_HEAP_REQUESTED;
}

/* The process's own blocks hold at least their requested bytes; inherited blocks hold the rest.  A
 * counted heap has no single records to distinguish them. */
static uint64_t find_inherited_left(const struct heap *heap, uint64_t first_bytes)
{
    uint64_t counted = heap->options.counted.live_bytes;
    uint64_t left = counted > heap->live_bytes ? counted - heap->live_bytes : 0;

    if (first_bytes == 0 || heap->is_counted || heap->stage == HEAP_BLOCKS)
        return SESSION_UNKNOWN;
    return left < first_bytes ? left : first_bytes;
}

static void fill_heap(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    struct session_heap *to = &session->heap;
    bool is_guessed = heap->stage == HEAP_BLOCKS && !heap->is_counted;

    to->is_estimated = heap->stage == HEAP_BLOCKS;
    to->has_estimated_sites = heap->stage != HEAP_EXACT;
    to->live_bytes = heap->live_bytes;
    to->live_blocks = heap_live_blocks(heap);
    to->live_error = is_guessed ? error_of(heap->drawn.live.bytes_variance, to->live_bytes) : 0;
    to->live_unit = heap->is_counted ? SESSION_HEAP_USABLE : SESSION_HEAP_REQUESTED;
    to->course_unit = to->live_unit;
    to->unknown_frees = heap->unknown_frees;
    to->inherited_bytes = heap->options.first_bytes;
    to->inherited_left_bytes = find_inherited_left(heap, to->inherited_bytes);
    to->sizes = heap->sizes;
    to->lifetimes = heap->lifetimes;
    fill_peak(session, events);
}

static void fill_moments(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    const struct session_moment *from = heap->moments.closed;

    array_reserve(&session->heap.moments, heap->moments.count);
    for (size_t i = 0; i < heap->moments.count; i++) {
        struct session_moment *to = array_add(&session->heap.moments);

        to->time_ns = clock_convert_length(events->from.clock, from[i].time_ns);
        to->min_bytes = from[i].min_bytes;
        to->max_bytes = from[i].max_bytes;
        to->last_bytes = from[i].last_bytes;
        to->last_blocks = from[i].last_blocks;
        to->mapped_bytes = from[i].mapped_bytes;
        to->obtained_blocks = from[i].obtained_blocks;
        to->obtained_bytes = from[i].obtained_bytes;
    }
}

static void fill_mark(struct session_heap *to, const struct marks *marks, uint32_t site)
{
    for (unsigned i = 0; i < to->mark_count; i++) {
        uint64_t bytes = marks_at(marks, i, site);
        struct session_mark *mark = bytes > 0 ? session_mark_make(to, site) : NULL;

        if (mark)
            mark->live_bytes[i] = bytes;
    }
}

static void fill_marks(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    const struct session_moment *moment = session->heap.moments.items;
    struct session_heap *to = &session->heap;

    array_reserve(&to->mark_rows, session->sites.count);
    to->mark_count = heap->marks.count;
    for (unsigned i = 0; i < to->mark_count; i++)
        to->mark_ns[i] = moment[(size_t)i * MARKS_MOMENTS].time_ns;
    for (uint32_t site = 0; site < session->sites.count; site++) {
        array_add(&to->mark_rows);
        if (site < heap->owner_count)
            fill_mark(to, &heap->marks, site);
    }
}

static void take_mapping(struct session_mapping *to, const struct mappings *mappings, size_t index)
{
    const struct mappings_site *from = array_at(&mappings->sites, index);

    to->calls = from->calls;
    to->bytes = from->bytes;
    to->file_bytes = from->kind_bytes[MAPPINGS_FILE];
    to->reserved_bytes = from->kind_bytes[MAPPINGS_RESERVED];
    to->live_ranges = from->live_ranges;
    to->live_bytes = from->live_bytes;
    to->peak_ranges = from->peak_ranges;
    to->peak_bytes = from->peak_bytes;
    for (unsigned i = 0; i < mappings->marks.count; i++)
        to->mark.live_bytes[i] = marks_at(&mappings->marks, i, (uint32_t)index);
}

static void fill_mappings(struct session *session, const struct events *events)
{
    const struct mappings *mappings = &events->mappings;
    struct session_heap *to = &session->heap;

    to->maps = mappings->maps;
    to->unmaps = mappings->unmaps;
    to->mapped_bytes = mappings->bytes;
    to->peak_mapped_bytes = mappings->peak_bytes;
    to->peak_mapped_file_bytes = mappings->peak_kind_bytes[MAPPINGS_FILE];
    to->peak_mapped_reserved_bytes = mappings->peak_kind_bytes[MAPPINGS_RESERVED];
    to->peak_mapped_time_ns = clock_convert(events->from.clock, mappings->peak_ticks);
    for (size_t i = 0; i < mappings->sites.count; i++)
        take_mapping(array_at(&session->mappings, i), mappings, i);
}

/* Returns: the peak, in the unit of the course. */
static uint64_t find_highest(const struct session_heap *heap)
{
    const struct session_moment *moment = heap->moments.items;
    uint64_t highest = 0;

    if (heap->peak_unit == heap->course_unit)
        return heap->peak_bytes;
    for (size_t i = 0; i < heap->moments.count; i++)
        highest = moment[i].max_bytes > highest ? moment[i].max_bytes : highest;
    return highest;
}

/* The root is open from the start to the end. */
static void fill_regions(struct session *session, const struct events *events)
{
    struct session_region *region = session->regions.items;

    for (size_t i = 0; i < session->regions.count; i++)
        region[i].freed_bytes = events->heap.freed_bytes[i];
    region->begin_heap_bytes = events->heap.before_bytes;
    region->end_heap_bytes = session->heap.live_bytes;
    region->peak_heap_bytes = find_highest(&session->heap);
}

void sites_fill(struct session *session, const struct events *events,
                const struct trace_header *header)
{
    struct session_heap *heap = &session->heap;

    heap->has_chains = session->calls.count > 1;
    heap->lost_chains = header->lost_chains;
    heap->lost_samples = header->lost_samples;
    fill_sites(session, events);
    fill_heap(session, events);
    fill_mappings(session, events);
    fill_moments(session, events);
    fill_regions(session, events);
    sites_add_rows(session, events);
    sum_sites(session, &events->heap);
    fill_marks(session, events);
    sites_add_row_marks(session, events);
}

void sites_forget_live(struct session *session)
{
    struct session_site *site = session->sites.items;

    for (size_t i = 0; i < session->sites.count; i++) {
        site[i].live_blocks = site[i].live_bytes = SESSION_UNKNOWN;
        site[i].peak_blocks = site[i].peak_bytes = SESSION_UNKNOWN;
        site[i].live_error = site[i].peak_error = 0;
    }
    array_truncate(&session->heap.mark_rows, 0);
    array_truncate(&session->heap.marks, 0);
    array_truncate(&session->heap.mark_errors, 0);
    session->heap.mark_count = 0;
}
