/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures from the order of a thread's ops: elementwise ops that follow one another, gaps between
 * short ops, and the number of ops that recorded inputs for gradients.
 */
#include <math.h>

#include "model/events_parts.h"
#include "model/session_ops.h"

static struct session_op *op_at(const struct events *events, uint32_t index)
{
    return array_at(&events->session->ops, index);
}

/* Longer gaps are the program's work between ops, not the cost of calling ops. */
enum { SHORT_GAP_NS = 20000 };

static void count_gap(const struct events *events, const struct events_op_order *order,
                      const struct reader_event *event, struct session_op *op)
{
    double ns;

    if (order->ended_ticks == 0 || event->ticks <= order->ended_ticks)
        return;
    ns = (double)clock_convert_length(events->from.clock, event->ticks - order->ended_ticks);
    if (ns <= SHORT_GAP_NS)
        op->gap_ns += ldexp(ns, (int)event->doublings);
}

/* If a number grows, it counts the records of ops that need gradients.  `sequence` is counted from
 * 1. */
static void count_records(struct events *events, struct events_op_order *order, uint64_t sequence)
{
    struct session_framework *framework = &events->session->framework;

    if (sequence > order->sequence && order->sequence > 0)
        framework->gradient_records += sequence - order->sequence;
    if (sequence > order->sequence)
        order->sequence = sequence;
}

/* Ops inside of an elementwise op are not counted. */
static void follow_elementwise(struct events_op_order *order, const struct session_op *op,
                               uint32_t index)
{
    if (order->open != 0 || op->kind == OP_KIND_VIEW)
        return;
    if (op->kind == OP_KIND_ELEMENTWISE)
        order->open = index;
    else
        order->last_elements = 0;
}

void events_order_enter(struct events *events, struct events_lane *lane,
                        const struct reader_event *event, uint32_t index)
{
    struct session_op *op = op_at(events, index);
    uint64_t note = event->duration;

    if (op->parent == 0)
        count_gap(events, &lane->order, event, op);
    if (note & TRACE_OP_BACKWARD)
        events->session->framework.gradient_ops++;
    else
        count_records(events, &lane->order, note);
    follow_elementwise(&lane->order, op, index);
}

/* An op that comes again starts the next turn of a loop, which is no pass over the same data. */
static bool is_in_chain(const struct events_op_order *order, uint32_t index)
{
    for (unsigned i = 0; i < order->chain_count; i++)
        if (order->chain[i] == index)
            return true;
    return order->chain_count == sizeof order->chain / sizeof *order->chain;
}

/* Returns: whether it follows another op of its chain. */
static bool add_to_chain(struct events_op_order *order, const struct session_op *op, uint32_t index)
{
    if (op->most_elements != order->last_elements || is_in_chain(order, index))
        order->chain_count = 0;
    order->chain[order->chain_count++] = index;
    order->last_elements = op->most_elements;
    return order->chain_count > 1;
}

static void end_elementwise(const struct events *events, struct events_op_order *order,
                            const struct reader_event *event, struct session_op *op)
{
    if (add_to_chain(order, op, order->open) && op->most_elements > 0) {
        double ns = (double)clock_convert_length(events->from.clock, event->duration);

        op->followers += UINT64_C(1) << event->doublings;
        op->follower_ns += ldexp(ns, (int)event->doublings);
    }
    order->open = 0;
}

void events_order_leave(struct events *events, struct events_lane *lane,
                        const struct reader_event *event, uint32_t index)
{
    struct session_op *op = op_at(events, index);

    if (lane->order.open == index)
        end_elementwise(events, &lane->order, event, op);
    if (op->parent == 0)
        lane->order.ended_ticks = event->ticks;
}
