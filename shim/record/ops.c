/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beginning and ending ops, on the thread that calls them.
 */
#include "record/ops.h"

#include "platform/clock.h"
#include "record/call_draws.h"
#include "record/passed.h"
#include "record/region_stack.h"
#include "record/tally.h"

/* The end of an op that was refused finds no owner. */
static COLD void refuse(struct lane *lane)
{
    lane->refused_ops++;
    lane->thread_node->lost_records++;
}

static ALWAYS_INLINE struct lane_place find_node(struct lane *lane, const struct ops_call *call,
                                                 uint64_t now)
{
    struct lane_place parent = {NULL, lane->node_index};

    if (call->site != 0)
        parent = tally_node(lane, lane->node_index, TRACE_LABEL_SITE | call->site, now);
    if (UNLIKELY(parent.number == 0))
        return (struct lane_place){NULL, 0};
    return tally_node(lane, parent.number, TRACE_LABEL_OP | call->label, now);
}

static ALWAYS_INLINE bool draw(struct lane *lane, struct lane_region *region)
{
    region->doublings = 0;
    region->is_left_out =
        UNLIKELY(lane->region_doublings > 0) &&
        !call_draws_region(lane, region->node->calls + 1, &region->doublings);
    return !region->is_left_out;
}

static ALWAYS_INLINE void push(struct lane *lane, const struct ops_call *call,
                               struct lane_place place, uint64_t now)
{
    struct lane_region *region = &lane->regions[lane->region_depth];
    struct lane_op *op = &lane->ops[lane->region_depth];

    region->node = &place.cell->node;
    region->node_index = place.number;
    region->inner_ticks = 0;
    region->start = now;
    region->clock_after_ticks = 0;
    region->is_read = false;
    op->owner = call->owner;
    op->outer = lane->innermost_op;
    lane->innermost_op = ++lane->region_depth;
    passed_change_node(lane, region->node, place.number);
    lane_show_node(lane, place.number, now);
    if (LIKELY(draw(lane, region)))
        region_stack_write(lane, TRACE_EVENT_ENTER, place.number, now, call->note);
}

void ops_begin(struct lane *lane, const struct ops_call *call)
{
    uint64_t now = clock_read();
    struct lane_place place = {NULL, 0};

    if (LIKELY(lane->region_depth < LANE_REGIONS_MAX))
        place = find_node(lane, call, now);
    if (LIKELY(place.cell != NULL))
        push(lane, call, place, now);
    else
        refuse(lane);
}

static void write_end(struct lane *lane, uint32_t node, uint64_t ticks, uint64_t now)
{
    const struct lane_region *region = &lane->regions[lane->region_depth];

    if (!region->is_left_out)
        region_stack_write(lane, TRACE_EVENT_LEAVE, node, now,
                           drawn_calls_pack(ticks, region->doublings));
}

/* The innermost is an op. */
static ALWAYS_INLINE void end_innermost(struct lane *lane, uint64_t now)
{
    uint32_t number = lane->node_index;
    uint64_t duration = region_stack_pop(lane, now);

    lane->innermost_op = lane->ops[lane->region_depth].outer;
    if (lane->innermost_op > 0)
        lane->regions[lane->innermost_op - 1].inner_ticks += duration;
    write_end(lane, number, duration, now);
}

void ops_drop_innermost(struct lane *lane, uint64_t now)
{
    uint32_t number = lane->node_index;
    uint64_t duration;

    lane->thread_node->unmatched++;
    if (lane->innermost_op == lane->region_depth) {
        end_innermost(lane, now);
        return;
    }
    duration = region_stack_pop(lane, now);
    ops_add_to_outer_region(lane, duration);
    region_stack_write(lane, TRACE_EVENT_LEAVE, number, now, duration);
}

void ops_add_to_outer_region(struct lane *lane, uint64_t ticks)
{
    uint32_t op = lane->innermost_op;

    for (uint32_t depth = lane->region_depth; depth > 0; depth--) {
        if (depth != op) {
            lane->regions[depth - 1].inner_ticks += ticks;
            return;
        }
        op = lane->ops[depth - 1].outer;
    }
}

/* Returns: the depth of this owner's op, from 1; 0: it is not open here. */
static COLD uint32_t find_owner(const struct lane *lane, const void *owner)
{
    uint32_t depth = lane->innermost_op;

    while (depth > 0 && lane->ops[depth - 1].owner != owner)
        depth = lane->ops[depth - 1].outer;
    return depth;
}

static COLD void end_outer(struct lane *lane, const void *owner, uint64_t now)
{
    uint32_t depth = find_owner(lane, owner);

    if (depth > 0) {
        while (lane->region_depth > depth)
            ops_drop_innermost(lane, now);
        end_innermost(lane, now);
    } else if (lane->refused_ops > 0) {
        lane->refused_ops--;
        lane->thread_node->lost_records++;
    } else {
        lane->thread_node->unmatched++;
    }
}

void ops_end(struct lane *lane, const void *owner, uint64_t now)
{
    uint32_t depth = lane->region_depth;

    if (LIKELY(depth > 0 && lane->innermost_op == depth && lane->ops[depth - 1].owner == owner))
        end_innermost(lane, now);
    else
        end_outer(lane, owner, now);
}
