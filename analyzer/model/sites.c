/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the replay of the heap found, in the terms of the session:
 * blocks and bytes instead of units, nanoseconds instead of ticks.
 */
#include "model/sites.h"

#include <math.h>
#include <string.h>

#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Of nothing live the error is none; elsewhere differences of doubles leave a
 * rest, which may be below 0. */
static double error(double variance, uint64_t amount)
{
    return amount > 0 && variance > 0 ? sqrt(variance) : 0;
}

static uint64_t convert_lifetime(const struct events *events, double ticks)
{
    double blocks = events->heap.sample_bytes > 0 ? ldexp(1, HEAP_BLOCK_POINT) : 1;
    double ns = ticks / blocks * events->from.clock->ns_per_tick + 0.5;

    return ns < 0x1p64 ? (uint64_t)ns : SESSION_UNKNOWN - 1;
}

static void take_amounts(struct session_site *to, const struct heap *heap,
                         const struct heap_site *from)
{
    to->records = from->records;
    to->allocations = heap_blocks(heap, from->blocks);
    to->allocated_bytes = heap_bytes(heap, from->bytes);
    to->frees = heap_blocks(heap, from->blocks - from->live_blocks);
    to->freed_bytes = heap_bytes(heap, from->bytes - from->live_bytes);
    to->live_blocks = heap_blocks(heap, from->live_blocks);
    to->live_bytes = heap_bytes(heap, from->live_bytes);
    to->peak_blocks = heap_blocks(heap, from->peak_blocks);
    to->peak_bytes = heap_bytes(heap, from->peak_bytes);
    to->min_size = from->records > 0 ? from->min_size : 0;
    to->max_size = from->max_size;
}

/* A sample does not hold the record that follows another, so it cannot tell
 * what stands between them. */
static void take_habits(struct session_site *to, const struct heap *heap,
                        const struct heap_site *from)
{
    bool is_whole = heap->sample_bytes == 0;

    to->short_lived = heap_blocks(heap, from->short_lived);
    to->strange_frees = heap_blocks(heap, from->strange_frees);
    to->temporary = is_whole ? from->temporary : SESSION_UNKNOWN;
    to->moved = is_whole ? from->moved : SESSION_UNKNOWN;
    to->grown_bytes = is_whole ? from->grown_bytes : SESSION_UNKNOWN;
}

static void take_errors(struct session_site *to, const struct heap_variance *from)
{
    to->allocations_error = error(from->blocks, to->allocations);
    to->allocated_error = error(from->bytes, to->allocated_bytes);
    to->live_error = error(from->live_bytes, to->live_bytes);
    to->peak_error = error(from->peak_bytes, to->peak_bytes);
    to->drawn = to->records;
}

static void fill_sites(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    const struct heap_variance *variance = heap->variances.items;
    struct session_site *site = session->sites.items;

    for (uint32_t i = 0; i < heap->site_count; i++) {
        take_amounts(&site[i], heap, &heap->sites[i]);
        take_habits(&site[i], heap, &heap->sites[i]);
        site[i].lifetime_ns = convert_lifetime(events, heap->sites[i].lifetime);
        if (heap->sample_bytes > 0)
            take_errors(&site[i], &variance[i]);
    }
}

static uint64_t add(uint64_t sum, uint64_t amount)
{
    return sum == SESSION_UNKNOWN || amount == SESSION_UNKNOWN ? SESSION_UNKNOWN : sum + amount;
}

static void sum_sites(struct session *session)
{
    const struct session_site *site = session->sites.items;
    struct session_heap *to = &session->heap;
    bool is_whole = to->sample_bytes == 0;

    to->temporary = to->moved = to->grown_bytes = is_whole ? 0 : SESSION_UNKNOWN;
    for (size_t i = 0; i < session->sites.count; i++) {
        to->temporary = add(to->temporary, site[i].temporary);
        to->short_lived += site[i].short_lived;
        to->moved = add(to->moved, site[i].moved);
        to->grown_bytes = add(to->grown_bytes, site[i].grown_bytes);
        to->strange_frees += site[i].strange_frees;
    }
}

static void fill_histogram(struct session_histogram *to, const struct heap *heap,
                           const struct session_histogram *from)
{
    for (unsigned i = 0; i < SESSION_BINS; i++) {
        to->counts[i] = heap_blocks(heap, from->counts[i]);
        to->bytes[i] = heap_bytes(heap, from->bytes[i]);
    }
}

