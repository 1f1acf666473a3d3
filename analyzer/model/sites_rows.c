/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimates from drawn blocks, put into the session.
 *
 * Rows of one class are a stratum.  The total of its undrawn blocks is known from their own
 * records, if they have any; otherwise from the totals of the tallies and the shim's count of the
 * heap.  Rows share this total (shares.h), and sites are sums over their rows.
 *
 * Freed bytes have no total of their own: they take the scale of allocated bytes, as most blocks
 * are the same.  Lifetimes take the scale of the frees.  The total lifetime is known while every
 * block has a record.  But a few long-lived blocks determine it, so it says little about the rest.
 *
 * Decision: doc/decisions/intervals-of-drawn-blocks.
 */
#include "base/memory.h"
#include "model/sites_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/heap_weight.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/shares.h"

enum measure {
    OBTAINED_BLOCKS,
    OBTAINED_BYTES,
    FREED_BLOCKS,
    FREED_BYTES,
    LIVE_BLOCKS,
    LIVE_BYTES,
    PEAK_BLOCKS,
    PEAK_BYTES,
    MEASURES
};

/* The rows of a class. */
struct stratum {
    struct shares_sum all[MEASURES];
    double known[MEASURES]; /* known amount of undrawn blocks; NAN */
};

struct rows {
    struct session *session;
    const struct events *events;
    const struct heap *heap;
    struct stratum strata[HEAP_STRATA];
};

/* ---- known totals of strata -------------------------------------------- */

static struct shares_sum blocks_of(const struct heap_amount *amount)
{
    return (struct shares_sum){(double)amount->blocks,
                               (double)amount->rest_blocks / (1 << HEAP_BLOCK_POINT),
                               amount->blocks_variance};
}

static struct shares_sum bytes_of(const struct heap_amount *amount)
{
    return (struct shares_sum){(double)amount->bytes,
                               (double)amount->rest_bytes / (1 << HEAP_BYTE_POINT),
                               amount->bytes_variance};
}

static void take_sums(struct shares_sum sums[MEASURES], const struct heap_drawn_row *row)
{
    const struct heap_amount *amounts[] = {&row->obtained, &row->freed, &row->live, &row->peak};

    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        sums[2 * i] = blocks_of(amounts[i]);
        sums[2 * i + 1] = bytes_of(amounts[i]);
    }
}

static void add_row(struct rows *rows, const struct heap_drawn_row *row)
{
    struct stratum *stratum = &rows->strata[row->class];
    struct shares_sum sums[MEASURES];

    take_sums(sums, row);
    for (int i = 0; i < MEASURES; i++)
        shares_add(&stratum->all[i], &sums[i]);
}

/* The blocks of a class that were not drawn are one site of the replay. */
static void know_class(struct stratum *stratum, const struct heap *heap, uint32_t number)
{
    static const struct heap_site none = {.live_blocks = 0};
    const struct heap_site *site = number < heap->site_count ? &heap->sites[number] : &none;
    struct heap_before before = heap_find_before(heap, number);
    bool is_live = heap->stage == HEAP_CHAINS, has_peak = heap_has_plain_peak(heap);

    stratum->known[OBTAINED_BLOCKS] = (double)(site->blocks - before.blocks);
    stratum->known[OBTAINED_BYTES] = (double)(site->bytes - before.bytes);
    stratum->known[FREED_BLOCKS] = (double)(site->blocks - site->live_blocks);
    stratum->known[FREED_BYTES] = (double)(site->bytes - site->live_bytes);
    stratum->known[LIVE_BLOCKS] = is_live ? (double)site->live_blocks : 0;
    stratum->known[LIVE_BYTES] = is_live ? (double)site->live_bytes : 0;
    stratum->known[PEAK_BLOCKS] = has_peak ? (double)site->peak_blocks : 0;
    stratum->known[PEAK_BYTES] = has_peak ? (double)site->peak_bytes : 0;
}

/* Returns: the amount of a measure that single records gave, before blocks were shed. */
static double sum_recorded(const struct rows *rows, enum measure measure)
{
    const struct heap *heap = rows->heap;
    double sum = 0;

    for (uint32_t i = 0; i < heap->site_count; i++) {
        const struct heap_site *site = &heap->sites[i];

        sum += measure == OBTAINED_BLOCKS  ? (double)site->blocks
               : measure == OBTAINED_BYTES ? (double)site->bytes
                                           : (double)(site->blocks - site->live_blocks);
    }
    for (int i = 0; i < HEAP_CLASSES; i++)
        sum += rows->strata[i].all[measure].drawn;
    return sum;
}

