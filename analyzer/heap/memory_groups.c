/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation sites gathered by owner, library, function, line or kernel: a row for each, and
 * the first owners in a sentence.
 */
#include <stdlib.h>
#include <string.h>

#include "heap/memory.h"
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "rows/fold.h"

/* In a sentence: owners of less than this part of the whole say nothing. */
enum { OWNERS_LEAST = 100 };

struct gathered {
    const char *key; /* kept by the fold */
    struct heap_sums sums;
    struct place place; /* the group's first place; has no function when there is none */
    const char *kernel; /* for rows by kernel only */
    uint64_t amount;
};

struct gathering {
    struct array groups; /* of struct gathered */
    struct fold fold;
};

/* In rows by owner, all unnamed functions of a library are one row, as addresses say little.  In
 * rows by file, the library replaces unknown files. */
static bool is_named_by_library(const struct memory_work *work, const struct place *place)
{
    enum analysis_by by = work->options->by;

    return by == ANALYSIS_BY_LIBRARY || (by == ANALYSIS_BY_FILE && !place->file) ||
           (by == ANALYSIS_BY_OWNER && place_is_address(place));
}

static void append_library(struct text *key, const struct memory_work *work,
                           const struct place *place)
{
    text_append(key, place->function->module ? place->function->module : "(no library)");
    if (work->options->by == ANALYSIS_BY_OWNER)
        text_append(key, "  functions without names");
}

/* The key is the text that people see. */
static void append_key(struct text *key, const struct memory_work *work,
                       const struct session_site *site, const struct place *place)
{
    const char *kernel = site_kernel(work->session, site);
    bool is_by_line = work->options->by == ANALYSIS_BY_LINE;

    if (work->options->by == ANALYSIS_BY_KERNEL)
        text_append(key, kernel ? kernel : "(in no kernel)");
    else if (!place->function)
        text_append(key, "(no call chain)");
    else if (is_named_by_library(work, place))
        append_library(key, work, place);
    else if (work->options->by == ANALYSIS_BY_OWNER && place->function->is_python)
        place_append_short(key, place);
    else if (work->options->by == ANALYSIS_BY_FILE)
        text_append(key, place->file);
    else if (!is_by_line && place->function->is_python && place->function->module)
        places_append_spelled(key, place->function->module, 0, place->function->name);
    else if (!is_by_line)
        text_appendf(key, "%s %s", place->function->name,
                     place->function->module ? place->function->module : "(in no known file)");
    else if (place->file)
        text_appendf(key, "%s:%u %s", place->file, place->line, place->function->name);
    else
        text_appendf(key, "%s (line unknown)", place->function->name);
}

/* In rows by Python code, the innermost place owns blocks without Python code.  If that place has
 * no name, the line of the program's own Python code says more, if there is one. */
static bool find_place(const struct memory_work *work, uint32_t call, struct place *place)
{
    enum analysis_by by = work->options->by;
    struct place own;

    if (by == ANALYSIS_BY_PYTHON && places_find(work->places, call, place_is_python, place))
        return true;
    if (!places_find_owner_of(work->places, call, place))
        return false;
    if (by == ANALYSIS_BY_OWNER && place_is_address(place) &&
        places_find(work->places, call, place_is_own_python, &own))
        *place = own;
    return true;
}

void memory_append_group(struct text *name, const struct memory_work *work,
                         const struct session_site *site, struct place *place)
{
    *place = (struct place){0};
    if (work->options->by != ANALYSIS_BY_KERNEL && !find_place(work, site->call, place))
        *place = (struct place){0};
    append_key(name, work, site, place);
}

static void gather_site(struct gathering *gathering, const struct memory_work *work,
                        const struct session_site *site)
{
    struct gathered *group;
    struct place place;
    struct text key;

    text_init(&key);
    memory_append_group(&key, work, site, &place);
    group = fold_find_named(&gathering->fold, key.bytes);
    if (group->sums.sites == 0)
        group->place = place;
    group->place.offset = 0; /* the group may have several offsets */
    if (work->options->by == ANALYSIS_BY_FILE ||
        (place.function && is_named_by_library(work, &place)))
        group->place.function = NULL;
    if (work->options->by == ANALYSIS_BY_KERNEL)
        group->kernel = site_kernel(work->session, site);
    heap_sums_add(&group->sums, site);
    group->amount = heap_sums_measure(&group->sums, work->options->measure);
}

static int compare_groups(const void *a, const void *b)
{
    const struct gathered *left = a, *right = b;

    if (left->amount != right->amount)
        return left->amount > right->amount ? -1 : 1;
    return strcmp(left->key, right->key);
}

static bool has_amount(const struct memory_work *work, const struct session_site *site)
{
    struct heap_sums sums = {0};

    heap_sums_add(&sums, site);
    return heap_sums_measure(&sums, work->options->measure) > 0;
}

static void begin_gathering(struct gathering *gathering)
{
    array_init(&gathering->groups, sizeof(struct gathered));
    fold_init(&gathering->fold, &gathering->groups);
}

static void sort_groups(struct gathering *gathering)
{
    if (gathering->groups.count > 1)
        qsort(gathering->groups.items, gathering->groups.count, sizeof(struct gathered),
              compare_groups);
}

/* A row tells all amounts of its group, so sites without this amount belong to it, too. */
static void gather(struct gathering *gathering, const struct memory_work *work)
{
    begin_gathering(gathering);
    for (size_t i = 0; i < work->session->sites.count; i++)
        gather_site(gathering, work, session_site_at(work->session, i));
    sort_groups(gathering);
}

