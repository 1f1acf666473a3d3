/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops: calls of a framework's operations, which nest among the regions of a thread.
 *
 * An op is a region, with three differences.  Its end names its owner, because a framework may end
 * ops that it started on another thread or before it was hooked.  The thread's clock is never read
 * for an op: its processor time comes from samples.  And its node may be below a node for the
 * Python line that called it.
 *
 * Budget: two clock reads, two records of 16 bytes, one look-up of a node.
 */
#ifndef RECORD_OPS_H
#define RECORD_OPS_H

#include "record/lane.h"

struct ops_call {
    const void *owner; /* the same at its end */
    uint32_t label;    /* id of its string */
    uint32_t site;     /* id of the SITE fact of an outermost op; 0: unknown */
    uint64_t note;     /* note of its record: see TRACE_OP_BACKWARD */
};

/* Is no op open?  The lane is BUSY, here and below. */
static ALWAYS_INLINE bool ops_none_is_open(const struct lane *lane)
{
    return lane->innermost_op == 0;
}

void ops_begin(struct lane *lane, const struct ops_call *call);

/* End the op of this owner, with all ops and regions that are open inside. */
void ops_end(struct lane *lane, const void *owner, uint64_t now);

/* Pop the innermost region or op, whose end was never called, with a record of its end. */
COLD void ops_drop_innermost(struct lane *lane, uint64_t now);

/* A region inside of ops has ended: add its time to the nearest region around. */
COLD void ops_add_to_outer_region(struct lane *lane, uint64_t ticks);

#endif
