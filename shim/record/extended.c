/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing EXTENDED records.
 */
#include "record/extended.h"

#include "record/lane_chunks.h"

enum { TYPE_SHIFT = 4, COUNT_SHIFT = 12 };

static void write_record(struct lane *lane, uint64_t now, uint64_t head, const uint64_t *words)
{
    unsigned count = head >> COUNT_SHIFT & UINT8_MAX;
    bool has_room;
    uint64_t delta = lane_reserve(lane, now, 1 + count, TRACE_DELTA_BITS, 0, &has_room);
    uint64_t *to = lane->cursor;

    if (!has_room)
        return;
    to[0] = head | delta << TRACE_DELTA_BITS;
    for (unsigned i = 0; i < count; i++)
        to[1 + i] = words[i];
    lane->thread_node->extended++;
    lane_commit(lane, 1 + count);
}

static uint64_t make_head(enum trace_extended_type type, unsigned count)
{
    return TRACE_EVENT_EXTENDED | (uint64_t)type << TYPE_SHIFT | (uint64_t)count << COUNT_SHIFT;
}

void extended_write(struct lane *lane, uint64_t now, enum trace_extended_type type,
                    const uint64_t *words, unsigned count)
{
    write_record(lane, now, make_head(type, count), words);
}

void extended_write_sample(struct lane *lane, uint64_t now, unsigned periods, uint64_t word)
{
    uint64_t note = (uint64_t)periods << TRACE_NOTE_SHIFT;

    write_record(lane, now, make_head(TRACE_EXTENDED_SAMPLE, 1) | note, &word);
}
