/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The differences between two sessions, by allocation site.
 *
 * Builds differ, and so do addresses and line numbers: two sites are the same if the function names
 * of their chains agree, module by module.  The programs themselves count as one module, whatever
 * their files are called.  Equal sites of one session are one row.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/stage_words.h"
#include "base/pool.h"
#include "base/text_index.h"
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/ranking.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

enum { BEFORE, AFTER, SESSIONS };

struct pair {
    char *name;
    struct heap_sums sums[SESSIONS];
};

struct difference {
    struct array pairs;      /* of struct pair */
    struct text_index index; /* key: their functions and modules, innermost first */
    enum analysis_measure measure;
    const struct session *sessions[SESSIONS];
};

/* A base name has no slash, so that "/" is the key of no library. */
static const char *module_key(const struct session *session, const char *module)
{
    const char *program = session->process.program;

    if (!module)
        return "";
    return program && strcmp(module, text_base_name(program)) == 0 ? "/" : module;
}

static void append_key(struct text *key, const struct session *session, const struct array *chain,
                       const char *kernel)
{
    const struct place *place = chain->items;

    for (size_t i = 0; i < chain->count; i++)
        text_appendf(key, "%s\n%s\n", place[i].function->name,
                     module_key(session, place[i].function->module));
    text_append(key, kernel ? kernel : "");
}

/* All calls of a function are one row, so the name has no offset. */
static void append_owner(struct text *name, const struct array *chain)
{
    struct place owner = *(const struct place *)array_at(chain, places_find_owner(chain));

    owner.offset = 0;
    place_append(name, &owner);
}

static void append_name(struct text *name, const struct array *chain, const char *kernel)
{
    if (chain->count > 0)
        append_owner(name, chain);
    else
        text_append(name, "(no call chain)");
    if (kernel)
        text_appendf(name, "  in %s", kernel);
}

static struct pair *get_pair(struct difference *difference, const struct text *key,
                             const struct text *name)
{
    long number = text_index_add(&difference->index, key);
    struct pair *pair;

    if ((size_t)number < difference->pairs.count)
        return array_at(&difference->pairs, (size_t)number);
    pair = array_add(&difference->pairs);
    pair->name = pool_copy(name->bytes);
    return pair->name ? pair : NULL;
}

/* A session's state while its sites are added. */
struct adding {
    struct memory_work *work;
    struct array chain;
    struct text key;
    struct text name;
};

static void add_site(struct difference *difference, struct adding *adding,
                     const struct session_site *site, size_t which)
{
    const struct session *session = adding->work->session;
    const char *kernel = site_kernel(session, site);
    struct pair *pair;

    array_truncate(&adding->chain, 0);
    text_clear(&adding->key);
    text_clear(&adding->name);
    places_fill_chain(adding->work->places, site->call, &adding->chain);
    append_key(&adding->key, session, &adding->chain, kernel);
    append_name(&adding->name, &adding->chain, kernel);
    pair = get_pair(difference, &adding->key, &adding->name);
    heap_sums_add(&pair->sums[which], site);
}

static void add_session(struct difference *difference, struct memory_work *work, size_t which)
{
    struct adding adding = {.work = work};

    array_init(&adding.chain, sizeof(struct place));
    text_init(&adding.key);
    text_init(&adding.name);
    for (size_t i = 0; i < work->session->sites.count; i++)
        add_site(difference, &adding, session_site_at(work->session, i), which);
}

enum difference_column { CHANGE, FROM, TO, RATIO, FROM_COUNT, TO_COUNT, MARK, PLACE };

#define DIFFERENCE_COLUMNS(unit)                                                                   \
    {                                                                                              \
        [CHANGE] = {"change", "change", "after less before", unit, 0},                             \
        [FROM] = {"before", "before", "in the first trace", unit, 0},                              \
        [TO] = {"after", "after", "in the second trace", unit, 0},                                 \
        [RATIO] = {"ratio", "ratio", "after by before", UNIT_RATIO, 2},                            \
        [FROM_COUNT] = {"before_allocations", "count before", "blocks obtained", UNIT_COUNT, 4},   \
        [TO_COUNT] = {"after_allocations", "count after", "blocks obtained", UNIT_COUNT, 3},       \
        [MARK] = {"state", "state", "new, gone, more, less or same", UNIT_TEXT, 1},                \
        [PLACE] = {"place", "where", "the function that allocated", UNIT_PLACE, 0},                \
    }

enum { COLUMNS = PLACE + 1 };

