/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entering a call whose shape is a few integers, on the usual path.
 *
 * This file is compiled for general registers only, so the floating-point arguments of the call
 * stay where they are.  It calls no function of another file, not even memset, because such
 * functions use other registers.
 *
 * Budget: that of probe.h, and one comparison for each word of the shape.
 *
 * Decision: doc/decisions/two-ways-to-wrap.
 */
#include "call/entry.h"

#include "platform/own_stack.h"
#include "python/frames.h"

#if defined(__SSE2__) || defined(__ARM_NEON)
#error "to be compiled with -mgeneral-regs-only"
#endif

/* Find an argument that is a word of the shape; a plain plan has only such steps.
 * Returns: its place; NULL for a null pointer. */
static ALWAYS_INLINE const void *find_word(const struct entry_frame *frame,
                                           const struct plan_step *step)
{
    const word *argument = entry_integer_place(frame, step->place);

    return step->is_pointer ? (const void *)*argument : argument;
}

static ALWAYS_INLINE int64_t read_word(const struct plan_step *step, const void *at)
{
    return step->access == CATALOG_INT32 ? *(const int32_t *)at : *(const int64_t *)at;
}

/* Does the call have this shape?  Its words are compared in place, without a copy. */
static ALWAYS_INLINE bool has_shape(const struct entry_frame *frame, const struct plan *plan,
                                    const int64_t *shape)
{
    const struct plan_step *end = plan->steps + plan->step_count;

    for (const struct plan_step *step = plan->steps; step < end; step++, shape++) {
        const void *at = find_word(frame, step);

        if (UNLIKELY(!at || read_word(step, at) != *shape))
            return false;
    }
    return true;
}

static bool take_shape(const struct entry_frame *frame, const struct plan *plan, int64_t *shape)
{
    const struct plan_step *end = plan->steps + plan->step_count;

    for (const struct plan_step *step = plan->steps; step < end; step++, shape++) {
        const void *at = find_word(frame, step);

        if (!at)
            return false;
        *shape = read_word(step, at);
    }
    return true;
}

/* Are all words that may be passed on within the thread's stack? */
static ALWAYS_INLINE bool may_pass(const struct binding *binding, const word *stack)
{
    uintptr_t at = (uintptr_t)stack;

    return !binding->guesses_stack || (LIKELY(own_stack_holds(at)) &&
                                       own_stack.high - at >= binding->stack_words * sizeof *stack);
}

/* Find the slot of a call whose shape or place differs from the last one.
 * Returns: its slot, which becomes the last one; no cell when there is none. */
static __attribute__((noinline)) struct lane_place recall_slot(const struct entry_frame *frame,
                                                               uintptr_t site)
{
    const struct binding *binding = frame->binding;
    const struct plan *plan = binding->symbol->plan;
    int64_t shape[TRACE_SHAPE_MAX]; /* at most the first TALLY_FEW words are read */
    const struct probe_call call = {binding, binding->id, site, plan->words, shape};
    struct lane *lane = lane_self;
    const struct tally_key key = probe_key(lane, &call, 0);
    struct lane_place place;

    place.cell = NULL;
    place.number = 0;
    for (unsigned i = 0; i < TALLY_FEW; i++)
        shape[i] = 0;
    if (!take_shape(frame, plan, shape))
        return place;
    tally_begin_search(lane);
    place = *tally_find(lane, &key, tally_hash_slot(&key));
    tally_end_search(lane, key.binding, place);
    return place;
}

int entry_enter_plainly(struct entry_frame *frame, const word *stack, uintptr_t site)
{
    const struct binding *binding = frame->binding;
    const struct plan *plan = binding->symbol->plan;
    const struct probe_call call = {binding, binding->id, site, plan->words, NULL};
    struct lane *lane = lane_self;
    const struct tally_key key = probe_key(lane, &call, 0);
    struct lane_place place;

    frame->stack = stack;
    if (!may_pass(binding, stack) || !probe_is_free(lane) || python_is_read())
        return ENTRY_NOT_RECORDED;
    place = tally_read_recent(lane, key.binding);
    if (UNLIKELY(tally_slot_differs(&place.cell->slot, &key) != 0 ||
                 !has_shape(frame, plan, place.cell->slot.shape))) {
        place = recall_slot(frame, site);
        if (!place.cell)
            return ENTRY_NOT_RECORDED;
    }
    probe_start(&frame->probe, lane, place, binding->owns);
    return binding->stack_words;
}
