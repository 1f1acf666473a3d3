/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation sites: each a row of its own.
 *
 * Names are looked up only for shown sites: a large program has a hundred
 * thousand chains, and a look-up costs tens of microseconds.
 */
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "heap/ranking.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"

static const double nameless_share = 0.5; /* a note is worthwhile from this share of the shown sites
                                             on */

/* Among equal sites, the one that allocated more comes first. */
static void rank_sites(struct array *ranking, const struct memory_work *work)
{
    const struct session_site *site = work->session->sites.items;

    ranking_init(ranking);
    for (size_t i = 0; i < work->session->sites.count; i++) {
        struct heap_sums sums = {0};

        heap_sums_add(&sums, &site[i]);
        ranking_add(ranking, &site[i], (double)heap_sums_measure(&sums, work->options->measure),
                    (double)site[i].allocated_bytes);
    }
    ranking_sort(ranking);
}

/* The amount in the shown rows, and its part at addresses without a name. */
struct shown {
    uint64_t amount;
    uint64_t nameless;
    uint64_t in_kernels;    /* the nameless sites in kernels */
    const char *first_file; /* their first file; NULL when there is none */
};

static void count_shown(struct shown *shown, const struct heap_row *row, uint64_t amount)
{
    shown->amount += amount;
    if (!row->place || !place_is_address(row->place))
        return;
    shown->nameless += amount;
    shown->in_kernels += row->kernel ? amount : 0;
    if (!shown->first_file)
        shown->first_file = row->place->function->module;
}

/* An address suggests no action, but the calls around it may. */
static void note_nameless(struct table *table, const struct shown *shown)
{
    double share = (double)shown->nameless / (double)shown->amount;

    if (!shown->first_file || !(share >= nameless_share))
        return;
    table_say(table, rows_nameless_text, said_share(share), said_words(shown->first_file));
    table_say(table,
              shown->in_kernels > 0 ? rows_nameless_kernels_text : rows_nameless_callers_text);
}

static void add_site(struct memory_work *work, struct table *table, const struct heap_view *view,
                     const struct session_site *site, struct shown *shown)
{
    struct heap_row row = {.kernel = site_kernel(work->session, site)};
    struct array chain;

    array_init(&chain, sizeof(struct place));
    heap_sums_add(&row.sums, site);
    places_fill_chain(work->places, site->call, &chain);
    row.chain = &chain;
    row.owner = places_find_owner(&chain);
    if (chain.count > 0)
        row.place = array_at(&chain, row.owner);
    else
        row.name = "(no call chain)";
    count_shown(shown, &row, heap_sums_measure(&row.sums, view->measure));
    heap_rows_add(table, view, &row);
}

/* Rows without an amount, such as sites with nothing live, are useless.  But sites with nothing at
 * the peak came and went. */
static size_t count_ranked(const struct array *ranking, enum analysis_measure measure)
{
    const struct ranked *ranked = ranking->items;
    size_t count = ranking->count;

    while (measure != ANALYSIS_PEAK && count > 0 && !(ranked[count - 1].amount > 0))
        count--;
    return count;
}

/* Returns: how many of the first are at or above the least share. */
static size_t count_large(const struct array *ranking, size_t count, double least)
{
    const struct ranked *ranked = ranking->items;

    while (count > 0 && ranked[count - 1].amount < least)
        count--;
    return count;
}

/* All below the least share, in one row. */
static void add_other_sites(struct table *table, const struct heap_view *view,
                            const struct array *ranking, size_t first)
{
    const struct ranked *ranked = ranking->items;
    struct heap_sums others = {0};

    for (size_t i = first; i < ranking->count; i++)
        heap_sums_add(&others, ranked[i].of);
    heap_rows_add_others(table, view, &others, ranking->count - first);
}

/* Rows beyond the limit are cut and counted; rows below the least share, and empty sites, are
 * gathered. */
void memory_build_sites(struct memory_work *work, struct table *table, size_t limit)
{
    struct heap_view view = heap_view_of(work);
    struct array ranking;
    rank_sites(&ranking, work);
    size_t ranked = count_ranked(&ranking, view.measure);
    size_t large =
        count_large(&ranking, ranked, work->options->memory->least_fraction * (double)view.whole);
    size_t count = limit > 0 && limit < large ? limit : large;
    struct shown shown = {0};

    heap_rows_init(table, &view);
    for (size_t i = 0; i < count; i++)
        add_site(work, table, &view, ((struct ranked *)array_at(&ranking, i))->of, &shown);
    if (count < large || (limit > 0 && count == limit && large < ranked))
        table->rows_cut = large - count + (large < ranked);
    else if (large < ranked)
        add_other_sites(table, &view, &ranking, large);
    heap_rows_add_notes(table, work->session, &view);
    note_nameless(table, &shown);
}
