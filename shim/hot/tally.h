/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a lane's cells: the node of a region under its parent, the slot of
 * a kernel's shape from one place in one region.
 *
 * A key is folded by rotations, which do not wait for one another, and one
 * multiplication (Fibonacci hashing, Knuth 6.4); the index leads straight to
 * the cell.  On the hot path every step of latency counts: a call's end
 * waits for it.
 */
#ifndef HOT_TALLY_H
#define HOT_TALLY_H

#include <string.h>

#include "hot/lane.h"

#define TALLY_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Shapes of up to this many words are padded to it with zeros, and hashed and
 * compared without a loop. */
#define TALLY_FEW 4
#define TALLY_WORDS(dims) ((dims) < TALLY_FEW ? TALLY_FEW : (dims))

/* Words of a shape that are recorded: of an object's the number alone. */
static ALWAYS_INLINE unsigned tally_recorded(unsigned dims)
{
    return dims == TRACE_DIMS_WIDE ? 1 : dims;
}

/* The head of a slot: what, beside the shape, tells one from another. */
struct tally_head {
    uint32_t kind; /* TRACE_CELL_SLOT */
    uint32_t binding;
    uint32_t node;
    uint16_t nested;
    uint16_t dims;
    uint64_t site;
};

_Static_assert(sizeof(struct tally_head) == offsetof(struct trace_slot, calls),
               "a slot begins like its key");

struct tally_key {
    struct tally_head head;
    const int64_t *shape; /* TALLY_WORDS(dims) words */
};

static ALWAYS_INLINE uint64_t tally_rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* The upper half is the better one; it serves indices of up to 2^32 places. */
static ALWAYS_INLINE uint64_t tally_fold(uint64_t sum)
{
    return sum * TALLY_FACTOR >> 32;
}

static ALWAYS_INLINE uint64_t tally_hash_slot(const struct tally_head *head, const int64_t *shape)
{
    uint64_t sum = head->site + ((uint64_t)head->binding << 48) + ((uint64_t)head->node << 32) +
                   ((uint64_t)head->nested << 63);

    sum += (uint64_t)shape[0] + tally_rotate((uint64_t)shape[1], 17) +
           tally_rotate((uint64_t)shape[2], 34) + tally_rotate((uint64_t)shape[3], 51);
    for (unsigned i = TALLY_FEW; UNLIKELY(i < tally_recorded(head->dims)); i++)
        sum = sum * TALLY_FACTOR + (uint64_t)shape[i];
    return tally_fold(sum);
}

static ALWAYS_INLINE uint64_t tally_hash_node(uint32_t parent, uint32_t label)
{
    return tally_fold(((uint64_t)parent << 32) + label);
}

static inline uint64_t tally_hash_thread(int32_t thread)
{
    return tally_fold((uint64_t)thread << 16);
}

/* The hash under which a cell was entered. */
static inline uint64_t tally_hash_cell(const union trace_cell *cell)
{
    struct tally_head head;

    memcpy(&head, cell, sizeof head);
    if (cell->kind == TRACE_CELL_SLOT)
        return tally_hash_slot(&head, cell->slot.shape);
    if (cell->node.parent == 0)
        return tally_hash_thread((int32_t)cell->node.thread);
    return tally_hash_node(cell->node.parent, cell->node.label);
}

COLD struct trace_node *tally_add_node(struct lane *lane, uint32_t parent, uint32_t label,
                                       uint64_t now, uint32_t *number);

static ALWAYS_INLINE bool tally_slot_is(const struct trace_slot *slot, const struct tally_key *key)
{
    const int64_t *shape = key->shape;
    uint64_t have[3], want[3], difference;

    memcpy(have, slot, sizeof have);
    memcpy(want, &key->head, sizeof want);
    difference = (have[0] ^ want[0]) | (have[1] ^ want[1]) | (have[2] ^ want[2]) |
                 (uint64_t)((slot->shape[0] ^ shape[0]) | (slot->shape[1] ^ shape[1])) |
                 (uint64_t)((slot->shape[2] ^ shape[2]) | (slot->shape[3] ^ shape[3]));
    for (unsigned i = TALLY_FEW; UNLIKELY(i < tally_recorded(key->head.dims)); i++)
        difference |= (uint64_t)(slot->shape[i] ^ shape[i]);
    return difference == 0;
}

/* Find the slot of a key through the index, or make it.
 * Returns: NULL when there is no room; *number is then 0. */
struct trace_slot *tally_search_slot(struct lane *lane, const struct tally_key *key,
                                     uint32_t *number);

/* Find or make the slot of a key.
 * Budget: a kernel is mostly called again with the shape it had last, so one
 * comparison with that slot; else one hash, one load of the index and a
 * comparison more.
 * Returns: NULL when there is no room; *number is then 0. */
static ALWAYS_INLINE struct trace_slot *tally_slot(struct lane *lane, const struct tally_key *key,
                                                   uint32_t *number)
{
    const struct lane_place *recent = &lane->recent[key->head.binding % LANE_RECENT];

    *number = recent->number;
    if (LIKELY(recent->cell && tally_slot_is(&recent->cell->slot, key)))
        return &recent->cell->slot;
    return tally_search_slot(lane, key, number);
}

/* Find or make the node of `label` under `parent`.
 * Returns: NULL when there is no room. */
static ALWAYS_INLINE struct trace_node *tally_node(struct lane *lane, uint32_t parent,
                                                   uint32_t label, uint64_t now, uint32_t *number)
{
    uint32_t at = (uint32_t)tally_hash_node(parent, label) & lane->index_mask;

    for (; lane->index[at].cell; at = (at + 1) & lane->index_mask) {
        struct trace_node *node = &lane->index[at].cell->node;

        *number = lane->index[at].number;
        if (LIKELY(node->parent == parent && node->label == label && node->kind == TRACE_CELL_NODE))
            return node;
    }
    return tally_add_node(lane, parent, label, now, number);
}

#endif
