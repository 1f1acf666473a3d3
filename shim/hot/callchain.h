/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains: from where did this call come, back to where its thread began.
 *
 * A lane keeps the chain that it took last: its frames, and every word of the
 * stack that unwinding it read, with where it stood.  Unwinding is a function
 * of the innermost frame's registers and of these words; so if they are as
 * they were, the chain is as it was: one comparison a word, no table.
 * Otherwise the inner frames are unwound by the rules of their return
 * addresses (unwind/rules.h) until one is met that the last chain has too,
 * with all that lies outside of it unchanged.  What is never done is to trust
 * a key: equal return address and stack pointer alone merged a quarter of
 * different chains.
 *
 * The chains of a lane are a tree of calls in its stack chunks (spec/trace.h);
 * a chain is the number of its innermost call.
 *
 * Only what stands on the thread's own stack is kept to be compared: another
 * stack, of a coroutine or a signal handler, may be unmapped when the next
 * chain is taken.  There each page is asked for before it is read.
 *
 * Safety: the lane is BUSY; reads the stack above the caller, and what code
 * and tables say; allocates nothing, takes no lock but for a new stack chunk.
 */
#ifndef HOT_CALLCHAIN_H
#define HOT_CALLCHAIN_H

#include "hot/lane.h"
#include "hot/tally.h"
#include "unwind/rules.h"

/* Where a thread's own stack is, as far as it is known for certain.  Zeros:
 * nothing is. */
struct callchain_stack {
    uintptr_t low;
    uintptr_t high;
};

extern _Thread_local struct callchain_stack callchain_stack INITIAL_EXEC;

/* Learn where the first thread's stack is.  Called on it, once. */
void callchain_init(void);

/* The hash of a call: its upper half is the place in the index, its lower half
 * is kept there. */
static ALWAYS_INLINE uint64_t callchain_hash(const struct trace_call *call)
{
    return (call->address + ((uint64_t)call->parent << 40) + (call->parent >> 3) + call->flags) *
           TALLY_FACTOR;
}

/* The comparison goes by fours: behind the last word stand three more that may
 * be read. */
static ALWAYS_INLINE void callchain_end_words(struct lane_chain *chain)
{
    static const uintptr_t anything;
    struct lane_word *end = &chain->words[chain->word_count];

    end[0].place = &anything;
    end[1].place = &anything;
    end[2].place = &anything;
    chain->owners[chain->word_count] = (uint16_t)(chain->frame_count + 1);
}

/* The lane serves another thread, or the load map has changed. */
static inline void callchain_forget(struct lane_chain *chain)
{
    chain->frames[0] = (struct lane_chain_frame){.state.sp = UINTPTR_MAX};
    chain->frame_count = 0;
    chain->word_count = 0;
    callchain_end_words(chain);
}

/* Take the chain by unwinding what is new; `unchanged`: of the words of the last
 * one, as callchain_verify tells, or UNVERIFIED.  Returns: as callchain_take. */
enum { CALLCHAIN_UNVERIFIED = LANE_CHAIN_WORDS };
uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                        uint32_t unchanged);

static ALWAYS_INLINE uintptr_t callchain_difference(const struct lane_word *read)
{
    return *read->place ^ read->value;
}

/* Which of four words differ, a bit each. */
static ALWAYS_INLINE unsigned callchain_differing(const struct lane_word *at)
{
    return (unsigned)(callchain_difference(&at[0]) != 0) |
           (unsigned)(callchain_difference(&at[1]) != 0) << 1 |
           (unsigned)(callchain_difference(&at[2]) != 0) << 2 |
           (unsigned)(callchain_difference(&at[3]) != 0) << 3;
}

/* Compare the words of the last chain, four at a time, so that where they
 * begin to differ costs one branch that is not foreseen.
 * Returns: how many of them, from the outermost on, are as they were. */
static ALWAYS_INLINE uint32_t callchain_verify(const struct lane_chain *chain)
{
    const struct lane_word *at = chain->words;
    uint32_t count = chain->word_count;

    for (uint32_t i = 0; i < count; i += 4, at += 4) {
        uintptr_t difference = callchain_difference(&at[0]) | callchain_difference(&at[1]) |
                               callchain_difference(&at[2]) | callchain_difference(&at[3]);

        if (UNLIKELY(difference != 0)) {
            i += (unsigned)__builtin_ctz(callchain_differing(at));
            return i < count ? i : count;
        }
    }
    return count;
}

/* Take the chain of a frame that made a call.
 * Budget: one comparison for each frame when the chain is that of the last
 * time; 2 to 5 ns for each frame that is not.
 * Returns: its number; 0 when there was no room for it. */
static ALWAYS_INLINE uint32_t callchain_take(struct lane *lane, struct unwind_state state)
{
    struct lane_chain *chain = lane->chain;
    const struct lane_chain_frame *last = &chain->frames[chain->frame_count];
    uint32_t unchanged = CALLCHAIN_UNVERIFIED;

    if (LIKELY(last->state.pc == state.pc && last->state.sp == state.sp &&
               (last->state.fp == state.fp || !(last->flags & LANE_NEEDS_FP)) &&
               chain->epoch == atomic_load_explicit(&rules_epoch, memory_order_relaxed))) {
        unchanged = callchain_verify(chain);
        if (LIKELY(unchanged == chain->word_count))
            return last->call;
    }
    return callchain_walk(lane, state.pc, state.sp, state.fp, unchanged);
}

#endif
