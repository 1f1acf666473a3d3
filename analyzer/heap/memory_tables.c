/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory by region and by thread, from the tallies: exact also where the
 * records of the heap are not.
 */
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

enum region_column { PATH, SHARE, ALLOCATED, ALLOCATIONS, FREED, FREES, MEAN, BEGIN, END, PEAK };

static const struct column region_columns[] = {
    [PATH] = {"path", "region", "the region that was open", UNIT_TEXT, 0},
    [SHARE] = {"share", "share", "of all allocated bytes", UNIT_FRACTION, 1},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained", UNIT_BYTES, 0},
    [ALLOCATIONS] = {"allocations", "allocs", "blocks obtained", UNIT_COUNT, 3},
    [FREED] = {"freed_bytes", "freed", "bytes given back", UNIT_BYTES, 4},
    [FREES] = {"frees", "frees", "blocks given back", UNIT_COUNT, 6},
    [MEAN] = {"mean_bytes", "mean", "size of a block", UNIT_BYTES, 7},
    [BEGIN] = {"begin_heap_bytes", "baseline", "live heap when it began first", UNIT_BYTES, 2},
    [END] = {"end_heap_bytes", "end", "live heap when it ended last", UNIT_BYTES, 5},
    [PEAK] = {"peak_heap_bytes", "peak heap", "highest live heap while it was open", UNIT_BYTES, 0},
};

static const struct table_schema region_schema = {"memory", "Memory by region", region_columns,
                                                  sizeof region_columns / sizeof *region_columns,
                                                  "share"};

/* Totals come from the tallies; live amounts come from the blocks. */
static void mark_estimates(struct value *row, const struct session_region *region)
{
    static const unsigned char columns[] = {FREED, BEGIN, END, PEAK};

    if (region->has_estimated_heap)
        values_mark_estimates(row, columns, sizeof columns);
}

static void set_region(struct value *row, const struct session *session, size_t index)
{
    const struct session_region *region = session_region_at(session, index);

    value_set_known(&row[ALLOCATIONS], region->allocations);
    value_set_known(&row[ALLOCATED], region->allocated_bytes);
    value_set_known(&row[FREES], region->frees);
    value_set_known(&row[FREED], region->freed_bytes);
    value_set_known(&row[BEGIN], region->begin_heap_bytes);
    value_set_known(&row[END], region->end_heap_bytes);
    value_set_known(&row[PEAK], region->peak_heap_bytes);
    mark_estimates(row, region);
    if (region->allocations != SESSION_UNKNOWN) {
        value_set_ratio(&row[SHARE], region->allocated_bytes, session->heap.allocated_bytes);
        value_set_ratio(&row[MEAN], region->allocated_bytes, region->allocations);
    }
    value_set_text(&row[PATH], index == 0 ? "(no region)" : region->path);
}

static void note_whole(struct table *table, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (heap->allocated_bytes == SESSION_UNKNOWN) {
        table_say(table, allocated_unknown_text, said_words(memory_why_unrecorded(heap)));
        return;
    }
    table_say(table, allocated_whole_text, said_bytes((double)heap->allocated_bytes));
}

static void note_unknown(struct table *table, const struct session_heap *heap)
{
    if (memory_is_known(heap))
        return;
    table_say(table, peak_unknown_text, said_words(memory_why_unknown(heap)));
    if (heap->allocations != SESSION_UNKNOWN)
        table_say(table, totals_exact_text);
}

void memory_build_regions(struct memory_work *work, struct table *table)
{
    const struct session *session = work->session;

    table_init(table, &region_schema);
    for (size_t i = 0; i < session->regions.count; i++) {
        struct value *row = table_add_row(table);

        set_region(row, session, i);
    }
    note_whole(table, session);
    heap_rows_note_estimates(table, session, STAGES_OF_BLOCKS);
    note_unknown(table, &session->heap);
}

enum thread_column { THREAD, THREAD_SHARE, BYTES, COUNT, AVERAGE, GIVEN_BACK, FAILED, RATE };

static const struct column thread_columns[] = {
    [THREAD] = {"thread", "thread", "its number in the kernel", UNIT_NUMBER, 0},
    [THREAD_SHARE] = {"share", "share", "of all allocated bytes", UNIT_FRACTION, 1},
    [BYTES] = {"allocated_bytes", "allocated", "bytes obtained", UNIT_BYTES, 0},
    [COUNT] = {"allocations", "allocs", "blocks obtained", UNIT_COUNT, 0},
    [AVERAGE] = {"mean_bytes", "mean", "size of a block", UNIT_BYTES, 4},
    [GIVEN_BACK] = {"frees", "frees", "blocks given back", UNIT_COUNT, 2},
    [FAILED] = {"failed_allocations", "failed", "allocations that gave no block", UNIT_COUNT, 5},
    [RATE] = {"allocations_per_second", "rate", "allocations by lifetime", UNIT_PER_SECOND, 3},
};

static const struct table_schema thread_schema = {"memory", "Memory by thread", thread_columns,
                                                  sizeof thread_columns / sizeof *thread_columns,
                                                  "share"};

static void set_thread(struct value *row, const struct session *session,
                       const struct session_thread *thread)
{
    value_set_known(&row[BYTES], thread->allocated_bytes);
    value_set_known(&row[COUNT], thread->allocations);
    value_set_known(&row[GIVEN_BACK], thread->frees);
    value_set_known(&row[FAILED], thread->failed_allocations);
    if (thread->allocations != SESSION_UNKNOWN) {
        value_set_ratio(&row[THREAD_SHARE], thread->allocated_bytes, session->heap.allocated_bytes);
        value_set_ratio(&row[AVERAGE], thread->allocated_bytes, thread->allocations);
        value_set_ratio(&row[RATE], thread->allocations * 1e9L,
                        (long double)thread->last_ns - thread->first_ns);
    }
    value_set_unsigned(&row[THREAD], thread->id);
}

void memory_build_threads(struct memory_work *work, struct table *table)
{
    const struct session *session = work->session;

    table_init(table, &thread_schema);
    for (size_t i = 0; i < session->threads.count; i++) {
        struct value *row = table_add_row(table);

        set_thread(row, session, session_thread_at(session, i));
    }
    table_sort(table, BYTES, true);
    note_whole(table, session);
}
