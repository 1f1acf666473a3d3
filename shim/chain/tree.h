/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of a lane's calls: each distinct call chain is written once; the number of its innermost
 * call identifies it.
 *
 * Safety: as for the lane; a new chunk takes the process lock.
 */
#ifndef CHAIN_TREE_H
#define CHAIN_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "record/lane.h"

enum {
    /* When a lane's tree has this many chunks, the lane starts another tree, to bound its memory;
     * the last chunk leaves room for the present chain. */
    LANE_STACK_TABLES = 65,
    LANE_CALLS_FIRST = 1024
};

/* The tree of a lane's calls, and the index that finds a call below its parent.  An entry of the
 * index holds the call's number, counted from the tree's first chunk, and above it some bits of its
 * hash, so that other calls are rarely read; 0 is a free place.  Of earlier trees, only the count
 * of their chunks remains here. */
struct lane_calls {
    uint32_t *index;
    uint32_t index_mask;
    uint32_t indexed;     /* calls in it */
    uint32_t next;        /* number of the next call */
    uint32_t first_table; /* sequence of the chunk that is tables[0] */
    uint32_t table_count;
    struct trace_call *tables[LANE_STACK_TABLES];
};

enum { LANE_ENTRY_BITS = 19 }; /* bits of a number in an entry: enough for all tables */

_Static_assert(LANE_STACK_TABLES *TRACE_STACK_CALLS <= 1 << LANE_ENTRY_BITS,
               "a call's number fits its entry in the index");

/* The hash of a call: its upper half gives the place in the index, which stores its lower half. */
static ALWAYS_INLINE uint64_t tree_hash(const struct trace_call *call)
{
    return (call->address + ((uint64_t)call->parent << 40) + (call->parent >> 3) + call->flags) *
           HASH_FACTOR;
}

/* The bits of a hash that an entry of the index holds above the number. */
static ALWAYS_INLINE uint32_t tree_entry_tag(uint64_t hash)
{
    return (uint32_t)hash >> LANE_ENTRY_BITS;
}

/* The number of the first call of the tree. */
static ALWAYS_INLINE uint32_t tree_first_call(const struct lane_calls *calls)
{
    return calls->first_table * TRACE_STACK_CALLS;
}

/* The number of the call in an entry of the index. */
static ALWAYS_INLINE uint32_t tree_entry_number(const struct lane_calls *calls, uint32_t entry)
{
    return tree_first_call(calls) + (entry & ((1 << LANE_ENTRY_BITS) - 1));
}

static ALWAYS_INLINE struct trace_call *tree_call(const struct lane_calls *calls, uint32_t number)
{
    return &calls->tables[number / TRACE_STACK_CALLS - calls->first_table]
                         [number % TRACE_STACK_CALLS];
}

/* Must the lane begin another tree? */
static ALWAYS_INLINE bool tree_is_full(const struct lane_calls *calls)
{
    return calls->table_count == LANE_STACK_TABLES;
}

/* Begin another tree.  The calls of the old one mean nothing to the lane any more. */
REALIGNED void tree_begin(struct lane *lane);

/* A new call in the lane's tree, entered in the index under `hash`.
 * Returns: its number; 0 when there is no room, counted in the header. */
COLD uint32_t tree_add_call(struct lane *lane, const struct trace_call *call, uint64_t hash);

/* Find or make a call.  Returns: its number; 0 when there is no room. */
static ALWAYS_INLINE uint32_t tree_find_call(struct lane *lane, const struct trace_call *call)
{
    const struct lane_calls *calls = lane->calls;
    uint64_t hash = tree_hash(call);
    uint32_t at = (uint32_t)(hash >> 32) & calls->index_mask;

    for (; calls->index[at] != 0; at = (at + 1) & calls->index_mask) {
        uint32_t entry = calls->index[at];
        uint32_t number = tree_entry_number(calls, entry);
        const struct trace_call *known;

        if (entry >> LANE_ENTRY_BITS != tree_entry_tag(hash))
            continue;
        known = tree_call(calls, number);
        if (LIKELY(known->address == call->address && known->parent == call->parent &&
                   known->flags == call->flags))
            return number;
    }
    return tree_add_call(lane, call, hash);
}

/* Give a new lane room for chains, if the settings request chains.  Without room, its records have
 * no chains.  The caller holds the process lock. */
void tree_open(struct lane *lane);

#endif
