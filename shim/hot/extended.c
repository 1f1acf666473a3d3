/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing EXTENDED records.
 */
#include "hot/extended.h"

enum { WORDS_IN_UNIT = 2, FIRST_WORDS = 1, TYPE_SHIFT = 4, COUNT_SHIFT = 12 };

void extended_write(struct lane *lane, uint64_t now, enum trace_extended_type type,
                    const uint64_t *words, unsigned count)
{
    unsigned units = (count + FIRST_WORDS + WORDS_IN_UNIT - 1) / WORDS_IN_UNIT;
    bool has_room;
    uint64_t delta = lane_reserve(lane, now, units, TRACE_DELTA_BITS, 0, &has_room);
    uint64_t *to = lane->cursor->word;

    if (!has_room)
        return;
    to[0] = TRACE_EVENT_EXTENDED | (uint64_t)type << TYPE_SHIFT | (uint64_t)count << COUNT_SHIFT |
            delta << TRACE_DELTA_BITS;
    for (unsigned i = 0; i < count; i++)
        to[FIRST_WORDS + i] = words[i];
    lane->thread_node->extended++;
    lane_commit(lane, units);
}
