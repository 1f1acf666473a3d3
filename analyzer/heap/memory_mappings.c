/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mappings: the call chains of the program's own calls of mmap and mremap, with their memory at
 * the end and at the peak, and their growth.
 */
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "heap/ranking.h"
#include "heap/suppressor.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "places/place_rows.h"

static const double suspect_share = 0.05; /* share of the growth of all mappings */

enum mapping_column {
    SHARE,
    PEAK,
    LIVE,
    GROWTH,
    LIVE_RANGES,
    CALLS,
    BYTES,
    PEAK_RANGES,
    KIND,
    PLACE,
    COLUMNS = PLACE + PLACE_CHAIN_COLUMNS
};

/* A suspect shows its growth, the others their bytes at the peak. */
#define MAPPING_COLUMNS(peak, growth)                                                              \
    {                                                                                              \
        [SHARE] = {"share", "share", "of the whole that the note names", UNIT_FRACTION, 0},        \
        [PEAK] = {"peak_bytes", peak, "mapped when all that the program maps was at its peak",     \
                  UNIT_BYTES, 0},                                                                  \
        [LIVE] = {"live_bytes", "at end", "mapped at the end", UNIT_BYTES, 0},                     \
        [GROWTH] = {"growth_bytes", growth, "mapped at the end above what was after the warm-up",  \
                    UNIT_BYTES, 0},                                                                \
        [LIVE_RANGES] = {"live_ranges", "ranges", "in one piece each, mapped at the end",          \
                         UNIT_COUNT, 1},                                                           \
        [CALLS] = {"calls", "calls", "of mmap and mremap", UNIT_COUNT, 2},                         \
        [BYTES] = {"total_bytes", "in all", "mapped by these calls, unmapped since or not",        \
                   UNIT_BYTES, 3},                                                                 \
        [PEAK_RANGES] = {"peak_ranges", NULL, "in one piece each, at the peak", UNIT_COUNT, 0},    \
        [KIND] = {"kind", "kind", "memory, file, reserved or several", UNIT_TEXT, 2},              \
        PLACE_CHAIN_ROWS(PLACE, "the function that maps"),                                         \
    }

static const struct column mapping_columns[COLUMNS] = MAPPING_COLUMNS("at peak", NULL);
static const struct column suspect_columns[COLUMNS] = MAPPING_COLUMNS(NULL, "growth");

static const struct table_schema mapping_schema = {"mappings", "The program's mappings",
                                                   mapping_columns, COLUMNS, "share"};
static const struct table_schema suspect_schema = {"mapped_suspects", "Suspect mappings, by growth",
                                                   suspect_columns, COLUMNS, "share"};

/* Rows without an amount are left out. */
static void add_ranked(struct array *ranking, const struct session_mapping *mapping, double amount)
{
    if (amount > 0)
        ranking_add(ranking, mapping, amount, 0);
}

/* Blocks have more sums than mappings. */
static uint64_t measure(const struct session_mapping *mapping, enum analysis_measure measure)
{
    switch (measure) {
    case ANALYSIS_LIVE: return mapping->live_bytes;
    case ANALYSIS_COUNT: return mapping->calls;
    case ANALYSIS_PEAK:
    case ANALYSIS_ALLOCATED:
    case ANALYSIS_TEMPORARY: break;
    }
    return mapping->peak_bytes;
}

static void rank(struct array *ranking, const struct memory_work *work, uint64_t *whole)
{
    const struct session_mapping *mapping = work->session->mappings.items;

    *whole = 0;
    ranking_init(ranking);
    for (size_t i = 0; i < work->session->mappings.count; i++) {
        uint64_t amount = measure(&mapping[i], work->options->measure);

        *whole += amount;
        add_ranked(ranking, &mapping[i], (double)amount);
    }
    ranking_sort(ranking);
}

static const char *name_kind(const struct session_mapping *of)
{
    if (of->file_bytes == 0 && of->reserved_bytes == 0)
        return "memory";
    if (of->file_bytes == of->bytes)
        return "file";
    return of->reserved_bytes == of->bytes ? "reserved" : "several";
}

static void set_counts(struct value *row, const struct session_mapping *of)
{
    value_set_unsigned(&row[PEAK], of->peak_bytes);
    value_set_unsigned(&row[LIVE], of->live_bytes);
    value_set_unsigned(&row[LIVE_RANGES], of->live_ranges);
    value_set_unsigned(&row[CALLS], of->calls);
    value_set_unsigned(&row[BYTES], of->bytes);
    value_set_unsigned(&row[PEAK_RANGES], of->peak_ranges);
    value_set_text(&row[KIND], name_kind(of));
}

/* Returns: the row, whose growth is not set. */
static struct value *add_row(struct table *table, struct memory_work *work,
                             const struct session_mapping *of, double share)
{
    struct value *row = table_add_row(table);

    memory_set_chain(&row[PLACE], work, of->call);
    set_counts(row, of);
    value_set_real(&row[SHARE], share);
    return row;
}

