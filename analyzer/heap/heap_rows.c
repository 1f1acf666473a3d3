/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of sums over allocation sites.
 */
#include "heap/heap_rows.h"

#include <math.h>

#include "analysis/name_notes.h"
#include "document/table.h"
#include "heap/memory_facts.h"
#include "heap/texts.h"
#include "model/process.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "places/place_rows.h"

enum heap_column {
    SHARE,
    ALLOCATED,
    PEAK,
    LIVE,
    COUNT,
    ERROR,
    TEMPORARY_SHARE,
    LIFETIME,
    MEAN,
    FREES,
    FREED,
    LIVE_BLOCKS,
    PEAK_BLOCKS,
    TEMPORARY,
    SHORT,
    MOVED,
    GROWN,
    STRANGE,
    SMALLEST,
    LARGEST,
    ALLOCATED_ERROR,
    PEAK_ERROR,
    LIVE_ERROR,
    COUNT_ERROR,
    KERNEL,
    PLACE,
    COLUMNS = PLACE + PLACE_CHAIN_COLUMNS
};

/* On a narrow page, a table keeps its sorting column; the others of the four are dropped in the
 * order of their numbers.  `error` is the title of the standard error, which an exact heap does not
 * show. */
#define HEAP_COLUMNS(allocated, peak, live, count, temporary, error, unit)                         \
    {                                                                                              \
        [SHARE] = {"share", "share", "of the whole that the note names", UNIT_FRACTION, 0},        \
        [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained", UNIT_BYTES, allocated},   \
        [PEAK] = {"peak_bytes", "at peak", "bytes live when the heap was at its peak", UNIT_BYTES, \
                  peak},                                                                           \
        [LIVE] = {"live_bytes", "at end", "bytes live at the end", UNIT_BYTES, live},              \
        [COUNT] = {"allocations", "count", "blocks obtained", UNIT_COUNT, count},                  \
        [ERROR] = {"error", error, "its standard error", unit, 1},                                 \
        [TEMPORARY_SHARE] = {"temporary_fraction", "temp", "temporary, of all obtained",           \
                             UNIT_FRACTION, temporary},                                            \
        [LIFETIME] = {"mean_lifetime_ns", "lived",                                                 \
                      "mean lifetime of the blocks freed; the error of an estimate is unknown",    \
                      UNIT_NS, 6},                                                                 \
        [MEAN] = {"mean_bytes", "mean", "size of a block", UNIT_BYTES, 7},                         \
        [FREES] = {"frees", NULL, "blocks given back", UNIT_COUNT, 0},                             \
        [FREED] = {"freed_bytes", NULL, "bytes given back", UNIT_BYTES, 0},                        \
        [LIVE_BLOCKS] = {"live_blocks", NULL, "blocks live at the end", UNIT_COUNT, 0},            \
        [PEAK_BLOCKS] = {"peak_blocks", NULL, "blocks live at the peak", UNIT_COUNT, 0},           \
        [TEMPORARY] = {"temporary", NULL, "temporary allocations", UNIT_COUNT, 0},                 \
        [SHORT] = {"short_lived", NULL, "freed within --short", UNIT_COUNT, 0},                    \
        [MOVED] = {"moved", NULL, "moved to another address by realloc", UNIT_COUNT, 0},           \
        [GROWN] = {"grown_bytes", NULL, "what realloc added to blocks", UNIT_BYTES, 0},            \
        [STRANGE] = {"other_thread_frees", NULL, "freed by another thread", UNIT_COUNT, 0},        \
        [SMALLEST] = {"min_bytes", NULL, "smallest block", UNIT_BYTES, 0},                         \
        [LARGEST] = {"max_bytes", NULL, "largest block", UNIT_BYTES, 0},                           \
        [ALLOCATED_ERROR] = {"allocated_error_bytes", NULL, "standard error", UNIT_BYTES, 0},      \
        [PEAK_ERROR] = {"peak_error_bytes", NULL, "standard error", UNIT_BYTES, 0},                \
        [LIVE_ERROR] = {"live_error_bytes", NULL, "standard error", UNIT_BYTES, 0},                \
        [COUNT_ERROR] = {"allocations_error", NULL, "standard error", UNIT_COUNT, 0},              \
        [KERNEL] = {"kernel", NULL, "the innermost kernel that was running", UNIT_TEXT, 0},        \
        PLACE_CHAIN_ROWS(PLACE, "the function that allocated"),                                    \
    }

#define HEAP_COLUMNS_OF_ALL(allocated, peak, live, count)                                          \
    {                                                                                              \
        [ANALYSIS_ALLOCATED] = HEAP_COLUMNS(0, 2, 3, 1, 4, allocated, UNIT_BYTES),                 \
        [ANALYSIS_PEAK] = HEAP_COLUMNS(3, 0, 2, 1, 4, peak, UNIT_BYTES),                           \
        [ANALYSIS_LIVE] = HEAP_COLUMNS(2, 3, 0, 1, 4, live, UNIT_BYTES),                           \
        [ANALYSIS_COUNT] = HEAP_COLUMNS(1, 2, 3, 0, 4, count, UNIT_COUNT),                         \
        [ANALYSIS_TEMPORARY] = HEAP_COLUMNS(3, 4, 5, 1, 0, NULL, UNIT_COUNT),                      \
    }

static const struct column exact_columns[ANALYSIS_MEASURES][COLUMNS] =
    HEAP_COLUMNS_OF_ALL(NULL, NULL, NULL, NULL);
static const struct column estimated_columns[ANALYSIS_MEASURES][COLUMNS] =
    HEAP_COLUMNS_OF_ALL("± allocated", "± at peak", "± at end", "± count");

#define HEAP_SCHEMA(columns, measure)                                                              \
    [ANALYSIS_##                                                                                   \
        measure] = {"memory", "Allocation sites", columns[ANALYSIS_##measure], COLUMNS, "share"}

static const struct table_schema exact_schemas[] = {
#define MEASURE(name, word, help) HEAP_SCHEMA(exact_columns, name),
#include "analysis/measures.def"
#undef MEASURE
};

static const struct table_schema estimated_schemas[] = {
#define MEASURE(name, word, help) HEAP_SCHEMA(estimated_columns, name),
#include "analysis/measures.def"
#undef MEASURE
};

void heap_rows_init(struct table *table, const struct heap_view *view)
{
    bool is_estimate = heap_measure_is_estimate(view->session, view->measure);

    table_init(table,
               is_estimate ? &estimated_schemas[view->measure] : &exact_schemas[view->measure]);
}

static void set_counts(struct value *row, const struct heap_sums *sums)
{
    value_set_known(&row[ALLOCATED], sums->allocated_bytes);
    value_set_known(&row[PEAK], sums->peak_bytes);
    value_set_known(&row[LIVE], sums->live_bytes);
    value_set_known(&row[COUNT], sums->allocations);
    value_set_known(&row[FREES], sums->frees);
    value_set_known(&row[FREED], sums->freed_bytes);
    value_set_known(&row[LIVE_BLOCKS], sums->live_blocks);
    value_set_known(&row[PEAK_BLOCKS], sums->peak_blocks);
    value_set_known(&row[TEMPORARY], sums->temporary);
    value_set_known(&row[SHORT], sums->short_lived);
    value_set_known(&row[MOVED], sums->moved);
    value_set_known(&row[GROWN], sums->grown_bytes);
    value_set_known(&row[STRANGE], sums->strange_frees);
    value_set_known(&row[SMALLEST], sums->min_size);
    value_set_known(&row[LARGEST], sums->max_size);
}

static void set_ratio(struct value *value, uint64_t dividend, uint64_t divisor)
{
    if (dividend != SESSION_UNKNOWN && divisor != SESSION_UNKNOWN)
        value_set_ratio(value, dividend, divisor);
}

static void set_ratios(struct value *row, const struct heap_sums *sums,
                       const struct heap_view *view)
{
    set_ratio(&row[SHARE], heap_sums_measure(sums, view->measure), view->whole);
    set_ratio(&row[TEMPORARY_SHARE], sums->temporary, sums->allocations);
    set_ratio(&row[LIFETIME], sums->lifetime_ns, sums->frees);
    set_ratio(&row[MEAN], sums->allocated_bytes, sums->allocations);
}

static void mark_estimates(struct value *row, const struct heap_view *view)
{
    static const unsigned char sums[] = {ALLOCATED,       LIVE,     COUNT,      FREES, FREED, MEAN,
                                         TEMPORARY_SHARE, LIFETIME, LIVE_BLOCKS};
    static const unsigned char peaks[] = {PEAK, PEAK_BLOCKS};

    if (view->session->heap.has_estimated_sites)
        values_mark_estimates(row, sums, sizeof sums);
    if (memory_peak_is_estimate(view->session))
        values_mark_estimates(row, peaks, sizeof peaks);
    value_mark_estimate(&row[SHARE], heap_measure_is_estimate(view->session, view->measure));
}

static void set_errors(struct value *row, const struct heap_sums *sums,
                       const struct heap_view *view)
{
    const struct session *session = view->session;

    value_set_real(&row[ERROR], round(heap_sums_error(sums, session, view->measure)));
    value_set_real(&row[ALLOCATED_ERROR],
                   heap_sums_row_error(sums, session, SESSION_SHARE_OBTAINED));
    value_set_real(&row[PEAK_ERROR], heap_sums_row_error(sums, session, SESSION_SHARE_PEAK));
    value_set_real(&row[LIVE_ERROR], heap_sums_row_error(sums, session, SESSION_SHARE_LIVE));
    value_set_real(&row[COUNT_ERROR], heap_sums_row_error(sums, session, SESSION_SHARE_CALLS));
}

static void set_name(struct value *value, const struct heap_row *of)
{
    struct text text;

    text_init(&text);
    if (of->name)
        text_append(&text, of->name);
    else
        place_append(&text, of->place);
    if (of->kernel && of->place)
        text_appendf(&text, "  in %s", of->kernel);
    value_take_text(value, &text);
}

static void set_place(struct value *row, const struct heap_row *of)
{
    if (of->place)
        place_rows_set(&row[PLACE], of->place);

    value_set_text(&row[KERNEL], of->kernel);
    set_name(&row[PLACE + PLACE_TEXT], of);
}

void heap_rows_add(struct table *table, const struct heap_view *view, const struct heap_row *of)
{
    struct value *row = table_add_row(table);

    set_counts(row, &of->sums);
    set_ratios(row, &of->sums, view);
    set_errors(row, &of->sums, view);
    mark_estimates(row, view);
    set_place(row, of);
    if (of->chain)
        chain_rows_set(view->chains, &row[PLACE + PLACE_CHAIN],
                       &(struct chain_view){of->chain, of->owner, view->callers});
}

void heap_rows_add_others(struct table *table, const struct heap_view *view,
                          const struct heap_sums *sums, size_t count)
{
    char name[HEAP_OTHERS_SIZE];
    struct heap_row others = {.sums = *sums, .name = heap_name_others(name, count)};

    heap_rows_add(table, view, &others);
}

void heap_rows_note_estimates(struct table *table, const struct session *session,
                              enum stage_words_of stages)
{
    if (stage_words_are_due(session, stages)) {
        stage_words_add_note(table, session, stages);
        return;
    }
    if (!session->heap.is_estimated)
        return;
    table_say(table, rows_sampled_text, said_bytes((double)session->heap.sample_bytes));
}

static void note_unit(struct table *table, const struct session_heap *heap)
{
    bool is_peak_usable = heap->peak_unit == SESSION_HEAP_USABLE;

    if (heap->live_unit != SESSION_HEAP_USABLE)
        return;
    table_say(table, rows_usable_text,
              said_words(is_peak_usable ? "Live bytes" : "Bytes at the end"));
}

static void note_errors(struct table *table, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    heap_rows_note_estimates(table, session, STAGES_OF_SITES);
    if (!heap->has_estimated_sites)
        return;
    table_say(table, rows_estimates_text);
    if (heap->unseen_bytes > 0)
        table_say(table, rows_unseen_text, said_bytes((double)heap->unseen_bytes));
    note_unit(table, heap);
}

static void note_chains(struct table *table, const struct session_heap *heap)
{
    if (!heap->has_chains) {
        table_say(table, rows_no_chains_text);
        return;
    }
    if (heap->lost_chains > 0) {
        table_say(table, rows_lost_chains_text, said_count(heap->lost_chains));
        return;
    }
}

void heap_rows_note_names(struct table *table, const struct session *session)
{
    note_chains(table, &session->heap);

    if (session->heap.has_chains && process_hides_python(session))
        table_say(table, rows_python_text);
    name_notes_add(table, session);
}

void heap_rows_note_missing(struct table *table, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (memory_is_known(heap) || !heap->reason)
        return;
    table_say(table, heap_sums_are_recorded(session) ? rows_missing_text : rows_unrecorded_text,
              said_words(heap->reason));
}

void heap_rows_add_doubts(struct table *table, const struct session *session)
{
    note_errors(table, session);

    heap_rows_note_missing(table, session);
    heap_rows_note_names(table, session);
}

struct said heap_rows_whole(const struct heap_view *view)
{
    return heap_measure_is_count(view->measure) ? said_count(view->whole)
                                                : said_bytes((double)view->whole);
}

void heap_rows_add_notes(struct table *table, const struct session *session,
                         const struct heap_view *view)
{
    if (heap_sums_are_recorded(session))
        table_say(table, rows_whole_text, heap_rows_whole(view),
                  said_words(heap_measure_whole(view->measure)));
    heap_rows_add_doubts(table, session);
}
