/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory by step and by epoch: allocated, freed and kept bytes of each, and the code that ran at
 * its highest heap.
 */
#include "document/table.h"
#include "heap/growth_note.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "kernels/roles.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "steps/step_heap.h"
#include "steps/steps.h"

enum step_column {
    STEP,
    START,
    TIME,
    ALLOCATED,
    FREED,
    KEPT,
    ALLOCATIONS,
    END,
    GROWTH,
    PEAK,
    PEAK_OP,
    PEAK_MODULE,
    STEPS /* this and the next for epochs only */
};

static const struct column columns[] = {
    [STEP] = {"step", "#", "its number, from 1", UNIT_COUNT, 0},
    [START] = {"start_ns", "start", "since the start of recording", UNIT_NS, 5},
    [TIME] = {"duration_ns", "time", "from its begin to its end", UNIT_NS, 0},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained in it", UNIT_BYTES, 0},
    [FREED] = {"freed_bytes", "freed", "bytes given back in it", UNIT_BYTES, 2},
    [KEPT] = {"kept_bytes", "kept", "live heap at its end, less that at its begin", UNIT_BYTES, 0},
    [ALLOCATIONS] = {"allocations", "allocs", "blocks obtained in it", UNIT_COUNT, 3},
    [END] = {"end_heap_bytes", "live heap", "at its end", UNIT_BYTES, 0},
    [GROWTH] = {"growth_bytes", "growth", "of that, since the end of the one before", UNIT_BYTES,
                1},
    [PEAK] = {"peak_heap_bytes", "peak heap", "highest live heap in it", UNIT_BYTES, 0},
    [PEAK_OP] = {"peak_op", "at the peak", "the op that ran then", UNIT_TEXT, 0},
    [PEAK_MODULE] = {"peak_module", "in", "the module that called it", UNIT_TEXT, 6},
    [STEPS] = {"steps", "steps", "in it; null: not known", UNIT_COUNT, 4},
};

static const struct table_schema step_schema = {"memory", "Memory by step", columns, STEPS, NULL};
static const struct table_schema epoch_schema = {"memory", "Memory by epoch", columns, STEPS + 1,
                                                 NULL};

/* The rows being added to a table. */
struct rows {
    struct table *table;
    const struct memory_work *work;
    struct array ends; /* double: bytes at the end of each */
    size_t unknown;    /* steps whose ends are no beats */
};

/* A step or an epoch. */
struct span {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t steps; /* UNKNOWN: a step itself, or an unknown number */
};

static void set_peak_op(struct value *row, const struct session *session, uint32_t index)
{
    const struct session_op *op = session_op_at(session, index);
    struct text module;

    value_set_text(&row[PEAK_OP], op->name);
    if (op->layer == 0)
        return;
    text_init(&module);
    session_append_layer(&module, session, op->layer);
    value_set_text(&row[PEAK_MODULE], module.bytes);
}

static void mark_estimates(struct value *row, const struct session *session)
{
    static const unsigned char estimated[] = {KEPT, END, GROWTH, PEAK};

    if (session->heap.is_estimated)
        values_mark_estimates(row, estimated, sizeof estimated);
}

static void set_heap(struct rows *rows, struct value *row, const struct step_heap *heap)
{
    const double *before = rows->ends.items;
    size_t count = rows->ends.count;
    double *end;

    value_set_known(&row[ALLOCATED], heap->obtained_bytes);
    value_set_known(&row[ALLOCATIONS], heap->obtained_blocks);
    value_set_known(&row[FREED], heap->freed_bytes);
    value_set_integer(&row[KEPT], (int64_t)(heap->end_bytes - heap->begin_bytes));
    value_set_unsigned(&row[END], heap->end_bytes);
    value_set_unsigned(&row[PEAK], heap->peak_bytes);
    if (count > 0)
        value_set_integer(&row[GROWTH], (int64_t)((double)heap->end_bytes - before[count - 1]));
    mark_estimates(row, rows->work->session);
    end = array_add(&rows->ends);
    *end = (double)heap->end_bytes;
    if (heap->peak_op != 0)
        set_peak_op(row, rows->work->session, heap->peak_op);
}

static void add_row(struct rows *rows, const struct span *span)
{
    struct step_heap heap;
    struct value *row = table_add_row(rows->table);

    value_set_unsigned(&row[STEP], table_row_count(rows->table));
    value_set_unsigned(&row[START], span->start_ns);
    value_set_unsigned(&row[TIME], span->end_ns - span->start_ns);
    if (rows->work->options->by == ANALYSIS_BY_EPOCH)
        value_set_known(&row[STEPS], span->steps);
    if (!memory_is_known(&rows->work->session->heap))
        return;
    if (step_heap_find(&heap, rows->work->session, span->start_ns, span->end_ns)) {
        set_heap(rows, row, &heap);
        return;
    }
    rows->unknown++;
}