/* Records that came late may exceed a total that was written before. */
static double rest_of(double whole, double drawn)
{
    return whole > drawn ? whole - drawn : 0;
}

static void know_totals(struct rows *rows, struct stratum *stratum)
{
    const struct session_heap *of = &rows->session->heap;
    double obtained = sum_recorded(rows, OBTAINED_BLOCKS);
    double freed = sum_recorded(rows, FREED_BLOCKS);
    double came = (double)of->allocations - obtained;
    double went = (double)of->frees - freed - (double)rows->heap->unknown_frees;
    double live = (double)rows->heap->blocks_left + came - went;

    stratum->known[OBTAINED_BLOCKS] = rest_of(came, stratum->all[OBTAINED_BLOCKS].drawn);
    stratum->known[OBTAINED_BYTES] =
        rest_of((double)of->allocated_bytes - sum_recorded(rows, OBTAINED_BYTES),
                stratum->all[OBTAINED_BYTES].drawn);
    stratum->known[FREED_BLOCKS] = rest_of(went, stratum->all[FREED_BLOCKS].drawn);
    stratum->known[FREED_BYTES] =
        stratum->all[FREED_BYTES].rest *
        shares_scale(&stratum->all[OBTAINED_BYTES], stratum->known[OBTAINED_BYTES]);
    stratum->known[LIVE_BLOCKS] = rest_of(live, stratum->all[LIVE_BLOCKS].drawn);
}

static void know_counted(const struct rows *rows, struct stratum *stratum)
{
    const struct heap *heap = rows->heap;

    stratum->known[LIVE_BYTES] = rest_of((double)heap->live_bytes, stratum->all[LIVE_BYTES].drawn);
    if (!heap_has_plain_peak(heap))
        stratum->known[PEAK_BYTES] =
            rest_of((double)heap->peak.bytes, stratum->all[PEAK_BYTES].drawn);
}

static void know_overall(struct rows *rows)
{
    struct stratum *stratum = &rows->strata[HEAP_OVERALL];
    bool has_totals =
        rows->session->heap.allocations != SESSION_UNKNOWN && !rows->session->losses.lacks_totals;

    for (int i = 0; i < MEASURES; i++)
        stratum->known[i] = NAN;
    if (has_totals && rows->heap->is_lenient)
        know_totals(rows, stratum);
    if (rows->heap->is_counted)
        know_counted(rows, stratum);
}

static void know_strata(struct rows *rows)
{
    const struct heap *heap = rows->heap;
    const struct heap_drawn_row *row = heap->drawn.rows.items;

    for (size_t i = 0; i < heap->drawn.rows.count; i++)
        add_row(rows, &row[i]);
    for (uint32_t i = 0; i < HEAP_CLASSES; i++)
        know_class(&rows->strata[i], heap, heap->owner_count + i);
    know_overall(rows);
}

/* ---- sites ------------------------------------------------------------- */

/* Sums over the rows of a site. */
struct site_sums {
    struct shares_part parts[MEASURES];
    double lifetime; /* ticks */
    double temporary;
    double short_lived;
    double strange_frees;
    double moved;
    double grown;
    struct session_share shares[SESSION_SHARES];
};

static double scale_of(const struct stratum *stratum, enum measure measure)
{
    return shares_scale(&stratum->all[measure], stratum->known[measure]);
}

static double part_of(const struct heap_part *part, double scale, unsigned point)
{
    return (double)part->drawn + scale * heap_amount_of(part->rest, point);
}

static void sum_habits(struct site_sums *sums, const struct stratum *stratum,
                       const struct heap_drawn_row *row)
{
    double freed = scale_of(stratum, FREED_BLOCKS);

    sums->temporary += part_of(&row->temporary, freed, HEAP_BLOCK_POINT);
    sums->short_lived += part_of(&row->short_lived, freed, HEAP_BLOCK_POINT);
    sums->strange_frees += part_of(&row->strange_frees, freed, HEAP_BLOCK_POINT);
    sums->moved += part_of(&row->moved, scale_of(stratum, OBTAINED_BLOCKS), HEAP_BLOCK_POINT);
    sums->grown += part_of(&row->grown, scale_of(stratum, OBTAINED_BYTES), HEAP_BYTE_POINT);
}

