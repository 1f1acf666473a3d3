/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation sites: each by itself, or gathered by function, line or kernel.
 *
 * Names are looked up for what is shown and no more: a large program has a
 * hundred thousand chains, and a look-up costs tens of microseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/units.h"
#include "figures/groups.h"
#include "memory/memory_options.h"
#include "memory/memory_parts.h"
#include "memory/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

static const double nameless_share = 0.5; /* of what is shown, to be worth a word */

static struct heap_view make_view(const struct memory_work *work)
{
    struct heap_sums all = heap_sums_of(work->session);

    return (struct heap_view){work->options->measure,
                              heap_sums_measure(&all, work->options->measure), work->chains,
                              memory_callers(work->options->memory)};
}

/* Returns: the kernel's symbol, or NULL. */
static const char *kernel_of(const struct session *session, const struct session_site *site)
{
    const struct session_binding *binding;

    if (site->binding == SESSION_NONE)
        return NULL;
    binding = session_binding_at(session, site->binding);
    return binding->symbol;
}

/* ---- each by itself -------------------------------------------------------- */

struct ranked {
    const struct session_site *site;
    uint64_t amount;
};

/* Of equal ones that which obtained more stands first, then the first in the session. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;

    if (left->amount != right->amount)
        return left->amount > right->amount ? -1 : 1;
    if (left->site->allocated_bytes != right->site->allocated_bytes)
        return left->site->allocated_bytes > right->site->allocated_bytes ? -1 : 1;
    return (left->site > right->site) - (left->site < right->site);
}

static enum status rank_sites(struct array *ranking, const struct memory_work *work)
{
    const struct session_site *site = work->session->sites.items;

    array_init(ranking, sizeof(struct ranked));
    for (size_t i = 0; i < work->session->sites.count; i++) {
        struct heap_sums sums = {0};
        struct ranked *ranked = array_add(ranking);

        if (!ranked)
            return STATUS_OUT_OF_MEMORY;
        heap_sums_add(&sums, &site[i]);
        *ranked = (struct ranked){&site[i], heap_sums_measure(&sums, work->options->measure)};
    }
    if (ranking->count > 1)
        qsort(ranking->items, ranking->count, sizeof(struct ranked), compare_ranked);
    return STATUS_OK;
}

/* What the rows that are shown have, and how much of it at addresses without a name. */
struct shown {
    uint64_t amount;
    uint64_t nameless;
    uint64_t in_kernels;    /* of the nameless */
    const char *first_file; /* of these, NULL when there are none */
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

/* An address tells nobody what to do; the calls around it may. */
static enum status note_nameless(struct table *table, const struct shown *shown)
{
    double share = (double)shown->nameless / (double)shown->amount;
    enum status status;

    if (!shown->first_file || !(share >= nameless_share))
        return STATUS_OK;
    status = table_say(table, rows_nameless_text, said_share(share), said_words(shown->first_file));
    return status ? status
                  : table_say(table, shown->in_kernels > 0 ? rows_nameless_kernels_text
                                                           : rows_nameless_callers_text);
}

static enum status add_site(struct memory_work *work, struct table *table,
                            const struct heap_view *view, const struct session_site *site,
                            struct shown *shown)
{
    struct heap_row row = {.kernel = kernel_of(work->session, site)};
    struct array chain;
    enum status status;

