/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The probe around a kernel's call.
 *
 * The slot is looked up before the start is read, and the record is written after the end.  So only
 * the clock reads themselves add to the call's duration.  Reading the counter takes as long as some
 * sixty instructions, so a few stores between the start and the call cost nothing: the call's frame
 * is filled in there.  (Looking up the slot there, too, would save another 3 ns of 34, but add 4 ns
 * to each measured call.)
 *
 * The end of a short call is fenced: without a fence, a call of 231 ticks measured 154.  A fence
 * also keeps the processor from running ahead into the next code, which costs 18 ns on a product of
 * order 32 (700 ns).  Longer calls need no fence, because both ends shift alike: the means agree to
 * 1 %.  So calls are fenced in a slot that has seen a call below PROBE_SHORT_TICKS, and not in
 * others.
 *
 * Budget: beyond the two clock reads, one comparison with the kernel's last slot (a hash if it is
 * another), one record of 16 bytes and six additions in the slot; no allocation, lock or system
 * call.  The probe is in the wrapper's frame with a cleanup, so a C++ throw or a thread's exit
 * closes it.  If a longjmp leaves a frame behind, the next kernel that is called or returns around
 * it drops and counts the frame.
 *
 * Decisions: doc/decisions/fence-short-calls, where-the-clock-is-read.
 */
#ifndef CALL_PROBE_H
#define CALL_PROBE_H

#include "call/binding.h"
#include "platform/clock.h"
#include "record/lane.h"
#include "record/tally.h"

enum { PROBE_SHORT_TICKS = 1024 };

/* A call of a kernel, as the wrapper describes it. */
struct probe_call {
    const struct binding *binding;
    uint32_t id;    /* id of the binding */
    uintptr_t site; /* its return address */
    unsigned dims;
    const int64_t *shape; /* TALLY_WORDS(dims) words */
};

/* A call in the frame of its wrapper. */
struct probe {
    struct lane *lane; /* NULL: this call is not recorded */
    uint64_t start;
    struct trace_slot *slot; /* &probe_no_slot: there was no room for a slot */
    uint32_t slot_number;
    uint32_t depth;
    uint32_t weight; /* calls of its caller whose time it represents */
};

/* Replaces a slot when there is none; it takes no more calls. */
extern struct trace_slot probe_no_slot HIDDEN;

/* Close the call and write its record. */
void probe_leave(struct probe *probe);

/* Ask whether the innermost call, or one around it, owns its FLOPs. */
static ALWAYS_INLINE bool probe_is_nested(const struct lane *lane)
{
    return UNLIKELY(lane->frame_depth > 0) && lane->frames[lane->frame_depth - 1].owns;
}

static ALWAYS_INLINE struct tally_key probe_key(const struct lane *lane,
                                                const struct probe_call *call, unsigned flags)
{
    return (struct tally_key){tally_binding_word(call->id),
                              tally_node_word(lane->node_index, (uint16_t)flags, call->dims),
                              call->site, call->shape};
}

/* For a call that may be nested, or over the budget. */
static ALWAYS_INLINE unsigned probe_flags(const struct lane *lane)
{
    if (LIKELY(lane->calls_mode == 0))
        return 0;
    return (lane->specials & LANE_OVER_BUDGET) | (probe_is_nested(lane) ? TRACE_SLOT_NESTED : 0);
}

/* Name the owner of frame `depth` before the depth is raised: a signal handler may look at it right
 * afterwards. */
static ALWAYS_INLINE void probe_claim_frame(struct probe *probe, struct lane *lane, unsigned depth)
{
    lane->frames[depth].owner = probe;
    atomic_signal_fence(memory_order_seq_cst);
}

/* Fill in the frame after the depth is raised: an earlier signal handler may have used the
 * frame. */
static ALWAYS_INLINE void probe_fill_frame(struct probe *probe, struct lane *lane, unsigned depth,
                                           bool owns)
{
    struct lane_frame *frame = &lane->frames[depth];

    atomic_signal_fence(memory_order_seq_cst);
    frame->inner_ticks = 0;
    frame->owner = probe;
    frame->owns = owns;
    probe->lane = lane;
    probe->depth = depth;
    probe->weight = 1;
}

/* Ask whether the thread is in no call and may record one. */
static ALWAYS_INLINE bool probe_is_free(const struct lane *lane)
{
    return LIKELY(lane->calls_mode == 0 && lane_is_ready(lane));
}

/* Start the outermost call of a free thread, in the slot of `place`.  A handler that interrupts it
 * and calls kernels of its own uses the next frame, because the depth is raised first. */
