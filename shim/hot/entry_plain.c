/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entering a call whose shape is a few integers, on its usual way.
 *
 * This file is compiled for general registers alone, so the floating arguments
 * of the call stay where they are.
 */
#include "hot/entry.h"

#include "hot/callchain.h"

#if defined(__SSE2__) || defined(__ARM_NEON)
#error "to be compiled with -mgeneral-regs-only"
#endif

/* The arguments that are the words of the shape: its plan does nothing but take
 * them.  Returns: false where a pointer among them leads nowhere. */
static ALWAYS_INLINE bool take_words(const struct entry_frame *frame, const struct plan *plan,
                                     int64_t *words)
{
    const struct plan_step *end = plan->steps + plan->step_count;

    for (const struct plan_step *step = plan->steps; step < end; step++, words++) {
        word value = entry_integer(frame, step->place);
        const void *at = step->is_pointer ? (const void *)value : &value;

        if (UNLIKELY(!at))
            return false;
        *words = step->access == CATALOG_INT32 ? *(const int32_t *)at : *(const int64_t *)at;
    }
    return true;
}

/* Words that may be more than the function has are all within the thread's stack. */
static ALWAYS_INLINE bool may_pass(const struct binding *binding, const word *stack)
{
    uintptr_t at = (uintptr_t)stack;

    return LIKELY(callchain_is_on_stack(at)) &&
           callchain_stack.high - at >= binding->stack_words * sizeof *stack;
}

/* With another shape or from another place than the last: where there is a slot for
 * it, the call goes the usual way then. */
static __attribute__((noinline)) bool recall_slot(const struct probe_call *call)
{
    struct lane *lane = lane_self;
    const struct tally_key key = probe_key(lane, call, 0);
    const struct lane_place *place;

    if (lane->calls_mode != 0 || !lane_is_ready(lane))
        return false;
    place = tally_find(lane, &key, tally_hash_slot(&key));
    if (!place->cell)
        return false;
    *tally_recent(lane, key.binding) = *place;
    return true;
}

int entry_enter_plainly(struct entry_frame *frame, const word *stack, uintptr_t site)
{
    const struct binding *binding = frame->binding;
    const struct plan *plan = binding->symbol->plan;
    int64_t shape[TRACE_SHAPE_MAX]; /* no more of it is read than the first TALLY_FEW */
    const struct probe_call call = {binding, binding->id, site, plan->words, shape};

    for (unsigned i = 0; i < TALLY_FEW; i++)
        shape[i] = 0;
    frame->stack = stack;
    if (UNLIKELY(!may_pass(binding, stack) || !take_words(frame, plan, shape)))
        return ENTRY_NOT_RECORDED;
    if (UNLIKELY(!probe_enter_usually(&frame->probe, &call)) &&
        !(recall_slot(&call) && probe_enter_usually(&frame->probe, &call)))
        return ENTRY_NOT_RECORDED;
    return binding->stack_words;
}
