/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampling by bytes: draws blocks, and recognizes drawn blocks at their free.
 *
 * Points are thrown on the bytes that a thread allocates, as a Poisson process
 * with a mean distance; a block that is hit is drawn.  Each block counts for CALL_BYTES more than
 * its size, so that many small blocks are drawn, too.  So a block of `size` bytes is drawn with the
 * probability 1 - exp(-(size + CALL_BYTES) / distance), and stands for the inverse of that many
 * blocks.  The estimates of sums have no bias, for any sizes.  The distance may change at any time:
 * a block keeps that of the point which hit it.
 *
 * A block of LARGE bytes and more is drawn always, with a distance of one byte, and the points pass
 * over it.  So the owners of large blocks are exact.
 *
 * Blocks are drawn and remembered from the first record on, so frees may stop being recorded at any
 * moment.  While all frees are recorded, they do not search here at first, so addresses of freed
 * blocks stay: the free of a later block at such an address is recorded, although its block is
 * unknown.  Once a line of the first table is full, frees do search, so no more addresses stay than
 * the line holds.
 *
 * Budget of samples_hit: one comparison and one subtraction; of samples_forget: a counter, and two
 * cache lines for a few frees.
 *
 * Safety: any thread; nothing is locked.
 *
 * Decision: doc/decisions/sampled-level-1.
 */
#ifndef RECORD_SAMPLES_H
#define RECORD_SAMPLES_H

#include <stdatomic.h>

#include "platform/hash.h"
#include "platform/single_add.h"
#include "record/lane.h"

/* The first table of addresses takes 2 MiB.  Two more, each four times as large as the previous
 * one, have room for 5.5 million blocks in all: at the first distance, a heap of 2.6 TiB. */
enum { SAMPLES_CALL_BYTES = 128, SAMPLES_LARGE = 1 << 20, SAMPLES_WAY = 1 << 16 };

enum { SAMPLES_LINE = 8, SAMPLES_LINE_BITS = 15, SAMPLES_LINES = 1 << SAMPLES_LINE_BITS };

/* The number of drawn blocks in each piece (KiB) of the heap; pieces that are 32 MiB apart share a
 * counter.  The counters of near pieces lie in one line of the cache.  Scattered counters filled
 * half of the first cache in a program that frees much. */
extern _Atomic uint16_t *samples_near HIDDEN;
enum { SAMPLES_PIECE_BITS = 10, SAMPLES_PIECES = 1 << 15 };

/* Take memory.  Returns: false when it is refused. */
bool samples_init(void);

/* Throw the first point of a thread, if points are thrown. */
void samples_start(struct lane *lane);

/* Throw the point after one that hit.  Returns: the mean distance of that one, in bytes; 1 for a
 * large block. */
COLD uint64_t samples_throw(struct lane *lane);

/* Throw the next point again if the distance has changed.  Points do not remember, so that changes
 * no probability. */
void samples_adopt(struct lane *lane);

/* For samples_hit: a block reaches the end of the known way. */
COLD bool samples_reach(struct lane *lane, size_t size);

/* Note that a block is drawn; may map memory.  Returns: false when there is no room. */
COLD bool samples_remember(uintptr_t block);

/* Forget a block that has drawn ones near it.  Returns: whether it was drawn. */
COLD bool samples_forget_near(uintptr_t block);

/* Returns: the number of blocks that one of this size represents, a whole number that is right on
 * average over sizes. */
static inline uint64_t samples_weigh(size_t size, uint64_t distance)
{
    /* 1 / (1 - exp(-x)) is 1 / x + 1 / 2 + x / 12 - ... */
    return distance / (size + SAMPLES_CALL_BYTES) + 1;
}

static ALWAYS_INLINE size_t samples_piece(uintptr_t block)
{
    return block >> SAMPLES_PIECE_BITS & (SAMPLES_PIECES - 1);
}

/* Does no point hit this block for sure?  A large block never passes. */
static ALWAYS_INLINE bool samples_may_pass(const struct lane *lane, size_t size)
{
    return size + SAMPLES_CALL_BYTES < lane->sample_distance;
}

static ALWAYS_INLINE void samples_pass(struct lane *lane, size_t size)
{
    lane->sample_distance -= size + SAMPLES_CALL_BYTES;
}

/* The same as both, also on a lane that is READY.  Returns: whether it passed. */
static ALWAYS_INLINE bool samples_try_to_pass(struct lane *lane, size_t size)
{
    if (LIKELY(single_take(&lane->sample_distance, size + SAMPLES_CALL_BYTES)))
        return true;
    single_add(&lane->sample_distance, size + SAMPLES_CALL_BYTES);
    return false;
}

/* Does a point hit this block?  Then throw the next point. */
static ALWAYS_INLINE bool samples_hit(struct lane *lane, size_t size)
{
    if (UNLIKELY(!samples_may_pass(lane, size)))
        return samples_reach(lane, size);
    samples_pass(lane, size);
    return false;
}

/* Note that a point hit the block, for a later samples_has_hit on the common path. */
static inline void samples_note_hit(struct lane *lane)
{
    lane->sample_distance = 0;
}

/* Ask whether a hit was noted, so that the next point must be chosen.  A volatile load: otherwise
 * the compiler makes a second path of the code in between, and the timed path would not be the
 * usual one. */
static ALWAYS_INLINE bool samples_has_hit(const struct lane *lane)
{
    return *(const volatile uint64_t *)&lane->sample_distance == 0;
}

/* May this block be a drawn one? */
static ALWAYS_INLINE bool samples_may_have(uintptr_t block)
{
    return UNLIKELY(!single_is_zero((const uint16_t *)&samples_near[samples_piece(block)]));
}

/* Forget a block that is freed.  Returns: whether it was drawn. */
static ALWAYS_INLINE bool samples_forget(uintptr_t block)
{
    return samples_may_have(block) && samples_forget_near(block);
}

#endif
