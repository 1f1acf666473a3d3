/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a lane's cells, and their hashes.
 *
 * A key is folded by rotations, which do not wait for one another, and one multiplication
 * (Fibonacci hashing, Knuth 6.4).
 *
 * Decision: doc/decisions/flops-in-the-analyzer.
 */
#ifndef RECORD_TALLY_KEY_H
#define RECORD_TALLY_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "spec/trace.h"

/* Shapes of up to this many words are padded to it with zeros, and hashed and compared without a
 * loop. */
#define TALLY_FEW 4
#define TALLY_WORDS(dims) ((dims) < TALLY_FEW ? TALLY_FEW : (dims))

/* The recorded words of a shape; an object's shape is recorded only by its number. */
static ALWAYS_INLINE unsigned tally_recorded(unsigned dims)
{
    return dims == TRACE_DIMS_WIDE ? 1 : dims;
}

/* The key of a slot: the slot's first words, and its shape.  The words are combined in registers,
 * because a load of eight bytes waits if they were just stored in pieces. */
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

/* The upper half is the better one; it suffices for indices of up to 2^32 places. */
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

/* `call`, `node`: the first words of its cell; `address`: with the owner above bit 40.  Short
 * threads differ in their nodes alone, so all bits of a node have to reach the lowest bits. */
static inline uint64_t tally_hash_wait(uint64_t call, uint64_t node, uint64_t site,
                                       uint64_t address)
{
    const uint64_t sum = site + tally_rotate(call, 20) + tally_rotate(address, 7);

    return tally_fold(sum + (node * HASH_FACTOR >> 24));
}

static inline uint64_t tally_hash_wait_cell(const struct trace_wait *wait)
{
    return tally_hash_wait(TRACE_CELL_WAIT | (uint64_t)wait->call << 32 |
                               (uint64_t)wait->flags << 48,
                           wait->node | (uint64_t)wait->waited << 32, wait->site,
                           wait->address + ((uint64_t)wait->owner << 40));
}

/* The first four words of its cell. */
static inline uint64_t tally_hash_command(uint64_t what, uint64_t node, uint64_t site,
                                          uint64_t name)
{
    const uint64_t sum = site + tally_rotate(what, 20) + tally_rotate(name, 40);

    return tally_fold(sum + (node * HASH_FACTOR >> 24));
}

static inline uint64_t tally_hash_command_cell(const struct trace_command *command)
{
    return tally_hash_command(TRACE_CELL_COMMAND | (uint64_t)command->what << 32 |
                                  (uint64_t)command->flags << 48,
                              command->node | (uint64_t)command->queue << 32, command->site,
                              command->name | (uint64_t)command->slot << 32);
}

/* The hash that a cell was entered with. */
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
    if (cell->kind == TRACE_CELL_COMMAND)
        return tally_hash_command_cell(&cell->command);
    if (cell->node.parent == 0)
        return tally_hash_thread((int32_t)cell->node.thread);
    return tally_hash_node(cell->node.parent, cell->node.label);
}

#endif
