/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding from a frame outward until a frame of the last chain is met, or the stack ends.
 *
 * Runs in the program's calls of malloc, if the chain is neither the last one nor one that has
 * followed it before.
 * Budget: 2 to 5 ns for each new frame; no allocation and no lock.  System calls are made for each
 * page of another stack, for each guess, and for an address that was never met before.
 */
#ifndef CHAIN_WALK_H
#define CHAIN_WALK_H

#include "chain/lane_chain.h"
#include "unwind/rule.h"

/* A walk along a stack.  Its steps, innermost first, are in the lane's chain. */
struct walk {
    struct lane_chain *chain;
    struct unwind_state state;            /* for the next frame; fp: that of fp_from */
    struct lane_step *step;               /* the next */
    struct lane_step *fp_from;            /* the first step whose frame pointer is state.fp, unless
                                             a later step saved it */
    struct lane_step *fp_step;            /* the step that saved state.fp; NULL: none */
    struct lane_step *unmarked;           /* the first that may need the frame pointer and is
                                             not marked so */
    const struct lane_chain_frame *last;  /* the next frame of the last chain to compare with */
    const struct lane_chain_frame *found; /* the frame that was met; NULL: none */
    uint64_t path;                        /* hash of the steps' addresses */
    uintptr_t high;                       /* end of the thread's own stack */
    uintptr_t limit;                      /* words may be read up to here: `high`, or the end of the
                                             last checked page; 0: none yet */
    bool is_own;                          /* the thread's own stack */
    bool is_exact;                        /* a signal came at state.pc */
    bool is_guessed;                      /* state.pc was found without an unwind table */
    bool may_keep;                        /* the next chain may be compared with this one */
    enum trace_chain_end end;             /* why the chain ends, when no frame was met */
};

/* Count the steps. */
static ALWAYS_INLINE size_t walk_count_steps(const struct walk *walk)
{
    return (size_t)(walk->step - walk->chain->steps);
}

/* Walk outward from a frame.  The walk may meet frames of the last chain from number `unchanged`
 * outward. */
void walk_outward(struct walk *walk, struct lane_chain *chain, struct unwind_state state,
                  uint32_t unchanged);

/* The same from the frame that a signal interrupted. */
void walk_out_of_signal(struct walk *walk, struct lane_chain *chain, struct unwind_state state,
                        uint32_t unchanged);

#endif