static ALWAYS_INLINE void probe_start(struct probe *probe, struct lane *lane,
                                      struct lane_place place, bool owns)
{
    probe_claim_frame(probe, lane, 0);
    lane->calls_mode = 1;
    probe->start = clock_read_counter();
    probe_fill_frame(probe, lane, 0, owns);
    probe->slot = &place.cell->slot;
    probe->slot_number = place.number;
    lane_show_call(lane, place.number, probe->start);
}

/* Start a call on the usual path: the outermost of its thread, with the shape and the caller of the
 * kernel's last call.  Budget: six comparisons, the last of them with the whole slot.  A signal
 * handler may change the last call, so the place is read before it is compared.
 * Returns: whether the call takes the usual path. */
static ALWAYS_INLINE bool probe_enter_usually(struct probe *probe, const struct probe_call *call)
{
    struct lane *lane = lane_self;
    const struct tally_key key = probe_key(lane, call, 0);
    struct lane_place place;

    if (!probe_is_free(lane))
        return false;
    place = tally_read_recent(lane, key.binding);
    if (UNLIKELY(!tally_last_is(&place.cell->slot, &key, call->dims)))
        return false;
    probe_start(probe, lane, place, call->binding->owns);
    return true;
}

/* Returns: the slot of a kernel's last call, if this call has the same shape and place; or NULL. */
static ALWAYS_INLINE struct trace_slot *probe_find_last(struct lane *lane,
                                                        const struct probe_call *call,
                                                        unsigned flags)
{
    const struct tally_key key = probe_key(lane, call, flags);
    struct trace_slot *slot = &tally_recent(lane, key.binding)->cell->slot;

    return LIKELY(tally_last_is(slot, &key, call->dims)) ? slot : NULL;
}

/* Count a call of a kernel with sampled timing, if the call need not be timed, is in no other call,
 * and has the shape and caller of the last one.  Slots of long calls are never the last ones.
 * Budget: six comparisons and two additions; no clock is read.
 * Returns: whether the call is done with. */
static ALWAYS_INLINE bool probe_count(const struct probe_call *call)
{
    struct lane *lane = lane_self;
    struct trace_slot *slot;

    if (UNLIKELY(!lane_is_idle(lane)))
        return false;
    slot = probe_find_last(lane, call, 0);
    if (UNLIKELY(!slot))
        return false;
    if (UNLIKELY(--lane->untimed_left < 0)) {
        lane->untimed_left = 0;
        return false;
    }
    slot->untimed++;
    return true;
}

/* The call is not recorded. */
static ALWAYS_INLINE void probe_hold_nothing(struct probe *probe)
{
    probe->lane = NULL;
    probe->slot = &probe_no_slot;
}

/* Recording is over its budget: count a call of a kernel with short calls.
 * Returns: whether the call is done with. */
static ALWAYS_INLINE bool probe_count_short(struct probe *probe, const struct probe_call *call)
{
    struct lane *lane = lane_self;
    struct trace_slot *slot;

    if (!(lane->specials & LANE_OVER_BUDGET) || !lane_is_ready(lane) || lane->untimed_left == 0)
        return false;
    slot = probe_find_last(lane, call, probe_flags(lane));
    if (!slot || slot->min_ticks > lane->sampled_ticks)
        return false;
    lane->untimed_left--;
    slot->untimed++;
    probe_hold_nothing(probe);
    return true;
}

/* Start any other call.  Cold to the wrappers, so their arguments stay in registers. */
COLD void probe_enter_otherwise(struct probe *probe, const struct probe_call *call);

/* Start the call, in the wrapper before the real function.  The words of the shape are passed
 * again, so the usual path need not have them in memory. */
#define PROBE_ENTER(probe, call, dims, ...)                                                        \
    do {                                                                                           \
        if (UNLIKELY(!probe_enter_usually(&(probe), &(call))) &&                                   \
            !probe_count_short(&(probe), &(call))) {                                               \
            const int64_t words_[TALLY_WORDS(dims)] = {__VA_ARGS__};                               \
            const struct probe_call call_ = {(call).binding, (call).id, (call).site, dims,         \
                                             words_};                                              \
                                                                                                   \
            probe_enter_otherwise(&(probe), &call_);                                               \
        }                                                                                          \
    } while (false)

/* The same for a kernel with sampled timing, if probe_count did not take the call.  The call is
 * either counted, and the probe then holds nothing, or timed. */
HOT void probe_enter_sampled(struct probe *probe, const struct probe_call *call);

#endif
