/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The start and the end of a kernel's call.
 *
 * Decision: doc/decisions/coroutines.
 */
#include "call/probe.h"

#include "platform/clock.h"
#include "platform/draw.h"
#include "platform/estimate.h"
#include "platform/own_stack.h"
#include "platform/readable.h"
#include "record/call_draws.h"
#include "record/lane_chunks.h"

struct trace_slot probe_no_slot = {.calls = UINT64_MAX, .min_ticks = UINT64_MAX};

static void add_to_slot(struct trace_slot *slot, uint64_t duration, uint64_t inner)
{
    slot->calls++;
    slot->ticks += duration;
    if (UNLIKELY(inner > 0))
        slot->inner_ticks += inner;
    if (duration < slot->min_ticks)
        slot->min_ticks = duration;
    if (duration > slot->max_ticks)
        slot->max_ticks = duration;
}

/* Write the record; there must be room for it. */
static ALWAYS_INLINE void put_record(struct lane *lane, uint32_t slot, uint64_t delta,
                                     uint64_t duration)
{
    lane->cursor[0] =
        TRACE_EVENT_KERNEL | (uint64_t)slot << TRACE_KIND_BITS | delta << TRACE_DELTA_BITS;
    lane->cursor[1] = duration;
    lane_commit(lane, 2);
}

static void write_kernel(struct lane *lane, uint32_t slot, uint64_t end, uint64_t duration)
{
    bool has_room;
    uint64_t delta = lane_reserve(lane, end, 2, TRACE_DELTA_BITS, 0, &has_room);

    if (LIKELY(has_room))
        put_record(lane, slot, delta, duration);
}

/* The slot has had its first calls: some of the others have a record. */
static void draw_kernel(struct lane *lane, const struct probe *probe, uint64_t end,
                        uint64_t duration)
{
    uint8_t doublings;

    if (call_draws_kernel(lane, probe->slot->calls, &doublings))
        write_kernel(lane, probe->slot_number, end, drawn_calls_pack(duration, doublings));
}

/* A jump left the calls above this one. */
static COLD void drop_frames(struct lane *lane, uint32_t depth)
{
    lane->thread_node->unmatched += lane->frame_depth - depth - 1;
}

/* A call that a coroutine left may have stood on a stack that is gone. */
static bool may_read(const struct probe *around)
{
    return LIKELY(own_stack_holds((uintptr_t)around)) ||
           readable_at_once((uintptr_t)around, sizeof *around);
}

/* If the timing of a kernel is sampled, the timed call represents the calls before it, unless it
 * was interrupted; all of them were inside the call around it. */
static uint64_t inner_ticks(const struct lane_frame *outer, const struct probe *probe, uint64_t end)
{
    const struct probe *around = outer->owner;
    uint64_t ticks = end - probe->start;

    if (LIKELY(probe->weight == 1))
        return ticks;
    if (estimate_is_interrupted(ticks, probe->slot->min_ticks) || !may_read(around))
        return ticks;
    return estimate_all(ticks, probe->weight, end - around->start - outer->inner_ticks);
}

static ALWAYS_INLINE void close_frame(struct lane *lane, const struct probe *probe, uint64_t end)
{
    struct lane_frame *frame = &lane->frames[probe->depth];
    uint64_t duration = end - probe->start;

    lane->frame_depth = (uint16_t)probe->depth;
    if (UNLIKELY(probe->depth > 0))
        frame[-1].inner_ticks += inner_ticks(&frame[-1], probe, end);
    else
        lane->open->call = 0;
    if (UNLIKELY(probe->slot == &probe_no_slot)) {
        lane->thread_node->lost_records++;
        return;
    }
    add_to_slot(probe->slot, duration, frame->inner_ticks);
    if (LIKELY(probe->slot->calls <= lane->events_each))
        write_kernel(lane, probe->slot_number, end, duration);
    else
        draw_kernel(lane, probe, end, duration);
}

static ALWAYS_INLINE bool is_writable(const struct lane *lane)
{
    return lane == lane_self && lane->state == LANE_READY;
}

/* A sandbox may have been requested meanwhile, and refused. */
static COLD bool is_writable_again(const struct lane *lane)
{
    return lane_self->state == LANE_OFF && lane_ready() && is_writable(lane);
}

/* A lane is left alone if it is not this thread's (a coroutine moved), is blank (a fork) or no
 * longer holds this probe (a jump). */
