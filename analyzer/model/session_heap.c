/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap at moments, and the live bytes of sites at marks.  Most sites of a Python program have
 * none at any mark: their blocks come and go between two marks.
 */
#include "model/session_heap.h"

const struct session_moment *session_moment_of(const struct session_heap *heap, uint64_t time_ns)
{
    const struct session_moment *moment = heap->moments.items;
    size_t from = 0, to = heap->moments.count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (moment[middle].time_ns <= time_ns)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 ? &moment[from - 1] : NULL;
}

/* Returns: the number of its row, plus one; 0: it has none. */
static uint32_t *row_of(const struct session_heap *heap, size_t site)
{
    return array_at(&heap->mark_rows, site);
}

const struct session_mark *session_mark_at(const struct session_heap *heap, size_t site)
{
    static const struct session_mark nothing;
    uint32_t row = *row_of(heap, site);

    return row > 0 ? array_at(&heap->marks, row - 1) : &nothing;
}

const struct session_mark_error *session_mark_error_at(const struct session_heap *heap, size_t site)
{
    static const struct session_mark_error exact;
    uint32_t row = *row_of(heap, site);

    return row > 0 && row <= heap->mark_errors.count ? array_at(&heap->mark_errors, row - 1)
                                                     : &exact;
}

struct session_mark *session_mark_make(struct session_heap *heap, size_t site)
{
    uint32_t *row = row_of(heap, site);

    if (*row == 0) {
        array_add(&heap->marks);
        *row = (uint32_t)heap->marks.count;
    }
    return array_at(&heap->marks, *row - 1);
}
