/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums between two beats.
 */
#include "steps/step_heap.h"

#include "model/session.h"
#include "model/session_beats.h"
#include "model/session_unknown.h"

static void raise_peak(struct step_heap *heap, const struct session_beat *beat)
{
    if (beat->peak_bytes <= heap->peak_bytes)
        return;
    heap->peak_bytes = beat->peak_bytes;
    heap->peak_op = beat->peak_op;
}

bool step_heap_find(struct step_heap *heap, const struct session *session, uint64_t start_ns,
                    uint64_t end_ns)
{
    const struct session_beat *beat = session->beats.items;
    size_t first = session_find_beat(session, start_ns), last = session_find_beat(session, end_ns);

    if (first == SIZE_MAX || last == SIZE_MAX)
        return false;
    *heap = (struct step_heap){.begin_bytes = beat[first].live_bytes,
                               .end_bytes = beat[last].live_bytes,
                               .peak_bytes = beat[first].live_bytes,
                               .obtained_bytes = SESSION_UNKNOWN,
                               .obtained_blocks = SESSION_UNKNOWN,
                               .freed_bytes = SESSION_UNKNOWN};
    for (size_t i = first + 1; i <= last; i++)
        raise_peak(heap, &beat[i]);
    if (beat[last].obtained_bytes == SESSION_UNKNOWN)
        return true;
    heap->obtained_bytes = beat[last].obtained_bytes - beat[first].obtained_bytes;
    heap->obtained_blocks = beat[last].obtained_blocks - beat[first].obtained_blocks;
    heap->freed_bytes = heap->begin_bytes + heap->obtained_bytes - heap->end_bytes;
    return true;
}
