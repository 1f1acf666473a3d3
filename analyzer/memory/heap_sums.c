/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over allocation sites.
 */
#include "memory/heap_sums.h"

#include <math.h>

#include "memory/memory_parts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

static struct heap_sums sums_of_site(const struct session_site *site)
{
    return (struct heap_sums){
        .sites = 1,
        .allocations = site->allocations,
        .allocated_bytes = site->allocated_bytes,
        .frees = site->frees,
        .freed_bytes = site->freed_bytes,
        .live_blocks = site->live_blocks,
        .live_bytes = site->live_bytes,
        .peak_blocks = site->peak_blocks,
        .peak_bytes = site->peak_bytes,
        .temporary = site->temporary,
        .short_lived = site->short_lived,
        .moved = site->moved,
        .grown_bytes = site->grown_bytes,
        .strange_frees = site->strange_frees,
        .lifetime_ns = site->lifetime_ns,
        .min_size = site->min_size,
        .max_size = site->max_size,
        .allocations_variance = site->allocations_error * site->allocations_error,
        .allocated_variance = site->allocated_error * site->allocated_error,
        .live_variance = site->live_error * site->live_error,
        .peak_variance = site->peak_error * site->peak_error,
    };
}

static void merge_sizes(struct heap_sums *sums, const struct heap_sums *more)
{
    if (sums->sites == 0 || more->min_size < sums->min_size)
        sums->min_size = more->min_size;
    if (more->max_size > sums->max_size)
        sums->max_size = more->max_size;
}

uint64_t heap_add(uint64_t sum, uint64_t part)
{
    return sum == SESSION_UNKNOWN || part == SESSION_UNKNOWN ? SESSION_UNKNOWN : sum + part;
}

void heap_sums_merge(struct heap_sums *sums, const struct heap_sums *more)
{
    merge_sizes(sums, more);
    sums->sites += more->sites;
    sums->allocations = heap_add(sums->allocations, more->allocations);
    sums->allocated_bytes = heap_add(sums->allocated_bytes, more->allocated_bytes);
    sums->frees = heap_add(sums->frees, more->frees);
    sums->freed_bytes = heap_add(sums->freed_bytes, more->freed_bytes);
    sums->live_blocks = heap_add(sums->live_blocks, more->live_blocks);
    sums->live_bytes = heap_add(sums->live_bytes, more->live_bytes);
    sums->peak_blocks = heap_add(sums->peak_blocks, more->peak_blocks);
    sums->peak_bytes = heap_add(sums->peak_bytes, more->peak_bytes);
    sums->temporary = heap_add(sums->temporary, more->temporary);
    sums->short_lived = heap_add(sums->short_lived, more->short_lived);
    sums->moved = heap_add(sums->moved, more->moved);
    sums->grown_bytes = heap_add(sums->grown_bytes, more->grown_bytes);
    sums->strange_frees = heap_add(sums->strange_frees, more->strange_frees);
    sums->lifetime_ns = heap_add(sums->lifetime_ns, more->lifetime_ns);
    sums->allocations_variance += more->allocations_variance;
    sums->allocated_variance += more->allocated_variance;
    sums->live_variance += more->live_variance;
    sums->peak_variance += more->peak_variance;
}

void heap_sums_add(struct heap_sums *sums, const struct session_site *site)
{
    struct heap_sums more = sums_of_site(site);

    heap_sums_merge(sums, &more);
}

bool heap_sums_are_recorded(const struct session *session)
{
    return session->sites.count > 0 || memory_is_known(&session->heap);
}

static struct heap_sums sums_of_totals(const struct session_heap *heap)
{
    return (struct heap_sums){
        .allocations = heap->allocations,
        .allocated_bytes = heap->allocated_bytes,
        .frees = heap->frees,
        .freed_bytes = SESSION_UNKNOWN,
        .live_blocks = SESSION_UNKNOWN,
        .live_bytes = SESSION_UNKNOWN,
        .peak_blocks = SESSION_UNKNOWN,
        .peak_bytes = SESSION_UNKNOWN,
        .temporary = SESSION_UNKNOWN,
        .short_lived = SESSION_UNKNOWN,
        .moved = SESSION_UNKNOWN,
        .grown_bytes = SESSION_UNKNOWN,
        .strange_frees = SESSION_UNKNOWN,
        .lifetime_ns = SESSION_UNKNOWN,
        .min_size = SESSION_UNKNOWN,
        .max_size = SESSION_UNKNOWN,
    };
}

struct heap_sums heap_sums_of(const struct session *session)
{
    struct heap_sums sums = {0};

    if (!heap_sums_are_recorded(session))
        return sums_of_totals(&session->heap);
    for (size_t i = 0; i < session->sites.count; i++)
        heap_sums_add(&sums, session_site_at(session, i));
    return sums;
}

uint64_t heap_sums_measure(const struct heap_sums *sums, enum analysis_measure measure)
{
    switch (measure) {
    case ANALYSIS_ALLOCATED: break;
    case ANALYSIS_PEAK: return sums->peak_bytes;
    case ANALYSIS_LIVE: return sums->live_bytes;
    case ANALYSIS_COUNT: return sums->allocations;
    case ANALYSIS_TEMPORARY: return sums->temporary;
    }
    return sums->allocated_bytes;
}

/* Of the temporary allocations no error is known: they are part of the count. */
double heap_sums_error(const struct heap_sums *sums, enum analysis_measure measure)
{
    switch (measure) {
    case ANALYSIS_ALLOCATED: break;
    case ANALYSIS_PEAK: return sqrt(sums->peak_variance);
    case ANALYSIS_LIVE: return sqrt(sums->live_variance);
    case ANALYSIS_COUNT: return sqrt(sums->allocations_variance);
    case ANALYSIS_TEMPORARY: return NAN;
    }
    return sqrt(sums->allocated_variance);
}

bool heap_measure_is_count(enum analysis_measure measure)
{
    return measure == ANALYSIS_COUNT || measure == ANALYSIS_TEMPORARY;
}

const char *heap_measure_whole(enum analysis_measure measure)
{
    static const char *const wholes[ANALYSIS_MEASURES] = {
        [ANALYSIS_ALLOCATED] = "allocated",
        [ANALYSIS_PEAK] = "live at the peak",
        [ANALYSIS_LIVE] = "live at the end",
        [ANALYSIS_COUNT] = "allocations",
        [ANALYSIS_TEMPORARY] = "temporary allocations",
    };

    return wholes[measure];
}

const char *heap_measure_help(enum analysis_measure measure)
{
    static const char *const helps[] = {
#define MEASURE(name, word, help) help,
#include "figures/measures.def"
#undef MEASURE
    };

    return helps[measure];
}
