/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a lane's cells: the node of a region under its parent, the slot of
 * a kernel's shape from one place in one region.
 *
 * A key is folded by rotations, which do not wait for one another, and one
 * multiplication (Fibonacci hashing, Knuth 6.4); the index leads straight to
 * the cell.  On the hot path every step of latency counts, as the end of a call
 * waits for it.  tally_slot has the budget.
 *
 * Decision: doc/decisions/flops-in-the-analyzer.
 */
#ifndef RECORD_TALLY_H
#define RECORD_TALLY_H

#include "platform/hash.h"
#include "record/lane.h"

/* Shapes of up to this many words are padded to it with zeros, and hashed and
 * compared without a loop. */
#define TALLY_FEW 4
#define TALLY_WORDS(dims) ((dims) < TALLY_FEW ? TALLY_FEW : (dims))

/* The recorded words of a shape; an object's shape is recorded as its number alone. */
static ALWAYS_INLINE unsigned tally_recorded(unsigned dims)
{
    return dims == TRACE_DIMS_WIDE ? 1 : dims;
}

/* The key of a slot: the words with which it begins, and its shape.  The words are combined in
 * registers, since a load of eight bytes waits when they were just stored in pieces. */
struct tally_key {
    uint64_t binding; /* and the kind */
    uint64_t node;    /* and the flags, and the words of the shape */
    uint64_t site;
    const int64_t *shape; /* TALLY_WORDS(dims) words */
};

_Static_assert(offsetof(struct trace_slot, binding) == 4 &&
                   offsetof(struct trace_slot, node) == 8 &&
                   offsetof(struct trace_slot, flags) == 12 &&
                   offsetof(struct trace_slot, dims) == 14 &&
                   offsetof(struct trace_slot, site) == 16,
               "a slot begins like its key");

static ALWAYS_INLINE uint64_t tally_binding_word(uint32_t binding)
{
    return TRACE_CELL_SLOT | (uint64_t)binding << 32;
}

static ALWAYS_INLINE uint64_t tally_node_word(uint32_t node, uint16_t flags, unsigned dims)
{
    return node | (uint64_t)flags << 32 | (uint64_t)dims << 48;
}

static ALWAYS_INLINE unsigned tally_dims(const struct tally_key *key)
{
    return (unsigned)(key->node >> 48);
}

static ALWAYS_INLINE uint64_t tally_rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* The upper half is the better one; it serves indices of up to 2^32 places. */
static ALWAYS_INLINE uint64_t tally_fold(uint64_t sum)
{
    return sum * HASH_FACTOR >> 32;
}

static ALWAYS_INLINE uint64_t tally_hash_slot(const struct tally_key *key)
{
    const int64_t *shape = key->shape;
    uint64_t sum = key->site + (key->binding >> 32 << 48) + tally_rotate(key->node, 32);

    sum += (uint64_t)shape[0] + tally_rotate((uint64_t)shape[1], 17) +
           tally_rotate((uint64_t)shape[2], 34) + tally_rotate((uint64_t)shape[3], 51);
    for (unsigned i = TALLY_FEW; UNLIKELY(i < tally_recorded(tally_dims(key))); i++)
        sum = sum * HASH_FACTOR + (uint64_t)shape[i];
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

/* `call`, `node`: the first words of its cell; `address`: with the owner above bit 40. */
static inline uint64_t tally_hash_wait(uint64_t call, uint64_t node, uint64_t site,
                                       uint64_t address)
{
    return tally_fold(site + tally_rotate(call, 20) + tally_rotate(node, 40) +
                      tally_rotate(address, 7));
}

static inline uint64_t tally_hash_wait_cell(const struct trace_wait *wait)
{
    return tally_hash_wait(TRACE_CELL_WAIT | (uint64_t)wait->call << 32 |
                               (uint64_t)wait->flags << 48,
                           wait->node | (uint64_t)wait->waited << 32, wait->site,
                           wait->address + ((uint64_t)wait->owner << 40));
}

/* The hash under which a cell was entered. */
static inline uint64_t tally_hash_cell(const union trace_cell *cell)
{
    const struct trace_slot *slot = &cell->slot;
    struct tally_key key = {tally_binding_word(slot->binding),
                            tally_node_word(slot->node, slot->flags, slot->dims), slot->site,
                            slot->shape};

    if (cell->kind == TRACE_CELL_SLOT)
        return tally_hash_slot(&key);
    if (cell->kind == TRACE_CELL_WAIT)
        return tally_hash_wait_cell(&cell->wait);
    if (cell->node.parent == 0)
        return tally_hash_thread((int32_t)cell->node.thread);
    return tally_hash_node(cell->node.parent, cell->node.label);
}

/* Say what a new cell is, once the rest of it is written: the reader skips a cell without a
 * kind. */
static inline void tally_publish(union trace_cell *cell, enum trace_cell_kind kind)
{
    atomic_store_explicit((_Atomic uint32_t *)&cell->kind, kind, memory_order_release);
}

COLD struct lane_place tally_add_node(struct lane *lane, uint32_t parent, uint32_t label,
                                      uint64_t now);

/* A word of those with which a slot begins; a memcpy would be a call in a build without -O. */
static ALWAYS_INLINE uint64_t tally_slot_word(const struct trace_slot *slot, unsigned i)
{
    typedef uint64_t MAY_ALIAS any_word;

    return ((const any_word *)slot)[i];
}

/* Returns: 0 where a slot has this kernel, number of words, region and place; the shape is not
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
 * number of words: a branch a word, which is never taken, needs no register. */
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

/* The place where the last slot of a binding is kept. */
static ALWAYS_INLINE struct lane_place *tally_recent(struct lane *lane, uint64_t binding_word)
{
    return &lane->recent[(binding_word >> 32) % LANE_RECENT];
}

/* Read that place.  A signal handler may change it between the two loads.  The cell, which is
 * compared, is read last.  So a number belongs to another cell only where another cell stood
 * there, and the handler called just the slot that is sought. */
static ALWAYS_INLINE struct lane_place tally_read_recent(struct lane *lane, uint64_t binding_word)
{
    const struct lane_place *recent = tally_recent(lane, binding_word);
    struct lane_place place;

    place.number = recent->number;
    atomic_signal_fence(memory_order_seq_cst);
    place.cell = recent->cell;
    return place;
}

/* Begin and end a search by the index, which notes the slot as the last of its binding.  A
 * signal handler in between could replace the index, give a cell of its own the same number, or
 * leave the number of one slot beside the cell of another.  The lane is READY. */
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

/* The place of the index that has the slot of a key, or where it belongs. */
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
 * Budget: a kernel is mostly called again with the shape it had last, so one
 * comparison with that slot; else one hash, one load of the index and a
 * comparison more.
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
