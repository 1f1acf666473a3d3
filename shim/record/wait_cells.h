/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds a lane's cells of waits.
 *
 * Decision: doc/decisions/waits.
 */
#ifndef RECORD_WAIT_CELLS_H
#define RECORD_WAIT_CELLS_H

#include "record/lane.h"

/* The first words of the cell of a wait. */
struct wait_key {
    uint64_t call; /* and the kind and the flags */
    uint64_t node; /* and the thing waited for */
    uint64_t site;
    uint64_t address;
    uint32_t owner;
};

_Static_assert(offsetof(struct trace_wait, call) == 4 && offsetof(struct trace_wait, flags) == 6 &&
                   offsetof(struct trace_wait, node) == 8 &&
                   offsetof(struct trace_wait, waited) == 12 &&
                   offsetof(struct trace_wait, site) == 16,
               "the cell of a wait begins like its key");

static ALWAYS_INLINE uint64_t wait_cells_call_word(unsigned call, unsigned flags)
{
    return TRACE_CELL_WAIT | (uint64_t)call << 32 | (uint64_t)flags << 48;
}

static ALWAYS_INLINE uint64_t wait_cells_node_word(uint32_t node, uint32_t waited)
{
    return node | (uint64_t)waited << 32;
}

static ALWAYS_INLINE uint64_t wait_cells_word(const struct trace_wait *wait, unsigned i)
{
    typedef uint64_t MAY_ALIAS any_word;

    return ((const any_word *)wait)[i];
}

static ALWAYS_INLINE bool wait_cells_is(const struct trace_wait *wait, const struct wait_key *key)
{
    return ((wait_cells_word(wait, 0) ^ key->call) | (wait_cells_word(wait, 1) ^ key->node) |
            (wait->site ^ key->site) | (wait->address ^ key->address) |
            (wait->owner ^ key->owner)) == 0;
}

/* Find or make the cell of a key.  The lane is BUSY.  The first thread of a process without a file
 * gets a part of its image's cells: a wait does not justify a file.
 * Returns: a place without a cell when there is no room. */
struct lane_place wait_cells_find(struct lane *lane, const struct wait_key *key);

#endif
