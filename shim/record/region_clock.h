/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of regions, from calls with a reading of the thread's clock at start and end.
 *
 * The clock is a system call of some 350 ns, so only some calls read it: drawn ones
 * (platform/draw.h), those whose last reading is CLOCK_OLD_NS old, and, at its end, a call of that
 * length.  The model estimates a region's time from these (model/region_cpu.c).
 *
 * Budget of a call without a reading: two comparisons at its start, one at its end.
 */
#ifndef RECORD_REGION_CLOCK_H
#define RECORD_REGION_CLOCK_H

#include "record/lane.h"

/* Read the clock at the start of a call.  The lane is BUSY.
 * Returns: the start time of the call. */
COLD uint64_t region_clock_begin(struct lane *lane, struct lane_region *region, uint64_t now);

/* Read the clock at the end of a call, and write the elapsed time.  The lane is BUSY. */
COLD void region_clock_end(struct lane *lane, struct lane_region *region, uint64_t now);

/* Charge the cost of recording at the borders of a region, beyond the cost of every call: the
 * thread's clock includes it, but the region must not.  The cost since `ns` of the thread's clock
 * may be owed: the next charged region gets it, after a reading at a start whose node is unknown
 * yet. */
COLD uint64_t region_clock_now(void);
COLD void region_clock_owe_since(struct lane *lane, uint64_t ns);
COLD void region_clock_charge(struct lane *lane, struct trace_node *node, uint64_t ticks);

/* Stop reading the clock in this lane, which measures the cost of regions. */
void region_clock_stop(struct lane *lane);

/* Ask whether the start of a call needs more work: a clock reading, or the choice to have no
 * record. */
static ALWAYS_INLINE bool region_clock_is_asked(const struct lane *lane,
                                                const struct trace_node *node, uint64_t now)
{
    return node->calls >= node->next_read || now >= lane->clock_ask_ticks;
}

/* Is the clock read at the start of a call that has a record? */
static inline bool region_clock_is_due(const struct lane *lane, const struct trace_node *node,
                                       uint64_t now)
{
    return node->calls >= node->next_read || now >= lane->clock_due_ticks;
}

/* Is the clock read at the end of a call? */
static inline bool region_clock_reads_end(const struct lane *lane, const struct lane_region *region,
                                          uint64_t now)
{
    return region->clock_after_ticks > 0 || region->is_read ||
           now - region->start >= lane->clock_old_ticks;
}

#endif