static void sum_lives(struct site_sums *sums, const struct stratum *stratum,
                      const struct heap_drawn_row *row)
{
    double freed = scale_of(stratum, FREED_BLOCKS);

    sums->lifetime += row->lives.drawn + freed * row->lives.rest;
}

/* The measures that have errors for groups of sites. */
static const enum measure shared[SESSION_SHARES] = {
    [SESSION_SHARE_CALLS] = OBTAINED_BLOCKS,
    [SESSION_SHARE_OBTAINED] = OBTAINED_BYTES,
    [SESSION_SHARE_LIVE] = LIVE_BYTES,
    [SESSION_SHARE_PEAK] = PEAK_BYTES,
};

/* If the total is unknown, rows are independent: NAN says so. */
static void add_share(struct session_share *to, const struct stratum *stratum,
                      const struct shares_sum *of, enum measure measure)
{
    double scale = scale_of(stratum, measure);

    to->rest += scale * of->rest;
    to->variance +=
        isnan(stratum->known[measure]) && of->rest > 0 ? (double)NAN : scale * scale * of->variance;
}

static void fill_shares(struct rows *rows)
{
    for (int i = 0; i < SESSION_SHARES; i++)
        for (int j = 0; j < HEAP_STRATA; j++)
            add_share(&rows->session->heap.shares[i], &rows->strata[j],
                      &rows->strata[j].all[shared[i]], shared[i]);
}

static void sum_row(struct site_sums *sums, const struct rows *rows,
                    const struct heap_drawn_row *row)
{
    const struct stratum *stratum = &rows->strata[row->class];
    struct shares_sum of[MEASURES];

    take_sums(of, row);
    for (int i = 0; i < MEASURES; i++) {
        struct shares_part part = shares_of(&of[i], &stratum->all[i], stratum->known[i]);

        sums->parts[i].amount += part.amount;
        sums->parts[i].variance += part.variance;
    }
    for (int i = 0; i < SESSION_SHARES; i++)
        add_share(&sums->shares[i], stratum, &of[shared[i]], shared[i]);
    sum_habits(sums, stratum, row);
    sum_lives(sums, stratum, row);
}

/* Sums of a damaged trace may have any value. */
static uint64_t whole(double amount)
{
    return amount >= 0 && amount < 0x1p63 ? (uint64_t)(amount + 0.5) : 0;
}

static double error_of(const struct shares_part *part)
{
    return part->variance > 0 ? sqrt(part->variance) : 0;
}

static void add_life(struct session_site *to, const struct site_sums *sums, double ns_per_tick)
{
    double ns = (double)to->lifetime_ns + sums->lifetime * ns_per_tick;

    to->lifetime_ns = ns < 0x1p63 ? whole(ns) : to->lifetime_ns;
}

static void add_sums(struct session_site *to, const struct site_sums *sums)
{
    const struct shares_part *part = sums->parts;

    to->allocations += whole(part[OBTAINED_BLOCKS].amount);
    to->allocated_bytes += whole(part[OBTAINED_BYTES].amount);
    to->frees += whole(part[FREED_BLOCKS].amount);
    to->freed_bytes += whole(part[FREED_BYTES].amount);
    to->live_blocks += whole(part[LIVE_BLOCKS].amount);
    to->live_bytes += whole(part[LIVE_BYTES].amount);
    to->peak_blocks += whole(part[PEAK_BLOCKS].amount);
    to->peak_bytes += whole(part[PEAK_BYTES].amount);
    to->allocations_error = error_of(&part[OBTAINED_BLOCKS]);
    to->allocated_error = error_of(&part[OBTAINED_BYTES]);
    to->live_error = error_of(&part[LIVE_BYTES]);
    to->peak_error = error_of(&part[PEAK_BYTES]);
    to->temporary += whole(sums->temporary);
    to->short_lived += whole(sums->short_lived);
    to->strange_frees += whole(sums->strange_frees);
    to->moved += whole(sums->moved);
    to->grown_bytes += whole(sums->grown);
}

