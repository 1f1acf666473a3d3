/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds a lane's cells: the node of a region under its parent, the slot of a kernel's shape from
 * one place in one region.
 *
 * The index leads directly from a key's hash to the cell.  On the hot path every step of latency
 * counts, because the end of a call waits for it.  tally_slot has the budget.
 *
 * Decision: doc/decisions/flops-in-the-analyzer.
 */
#ifndef RECORD_TALLY_H
#define RECORD_TALLY_H

#include "record/lane.h"
#include "record/tally_key.h"

/* Set the kind of a new cell, once the rest of it is written: the reader skips a cell without a
 * kind. */
static inline void tally_publish(union trace_cell *cell, enum trace_cell_kind kind)
{
    atomic_store_explicit((_Atomic uint32_t *)&cell->kind, kind, memory_order_release);
}

COLD struct lane_place tally_add_node(struct lane *lane, uint32_t parent, uint32_t label,
                                      uint64_t now);

/* A word of a slot's first words; a memcpy would be a call in a build without -O. */
static ALWAYS_INLINE uint64_t tally_slot_word(const struct trace_slot *slot, unsigned i)
{
    typedef uint64_t MAY_ALIAS any_word;

    return ((const any_word *)slot)[i];
}

/* Returns: 0 if a slot has this kernel, number of words, region and place; the shape is not
 * compared. */
static ALWAYS_INLINE uint64_t tally_slot_differs(const struct trace_slot *slot,
                                                 const struct tally_key *key)
{
    return (tally_slot_word(slot, 0) ^ key->binding) | (tally_slot_word(slot, 1) ^ key->node) |
           (slot->site ^ key->site);
}

static ALWAYS_INLINE bool tally_slot_is(const struct trace_slot *slot, const struct tally_key *key)
{
    const int64_t *shape = key->shape;
    uint64_t difference = tally_slot_differs(slot, key) |
                          (uint64_t)((slot->shape[0] ^ shape[0]) | (slot->shape[1] ^ shape[1])) |
                          (uint64_t)((slot->shape[2] ^ shape[2]) | (slot->shape[3] ^ shape[3]));

    for (unsigned i = TALLY_FEW; UNLIKELY(i < tally_recorded(tally_dims(key))); i++)
        difference |= (uint64_t)(slot->shape[i] ^ shape[i]);
    return difference == 0;
}

/* The same for the last slot of a binding, which is never a node, in a wrapper that knows its
 * number of words: one branch for each word, which is never taken, needs no register. */
static ALWAYS_INLINE bool tally_last_is(const struct trace_slot *slot, const struct tally_key *key,
                                        unsigned dims)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < tally_recorded(dims); i++)
        if (UNLIKELY(slot->shape[i] != key->shape[i]))
            return false;
    return LIKELY(slot->binding == key->binding >> 32 && slot->site == key->site) &&
           LIKELY(tally_slot_word(slot, 1) == key->node);
}

/* The place that holds the last slot of a binding. */
static ALWAYS_INLINE struct lane_place *tally_recent(struct lane *lane, uint64_t binding_word)
{
    return &lane->recent[(binding_word >> 32) % LANE_RECENT];
}

/* Read that place.  A signal handler may change it between the two loads.  The cell, which is
 * compared, is read last.  So number and cell differ only if another cell was there and the handler
 * called exactly the wanted slot. */
static ALWAYS_INLINE struct lane_place tally_read_recent(struct lane *lane, uint64_t binding_word)
{
    const struct lane_place *recent = tally_recent(lane, binding_word);
    struct lane_place place;

    place.number = recent->number;
    atomic_signal_fence(memory_order_seq_cst);
    place.cell = recent->cell;
    return place;
}

/* Start and end a search by the index; the end notes the slot as the last one of its binding.  The
 * lane is BUSY in between, because a signal handler could replace the index, use the same number
 * for another cell, or leave the number of one slot next to the cell of another.  It is READY
 * before and after. */
static ALWAYS_INLINE void tally_begin_search(struct lane *lane)
{
    lane->state = LANE_BUSY;
    atomic_signal_fence(memory_order_seq_cst);
}

static ALWAYS_INLINE void tally_end_search(struct lane *lane, uint64_t binding_word,
                                           struct lane_place found)
{
    if (LIKELY(found.cell != NULL))
        *tally_recent(lane, binding_word) = found;
    lane_leave(lane);
}

/* Forget the last slots of all bindings, or of one. */
COLD void tally_forget_recent(struct lane *lane);
COLD void tally_forget_last(struct lane *lane, uint64_t binding_word);

/* Give the place of a key's slot in the index, or the free place for it. */
static ALWAYS_INLINE const struct lane_place *tally_find(const struct lane *lane,
                                                         const struct tally_key *key, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & lane->index_mask;

    while (lane->index[at].cell && UNLIKELY(!tally_slot_is(&lane->index[at].cell->slot, key)))
        at = (at + 1) & lane->index_mask;
    return &lane->index[at];
}

/* Find the slot of a key through the index, or make it.  The lane is READY.
 * Returns: a place without a cell when there is no room. */
struct lane_place tally_search_slot(struct lane *lane, const struct tally_key *key);

/* Find or make the slot of a key.  The lane is READY.
 * Budget: a kernel is usually called again with its last shape, so one comparison with that slot;
 * else one hash, one load of the index and another comparison.
 * Returns: a place without a cell when there is no room. */
static ALWAYS_INLINE struct lane_place tally_slot(struct lane *lane, const struct tally_key *key)
{
    const struct lane_place recent = tally_read_recent(lane, key->binding);

    if (LIKELY(tally_slot_is(&recent.cell->slot, key)))
        return recent;
    return tally_search_slot(lane, key);
}

/* Find or make the node of `label` under `parent`.
 * Returns: a place without a cell when there is no room. */
static ALWAYS_INLINE struct lane_place tally_node(struct lane *lane, uint32_t parent,
                                                  uint32_t label, uint64_t now)
{
    uint32_t at = (uint32_t)tally_hash_node(parent, label) & lane->index_mask;

    for (; lane->index[at].cell; at = (at + 1) & lane->index_mask) {
        const struct trace_node *node = &lane->index[at].cell->node;

        if (LIKELY(node->parent == parent && node->label == label && node->kind == TRACE_CELL_NODE))
            return lane->index[at];
    }
    return tally_add_node(lane, parent, label, now);
}

#endif