    array_init(&chain, sizeof(struct place));
    heap_sums_add(&row.sums, site);
    status = places_fill_chain(work->places, site->call, &chain);
    row.chain = &chain;
    row.owner = places_find_owner(&chain);
    if (chain.count > 0)
        row.place = array_at(&chain, row.owner);
    else
        row.name = "(no call chain)";
    count_shown(shown, &row, heap_sums_measure(&row.sums, view->measure));
    if (!status)
        status = heap_rows_add(table, view, &row);
    array_fini(&chain);
    return status;
}

/* Rows of nothing, such as sites with nothing live, tell nothing; but what had nothing at the peak
 * came and went. */
static size_t count_ranked(const struct array *ranking, enum analysis_measure measure)
{
    const struct ranked *ranked = ranking->items;
    size_t count = ranking->count;

    while (measure != ANALYSIS_PEAK && count > 0 && ranked[count - 1].amount == 0)
        count--;
    return count;
}

/* Returns: how many of the first are at or above the least share. */
static size_t count_large(const struct array *ranking, size_t count, double least)
{
    const struct ranked *ranked = ranking->items;

    while (count > 0 && (double)ranked[count - 1].amount < least)
        count--;
    return count;
}

/* What is below the least share, in one row. */
static enum status add_other_sites(struct table *table, const struct heap_view *view,
                                   const struct array *ranking, size_t first)
{
    const struct ranked *ranked = ranking->items;
    struct heap_row others = {0};
    char name[64];

    for (size_t i = first; i < ranking->count; i++)
        heap_sums_add(&others.sums, ranked[i].site);
    snprintf(name, sizeof name, "(%zu other%s)", ranking->count - first,
             units_choose(ranking->count - first, "", "s"));
    others.name = name;
    return heap_rows_add(table, view, &others);
}

/* Rows beyond the limit are cut and counted; those below the least share are gathered,
 * with the sites of nothing. */
enum status memory_build_sites(struct memory_work *work, struct table *table, size_t limit)
{
    struct heap_view view = make_view(work);
    struct array ranking;
    enum status status = rank_sites(&ranking, work);
    size_t ranked = count_ranked(&ranking, view.measure);
    size_t large =
        count_large(&ranking, ranked, work->options->memory->least_fraction * (double)view.whole);
    size_t count = limit > 0 && limit < large ? limit : large;
    struct shown shown = {0};

    heap_rows_init(table, view.measure, work->session->heap.sample_bytes > 0);
    for (size_t i = 0; i < count && !status; i++)
        status =
            add_site(work, table, &view, ((struct ranked *)array_at(&ranking, i))->site, &shown);
    if (count < large || (limit > 0 && count == limit && large < ranked))
        table->rows_cut = large - count + (large < ranked);
    else if (!status && large < ranked)
        status = add_other_sites(table, &view, &ranking, large);
    if (!status)
        status = heap_rows_add_notes(table, work->session, &view);
    if (!status)
        status = note_nameless(table, &shown);
    array_fini(&ranking);
    return status;
}

/* ---- gathered ---------------------------------------------------------------- */

struct gathered {
    char *key;
    struct heap_sums sums;
    struct place place; /* the first of them; without a function when there is none */
    const char *kernel; /* by kernel alone */
    uint64_t amount;
    UT_hash_handle hh;
};

struct gathering {
    struct gathered *by_key;
    struct array groups; /* of struct gathered * */
};

static void gathering_fini(struct gathering *gathering)
{
    struct gathered **group = gathering->groups.items;

    HASH_CLEAR(hh, gathering->by_key);
    for (size_t i = 0; i < gathering->groups.count; i++) {
        free(group[i]->key);
        free(group[i]);
    }
    array_fini(&gathering->groups);
}

/* Returns: the group of that key; NULL when memory ran out. */
static struct gathered *get_group(struct gathering *gathering, const char *key)
{
    struct gathered *group = NULL;
    struct gathered **place;