static void count_row(struct session_site *to, const struct heap_drawn_row *row)
{
    bool is_first = to->records == 0;

    to->records += row->obtained.blocks;
    to->drawn += row->obtained.blocks;
    to->estimate->live_drawn += row->live.blocks;
    to->estimate->peak_drawn += row->peak.blocks;
    if (row->obtained.blocks == 0)
        return;
    to->min_size = is_first || row->min_size < to->min_size ? row->min_size : to->min_size;
    to->max_size = row->max_size > to->max_size ? row->max_size : to->max_size;
}

static uint64_t at_most(uint64_t part, uint64_t whole)
{
    return part < whole ? part : whole;
}

/* Each amount is scaled to its own total, so a part may be a little larger than its whole.  A block
 * was freed or is live.  `before`: blocks and bytes from before the counts. */
static void fit_parts(struct session_site *to, struct heap_before before)
{
    uint64_t blocks = to->allocations + before.blocks;

    to->live_blocks = at_most(to->live_blocks, blocks);
    to->peak_blocks = at_most(to->peak_blocks, blocks);
    to->frees = blocks - to->live_blocks;
    to->freed_bytes = at_most(to->freed_bytes, to->allocated_bytes + before.bytes);
}

static void fill_site(struct rows *rows, uint32_t site, uint32_t first)
{
    const struct heap_drawn *drawn = &rows->heap->drawn;
    struct session_site *to = array_at(&rows->session->sites, site);
    struct site_sums sums = {.lifetime = 0};

    to->estimate = array_add(&rows->session->heap.estimates);
    for (uint32_t i = first; i != HEAP_NO_ROW; i = heap_drawn_row_at(drawn, i)->next) {
        sum_row(&sums, rows, heap_drawn_row_at(drawn, i));
        count_row(to, heap_drawn_row_at(drawn, i));
    }
    add_sums(to, &sums);
    fit_parts(to, heap_find_before(rows->heap, site));
    memcpy(to->estimate->shares, sums.shares, sizeof sums.shares);
    add_life(to, &sums, rows->events->from.clock->ns_per_tick);
}

/* Sites refer to the estimates, which must not move. */
static void reserve_estimates(struct rows *rows)
{
    const uint32_t *first = rows->heap->drawn.first.items;
    size_t count = 0;

    for (uint32_t i = 0; i < rows->heap->drawn.first.count; i++)
        count += first[i] != HEAP_NO_ROW;
    array_reserve(&rows->session->heap.estimates, count);
}

static void fill_sites(struct rows *rows)
{
    const uint32_t *first = rows->heap->drawn.first.items;
    struct session_site *site = rows->session->sites.items;

    reserve_estimates(rows);
    for (uint32_t i = 0; i < rows->heap->drawn.first.count; i++)
        if (first[i] != HEAP_NO_ROW)
            fill_site(rows, i, first[i]);
    for (size_t i = 0; i < rows->session->sites.count && rows->heap->stage == HEAP_BLOCKS; i++)
        site[i].temporary = site[i].moved = site[i].grown_bytes = SESSION_UNKNOWN;
}

/* ---- blocks that no drawn block represents ----------------------------- */

static double sum_none(const struct rows *rows, enum measure measure)
{
    double sum = 0;

    for (int i = 0; i < HEAP_STRATA; i++)
        sum += shares_of_none(&rows->strata[i].all[measure], rows->strata[i].known[measure]);
    return sum;
}

static struct session_site find_none(const struct rows *rows)
{
    return (struct session_site){
        .allocations = whole(sum_none(rows, OBTAINED_BLOCKS)),
        .allocated_bytes = whole(sum_none(rows, OBTAINED_BYTES)),
        .frees = whole(sum_none(rows, FREED_BLOCKS)),
        .freed_bytes = whole(sum_none(rows, FREED_BYTES)),
        .live_blocks = whole(sum_none(rows, LIVE_BLOCKS)),
        .live_bytes = whole(sum_none(rows, LIVE_BYTES)),
        .peak_blocks = whole(sum_none(rows, PEAK_BLOCKS)),
        .peak_bytes = whole(sum_none(rows, PEAK_BYTES)),
        .temporary = SESSION_UNKNOWN,
        .short_lived = SESSION_UNKNOWN,
        .moved = SESSION_UNKNOWN,
        .grown_bytes = SESSION_UNKNOWN,
        .strange_frees = SESSION_UNKNOWN,
        .lifetime_ns = SESSION_UNKNOWN,
    };
}

