/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The open regions and ops of a lane, innermost last, and their common end.
 *
 * Regions and ops nest in one stack.  The inner time of a region is that of its inner regions, and
 * the inner time of an op is that of its inner ops.
 *
 * Safety: the lane is BUSY, and its thread's own.
 */
#ifndef RECORD_REGION_STACK_H
#define RECORD_REGION_STACK_H

#include "record/lane.h"
#include "record/lane_chunks.h"
#include "record/passed.h"

/* Write the start or end of a region or op. */
static ALWAYS_INLINE void region_stack_write(struct lane *lane, enum trace_event_kind kind,
                                             uint32_t node, uint64_t now, uint64_t word)
{
    bool has_room;
    uint64_t delta = lane_reserve(lane, now, 2, TRACE_DELTA_BITS, 0, &has_room);

    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0] = kind | (uint64_t)node << TRACE_KIND_BITS | delta << TRACE_DELTA_BITS;
    lane->cursor[1] = word;
    lane_commit(lane, 2);
}

/* Pop the innermost, and count its call in its node.  Returns: its duration. */
static ALWAYS_INLINE uint64_t region_stack_pop(struct lane *lane, uint64_t now)
{
    struct lane_region *region = &lane->regions[--lane->region_depth];
    struct lane_region *outer = lane->region_depth > 0 ? region - 1 : NULL;
    struct trace_node *node = lane->node; /* the region's: it is the innermost */
    uint64_t duration = now - region->start;

    node->calls++;
    node->ticks += duration;
    node->inner_ticks += region->inner_ticks;
    node->last_ticks = now;
    if (outer) {
        passed_change_node(lane, outer->node, outer->node_index);
        lane_show_node(lane, outer->node_index, outer->start);
    } else {
        passed_change_node(lane, lane->thread_node, lane->thread_node_index);
        lane_show_node(lane, lane->thread_node_index, now);
    }
    return duration;
}

#endif
