/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mean cost of an action for each block, timed only on drawn blocks: each represents others.
 *
 * Safety: any thread; nothing is locked.
 */
#ifndef RECORD_MEAN_COST_H
#define RECORD_MEAN_COST_H

#include <stdatomic.h>
#include <stdint.h>

#include "platform/clock.h"
#include "spec/trace.h"

struct mean_cost {
    _Atomic int64_t ticks;  /* sum of each timed action times the blocks that it represents */
    _Atomic uint64_t count; /* number of these blocks */
};

/* The start of an action, and the cost of reading the clock. */
struct mean_cost_timing {
    uint64_t start;
    uint64_t empty;
};

/* Start timing.  The start waits for all earlier instructions, but the end does not wait for the
 * timed ones, because the program overlaps with them: an unchanged chain takes 3.5 ns in this way,
 * and 12 alone. */
static inline struct mean_cost_timing mean_cost_begin(void)
{
    uint64_t before = clock_read_ordered();
    uint64_t after = clock_read();

    return (struct mean_cost_timing){.empty = after - before, .start = clock_read_ordered()};
}

/* Returns: the time without that of reading the clock; may be below 0. */
static inline int64_t mean_cost_end(const struct mean_cost_timing *timing)
{
    return (int64_t)(clock_read() - timing->start) - (int64_t)timing->empty;
}

/* Note the cost of an action that represents `count`.  It may be negative, because the time of
 * reading the clock is subtracted.  An action with an interrupt or with one-time work is left out:
 * it would represent thousands. */
static inline void mean_cost_note(struct mean_cost *cost, int64_t ticks, uint64_t count)
{
    if (ticks >= TRACE_LONG_TICKS)
        return;
    atomic_fetch_add_explicit(&cost->ticks, ticks * (int64_t)count, memory_order_relaxed);
    atomic_fetch_add_explicit(&cost->count, count, memory_order_relaxed);
}

/* Units: parts of a tick, TRACE_OVERHEAD_SCALE each.  Returns: 0 while it is unknown. */
static inline uint64_t mean_cost_read(const struct mean_cost *cost)
{
    uint64_t count = atomic_load_explicit(&cost->count, memory_order_relaxed);
    int64_t ticks = atomic_load_explicit(&cost->ticks, memory_order_relaxed);

    if (count == 0 || ticks <= 0)
        return 0;
    if (ticks > INT64_MAX / TRACE_OVERHEAD_SCALE)
        return (uint64_t)ticks / count * TRACE_OVERHEAD_SCALE;
    return (uint64_t)ticks * TRACE_OVERHEAD_SCALE / count;
}

#endif
