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

/* A call of a kernel, as its wrapper tells it. */
struct probe_call {
    const struct binding *binding;
    uint32_t id;    /* of the binding */
    uintptr_t site; /* where it returns to */
    unsigned dims;
    const int64_t *shape; /* TALLY_WORDS(dims) words */
};

/* A call in the frame of its wrapper. */
struct probe {
    struct lane *lane; /* NULL: this call is not recorded */
    uint64_t start;
    struct trace_slot *slot; /* NULL: there was no room for it */
    uint32_t slot_number;
    uint32_t depth;
    uint32_t weight; /* calls that it stands for in its caller's time */
    bool is_short;   /* fence the end */
};

/* Close the call and write its record. */
void probe_leave(struct probe *probe);

/* Is the innermost call one that owns its FLOPs, or inside one? */
static ALWAYS_INLINE bool probe_is_nested(const struct lane *lane)
{
    return UNLIKELY(lane->frame_depth > 0) && lane->frames[lane->frame_depth - 1].owns;
}

static ALWAYS_INLINE struct tally_key probe_key(const struct lane *lane,
                                                const struct probe_call *call, bool is_nested)
{
    uint16_t flags = (uint16_t)(lane->slot_flags | (is_nested ? TRACE_SLOT_NESTED : 0));

    return (struct tally_key){tally_binding_word(call->id),
                              tally_node_word(lane->node_index, flags, call->dims), call->site,
                              call->shape};
}

/* Take the next frame and find the slot: all but the start.  A handler that
 * interrupts this and calls a kernel of its own uses the frame after it, since
 * the depth is raised first. */
static ALWAYS_INLINE void probe_open(struct probe *probe, struct lane *lane,
                                     const struct probe_call *call)
{
    bool is_nested = probe_is_nested(lane);
    struct lane_frame *frame = &lane->frames[lane->frame_depth];
    struct lane_place place;

    probe->lane = lane;
    probe->depth = lane->frame_depth++;
    probe->weight = 1;
    frame->inner_ticks = 0;
    frame->owner = probe;
    frame->owns = is_nested || call->binding->owns;
    place = tally_slot(lane, probe_key(lane, call, is_nested));
    probe->slot_number = place.number;
    probe->slot = place.cell ? &place.cell->slot : NULL;
    probe->is_short = place.cell && place.cell->slot.min_ticks < PROBE_SHORT_TICKS;
}

/* Begin a call that is not of the usual kind: inside another, the first of its
 * thread, over the budget.  It comes by value: it need not be in memory
 * otherwise. */
COLD void probe_enter_specially(struct probe *probe, struct probe_call call);

/* Begin the call: done by the wrapper before the real function. */
static ALWAYS_INLINE void probe_enter(struct probe *probe, const struct probe_call *call)
{
    struct lane *lane = lane_self;

    if (UNLIKELY(lane->sampled_ticks > 0 || lane->state != LANE_READY || lane->frame_depth > 0)) {
        probe_enter_specially(probe, *call);
        return;
    }
    probe_open(probe, lane, call);
    probe->start = clock_read();
}

/* The same for a kernel whose timing is sampled, when probe_count did not take
 * the call: it is either counted, and then the probe holds nothing, or timed. */
COLD void probe_enter_sampled(struct probe *probe, const struct probe_call *call);

/* Count a call, if it is one that need not be timed, has the shape and place of
 * the last, and a call of its kernel took `ticks` or less.
 * Returns: whether the call is done with. */
static ALWAYS_INLINE bool probe_count_below(const struct probe_call *call, uint64_t ticks)
{
    struct lane *lane = lane_self;
    const struct lane_place *recent = &lane->recent[call->id % LANE_RECENT];
    struct tally_key key;

    if (UNLIKELY(lane->state != LANE_READY || lane->untimed_left == 0 || !recent->cell))
        return false;
    key = probe_key(lane, call, probe_is_nested(lane));
    if (UNLIKELY(!tally_slot_is(&recent->cell->slot, &key)))
        return false;
    if (recent->cell->slot.min_ticks > ticks)
        return false;
    lane->untimed_left--;
    recent->cell->slot.untimed++;
    return true;
}

/* Count a call of a kernel whose timing is sampled, if it is one that need not
 * be timed and has the shape and place of the last.
 * Budget: a comparison and two additions; no clock is read.
 * Returns: whether the call is done with. */
static ALWAYS_INLINE bool probe_count(const struct probe_call *call)
{
    return probe_count_below(call, UINT64_MAX);
}

/* Is this thread's recording over its budget? */
static ALWAYS_INLINE bool probe_is_over_budget(void)
{
    return lane_self->sampled_ticks > 0;
}

/* Then the same for a kernel of short calls. */
static ALWAYS_INLINE bool probe_count_short(const struct probe_call *call)
{
    return probe_count_below(call, lane_self->sampled_ticks);
}

#endif
