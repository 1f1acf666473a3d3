/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens around a kernel's call.
 *
 * The slot is looked up before the start is read and the record written
 * after the end, so that of the work only the clock reads themselves fall
 * into the call's duration.  (Looking up between start and end, or after the
 * end, was measured slower: the fence waits for all of it.)
 *
 * The end of a short call is fenced: without a fence one of 231 ticks measured
 * 154.  A fence also keeps the processor from running on into what follows,
 * 18 ns on a product of order 32 (700 ns), and there the two ends move alike:
 * the means agree to 1 %.  So calls of a slot that has seen a call below
 * PROBE_SHORT_TICKS are fenced, and longer ones are not.
 *
 * Budget: beyond the two clock reads, one hash of the shape, one record of
 * 16 bytes and six additions in the slot; no allocation, lock or system call.
 * The probe stands in the wrapper's frame with a cleanup, so a C++ throw or
 * a thread's exit closes it; a frame that a longjmp left behind is dropped,
 * and counted, by the next kernel that is called or returns around it.
 */
#ifndef HOT_PROBE_H
#define HOT_PROBE_H

#include "hot/binding.h"
#include "hot/lane.h"
#include "hot/tally.h"

enum {
    PROBE_SHORT_TICKS = 1024,
    PROBE_GAP_MEAN = 64 /* calls of sampled kernels for one that is timed */
};

/* A call in the frame of its wrapper.  The key's node and nesting are filled
 * in when the call begins. */
struct probe {
    struct lane *lane; /* NULL: this call is not recorded */
    struct tally_key key;
    uint64_t start;
    struct trace_slot *slot; /* NULL: there was no room for it */
    uint32_t slot_number;
    uint32_t depth;
    uint32_t weight; /* calls that it stands for in its caller's time */
    bool owns;       /* its FLOPs are known from the shape */
    bool is_short;   /* fence the end */
};

/* Drop frames that were jumped over; refuse one too many.
 * Returns: whether there is room for this one. */
COLD bool probe_check_frames(struct lane *lane, const struct probe *probe);

/* Close the call and write its record. */
void probe_leave(struct probe *probe);

/* Begin the call: done by the wrapper before the real function.  A handler
 * that interrupts this and calls a kernel of its own uses the next frame,
 * since the depth is raised first. */
static ALWAYS_INLINE void probe_enter(struct probe *probe)
{
    struct lane *lane = lane_ready();
    struct lane_frame *frame;

    probe->lane = NULL;
    if (UNLIKELY(!lane))
        return;
    if (UNLIKELY(lane->frame_depth > 0) && !probe_check_frames(lane, probe))
        return;
    probe->lane = lane;
    probe->depth = lane->frame_depth++;
    probe->weight = 1;
    frame = &lane->frames[probe->depth];
    frame->inner_ticks = 0;
    frame->owner = probe;
    probe->key.head.nested = probe->depth > 0 && frame[-1].owns;
    probe->key.head.node = lane->node_index;
    frame->owns = probe->key.head.nested || probe->owns;
    probe->slot = tally_slot(lane, &probe->key, &probe->slot_number);
    probe->is_short = probe->slot && probe->slot->min_ticks < PROBE_SHORT_TICKS;
    probe->start = clock_read();
}

/* The same for a kernel whose timing is sampled, when probe_count did not take
 * the call: it is either counted, and then the probe holds nothing, or timed. */
COLD void probe_enter_sampled(struct probe *probe);

/* Count a call of a kernel whose timing is sampled, if it is one that need not
 * be timed and has the shape and place of the last.
 * Budget: a comparison and two additions; no clock is read.
 * Returns: whether the call is done with. */
static ALWAYS_INLINE bool probe_count(const struct binding *binding, const int64_t *shape,
                                      uint16_t dims, uintptr_t site)
{
    struct lane *lane = lane_self;
    const struct lane_place *recent = &lane->recent[binding->id % LANE_RECENT];
    struct tally_key key = {{TRACE_CELL_SLOT, binding->id, lane->node_index, 0, dims, site}, shape};

    if (UNLIKELY(lane->state != LANE_READY || !recent->cell || lane->untimed_left == 0))
        return false;
    if (UNLIKELY(lane->frame_depth > 0))
        key.head.nested = lane->frames[lane->frame_depth - 1].owns;
    if (UNLIKELY(!tally_slot_is(&recent->cell->slot, &key)))
        return false;
    lane->untimed_left--;
    recent->cell->slot.untimed++;
    return true;
}

#endif
