/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making cells the first time their key is seen.  The kind is written last:
 * a cell without one is not read.
 */
#include "hot/tally.h"

static void publish(union trace_cell *cell, enum trace_cell_kind kind)
{
    atomic_store_explicit((_Atomic uint32_t *)&cell->kind, kind, memory_order_release);
}

static COLD struct trace_slot *add_slot(struct lane *lane, const struct tally_key *key,
                                        uint64_t hash, uint32_t *number)
{
    union trace_cell *cell;

    lane_keep();
    cell = lane_add_cell(lane, hash, number);
    if (!cell) {
        *number = 0;
        return NULL;
    }
    cell->slot.binding = key->head.binding;
    cell->slot.node = key->head.node;
    cell->slot.nested = key->head.nested;
    cell->slot.dims = key->head.dims;
    cell->slot.site = key->head.site;
    cell->slot.min_ticks = UINT64_MAX;
    for (unsigned i = 0; i < tally_recorded(key->head.dims); i++)
        cell->slot.shape[i] = key->shape[i];
    publish(cell, TRACE_CELL_SLOT);
    return &cell->slot;
}

static ALWAYS_INLINE struct trace_slot *find_slot(struct lane *lane, const struct tally_key *key,
                                                  uint32_t *number)
{
    uint64_t hash = tally_hash_slot(&key->head, key->shape);
    uint32_t at = (uint32_t)hash & lane->index_mask;

    for (; lane->index[at].cell; at = (at + 1) & lane->index_mask) {
        struct trace_slot *slot = &lane->index[at].cell->slot;

        *number = lane->index[at].number;
        if (LIKELY(tally_slot_is(slot, key)))
            return slot;
    }
    return add_slot(lane, key, hash, number);
}

struct trace_slot *tally_search_slot(struct lane *lane, const struct tally_key *key,
                                     uint32_t *number)
{
    struct trace_slot *slot = find_slot(lane, key, number);

    if (slot)
        lane->recent[key->head.binding % LANE_RECENT] =
            (struct lane_place){(union trace_cell *)slot, *number};
    return slot;
}

struct trace_node *tally_add_node(struct lane *lane, uint32_t parent, uint32_t label, uint64_t now,
                                  uint32_t *number)
{
    union trace_cell *cell;

    lane_keep();
    cell = lane_add_cell(lane, tally_hash_node(parent, label), number);
    if (!cell) {
        *number = 0;
        return NULL;
    }
    cell->node.parent = parent;
    cell->node.label = label;
    cell->node.thread = (uint32_t)lane->thread;
    cell->node.first_ticks = now;
    publish(cell, TRACE_CELL_NODE);
    return &cell->node;
}