/* All below the least share, in one row. */
static void add_others(struct table *table, const struct array *ranking, size_t first, double whole)
{
    const struct ranked *ranked = ranking->items;
    struct value *row = first < ranking->count ? table_add_row(table) : NULL;
    struct session_mapping sums = {0};
    double amount = 0;
    char name[HEAP_OTHERS_SIZE];

    if (!row)
        return;
    for (size_t i = first; i < ranking->count; i++) {
        const struct session_mapping *of = ranked[i].of;

        amount += ranked[i].amount;
        sums.calls += of->calls;
        sums.bytes += of->bytes;
        sums.file_bytes += of->file_bytes;
        sums.reserved_bytes += of->reserved_bytes;
        sums.live_ranges += of->live_ranges;
        sums.live_bytes += of->live_bytes;
        sums.peak_ranges += of->peak_ranges;
        sums.peak_bytes += of->peak_bytes;
    }
    value_set_real(&row[SHARE], amount / whole);
    set_counts(row, &sums);
    value_set_text(&row[PLACE + PLACE_TEXT], heap_name_others(name, ranking->count - first));
}

static void fill(struct table *table, struct memory_work *work, const struct array *ranking,
                 double whole, size_t limit)
{
    const struct ranked *ranked = ranking->items;
    double least = work->options->memory->least_fraction * whole;

    for (size_t i = 0; i < ranking->count; i++) {
        if (limit > 0 && i == limit) {
            table->rows_cut = ranking->count - i;
            return;
        }
        if (ranked[i].amount < least) {
            add_others(table, ranking, i, whole);
            return;
        }
        add_row(table, work, ranked[i].of, ranked[i].amount / whole);
    }
}

/* Returns: the file of an allocator other than the C library's; NULL when there is none. */
static const char *find_other_allocator(const struct session *session)
{
    const char *path = session->process.allocator;

    return path && !memory_is_c_library(path) ? text_base_name(path) : NULL;
}

/* The C library maps by an internal name, so no shim can replace it. */
static void note_allocator(struct table *table, const struct session *session)
{
    const char *other = find_other_allocator(session);

    if (other)
        table_say(table, mappings_allocator_text, said_words(other));
    else
        table_say(table, mappings_malloc_text);
}

static void note_bytes(struct table *table, uint64_t whole, const char *when)
{
    table_say(table, mappings_whole_text, said_bytes((double)whole), said_words(when));
}

static void note_whole(struct table *table, const struct memory_work *work, uint64_t whole)
{
    if (work->options->measure == ANALYSIS_COUNT) {
        table_say(table, mappings_whole_calls_text, said_count(whole));
        return;
    }
    note_bytes(table, whole,
               work->options->measure == ANALYSIS_LIVE ? "at the end" : "at the peak");
    table_say(table, mappings_sum_text);
}

static void add_notes(struct table *table, const struct memory_work *work, uint64_t whole)
{
    if (work->session->heap.maps == SESSION_UNKNOWN) {
        table_say(table, mappings_unknown_text,
                  said_words(memory_why_unknown(&work->session->heap)));
        return;
    }
    if (whole == 0)
        return;
    note_whole(table, work, whole);
    note_allocator(table, work->session);
}

void memory_build_mappings(struct memory_work *work, struct table *table, size_t limit)
{
    struct array ranking;
    uint64_t whole;

    rank(&ranking, work, &whole);
    table_init(table, &mapping_schema);
    fill(table, work, &ranking, (double)whole, limit);
    add_notes(table, work, whole);
}

static double growth_of(const struct session_mapping *mapping, unsigned mark)
{
    return (double)mapping->live_bytes - (double)mapping->mark.live_bytes[mark];
}

/* Mappings that grew and are not suppressed. */
static void rank_grown(struct array *ranking, const struct memory_work *work, unsigned mark)
{
    const struct session_mapping *mapping = work->session->mappings.items;
    size_t count = mark < work->session->heap.mark_count ? work->session->mappings.count : 0;
    struct suppression *suppression;

    for (size_t i = 0; i < count; i++) {
        suppressor_find(work->suppressor, mapping[i].call, &suppression);
        if (!suppression)
            add_ranked(ranking, &mapping[i], growth_of(&mapping[i], mark));
    }
    ranking_sort(ranking);
}

/* Keeps those with a share of the growth that matters. */
static void rank_suspects(struct array *ranking, const struct memory_work *work, unsigned mark)
{
    const struct ranked *ranked;
    double growth = 0;
    size_t count = 0;

    ranking_init(ranking);
    rank_grown(ranking, work, mark);
    ranked = ranking->items;
    for (size_t i = 0; i < ranking->count; i++)
        growth += ranked[i].amount;
    while (count < ranking->count && ranked[count].amount >= suspect_share * growth)
        count++;
    array_truncate(ranking, count);
}

static void fill_suspects(struct table *table, struct memory_work *work,
                          const struct array *ranking, size_t limit)
{
    const struct ranked *ranked = ranking->items;
    size_t count = ranking->count < limit ? ranking->count : limit;
    double whole = (double)work->session->heap.mapped_bytes;

    table->rows_cut = ranking->count - count;
    for (size_t i = 0; i < count; i++) {
        const struct session_mapping *of = ranked[i].of;
        struct value *row = add_row(table, work, of, (double)of->live_bytes / whole);

        value_set_rounded(&row[GROWTH], ranked[i].amount);
    }
}

void memory_build_mapping_suspects(struct memory_work *work, struct table *table, uint64_t from_ns,
                                   size_t limit)
{
    struct array ranking;

    rank_suspects(&ranking, work, memory_find_mark(&work->session->heap, from_ns));
    table_init(table, &suspect_schema);
    fill_suspects(table, work, &ranking, limit);
    note_bytes(table, work->session->heap.mapped_bytes, "at the end");
    note_allocator(table, work->session);
}
