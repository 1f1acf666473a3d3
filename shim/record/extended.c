/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing EXTENDED records.
 */
#include "record/extended.h"

#include "record/lane_chunks.h"

enum { TYPE_SHIFT = 4, COUNT_SHIFT = 12 };

void extended_write(struct lane *lane, uint64_t now, enum trace_extended_type type,
                    const uint64_t *words, unsigned count)
{
    bool has_room;
    uint64_t delta = lane_reserve(lane, now, 1 + count, TRACE_DELTA_BITS, 0, &has_room);
    uint64_t *to = lane->cursor;

    if (!has_room)
        return;
    to[0] = TRACE_EVENT_EXTENDED | (uint64_t)type << TYPE_SHIFT | (uint64_t)count << COUNT_SHIFT |
            delta << TRACE_DELTA_BITS;
    for (unsigned i = 0; i < count; i++)
        to[1 + i] = words[i];
    lane->thread_node->extended++;
    lane_commit(lane, 1 + count);
}