    HASH_FIND_STR(gathering->by_key, key, group);
    if (group)
        return group;
    group = calloc(1, sizeof *group);
    place = group ? array_add(&gathering->groups) : NULL;
    if (!place) {
        free(group);
        return NULL;
    }
    *place = group;
    group->key = strdup(key);
    if (!group->key)
        return NULL;
    HASH_ADD_KEYPTR(hh, gathering->by_key, group->key, strlen(group->key), group);
    return hash_was_added(&group->hh) ? group : NULL;
}

/* By owner the functions of a library without names are one row: addresses tell nobody who. */
static bool is_named_by_library(const struct memory_work *work, const struct place *place)
{
    return work->options->by == ANALYSIS_BY_LIBRARY ||
           (work->options->by == ANALYSIS_BY_OWNER && place_is_address(place));
}

static void append_library(struct text *key, const struct memory_work *work,
                           const struct place *place)
{
    text_append(key, place->function->module ? place->function->module : "(no library)");
    if (work->options->by == ANALYSIS_BY_OWNER)
        text_append(key, "  functions without names");
}

/* The key is what people see. */
static void append_key(struct text *key, const struct memory_work *work,
                       const struct session_site *site, const struct place *place)
{
    const char *kernel = kernel_of(work->session, site);
    bool is_by_line = work->options->by == ANALYSIS_BY_LINE;

    if (work->options->by == ANALYSIS_BY_KERNEL)
        text_append(key, kernel ? kernel : "(in no kernel)");
    else if (!place->function)
        text_append(key, "(no call chain)");
    else if (is_named_by_library(work, place))
        append_library(key, work, place);
    else if (!is_by_line)
        text_appendf(key, "%s  %s", place->function->name,
                     place->function->module ? place->function->module : "(in no known file)");
    else if (place->file)
        text_appendf(key, "%s:%u  %s", place->file, place->line, place->function->name);
    else
        text_appendf(key, "%s  (line unknown)", place->function->name);
}

static enum status gather_site(struct gathering *gathering, struct memory_work *work,
                               const struct session_site *site)
{
    struct place place = {0};
    struct gathered *group = NULL;
    struct text key;
    enum status status = STATUS_OK;

    if (work->options->by != ANALYSIS_BY_KERNEL)
        status = places_find_owner_of(work->places, site->call, &place);
    if (status && status != STATUS_NOT_FOUND)
        return status;
    text_init(&key);
    append_key(&key, work, site, &place);
    if (!text_status(&key))
        group = get_group(gathering, key.bytes);
    text_fini(&key);
    if (!group)
        return STATUS_OUT_OF_MEMORY;
    if (group->sums.sites == 0)
        group->place = place;
    group->place.offset = 0; /* it may have several */
    if (place.function && is_named_by_library(work, &place))
        group->place.function = NULL;
    if (work->options->by == ANALYSIS_BY_KERNEL)
        group->kernel = kernel_of(work->session, site);
    heap_sums_add(&group->sums, site);
    group->amount = heap_sums_measure(&group->sums, work->options->measure);
    return STATUS_OK;
}

static int compare_groups(const void *a, const void *b)
{
    const struct gathered *left = *(struct gathered *const *)a;
    const struct gathered *right = *(struct gathered *const *)b;

    if (left->amount != right->amount)
        return left->amount > right->amount ? -1 : 1;
    return strcmp(left->key, right->key);
}

/* Owners own something: names are looked up of few of a hundred thousand sites. */
static bool is_asked_for(const struct memory_work *work, const struct session_site *site)
{
    struct heap_sums sums = {0};

    if (work->options->by != ANALYSIS_BY_OWNER && work->options->by != ANALYSIS_BY_LIBRARY)
        return true;
    heap_sums_add(&sums, site);
    return heap_sums_measure(&sums, work->options->measure) > 0;
}

static enum status gather(struct gathering *gathering, struct memory_work *work)
{
    enum status status = STATUS_OK;