static uint64_t at_least(uint64_t whole, uint64_t part)
{
    return whole > part ? whole : part;
}

/* If no live block was drawn, all of the live ones lack an owner, but the obtained ones do not. */
static void fit_whole(struct session_site *none)
{
    none->allocations = at_least(none->allocations, none->live_blocks);
    none->allocations = at_least(none->allocations, none->peak_blocks);
    none->frees = at_most(none->frees, none->allocations - none->live_blocks);
    none->allocated_bytes = at_least(none->allocated_bytes, none->freed_bytes);
}

/* Its call is below the root, as a replacement. */
static void add_call(struct session *session, uint32_t *call)
{
    struct session_call *none = array_add(&session->calls);

    *call = (uint32_t)session->calls.count - 1;
    *none = (struct session_call){.depth = 1,
                                  .module = SESSION_NONE,
                                  .binding = SESSION_NONE,
                                  .kind = SESSION_CALL_UNDRAWN,
                                  .end = TRACE_CHAIN_WHOLE};
}

static void add_none(struct rows *rows)
{
    struct session *session = rows->session;
    struct session_site none = find_none(rows), *site;

    none.binding = SESSION_NONE;
    fit_whole(&none);
    if (none.allocations == 0 && none.live_bytes == 0 && none.peak_bytes == 0)
        return;
    add_call(session, &none.call);
    site = array_add(&session->sites);
    *site = none;
    session->heap.undrawn_site = (uint32_t)session->sites.count - 1;
}

/* ---- the heap as a whole ----------------------------------------------- */

static void scale_histogram(struct session_histogram *to, const struct session_histogram *rests,
                            double blocks, double bytes)
{
    for (int i = 0; i < SESSION_BINS; i++) {
        to->counts[i] += whole(blocks * heap_amount_of(rests->counts[i], HEAP_BLOCK_POINT));
        to->bytes[i] += whole(bytes * heap_amount_of(rests->bytes[i], HEAP_BYTE_POINT));
    }
}

static void scale_regions(const struct rows *rows, double scale)
{
    struct session_region *region = rows->session->regions.items;

    for (size_t i = 0; i < rows->session->regions.count; i++) {
        region[i].has_estimated_heap = true;
        region[i].freed_bytes +=
            whole(scale * heap_amount_of(rows->heap->freed_rests[i], HEAP_BYTE_POINT));
    }
}

/* By a confidence of 95 % a Poisson process that had no point expected less than ln 20. */
static uint64_t find_unseen(const struct heap *heap)
{
    return whole(log(20) * (double)heap->drawn.coarsest);
}

static void fill_whole(const struct rows *rows)
{
    const struct stratum *overall = &rows->strata[HEAP_OVERALL];
    struct session_heap *to = &rows->session->heap;
    double known_live = overall->known[LIVE_BLOCKS];

    to->unseen_bytes = find_unseen(rows->heap);
    if (rows->heap->stage != HEAP_BLOCKS)
        return;
    if (!isnan(known_live))
        to->live_blocks = whole(overall->all[LIVE_BLOCKS].drawn + known_live);
    scale_histogram(&to->sizes, &rows->heap->drawn.sizes, scale_of(overall, OBTAINED_BLOCKS),
                    scale_of(overall, OBTAINED_BYTES));
    scale_histogram(&to->lifetimes, &rows->heap->drawn.lifetimes, scale_of(overall, FREED_BLOCKS),
                    scale_of(overall, FREED_BYTES));
    scale_regions(rows, scale_of(overall, FREED_BYTES));
}

void sites_add_rows(struct session *session, const struct events *events)
{
    struct rows *rows;

    if (events->heap.stage == HEAP_EXACT)
        return;
    rows = memory_get_zeros(1, sizeof *rows);
    rows->session = session;
    rows->events = events;
    rows->heap = &events->heap;
    know_strata(rows);
    fill_sites(rows);
    fill_shares(rows);
    fill_whole(rows);
    add_none(rows);
    free(rows);
}