/* A sentence tells this amount alone: names are looked up of few of a hundred thousand sites. */
static void gather_amounts(struct gathering *gathering, const struct memory_work *work)
{
    begin_gathering(gathering);
    for (size_t i = 0; i < work->session->sites.count; i++)
        if (has_amount(work, session_site_at(work->session, i)))
            gather_site(gathering, work, session_site_at(work->session, i));
    sort_groups(gathering);
}

/* Owners own something. */
static void drop_empty(struct gathering *gathering, enum analysis_by by)
{
    const struct gathered *group = gathering->groups.items;
    size_t count = gathering->groups.count;

    if (by != ANALYSIS_BY_OWNER && by != ANALYSIS_BY_LIBRARY)
        return;
    while (count > 0 && group[count - 1].amount == 0)
        count--;
    array_truncate(&gathering->groups, count);
}

static void add_group(struct table *table, const struct heap_view *view,
                      const struct gathered *group, enum analysis_by by)
{
    struct heap_row row = {.sums = group->sums, .name = group->key, .kernel = group->kernel};

    /* A path is for programs, and for people its last part. */
    if ((by == ANALYSIS_BY_LINE || by == ANALYSIS_BY_FILE) && group->place.file)
        row.name = text_base_name(group->place.file) - group->place.file + group->key;
    if (group->place.function)
        row.place = &group->place;
    heap_rows_add(table, view, &row);
}

static void add_groups(struct memory_work *work, struct table *table, const struct heap_view *view,
                       const struct gathering *gathering)
{
    double least = work->options->memory->least_fraction * (double)view->whole;
    struct heap_sums others = {0};
    size_t gathered = 0;

    for (size_t i = 0; i < gathering->groups.count; i++) {
        const struct gathered *group = array_at(&gathering->groups, i);

        if ((double)group->amount >= least) {
            add_group(table, view, group, work->options->by);
            continue;
        }
        heap_sums_merge(&others, &group->sums);
        gathered++;
    }
    if (gathered == 0)
        return;
    heap_rows_add_others(table, view, &others, gathered);
}

static const char *title_of(enum analysis_by by, enum analysis_measure measure)
{
    static const char *const owners[ANALYSIS_MEASURES] = {
        [ANALYSIS_ALLOCATED] = "Owners by allocated bytes",
        [ANALYSIS_PEAK] = "Owners at the peak",
        [ANALYSIS_LIVE] = "Owners at the end",
        [ANALYSIS_COUNT] = "Owners by block count",
        [ANALYSIS_TEMPORARY] = "Owners by temporary blocks"};

    if (by == ANALYSIS_BY_OWNER)
        return owners[measure];
    if (by == ANALYSIS_BY_LIBRARY)
        return "The same by library";
    if (by == ANALYSIS_BY_LINE)
        return "Allocations by source line";
    if (by == ANALYSIS_BY_FILE)
        return "Allocations by source file";
    if (by == ANALYSIS_BY_PYTHON)
        return "Allocations by Python function";
    return by == ANALYSIS_BY_KERNEL ? "Allocations by kernel" : "Allocations by function";
}

static void cut_groups(struct table *table, size_t limit)
{
    if (limit > 0 && table_row_count(table) > limit)
        table_truncate(table, limit);
}

void memory_build_groups(struct memory_work *work, struct table *table, size_t limit)
{
    struct heap_view view = heap_view_of(work);
    struct gathering gathering;

    gather(&gathering, work);
    drop_empty(&gathering, work->options->by);
    heap_rows_init(table, &view);
    table->title = title_of(work->options->by, view.measure);
    add_groups(work, table, &view, &gathering);
    cut_groups(table, limit);
    heap_rows_add_notes(table, work->session, &view);
}

/* Functions without a name are gathered by their library, which begins the key. */
static void append_owner_name(struct text *text, const struct gathered *group)
{
    const struct places_function *function = group->place.function;
    struct text library;

    if (function && function->is_python) {
        place_append_short(text, &group->place);
        return;
    }
    if (function && function->has_name) {
        places_append_function(text, function, false);
        return;
    }
    if (function) {
        place_append_short_name(text, &group->place);
        return;
    }
    text_init(&library);
    text_append_bytes(&library, group->key, strcspn(group->key, " "));
    places_append_module(text, library.bytes);
}

static void append_owner(struct text *text, const struct gathered *group,
                         const struct heap_view *view)
{
    bool is_estimate = memory_peak_is_estimate(view->session);

    append_owner_name(text, group);
    say_part(text, memory_owner_text, said_about(said_bytes((double)group->amount), is_estimate),
             said_about(said_share((double)group->amount / (double)view->whole), is_estimate));
}

void memory_append_owners(struct text *text, const struct memory_work *work, size_t count)
{
    struct analysis_options options = *work->options;
    struct memory_work own = *work;
    struct gathering gathering;
    struct heap_view view;

    options.by = ANALYSIS_BY_OWNER;
    options.measure = ANALYSIS_PEAK;
    own.options = &options;
    view = heap_view_of(&own);
    if (!memory_is_known(&work->session->heap) || !work->session->heap.has_chains ||
        view.whole == 0)
        return;
    gather_amounts(&gathering, &own);
    for (size_t i = 0; i < count && i < gathering.groups.count; i++) {
        const struct gathered *group = array_at(&gathering.groups, i);

        if (i > 0 && group->amount < view.whole / OWNERS_LEAST)
            break;
        text_append(text, i > 0 ? ", " : "");
        append_owner(text, group, &view);
    }
}
