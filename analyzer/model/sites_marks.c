/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live bytes of sites at marks, from drawn blocks.
 *
 * While every block has a record, the rows of a class share the bytes of its undrawn blocks.  Later
 * the heap's bytes at a mark are unknown: each row keeps its own estimate.
 *
 * The error of a mark is computed from the mean variance that a byte of rest added to its row.
 */
#include "base/memory.h"
#include "model/sites_parts.h"

#include <math.h>
#include <stdlib.h>

#include "model/heap_weight.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

struct row_marks {
    struct session *session;
    const struct heap *heap;
    double scales[HEAP_STRATA][SESSION_MARKS]; /* scales of the rests */
};

static double rest_at(const struct heap *heap, uint32_t mark, uint32_t row)
{
    return heap_amount_of(marks_at(&heap->drawn.rests, mark, row), HEAP_BYTE_POINT);
}

/* Returns: the bytes of a class's undrawn blocks. */
static double class_at(const struct heap *heap, uint32_t mark, uint32_t class)
{
    uint32_t site = heap->owner_count + class;

    return site < heap->site_count ? (double)marks_at(&heap->marks, mark, site) : 0;
}

static void note_none(struct row_marks *marks, uint32_t mark, double bytes)
{
    uint32_t none = marks->session->heap.undrawn_site;
    struct session_mark *to;

    if (none == SESSION_NONE)
        return;
    to = session_mark_make(&marks->session->heap, none);
    to->live_bytes[mark] += (uint64_t)bytes;
}

static void find_scales(struct row_marks *marks, uint32_t mark)
{
    const struct heap_drawn_row *row = marks->heap->drawn.rows.items;
    double rests[HEAP_STRATA] = {0};

    for (uint32_t i = 0; i < marks->heap->drawn.rows.count; i++)
        rests[row[i].class] += rest_at(marks->heap, mark, i);
    for (uint32_t i = 0; i < HEAP_CLASSES; i++) {
        double bytes = class_at(marks->heap, mark, i);

        marks->scales[i][mark] = rests[i] > 0 ? bytes / rests[i] : 0;
        if (!(rests[i] > 0))
            note_none(marks, mark, bytes);
    }
    marks->scales[HEAP_OVERALL][mark] = 1;
}

static struct session_mark_error *error_of(const struct session_heap *heap,
                                           const struct session_mark *mark)
{
    const struct session_mark *first = heap->marks.items;

    return array_at(&heap->mark_errors, (size_t)(mark - first));
}

static void add_row(struct row_marks *marks, uint32_t number)
{
    const struct heap_drawn_row *row = heap_drawn_row_at(&marks->heap->drawn, number);
    struct session_mark *to = session_mark_make(&marks->session->heap, row->site);
    struct session_mark_error *error = error_of(&marks->session->heap, to);
    double each = row->added_rest > 0 ? row->added_variance / row->added_rest : 0;

    for (uint32_t i = 0; i < marks->session->heap.mark_count; i++) {
        double scale = marks->scales[row->class][i], rest = rest_at(marks->heap, i, number);
        double bytes = (double)marks_at(&marks->heap->drawn.marks, i, number) + scale * rest;

        to->live_bytes[i] += bytes < 0x1p63 ? (uint64_t)(bytes + 0.5) : 0;
        error->live_bytes[i] =
            (float)hypot(error->live_bytes[i], sqrt(scale * scale * rest * each));
    }
}

/* Makes all marks in advance that rows, and the site of blocks without a row, need. */
static void make_marks(struct session_heap *heap, const struct heap_drawn *drawn)
{
    if (heap->undrawn_site != SESSION_NONE)
        session_mark_make(heap, heap->undrawn_site);
    for (uint32_t i = 0; i < drawn->rows.count; i++)
        session_mark_make(heap, heap_drawn_row_at(drawn, i)->site);
    while (heap->mark_errors.count < heap->marks.count)
        array_add(&heap->mark_errors);
}

void sites_add_row_marks(struct session *session, const struct events *events)
{
    struct row_marks *marks;

    if (events->heap.stage == HEAP_EXACT)
        return;
    marks = memory_get_zeros(1, sizeof *marks);
    make_marks(&session->heap, &events->heap.drawn);
    marks->session = session;
    marks->heap = &events->heap;
    for (uint32_t i = 0; i < session->heap.mark_count; i++)
        find_scales(marks, i);
    for (uint32_t i = 0; i < events->heap.drawn.rows.count; i++)
        add_row(marks, i);
    free(marks);
}
