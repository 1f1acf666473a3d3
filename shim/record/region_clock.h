/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of regions, by calls whose thread's clock is read at begin and end.
 *
 * The clock is a system call of some 350 ns, so it is read in a part of the calls: in those
 * that are drawn (platform/draw.h), where the last reading is CLOCK_OLD_NS old, and at the end of
 * a call that took as long.  The model puts a region's time together from these
 * (model/region_cpu.c).
 *
 * Budget of a call that is not read: two comparisons at its begin, one at its end.
 */
#ifndef RECORD_REGION_CLOCK_H
#define RECORD_REGION_CLOCK_H

#include "record/lane.h"

/* Read the clock at the begin of a call.  The lane is BUSY.  Returns: when the call begins. */
COLD uint64_t region_clock_begin(struct lane *lane, struct lane_region *region, uint64_t now);

/* Read it at the end, and write what passed.  The lane is BUSY. */
COLD void region_clock_end(struct lane *lane, struct lane_region *region, uint64_t now);

/* What recording takes at the borders of a region, beside what every call of a region costs: the
 * thread's clock has it, and the region has not.  Owed is what the next region that is charged
 * has, too, from a time of the thread's clock on: of a reading at a begin whose node is not known
 * yet. */
COLD uint64_t region_clock_now(void);
COLD void region_clock_owe_since(struct lane *lane, uint64_t ns);
COLD void region_clock_charge(struct lane *lane, struct trace_node *node, uint64_t ticks);

/* No call of this lane is read: it measures what regions cost. */
void region_clock_stop(struct lane *lane);

/* Is a call's clock to be read at its begin, or may it have no record?  Then that is to be seen. */
static ALWAYS_INLINE bool region_clock_is_asked(const struct lane *lane,
                                                const struct trace_node *node, uint64_t now)
{
    return node->calls >= node->next_read || now >= lane->clock_ask_ticks;
}

/* Is it to be read at the begin of a call that has a record? */
static inline bool region_clock_is_due(const struct lane *lane, const struct trace_node *node,
                                       uint64_t now)
{
    return node->calls >= node->next_read || now >= lane->clock_due_ticks;
}

/* Is it to be read at the end of one? */
static inline bool region_clock_reads_end(const struct lane *lane, const struct lane_region *region,
                                          uint64_t now)
{
    return region->clock_after_ticks > 0 || region->is_read ||
           now - region->start >= lane->clock_old_ticks;
}

#endif
