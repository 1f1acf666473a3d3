/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampling by bytes: which blocks are recorded when not all are, and which freed blocks
 * were recorded.
 *
 * Points are thrown on the bytes that a thread allocates, as a Poisson process
 * with a mean distance; a block that is hit is recorded.  So a block of `size`
 * bytes is recorded with the probability 1 - exp(-size / distance), and stands for
 * the inverse of that many blocks.  The estimates of sums have no bias, whatever the
 * sizes are.  A block of no bytes counts as one byte here.
 *
 * Budget of samples_hit: one comparison and one subtraction; of samples_forget: one line of
 * the cache.
 *
 * Safety: any thread; nothing is locked.
 *
 * Decision: doc/decisions/sampled-level-1.
 */
#ifndef RECORD_SAMPLES_H
#define RECORD_SAMPLES_H

#include <stdatomic.h>

#include "platform/hash.h"
#include "record/lane.h"

/* The first table takes 2 MiB.  Three more, each four times as large as the one before, have
 * room for 22 million blocks in all. */
enum { SAMPLES_LINE = 8, SAMPLES_LINE_BITS = 15, SAMPLES_LINES = 1 << SAMPLES_LINE_BITS };

/* The addresses of recorded live blocks; NULL before samples_init.  A block that finds its line
 * full goes into a further table, and the line gets a mark. */
extern _Atomic uintptr_t (*samples_lines)[SAMPLES_LINE];
extern _Atomic unsigned char *samples_marks; /* by line */

/* Take memory.  Returns: false when it is refused. */
bool samples_init(void);

/* Throw the first point of a thread. */
void samples_start(struct lane *lane);

/* Throw the point after one that hit. */
COLD void samples_throw(struct lane *lane);

/* Note that a block is recorded; may map memory.  Returns: false when there is no room. */
COLD bool samples_remember(uintptr_t block);

/* Forget a block whose line has a mark.  Returns: whether it was recorded. */
COLD bool samples_forget_further(uintptr_t block);

static ALWAYS_INLINE size_t samples_line(uintptr_t block)
{
    return (uint64_t)block * HASH_FACTOR >> (64 - SAMPLES_LINE_BITS);
}

static ALWAYS_INLINE bool samples_take_out(_Atomic uintptr_t *line, uintptr_t block)
{
    for (int i = 0; i < SAMPLES_LINE; i++)
        if (UNLIKELY(atomic_load_explicit(&line[i], memory_order_relaxed) == block)) {
            atomic_store_explicit(&line[i], 0, memory_order_relaxed);
            return true;
        }
    return false;
}

/* Does a point hit this block? */
static ALWAYS_INLINE bool samples_hit(struct lane *lane, size_t size)
{
    uint64_t bytes = size != 0 ? size : 1;

    if (LIKELY(bytes <= lane->sample_distance)) {
        lane->sample_distance -= bytes;
        return false;
    }
    samples_throw(lane);
    return true;
}

/* Forget a block that is given back.  Returns: whether it was recorded. */
static ALWAYS_INLINE bool samples_forget(uintptr_t block)
{
    size_t line = samples_line(block);

    if (UNLIKELY(samples_take_out(samples_lines[line], block)))
        return true;
    return UNLIKELY(atomic_load_explicit(&samples_marks[line], memory_order_relaxed) != 0) &&
           samples_forget_further(block);
}

#endif