    *gathering = (struct gathering){0};
    array_init(&gathering->groups, sizeof(struct gathered *));
    for (size_t i = 0; i < work->session->sites.count && !status; i++)
        if (is_asked_for(work, session_site_at(work->session, i)))
            status = gather_site(gathering, work, session_site_at(work->session, i));
    if (!status && gathering->groups.count > 1)
        qsort(gathering->groups.items, gathering->groups.count, sizeof(struct gathered *),
              compare_groups);
    return status;
}

static enum status add_group(struct table *table, const struct heap_view *view,
                             const struct gathered *group, enum analysis_by by)
{
    struct heap_row row = {.sums = group->sums, .name = group->key, .kernel = group->kernel};

    /* A path is for programs, and for people its last part. */
    if (by == ANALYSIS_BY_LINE && group->place.file)
        row.name = text_base_name(group->place.file) - group->place.file + group->key;
    if (group->place.function)
        row.place = &group->place;
    return heap_rows_add(table, view, &row);
}

static enum status add_groups(struct memory_work *work, struct table *table,
                              const struct heap_view *view, const struct gathering *gathering)
{
    double least = work->options->memory->least_fraction * (double)view->whole;
    struct heap_row others = {0};
    size_t gathered = 0;
    char name[64];
    enum status status = STATUS_OK;

    for (size_t i = 0; i < gathering->groups.count && !status; i++) {
        const struct gathered *group = *(struct gathered **)array_at(&gathering->groups, i);

        if ((double)group->amount >= least) {
            status = add_group(table, view, group, work->options->by);
            continue;
        }
        heap_sums_merge(&others.sums, &group->sums);
        gathered++;
    }
    if (gathered == 0 || status)
        return status;
    snprintf(name, sizeof name, "(%zu other%s)", gathered, units_choose(gathered, "", "s"));
    others.name = name;
    return heap_rows_add(table, view, &others);
}

/* Who has most. */
static const char *title_of_owners(enum analysis_by by, enum analysis_measure measure)
{
    static const char *const owners[ANALYSIS_MEASURES] = {
        [ANALYSIS_ALLOCATED] = "Owners by allocated bytes",
        [ANALYSIS_PEAK] = "Owners at the peak",
        [ANALYSIS_LIVE] = "Owners at the end",
        [ANALYSIS_COUNT] = "Owners by block count",
        [ANALYSIS_TEMPORARY] = "Owners by temporary blocks"};

    return by == ANALYSIS_BY_OWNER ? owners[measure] : "The same by library";
}

static const char *title_of(enum analysis_by by)
{
    if (by == ANALYSIS_BY_LINE)
        return "Allocations by source line";
    return by == ANALYSIS_BY_KERNEL ? "Allocations by kernel" : "Allocations by function";
}

static void cut_groups(struct table *table, size_t limit)
{
    if (limit > 0 && table_row_count(table) > limit)
        table_truncate(table, limit);
}

enum status memory_build_groups(struct memory_work *work, struct table *table, size_t limit)
{
    struct heap_view view = make_view(work);
    struct gathering gathering;
    enum status status = gather(&gathering, work);

    heap_rows_init(table, view.measure, work->session->heap.sample_bytes > 0);
    table->title =
        work->options->by == ANALYSIS_BY_OWNER || work->options->by == ANALYSIS_BY_LIBRARY
            ? title_of_owners(work->options->by, view.measure)
            : title_of(work->options->by);
    if (!status)
        status = add_groups(work, table, &view, &gathering);
    cut_groups(table, limit);
    if (!status)
        status = heap_rows_add_notes(table, work->session, &view);
    gathering_fini(&gathering);
    return status;
}

/* ---- in a sentence ------------------------------------------------------------- */

static void append_owner(struct text *text, const struct gathered *group, uint64_t whole)
{
    char bytes[UNITS_SIZE], share[UNITS_SIZE];

    if (group->place.function)
        place_append_short_name(text, &group->place);
    else
        text_appendf(text, "%.*s", (int)strcspn(group->key, " "), group->key);
    text_appendf(text, " %s (%s)", units_format_bytes(bytes, (double)group->amount),
                 units_format_percent(share, (double)group->amount / (double)whole));
}

enum status memory_append_owners(struct text *text, const struct memory_work *work, size_t count)
{
    struct analysis_options options = *work->options;
    struct memory_work own = *work;
    struct gathering gathering;
    struct heap_view view;
    enum status status;

    options.by = ANALYSIS_BY_OWNER;
    options.measure = ANALYSIS_PEAK;
    own.options = &options;
    view = make_view(&own);
    if (!memory_is_known(&work->session->heap) || !work->session->heap.has_chains ||
        view.whole == 0)
        return STATUS_OK;
    status = gather(&gathering, &own);
    for (size_t i = 0; i < count && i < gathering.groups.count && !status; i++) {
        text_append(text, i > 0 ? ", " : "");
        append_owner(text, *(struct gathered **)array_at(&gathering.groups, i), view.whole);
    }
    gathering_fini(&gathering);
    return status ? status : text_status(text);
}
