/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that pass: a thread counts them in three words, and moves these to its node and to its
 * balance at the end of each way of 64 KiB, or when it has freed that much.
 *
 * Two words have 40 bits of usable bytes and 24 bits of a count, of blocks and of frees.  They are
 * apart, because an addition to memory has to wait for the last one to the same word.
 *
 * A process that is killed loses the blocks that were not moved: the last 508 of each thread at
 * most.
 *
 * Budget of passed_obtain: two additions; of passed_give_back: an addition and a comparison.
 *
 * Safety: passed_move: the lane is BUSY, or its thread is gone; the others: it is READY, since a
 * signal handler finds each word before or after its addition; passed_read: any thread.
 */
#ifndef RECORD_PASSED_H
#define RECORD_PASSED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/single_add.h"
#include "record/lane.h"

enum { PASSED_BYTES_BITS = 40, PASSED_BEHIND = 1 << 16 };

static const uint64_t passed_one = UINT64_C(1) << PASSED_BYTES_BITS;

static ALWAYS_INLINE uint64_t passed_count(uint64_t sum)
{
    return sum / passed_one;
}

/* Returns: the bytes obtained less those freed. */
static ALWAYS_INLINE int64_t passed_live_bytes(uint64_t obtained, uint64_t returned)
{
    return (int64_t)(obtained % passed_one) - (int64_t)(returned % passed_one);
}

static ALWAYS_INLINE void passed_obtain(struct lane *lane, size_t size, size_t usable)
{
    struct lane_balance *balance = lane->balance;

    single_add(&balance->obtained, passed_one + usable);
    single_add(&balance->obtained_bytes, size);
}

/* Returns: whether the thread has freed so much that the sum of the process should know.  The lower
 * half tells it, because no block of 2 GiB passes. */
static ALWAYS_INLINE bool passed_give_back(struct lane *lane, size_t usable)
{
    struct lane_balance *balance = lane->balance;

    single_add(&balance->returned, passed_one + usable);
    return UNLIKELY(single_is_above(&balance->returned, PASSED_BEHIND));
}

/* Move these blocks to the innermost node and to the balance. */
static ALWAYS_INLINE void passed_move(struct lane *lane)
{
    struct lane_balance *balance = lane->balance;
    const uint64_t obtained = balance->obtained, returned = balance->returned;

    if ((obtained | returned) == 0)
        return;
    lane->node->allocations += passed_count(obtained);
    lane->node->allocated_bytes += balance->obtained_bytes;
    lane->node->frees += passed_count(returned);
    balance->obtained = balance->obtained_bytes = balance->returned = 0;
    atomic_store_explicit(&balance->bytes,
                          atomic_load_explicit(&balance->bytes, memory_order_relaxed) +
                              passed_live_bytes(obtained, returned),
                          memory_order_relaxed);
}

/* Another node is the innermost now. */
static ALWAYS_INLINE void passed_change_node(struct lane *lane, struct trace_node *node,
                                             uint32_t node_index)
{
    passed_move(lane);
    lane->node = node;
    lane->node_index = node_index;
}

#endif
