/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampling by bytes: which blocks are recorded when not all are, and which of
 * those that are freed were.
 *
 * Points are thrown on the bytes that a thread allocates, as a Poisson process
 * with a mean distance; a block that is hit is recorded.  So a block of `size`
 * bytes is recorded with the probability 1 - exp(-size / distance), and counts
 * for as many as the inverse of it: sums over all blocks are estimated without
 * bias, whatever their sizes.  A block of no bytes counts as one byte here.
 *
 * Safety: any thread; nothing is locked.
 */
#ifndef HOT_SAMPLES_H
#define HOT_SAMPLES_H

#include <stdatomic.h>

#include "hot/hash.h"
#include "hot/lane.h"

enum { SAMPLES_LINE = 8, SAMPLES_LINE_BITS = 15, SAMPLES_LINES = 1 << SAMPLES_LINE_BITS };

/* The addresses of recorded blocks that are live; NULL before samples_init. */
extern _Atomic uintptr_t (*samples_lines)[SAMPLES_LINE];

/* Take memory.  Returns: false when it is refused. */
bool samples_init(void);

/* Throw the first point of a thread. */
void samples_start(struct lane *lane);

/* Throw the point after one that hit. */
COLD void samples_throw(struct lane *lane);

/* Note that a block is recorded.  Returns: false when there is no room. */
COLD bool samples_remember(uintptr_t block);

static ALWAYS_INLINE _Atomic uintptr_t *samples_line(uintptr_t block)
{
    return samples_lines[(uint64_t)block * HASH_FACTOR >>
                         (64 - SAMPLES_LINE_BITS)];
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
    _Atomic uintptr_t *line = samples_line(block);

    for (int i = 0; i < SAMPLES_LINE; i++)
        if (UNLIKELY(atomic_load_explicit(&line[i], memory_order_relaxed) == block)) {
            atomic_store_explicit(&line[i], 0, memory_order_relaxed);
            return true;
        }
    return false;
}

#endif