static COLD void leave_specially(struct probe *probe, uint64_t end)
{
    struct lane *lane = probe->lane;

    if (UNLIKELY(!is_writable(lane)) && !is_writable_again(lane))
        return;
    if (lane->frames[probe->depth].owner != probe)
        return;
    if (lane->frame_depth != probe->depth + 1) {
        if (probe->depth >= lane->frame_depth)
            return;
        drop_frames(lane, probe->depth);
    }
    lane->state = LANE_BUSY;
    atomic_signal_fence(memory_order_seq_cst);
    close_frame(lane, probe, end);
    lane_check_deadline(lane, end);
    lane_leave(lane);
}

static ALWAYS_INLINE bool is_short(const struct probe *probe)
{
    return probe->slot->min_ticks < PROBE_SHORT_TICKS;
}

/* Inside another call, of a lane that is not this thread's, without a counter; or
 * nothing was recorded.  A strict sandbox that was entered in the call allows no clock. */
static COLD void leave_otherwise(struct probe *probe)
{
    if (!probe->lane)
        return;
    if (lane_self->state != LANE_OFF || lane_ready())
        leave_specially(probe, is_short(probe) ? clock_read_ordered() : clock_read());
}

/* The outermost kernel of its thread. */
static ALWAYS_INLINE bool is_outermost(const struct lane *lane)
{
    return LIKELY(lane == lane_self) && LIKELY(lane->calls_mode == 1);
}

/* The call called no other kernel, and its record has room. */
static ALWAYS_INLINE bool is_usual(const struct lane *lane, const struct probe *probe, uint64_t end)
{
    return LIKELY(lane->frames[0].owner == probe && lane->frames[0].inner_ticks == 0) &&
           LIKELY(probe->slot->calls < lane->events_each && lane->cursor + 2 <= lane->limit &&
                  (end - lane->time) >> TRACE_DELTA_BITS == 0 && end < lane->deadline);
}

/* Start writing the record of an outermost kernel on its usual way.  The
 * results of the comparisons stay valid: the lane is BUSY, and no handler
 * writes between.
 * Returns: false when the call takes another path; nothing is started then. */
static ALWAYS_INLINE bool begin_usually(struct lane *lane, const struct probe *probe, uint64_t end)
{
    if (UNLIKELY(!lane_is_ready(lane)))
        return false;
    lane->state = LANE_BUSY;
    atomic_signal_fence(memory_order_seq_cst);
    if (LIKELY(is_usual(lane, probe, end)))
        return true;
    lane_leave(lane);
    return false;
}

/* No call is made on the usual way, so that no register is saved. */
void probe_leave(struct probe *probe)
{
    struct lane *lane = probe->lane;
    uint64_t duration;
    uint64_t end;

    if (UNLIKELY(!is_outermost(lane))) {
        leave_otherwise(probe);
        return;
    }
    end = is_short(probe) ? clock_read_counter_ordered() : clock_read_counter();
    if (UNLIKELY(!begin_usually(lane, probe, end))) {
        leave_specially(probe, end);
        return;
    }
    duration = end - probe->start;
    lane->calls_mode = 0;
    add_to_slot(probe->slot, duration, 0);
    put_record(lane, probe->slot_number, end - lane->time, duration);
    lane->time = end;
    lane->open->call = 0;
    lane_leave(lane);
}

/* Drop frames that were jumped over; refuse one too many.  Stacks grow down: an outer call that is
 * still open has its probe above this one's; a probe at the same place or below no longer exists.
 * Returns: whether there is room for this one. */
static ALWAYS_INLINE bool check_frames(struct lane *lane, const struct probe *probe)
{
    while (lane->frame_depth > 0 &&
           (uintptr_t)lane->frames[lane->frame_depth - 1].owner <= (uintptr_t)probe) {
        lane->frame_depth--;
        lane->thread_node->unmatched++;
    }
    if (lane->frame_depth < LANE_FRAMES_MAX)
        return true;
    lane->thread_node->lost_records++;
    return false;
}

/* Count the call, or leave it to be timed.  The first call of each slot is timed, so that every
 * slot has a time, and so are the calls after random gaps. */
static bool is_counted(struct lane *lane, struct trace_slot *slot)
{
    if (slot->calls == 0 || lane->untimed_left == 0)
        return false;
    lane->untimed_left--;
    slot->untimed++;
    return true;
}