/* A lane whose tallies are missing is a thread that nobody knows. */
static void fill_heap(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    struct session_heap *to = &session->heap;

    to->peak_bytes = heap_bytes(heap, heap->peak.bytes);
    to->peak_blocks = heap_blocks(heap, heap->peak.blocks);
    to->peak_time_ns = clock_convert(events->from.clock, heap->peak.ticks);
    to->peak_site = heap->peak.site;
    to->peak_region = heap->peak.region;
    to->peak_thread = heap->peak.thread < session->threads.count ? heap->peak.thread : SESSION_NONE;
    to->peak_error = error(heap->peak.variance, to->peak_bytes);
    to->live_bytes = heap_bytes(heap, heap->live_bytes);
    to->live_blocks = heap_blocks(heap, heap->live_blocks);
    to->live_error = error(heap->variance, to->live_bytes);
    to->unknown_frees = heap->unknown_frees;
    fill_histogram(&to->sizes, heap, &heap->sizes);
    fill_histogram(&to->lifetimes, heap, &heap->lifetimes);
}

static enum status fill_moments(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    const struct session_moment *from = heap->moments.closed;
    enum status status = array_reserve(&session->heap.moments, heap->moments.count);

    for (size_t i = 0; !status && i < heap->moments.count; i++) {
        struct session_moment *to = array_add(&session->heap.moments);

        if (!to)
            return STATUS_OUT_OF_MEMORY;
        to->time_ns = clock_convert_length(events->from.clock, from[i].time_ns);
        to->min_bytes = heap_bytes(heap, from[i].min_bytes);
        to->max_bytes = heap_bytes(heap, from[i].max_bytes);
        to->last_bytes = heap_bytes(heap, from[i].last_bytes);
        to->last_blocks = heap_blocks(heap, from[i].last_blocks);
        to->mapped_bytes = from[i].mapped_bytes;
    }
    return status;
}

static enum status fill_marks(struct session *session, const struct events *events)
{
    const struct heap *heap = &events->heap;
    const struct session_moment *moment = session->heap.moments.items;
    struct session_heap *to = &session->heap;
    enum status status = array_reserve(&to->marks, heap->site_count);

    to->mark_count = heap->marks.count;
    for (unsigned i = 0; i < to->mark_count; i++)
        to->mark_ns[i] = moment[(size_t)i * MARKS_MOMENTS].time_ns;
    for (uint32_t site = 0; !status && site < heap->site_count; site++) {
        struct session_mark *mark = array_add(&to->marks);

        if (!mark)
            return STATUS_OUT_OF_MEMORY;
        for (unsigned i = 0; i < to->mark_count; i++)
            mark->live_bytes[i] = heap_bytes(heap, marks_at(&heap->marks, i, site));
    }
    return status;
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

/* The root is open from the start, when nothing is live, to the end. */
static void fill_regions(struct session *session, const struct events *events)
{
    struct session_region *region = session->regions.items;

    for (size_t i = 0; i < session->regions.count; i++)
        region[i].freed_bytes = heap_bytes(&events->heap, events->heap.freed_bytes[i]);
    region->begin_heap_bytes = 0;
    region->end_heap_bytes = session->heap.live_bytes;
    region->peak_heap_bytes = session->heap.peak_bytes;
}

enum status sites_fill(struct session *session, const struct events *events,
                       const struct trace_header *header)
{
    struct session_heap *heap = &session->heap;

    heap->has_chains = session->calls.count > 1;
    heap->lost_chains = header->lost_chains;
    heap->lost_samples = header->lost_samples;
    fill_sites(session, events);
    sum_sites(session);
    fill_heap(session, events);
    fill_mappings(session, events);
    fill_regions(session, events);
    enum status status = fill_moments(session, events);
    return status ? status : fill_marks(session, events);
}

void sites_forget_live(struct session *session)
{
    struct session_site *site = session->sites.items;

    for (size_t i = 0; i < session->sites.count; i++) {
        site[i].live_blocks = site[i].live_bytes = SESSION_UNKNOWN;
        site[i].peak_blocks = site[i].peak_bytes = SESSION_UNKNOWN;
        site[i].live_error = site[i].peak_error = 0;
    }
    array_truncate(&session->heap.marks, 0);
    array_truncate(&session->heap.mark_errors, 0);
    session->heap.mark_count = 0;
}