static const struct column bytes_columns[COLUMNS] = DIFFERENCE_COLUMNS(UNIT_BYTES);
static const struct column count_columns[COLUMNS] = DIFFERENCE_COLUMNS(UNIT_COUNT);
static const struct table_schema bytes_schema = {"sites", "Changes by allocation site",
                                                 bytes_columns, COLUMNS, NULL};
static const struct table_schema count_schema = {"sites", "Changes by allocation site",
                                                 count_columns, COLUMNS, NULL};

static const char *mark_of(const struct pair *pair, uint64_t before, uint64_t after)
{
    if (pair->sums[BEFORE].sites == 0)
        return "new";
    if (pair->sums[AFTER].sites == 0)
        return "gone";
    return before == after ? "same" : after > before ? "more" : "less";
}

static void mark_estimates(struct value *row, const struct difference *difference)
{
    const struct session *const *session = difference->sessions;
    bool before = heap_measure_is_estimate(session[BEFORE], difference->measure);
    bool after = heap_measure_is_estimate(session[AFTER], difference->measure);

    value_mark_estimate(&row[CHANGE], before || after);
    value_mark_estimate(&row[RATIO], before || after);
    value_mark_estimate(&row[FROM], before);
    value_mark_estimate(&row[TO], after);
    value_mark_estimate(&row[FROM_COUNT], session[BEFORE]->heap.has_estimated_sites);
    value_mark_estimate(&row[TO_COUNT], session[AFTER]->heap.has_estimated_sites);
}

static void set_row(struct value *row, const struct difference *difference, const struct pair *pair)
{
    uint64_t before = heap_sums_measure(&pair->sums[BEFORE], difference->measure);
    uint64_t after = heap_sums_measure(&pair->sums[AFTER], difference->measure);

    value_set_text(&row[MARK], mark_of(pair, before, after));
    value_set_integer(&row[CHANGE], (int64_t)(after - before));
    value_set_unsigned(&row[FROM], before);
    value_set_unsigned(&row[TO], after);
    value_set_ratio(&row[RATIO], after, before);
    value_set_unsigned(&row[FROM_COUNT], pair->sums[BEFORE].allocations);
    value_set_unsigned(&row[TO_COUNT], pair->sums[AFTER].allocations);
    mark_estimates(row, difference);
    value_set_text(&row[PLACE], pair->name);
}

static uint64_t size_of_change(const struct difference *difference, const struct pair *pair)
{
    uint64_t before = heap_sums_measure(&pair->sums[BEFORE], difference->measure);
    uint64_t after = heap_sums_measure(&pair->sums[AFTER], difference->measure);

    if (before == SESSION_UNKNOWN || after == SESSION_UNKNOWN)
        return 0;
    return after > before ? after - before : before - after;
}

/* The largest change first, in either direction.  Sites that are equal on both sides are left out;
 * unknown ones cannot be ranked. */
static void rank(struct array *ranking, const struct difference *difference)
{
    const struct pair *pair = difference->pairs.items;

    ranking_init(ranking);
    for (size_t i = 0; i < difference->pairs.count; i++) {
        uint64_t size = size_of_change(difference, &pair[i]);

        if (size > 0)
            ranking_add(ranking, &pair[i], (double)size, 0);
    }
    ranking_sort(ranking);
}

static void fill(struct table *table, const struct difference *difference, size_t limit)
{
    struct array ranking;
    rank(&ranking, difference);
    size_t count = limit > 0 && limit < ranking.count ? limit : ranking.count;

    for (size_t i = 0; i < count; i++) {
        const struct ranked *ranked = array_at(&ranking, i);
        struct value *row = table_add_row(table);

        set_row(row, difference, ranked->of);
    }
    table->rows_cut = ranking.count - count;
    table_say(table, difference_sites_text, said_count(difference->pairs.count),
              said_count(ranking.count), said_words(heap_measure_help(difference->measure)));
}

static const struct column total_columns[] = {
    {"name", "total", "what is compared", UNIT_TEXT, 0},
    {"change", "change", "after less before", UNIT_BYTES, 0},
    {"before", "before", "in the first trace", UNIT_BYTES, 0},
    {"after", "after", "in the second trace", UNIT_BYTES, 0},
    {"ratio", "ratio", "after by before", UNIT_RATIO, 0},
};

static const struct table_schema total_schema = {"totals", "Memory before and after", total_columns,
                                                 sizeof total_columns / sizeof *total_columns,
                                                 NULL};

