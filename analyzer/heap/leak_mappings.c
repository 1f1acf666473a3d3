/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own mappings that the user suppressed, and the amount of the others.
 */
#include "heap/leaks_parts.h"
#include "heap/suppressor.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

static void add_to_course(struct heap_course *course, const struct session_mapping *mapping,
                          unsigned first)
{
    for (size_t i = 0; i < course->count; i++)
        course->y[i] += (double)mapping->mark.live_bytes[first + i];
}

static void count_mapping(struct leak_mappings *mappings, struct suppression *by,
                          const struct session_mapping *mapping)
{
    by->mappings++;
    by->mapped_bytes += mapping->live_bytes;
    mappings->suppressed++;
    mappings->suppressed_bytes += mapping->live_bytes;
}

static void start_course(struct heap_course *course, const struct session_heap *heap,
                         const struct memory_window *window)
{
    course->count = 0;
    for (unsigned i = memory_find_mark(heap, window->from_ns);
         i < heap->mark_count && heap->mark_ns[i] <= window->to_ns; i++) {
        course->x[course->count] = (double)heap->mark_ns[i];
        course->y[course->count++] = 0;
    }
}

/* Memory that is unmapped before the end is no leak, and need not be suppressed. */
void leak_mappings_find(struct leak_mappings *mappings, struct memory_work *work,
                        const struct memory_window *window)
{
    const struct session_heap *heap = &work->session->heap;
    const struct session_mapping *mapping = work->session->mappings.items;
    const unsigned first = memory_find_mark(heap, window->from_ns);

    mappings->suppressed = mappings->suppressed_bytes = 0;
    mappings->rest.window = *window;
    start_course(&mappings->rest.mapped, heap, window);
    start_course(&mappings->rest.hidden, heap, window);
    if (!work->options->suppressions || heap->mapped_bytes == SESSION_UNKNOWN)
        return;
    for (size_t i = 0; i < work->session->mappings.count; i++) {
        struct suppression *by = NULL;

        if (mapping[i].live_bytes > 0)
            suppressor_find(work->suppressor, mapping[i].call, &by);
        if (by)
            count_mapping(mappings, by, &mapping[i]);
        add_to_course(by ? &mappings->rest.hidden : &mappings->rest.mapped, &mapping[i], first);
    }
}