/* Ask whether none of its calls was short enough to be counted.  This also holds for a slot without
 * a call. */
static bool is_long(const struct trace_slot *slot)
{
    return slot->min_ticks > TRACE_LONG_TICKS;
}

/* The calls that were counted since the last timed one, and this one. */
static uint32_t draw_weight(struct lane *lane)
{
    uint32_t gap = (uint32_t)lane->untimed_gap;

    if (lane->untimed_left > 0)
        return 1; /* the first of its slot, or a long one */
    if (lane->gap_random == 0)
        lane->gap_random = (uintptr_t)lane | 1;
    lane->untimed_gap = lane->untimed_left =
        (int32_t)draw_gap(&lane->gap_random, TRACE_CALLS_PER_TIMED);
    return gap + 1;
}

/* Recording is over its budget: leave the call out if its kernel has short calls, and the call is
 * not in the sample.  Such calls have separate slots, so that in each slot the timed calls
 * represent all.
 * Returns: whether it was counted and is done with. */
static bool leave_out(struct probe *probe)
{
    struct lane *lane = probe->lane;

    if (probe->slot->min_ticks >= lane->sampled_ticks)
        return false;
    if (!is_counted(lane, probe->slot)) {
        probe->weight = draw_weight(lane);
        return false;
    }
    lane->frame_depth = (uint16_t)probe->depth;
    probe->lane = NULL;
    return true;
}

/* Take the next frame. */
static ALWAYS_INLINE void open_frame(struct probe *probe, struct lane *lane, bool owns)
{
    unsigned depth = lane->frame_depth;

    probe_claim_frame(probe, lane, depth);
    lane->frame_depth++;
    probe_fill_frame(probe, lane, depth, owns);
}

/* Calls inside of others are not shown. */
static ALWAYS_INLINE void start_call(struct probe *probe, struct lane *lane)
{
    probe->start = clock_read();
    if (probe->depth == 0)
        lane_show_call(lane, probe->slot_number, probe->start);
}

static ALWAYS_INLINE void hold_slot(struct probe *probe, struct lane_place place)
{
    probe->slot_number = place.number;
    if (LIKELY(place.cell != NULL))
        probe->slot = &place.cell->slot;
}

/* Take the next frame and find the slot: all but the start. */
static ALWAYS_INLINE void open_call(struct probe *probe, struct lane *lane,
                                    const struct probe_call *call)
{
    unsigned flags = probe_flags(lane);
    const struct tally_key key = probe_key(lane, call, flags);
    bool is_inner = lane->frame_depth > 0;

    open_frame(probe, lane, flags & TRACE_SLOT_NESTED || call->binding->owns);
    hold_slot(probe, is_inner ? tally_slot(lane, &key) : tally_search_slot(lane, &key));
}

/* The call is inside another one, has another shape than the last, or is over the budget.  This
 * happens too often for a function that is marked cold, as the wrappers assume. */
static HOT __attribute__((noinline)) void enter(struct probe *probe, const struct probe_call *call)
{
    struct lane *lane;

    probe_hold_nothing(probe); /* also if the thread is cancelled while it gets its lane */
    lane = lane_ready();
    if (UNLIKELY(!lane || !check_frames(lane, probe)))
        return;
    open_call(probe, lane, call);
    if (lane->specials & LANE_OVER_BUDGET && leave_out(probe))
        return;
    start_call(probe, lane);
}

void probe_enter_otherwise(struct probe *probe, const struct probe_call *call)
{
    enter(probe, call);
}

void probe_enter_sampled(struct probe *probe, const struct probe_call *call)
{
    struct lane *lane;
    struct lane_place place;
    struct tally_key key;
    unsigned flags;
    uint32_t weight;

    probe_hold_nothing(probe);
    lane = lane_ready();
    if (UNLIKELY(!lane))
        return;
    flags = probe_flags(lane);
    key = probe_key(lane, call, flags);
    place = tally_slot(lane, &key);
    if (place.cell && !is_long(&place.cell->slot) && is_counted(lane, &place.cell->slot))
        return;
    weight = draw_weight(lane);
    if (UNLIKELY(!check_frames(lane, probe)))
        return;
    open_frame(probe, lane, flags & TRACE_SLOT_NESTED || call->binding->owns);
    hold_slot(probe, place);
    if (is_long(probe->slot))
        tally_forget_last(lane, key.binding);
    probe->weight = weight;
    start_call(probe, lane);
}