struct total {
    const char *name;
    uint64_t amounts[SESSIONS];
    bool are_estimates[SESSIONS];
};

static void mark_total(struct value *row, const struct total *total)
{
    bool is_any = total->are_estimates[BEFORE] || total->are_estimates[AFTER];

    value_mark_estimate(&row[1], is_any);
    value_mark_estimate(&row[2], total->are_estimates[BEFORE]);
    value_mark_estimate(&row[3], total->are_estimates[AFTER]);
    value_mark_estimate(&row[4], is_any);
}

static void add_total(struct table *table, const struct total *total)
{
    uint64_t before = total->amounts[BEFORE], after = total->amounts[AFTER];
    struct value *row = table_add_row(table);

    value_set_known(&row[2], before);
    value_set_known(&row[3], after);
    if (before != SESSION_UNKNOWN && after != SESSION_UNKNOWN) {
        value_set_integer(&row[1], (int64_t)(after - before));
        value_set_ratio(&row[4], after, before);
    }
    mark_total(row, total);
    value_set_text(&row[0], total->name);
}

static void add_totals(struct document *document, const struct session *before,
                       const struct session *after)
{
    const struct session_heap *old = &before->heap, *new = &after->heap;
    const struct total totals[] = {
        {"peak heap",
         {memory_if_known(old, old->peak_bytes), memory_if_known(new, new->peak_bytes)},
         {memory_is_estimate(old, old->peak_error), memory_is_estimate(new, new->peak_error)}},
        {"allocated", {old->allocated_bytes, new->allocated_bytes}, {false, false}},
        {"live at exit",
         {memory_if_known(old, old->live_bytes), memory_if_known(new, new->live_bytes)},
         {memory_is_estimate(old, old->live_error), memory_is_estimate(new, new->live_error)}},
        {"peak resident",
         {before->process.last.peak_rss_bytes, after->process.last.peak_rss_bytes},
         {false, false}},
    };
    struct table *table = document_add_table(document, "totals", SECTION_IN_BOTH);

    table_init(table, &total_schema);
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        add_total(table, &totals[i]);
    table_say(table, difference_traces_text, said_words(before->path), said_words(after->path));
}

static void compare(struct difference *difference, struct memory_work *work)
{
    struct memory_work before;

    memory_work_init(&before, work->options->before, work->options);
    *difference = (struct difference){.measure = work->options->measure,
                                      .sessions = {work->options->before, work->session}};
    array_init(&difference->pairs, sizeof(struct pair));
    text_index_init(&difference->index);
    add_session(difference, &before, BEFORE);
    add_session(difference, work, AFTER);
    memory_work_fini(&before);
}

/* Sites that one side did not record are not new or gone. */
static void note_unrecorded(struct table *table, const struct session *session)
{
    table_say(table, difference_unrecorded_text, said_words(session->path),
              said_words(memory_why_unknown(&session->heap)));
}

static void note_missing_before(struct table *table, const struct session *before)
{
    if (memory_is_known(&before->heap) || !before->heap.reason)
        return;
    table_say(table, difference_missing_text, said_words(before->heap.reason));
}

static void note_estimates_before(struct table *table, const struct session *before)
{
    struct text words;

    text_init(&words);
    stage_words_append(&words, before, STAGES_OF_SITES);
    if (words.size > 0)
        table_say(table, difference_estimates_text, said_words(words.bytes));
    else if (before->heap.is_estimated)
        table_say(table, difference_sampled_text, said_bytes((double)before->heap.sample_bytes));
}

static void add_changes(struct document *document, struct memory_work *work)
{
    bool is_count = heap_measure_is_count(work->options->measure);
    struct table *table = document_add_table(document, "sites", SECTION_IN_BOTH);
    struct difference difference;

    table_init(table, is_count ? &count_schema : &bytes_schema);
    if (!heap_sums_are_recorded(work->options->before)) {
        note_unrecorded(table, work->options->before);
        return;
    }
    if (!heap_sums_are_recorded(work->session)) {
        note_unrecorded(table, work->session);
        return;
    }
    compare(&difference, work);
    fill(table, &difference, work->options->limit);
    note_missing_before(table, work->options->before);
    note_estimates_before(table, work->options->before);
    heap_rows_add_doubts(table, work->session);
}

void memory_add_difference(struct document *document, struct memory_work *work)
{
    add_totals(document, work->options->before, work->session);

    document->name = "memory_difference";
    document->main = "sites";
    add_changes(document, work);
}
