/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains: from where did this call come, back to where its thread began.
 *
 * A lane keeps the chain that it took last: its frames, and every word of the
 * stack that unwinding it read, with where it stood.  Unwinding is a function
 * of the innermost frame's registers and of these words; so if they are as
 * they were, the chain is as it was: one comparison a word, no table.
 * Otherwise the chain that came after the last one before is tried, by the
 * words that are new in it (chain/successors.h).  And else the inner frames are
 * unwound by the rules of their return addresses (unwind/rules.h) until one is
 * met that the last chain has too, with all that lies outside of it unchanged.
 * What is never done is to trust a key of a few words: equal return address
 * and stack pointer alone merged a quarter of different chains.
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
#ifndef CHAIN_CALLCHAIN_H
#define CHAIN_CALLCHAIN_H

#include "chain/lane_chain.h"
#include "chain/tree.h"
#include "record/lane.h"
#include "record/tally.h"
#include "unwind/rules.h"

/* Where a thread's own stack is, as far as it is known for certain.  Zeros:
 * nothing is. */
struct callchain_stack {
    uintptr_t low;
    uintptr_t high;
};

extern _Thread_local struct callchain_stack callchain_stack INITIAL_EXEC;

/* Is this on the thread's own stack, as far as that is known? */
static ALWAYS_INLINE bool callchain_is_on_stack(uintptr_t sp)
{
    return sp - callchain_stack.low < callchain_stack.high - callchain_stack.low;
}

/* The lane serves another thread, the caller's: forget the chain of the one before, and
 * learn where the first thread's stack ends. */
void callchain_begin_thread(struct lane *lane);

/* The same where callchain_is_on_stack says no: the first thread's stack grows, and how far
 * it reaches is learned here.  Keeps errno. */
bool callchain_reaches(uintptr_t sp);

/* Behind the last word stands one that is never as it was. */
static ALWAYS_INLINE void callchain_end_words(struct lane_chain *chain)
{
    static const uintptr_t nothing;

    chain->words[chain->frame_count + 1] = (struct lane_word){&nothing, 1};
    chain->extras[chain->extra_count] = (struct lane_word){&nothing, 1};
}

/* The lane serves another thread, or the load map has changed. */
static inline void callchain_forget(struct lane_chain *chain)
{
    chain->frames[0] = (struct lane_chain_frame){.sp = UINTPTR_MAX};
    chain->frame_count = 0;
    chain->extra_count = 0;
    callchain_end_words(chain);
    successors_begin(&chain->successors);
}

/* A frame will ask for its chain: send for what will be needed. */
static ALWAYS_INLINE void callchain_near(struct unwind_state state)
{
    const struct lane_chain *chain = lane_self->chain;

    if (LIKELY(chain != NULL))
        successors_near(&chain->successors, state.pc, state.sp);
}

/* Take a chain that is not the last; `unchanged`: of the frames of that one, as
 * callchain_verify tells.  Returns: as callchain_take. */
uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                        uint32_t unchanged);

/* Compare words of the last chain up to one that is not as it was.
 * Returns: how many are. */
static ALWAYS_INLINE uint32_t callchain_compare(const struct lane_word *words)
{
    const struct lane_word *at = words;

    for (;; at += 4) {
        if (UNLIKELY(*at[0].place != at[0].value))
            return (uint32_t)(at - words);
        if (UNLIKELY(*at[1].place != at[1].value))
            return (uint32_t)(at - words) + 1;
        if (UNLIKELY(*at[2].place != at[2].value))
            return (uint32_t)(at - words) + 2;
        if (UNLIKELY(*at[3].place != at[3].value))
            return (uint32_t)(at - words) + 3;
    }
}

/* Returns: how many frames of the last chain, from the outermost on, are as
 * they were. */
static ALWAYS_INLINE uint32_t callchain_verify(const struct lane_chain *chain)
{
    uint32_t frames = callchain_compare(&chain->words[1]);
    uint32_t extras = callchain_compare(chain->extras);

    if (UNLIKELY(extras < chain->extra_count) && chain->owners[extras] <= frames)
        frames = chain->owners[extras] - 1u;
    return frames;
}

/* Take the chain of a frame that made a call.
 * Budget: one comparison for each frame when the chain is that of the last
 * time or one that came after that before; else 2 to 5 ns for each frame that is new.
 * Returns: its number; 0 when there was no room for it. */
static ALWAYS_INLINE uint32_t callchain_take(struct lane *lane, struct unwind_state state)
{
    struct lane_chain *chain = lane->chain;
    const struct lane_chain_frame *last = &chain->frames[chain->frame_count];
    uint32_t unchanged = callchain_verify(chain);

    if (LIKELY(unchanged == chain->frame_count && last->pc == state.pc && last->sp == state.sp &&
               (last->fp == state.fp || !(last->flags & LANE_NEEDS_FP)) &&
               chain->epoch == atomic_load_explicit(&rules_epoch, memory_order_relaxed)))
        return last->call;
    return callchain_walk(lane, state.pc, state.sp, state.fp, unchanged);
}

#endif
