/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains: the callers of a call, back to the start of its thread.
 *
 * A lane stores the chain that it took last: its frames, and every word of the stack that unwinding
 * read, with its place.  Unwinding depends only on the innermost frame's registers and these words,
 * so a chain with unchanged words is unchanged.
 *
 * A worked example.  In this example gemm called malloc last, and now backward does.  A frame is
 * the place in its code where it called; its word is the return address that leads to the next
 * outer frame.
 *
 *     frame   the last chain    word of the frame     now         word now
 *       4     gemm+60           forward+80
 *       3     forward+80        train+30              backward+7  train+50
 *       2     train+30          main+20               train+50    main+20
 *       1     main+20           start+9               main+20     start+9
 *
 *     callchain_verify   Words 1 and 2 are unchanged, word 3 is not: two frames are unchanged.
 *                        If all were, the chain would be the last one, and its number known.
 *     repeat             After gemm's chain the row (train+50, backward+7) once came upon
 *                        frame 1.  If the stack has its words, the guess gives the number
 *                        (chain/successors.h, chain/row.h).
 *     walk_outward       Else the rule of backward+7 leads to train+50, and that one's rule to
 *                        main+20, whose pc and sp are those of frame 1 (chain/walk.h).
 *     join_steps         Frames 2 to 4 give way to train+50 and backward+7.  In the tree,
 *                        train+50 is found or made below main+20, and backward+7 below it;
 *                        the number of that call is the chain (chain/join.h, chain/tree.h).
 *
 * No key of a few words is ever trusted: a key of only return address and stack pointer merged a
 * quarter of different chains.
 *
 * Only frames on the thread's own stack are stored for comparison (platform/own_stack.h).  Another
 * stack, such as that of a coroutine or a signal handler, may be unmapped when the next chain is
 * taken; there, each page is checked before it is read.
 *
 * Safety: the lane is BUSY; reads the stack above the caller, code and unwind tables; allocates
 * nothing, and takes no lock except for a new stack chunk.
 */
#ifndef CHAIN_CALLCHAIN_H
#define CHAIN_CALLCHAIN_H

#include "chain/lane_chain.h"
#include "chain/mixed.h"
#include "record/lane.h"
#include "unwind/rules.h"

/* The lane serves another thread, the caller's: forget the chain of the one before, and
 * learn where the first thread's stack ends. */
void callchain_begin_thread(struct lane *lane);

/* A frame will soon request its chain: prefetch for it. */
static ALWAYS_INLINE void callchain_near(struct unwind_state state)
{
    const struct lane_chain *chain = lane_self->chain;

    if (LIKELY(chain != NULL))
        successors_near(&chain->successors, state.pc, state.sp);
}

/* Take a chain that is not the last one, with its frames of Python code.  `unchanged`: frames of
 * the last one, as callchain_verify returns them.  Returns: as callchain_take. */
uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                        uint32_t unchanged);

/* The same if the stack pointer is not that of the last chain.  On another stack, such as that of a
 * handler, nothing is compared, and the thread's own stack may be out of reach
 * (platform/keys.h). */
uint32_t callchain_walk_elsewhere(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp);

/* Take the chain of the frame that a signal interrupted.
 * Budget: some 1 µs for that frame, whose rule is in no cache, plus callchain_take's for the
 * others.
 * Returns: as callchain_take. */
uint32_t callchain_take_interrupted(struct lane *lane, struct unwind_state state);

/* Compare words of the last chain with the stack, up to one that has changed.
 * Returns: how many have not. */
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

/* Returns: how many frames of the last chain, from the outermost on, are unchanged. */
static ALWAYS_INLINE uint32_t callchain_verify(const struct lane_chain *chain)
{
    uint32_t frames = callchain_compare(&chain->words[1]);
    uint32_t extras = callchain_compare(chain->extras);

    if (UNLIKELY(extras < chain->extra_count) && chain->owners[extras] <= frames)
        frames = chain->owners[extras] - 1u;
    return frames;
}

/* Take the chain of a frame that made a call.
 * Budget: one comparison for each frame if the chain is the last one, or a guess is right; else 2
 * to 5 ns for each new frame.
 * Returns: its number; 0 when there was no room for it. */
static ALWAYS_INLINE uint32_t callchain_take(struct lane *lane, struct unwind_state state)
{
    struct lane_chain *chain = lane->chain;
    const struct lane_chain_frame *last = &chain->frames[chain->frame_count];
    uint32_t unchanged;

    if (UNLIKELY(last->sp != state.sp))
        return callchain_walk_elsewhere(lane, state.pc, state.sp, state.fp);
    unchanged = callchain_verify(chain);
    if (LIKELY(unchanged == chain->frame_count && last->pc == state.pc &&
               (last->fp == state.fp || !(last->flags & LANE_NEEDS_FP)) &&
               chain->epoch == atomic_load_explicit(&rules_epoch, memory_order_relaxed)))
        return mixed_pair(lane, last->call);
    return callchain_walk(lane, state.pc, state.sp, state.fp, unchanged);
}

#endif
