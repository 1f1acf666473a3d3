/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding up tallies.  Called about once a second, by a thread that looks up.
 */
#include "record/expense.h"

#include "record/lane.h"
#include "record/passed.h"
#include "record/process.h"

static void add_node(struct expense *sum, const struct trace_node *node)
{
    sum->obtained += single_read(&node->allocations);
    sum->obtained_bytes += single_read(&node->allocated_bytes);
    sum->returned += single_read(&node->frees);
    sum->extended += single_read(&node->extended);
    if (node->label & TRACE_LABEL_OP)
        sum->ops += single_read(&node->calls);
    else if (node->parent != 0)
        sum->regions += single_read(&node->calls);
}

static void add_slot(struct expense *sum, const struct trace_slot *slot)
{
    sum->timed += single_read(&slot->calls);
    sum->untimed += single_read(&slot->untimed);
}

static void add_wait(struct expense *sum, const struct trace_wait *wait)
{
    sum->timed += single_read(&wait->calls);
    sum->untimed += single_read(&wait->untimed);
}

static void add_cell(struct expense *sum, const union trace_cell *cell)
{
    switch ((enum trace_cell_kind)atomic_load_explicit((const _Atomic uint32_t *)&cell->kind,
                                                       memory_order_acquire)) {
    case TRACE_CELL_NONE: break;
    case TRACE_CELL_NODE: add_node(sum, &cell->node); break;
    case TRACE_CELL_SLOT: add_slot(sum, &cell->slot); break;
    case TRACE_CELL_WAIT: add_wait(sum, &cell->wait); break;
    case TRACE_CELL_COMMAND: sum->timed += single_read(&cell->command.calls); break;
    }
}

/* The first cell of a table is its head. */
static void add_lane(struct expense *sum, const struct lane *lane)
{
    uint32_t count =
        atomic_load_explicit((const _Atomic uint32_t *)&lane->cell_count, memory_order_relaxed);

    for (uint32_t i = 0; i < count; i++)
        if (i % TRACE_TALLY_CELLS != 0)
            add_cell(sum, lane_cell(lane, i));
    sum->obtained += passed_count(single_read(&lane->balance->obtained));
    sum->obtained_bytes += single_read(&lane->balance->obtained_bytes);
    sum->returned += passed_count(single_read(&lane->balance->returned));
    sum->written += lane->full_bytes + single_read(&lane->chunk->used) - sizeof(struct trace_chunk);
}

struct expense expense_read(void)
{
    struct expense sum = {0};

    for (const struct lane *lane = process->lanes; lane; lane = lane->next)
        add_lane(&sum, lane);
    return sum;
}

static uint64_t beyond(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

/* A withdrawn free makes a sum smaller. */
struct expense expense_since(const struct expense *now, const struct expense *before)
{
    return (struct expense){
        .obtained = beyond(now->obtained, before->obtained),
        .obtained_bytes = beyond(now->obtained_bytes, before->obtained_bytes),
        .returned = beyond(now->returned, before->returned),
        .timed = beyond(now->timed, before->timed),
        .untimed = beyond(now->untimed, before->untimed),
        .regions = beyond(now->regions, before->regions),
        .ops = beyond(now->ops, before->ops),
        .extended = beyond(now->extended, before->extended),
        .written = beyond(now->written, before->written),
    };
}