static void add_steps(struct rows *rows, const struct steps *steps)
{
    const struct step *step = steps->steps.items;

    for (size_t i = 0; i < steps->steps.count; i++)
        add_row(rows, &(struct span){step[i].start_ns, step[i].end_ns, SESSION_UNKNOWN});
}

/* ---- epochs -------------------------------------------------------------------- */

/* Returns: the index of a region with this name and several calls; 0: there is none. */
static uint32_t find_region(const struct session *session)
{
    static const char *const words[] = {"epoch", NULL};

    for (uint32_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);

        if (region->calls > 1 && role_name_has_any(region->label, words))
            return i;
    }
    return 0;
}

static void add_laps(struct rows *rows, uint32_t region)
{
    const struct session *session = rows->work->session;

    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);

        if (lap->region == region)
            add_row(rows, &(struct span){lap->start_ns, lap->end_ns, SESSION_UNKNOWN});
    }
    table_say(rows->table, epoch_regions_text,
              said_words(session_region_at(session, region)->path));
}

static size_t count_epochs(const struct steps *steps)
{
    const struct step *step = steps->steps.items;
    size_t count = 0;

    for (size_t i = 0; i < steps->steps.count; i++)
        count += i == 0 || step[i].begins_epoch;
    return count;
}

static void add_runs(struct rows *rows, const struct steps *steps)
{
    const struct step *step = steps->steps.items;
    size_t first = 0, count = steps->steps.count;

    for (size_t i = 1; i <= count; i++) {
        if (i < count && !step[i].begins_epoch)
            continue;
        add_row(rows, &(struct span){step[first].start_ns, step[i - 1].end_ns, i - first});
        first = i;
    }
    table_say(rows->table, epoch_rows_text, said_count(count_epochs(steps)), said_count(count));
}

/* Without a region or steps that mark epochs, a note says so. */
static void add_epochs(struct rows *rows, const struct steps *steps)
{
    uint32_t region = find_region(rows->work->session);

    if (region != 0) {
        add_laps(rows, region);
        return;
    }
    if (count_epochs(steps) > 1) {
        add_runs(rows, steps);
        return;
    }
    table_say(rows->table, epoch_none_text);
}

/* ---- notes --------------------------------------------------------------------- */

static void append_found(struct text *text, const struct session *session,
                         const struct steps *steps)
{
    struct text module;

    text_init(&module);
    if (steps->source == STEPS_REGION)
        say(text, step_by_region_text, said_words(session_region_at(session, steps->region)->path));
    else if (steps->source == STEPS_OPTIMIZER)
        say(text, step_by_optimizer_text, said_words(session_op_at(session, steps->op)->name));
    else if (steps->source == STEPS_BACKWARD)
        say(text, step_by_backward_text);
    else if (steps->source == STEPS_MODULE)
        session_append_layer(&module, session, steps->layer);
    if (steps->source == STEPS_MODULE)
        say(text, step_by_module_text, said_words(module.bytes));
}

static void note_source(struct table *table, const struct session *session,
                        const struct steps *steps)
{
    struct text found;

    if (!steps_are_told(steps))
        return;
    text_init(&found);
    append_found(&found, session, steps);
    table_say(table, session->heap.is_estimated ? step_rows_estimated_text : step_rows_text,
              said_words(found.bytes));
}

static void add_notes(struct rows *rows, const struct steps *steps)
{
    const struct session *session = rows->work->session;
    struct table *table = rows->table;

    if (!memory_is_known(&session->heap)) {
        table_say(table, peak_unknown_text, said_words(memory_why_unknown(&session->heap)));
        return;
    }
    if (rows->unknown > 0) {
        table_say(table, step_rows_inferred_text, said_count(rows->unknown));
        return;
    }
    if (rows->work->options->by == ANALYSIS_BY_STEP)
        note_source(table, session, steps);
    if (rows->ends.count > 0)
        table_say(table, step_kept_text);
    growth_add_note(table, step_label_text.words, &rows->ends, rows->work->options);
}

static void build(struct rows *rows, const struct steps *steps)
{
    bool is_step = rows->work->options->by == ANALYSIS_BY_STEP;

    if (is_step)
        add_steps(rows, steps);
    else
        add_epochs(rows, steps);
    if (is_step && steps->source == STEPS_NONE) {
        steps_say_none(rows->table, steps);
        return;
    }
    add_notes(rows, steps);
}

void memory_build_steps(struct memory_work *work, struct table *table)
{
    struct rows rows = {.table = table, .work = work};
    struct steps steps;

    table_init(table, work->options->by == ANALYSIS_BY_STEP ? &step_schema : &epoch_schema);
    steps_init(&steps, work->session);
    array_init(&rows.ends, sizeof(double));
    build(&rows, &steps);
}
