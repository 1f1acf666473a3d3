/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by alloc.c and alloc_drawn.c: the hot path's writing of records of blocks.
 *
 * Safety: the lane is BUSY.
 */
#ifndef INTERPOSE_ALLOC_PARTS_H
#define INTERPOSE_ALLOC_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chain/callchain.h"
#include "platform/clock.h"
#include "record/lane_chunks.h"
#include "record/live_heap.h"
#include "record/passed.h"

/* Two registers. */
struct block {
    const void *address;
    size_t size;
};

/* The call that obtained a block; one register. */
struct origin {
    enum trace_event_kind kind;
    uint32_t chain; /* 0: none */
};

/* Without records of blocks, the clock is read at one call in CALLS. */
static ALWAYS_INLINE bool alloc_is_look_due(uint64_t calls)
{
    enum { CALLS = 64 };

    return calls % CALLS == 0;
}

/* A sampling point hit a block whose chain is taken next: note the time. */
COLD void alloc_begin_drawn(struct lane *lane);

/* The chain was taken: note its cost, and record the block. */
COLD void alloc_end_drawn(struct lane *lane, struct origin origin, struct block block);

/* Record a block as far as the stage allows: completely if a sampling point hit it.
 * Returns: whether it has a record. */
HOT bool alloc_record_part(struct lane *lane, enum trace_event_kind kind, struct block block,
                           struct unwind_state caller);

/* Record a free when not every block has a record.  Returns: whether the free has a record. */
HOT bool alloc_record_sparse_return(struct lane *lane, enum trace_event_kind kind,
                                    const void *address);

/* Returns: the kind of record of a block that exists again. */
COLD enum trace_event_kind alloc_restoring_kind(const void *address);

/* A size beyond 64 GiB takes another word. */
COLD void alloc_write_large(struct lane *lane, uint64_t now, struct origin origin,
                            struct block block);

/* Returns: a time after the look-up. */
COLD uint64_t alloc_look_up_first(struct lane *lane, uint64_t now);

static ALWAYS_INLINE uint64_t alloc_first_word(enum trace_event_kind kind, uint64_t delta,
                                               const void *address)
{
    return (uint64_t)kind | delta << TRACE_KIND_BITS |
           ((uintptr_t)address >> TRACE_ALLOC_ADDRESS_SHIFT)
               << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
}

static ALWAYS_INLINE void alloc_write_obtained(struct lane *lane, uint64_t now,
                                               struct origin origin, struct block block)
{
    bool has_room;
    uint64_t delta;

    if (UNLIKELY(block.size >= TRACE_SIZE_LARGE)) {
        alloc_write_large(lane, now, origin, block);
        return;
    }
    delta = lane_reserve(lane, now, 2, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);
    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0] = alloc_first_word(origin.kind, delta, block.address);
    lane->cursor[1] = block.size | (uint64_t)origin.chain << TRACE_SIZE_BITS;
    lane_commit(lane, 2);
}

/* For a known block, the address is enough. */
static ALWAYS_INLINE void alloc_write_known(struct lane *lane, uint64_t now,
                                            enum trace_event_kind kind, const void *address)
{
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, 1, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0] = alloc_first_word(kind, delta, address);
    lane_commit(lane, 1);
}

static ALWAYS_INLINE void alloc_record_block(struct lane *lane, struct origin origin,
                                             struct block block)
{
    uint64_t now = clock_read();

    alloc_write_obtained(lane, now, origin, block);
    lane_check_deadline(lane, now);
}

/* A free is recorded while the block still exists.  A due reading is taken before the record, while
 * the block is both live and resident. */
static ALWAYS_INLINE void alloc_record_known(struct lane *lane, enum trace_event_kind kind,
                                             const void *address)
{
    uint64_t now = clock_read();

    if (UNLIKELY(now >= lane->deadline))
        now = alloc_look_up_first(lane, now);
    alloc_write_known(lane, now, kind, address);
}

/* The chain is taken before the clock is read, so that all of the shim's work falls into the next
 * difference of times. */
static ALWAYS_INLINE uint32_t alloc_chain_of(struct lane *lane, struct unwind_state caller)
{
    return lane->chain ? callchain_take(lane, caller) : 0;
}

#endif
