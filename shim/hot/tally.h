/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a lane's cells: the node of a region under its parent, the slot of
 * a kernel's shape from one place in one region.
 *
 * Keys are hashed by a sum of products with odd constants (multiply-shift,
 * Dietzfelbinger et al. 1997): the products do not wait for one another.
 */
#ifndef HOT_TALLY_H
#define HOT_TALLY_H

#include "hot/lane.h"

#define TALLY_FACTOR_A UINT64_C(0x9e3779b97f4a7c15)
#define TALLY_FACTOR_B UINT64_C(0xbf58476d1ce4e5b9)
#define TALLY_FACTOR_C UINT64_C(0x94d049bb133111eb)

/* Everything that tells one slot from another. */
struct tally_key {
    uint32_t binding;
    uint32_t node;
    uint16_t nested;
    uint16_t dims;
    uint64_t site;
    const int64_t *shape;
};

static ALWAYS_INLINE uint64_t tally_fold(uint64_t hash)
{
    return hash >> 32;
}

static ALWAYS_INLINE uint64_t tally_hash_slot(const struct tally_key *key)
{
    uint64_t factor = TALLY_FACTOR_C;
    uint64_t hash = (((uint64_t)key->binding << 33) | ((uint64_t)key->node << 1) | key->nested) * TALLY_FACTOR_A +
                    key->site * TALLY_FACTOR_B;

    for (unsigned i = 0; i < key->dims; i++, factor += 2 * TALLY_FACTOR_A)
        hash += (uint64_t)key->shape[i] * factor;
    return tally_fold(hash);
}

static ALWAYS_INLINE uint64_t tally_hash_node(uint32_t parent, uint32_t label)
{
    return tally_fold(parent * TALLY_FACTOR_A + label * TALLY_FACTOR_B);
}

static inline uint64_t tally_hash_thread(int32_t thread)
{
    return tally_fold((uint64_t)thread * TALLY_FACTOR_C);
}

/* The hash under which a cell was entered. */
static inline uint64_t tally_hash_cell(const union trace_cell *cell)
{
    const struct trace_slot *slot = &cell->slot;
    struct tally_key key = {slot->binding, slot->node, slot->nested, slot->dims, slot->site, slot->shape};

    if (cell->kind == TRACE_CELL_SLOT)
        return tally_hash_slot(&key);
    if (cell->node.parent == 0)
        return tally_hash_thread((int32_t)cell->node.thread);
    return tally_hash_node(cell->node.parent, cell->node.label);
}

/* Find or make the slot of a key.
 * Budget: one hash, one load of the index, one comparison of the key.
 * Returns: NULL when there is no room; *number is then 0. */
static ALWAYS_INLINE struct trace_slot *tally_slot(struct lane *lane, const struct tally_key *key,
                                                   uint32_t *number);

/* Find or make the node of `label` under `parent`.  Returns: NULL when there is no room. */
static inline struct trace_node *tally_node(struct lane *lane, uint32_t parent, uint32_t label,
                                            uint64_t now, uint32_t *number);

COLD struct trace_slot *tally_add_slot(struct lane *lane, const struct tally_key *key, uint64_t hash,
                                       uint32_t *number);
COLD struct trace_node *tally_add_node(struct lane *lane, uint32_t parent, uint32_t label, uint64_t now,
                                       uint32_t *number);

static ALWAYS_INLINE bool tally_slot_is(const struct trace_slot *slot, const struct tally_key *key)
{
    uint64_t difference = (slot->binding ^ key->binding) | (slot->node ^ key->node) |
                          (uint64_t)(slot->nested ^ key->nested) | (slot->site ^ key->site) |
                          (slot->kind ^ TRACE_CELL_SLOT);

    for (unsigned i = 0; i < key->dims; i++)
        difference |= (uint64_t)(slot->shape[i] ^ key->shape[i]);
    return difference == 0;
}

static ALWAYS_INLINE struct trace_slot *tally_slot(struct lane *lane, const struct tally_key *key,
                                                   uint32_t *number)
{
    uint64_t hash = tally_hash_slot(key);
    uint32_t place = (uint32_t)hash & lane->index_mask;

    while ((*number = lane->index[place]) != 0) {
        struct trace_slot *slot = &lane_cell(lane, *number)->slot;

        if (LIKELY(tally_slot_is(slot, key)))
            return slot;
        place = (place + 1) & lane->index_mask;
    }
    return tally_add_slot(lane, key, hash, number);
}

static inline struct trace_node *tally_node(struct lane *lane, uint32_t parent, uint32_t label,
                                            uint64_t now, uint32_t *number)
{
    uint32_t place = (uint32_t)tally_hash_node(parent, label) & lane->index_mask;

    while ((*number = lane->index[place]) != 0) {
        struct trace_node *node = &lane_cell(lane, *number)->node;

        if (LIKELY(node->parent == parent && node->label == label && node->kind == TRACE_CELL_NODE))
            return node;
        place = (place + 1) & lane->index_mask;
    }
    return tally_add_node(lane, parent, label, now, number);
}

#endif
