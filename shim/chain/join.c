/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Enters the steps of a walk in the tree, and stores them as frames of the last chain.
 */
#include "chain/join.h"

#include "chain/tree.h"

static uint32_t find_root(struct lane *lane, const struct walk *walk)
{
    const struct trace_call root = {walk->chain->epoch, 0, walk->end};

    return tree_find_call(lane, &root);
}

/* The call of a step below the call around it. */
static uint32_t find_step(struct lane *lane, const struct lane_step *step, uint32_t parent)
{
    const struct trace_call call = {step->frame.pc, parent,
                                    step->frame.flags & LANE_IS_EXACT ? TRACE_CALL_EXACT : 0};

    return tree_find_call(lane, &call);
}

/* Enter the steps in the tree, one below the other, below `call`.
 * Returns: the innermost call; 0 when there was no room. */
static uint32_t enter_steps(struct lane *lane, const struct walk *walk, uint32_t call)
{
    for (const struct lane_step *step = walk->step; step-- > walk->chain->steps && call != 0;)
        call = find_step(lane, step, call);
    return call;
}

/* A page that is touched the first time costs a fault, so a short process has a page of places. */
static void widen(struct lane_chain *chain)
{
    if (chain->join_mask < LANE_JOINS - 1 && ++chain->joined > chain->join_mask)
        chain->join_mask = (chain->join_mask == 0 ? LANE_JOINS_FIRST : LANE_JOINS) - 1;
}

/* The innermost step's call, below `outer`.
 * Returns: 0 when there was no room. */
static ALWAYS_INLINE uint32_t find_innermost(struct lane *lane, const struct walk *walk,
                                             uint32_t outer)
{
    uint64_t hash = (walk->path + outer) * HASH_FACTOR;
    struct lane_join *join = &walk->chain->joins[(hash >> 32) & walk->chain->join_mask];

    if (LIKELY(join->path == walk->path && join->outer == outer && join->call != 0))
        return join->call;
    join->path = walk->path;
    join->outer = outer;
    join->call = enter_steps(lane, walk, outer);
    widen(walk->chain);
    return join->call;
}

/* The call of a frame of the last chain.  The innermost frame has its call, and each call
 * names the one around it. */
static ALWAYS_INLINE uint32_t call_of(const struct lane *lane, struct lane_chain_frame *frame)
{
    const struct lane_chain_frame *inner = frame;
    uint32_t call;

    while (inner->call == 0)
        inner++;
    call = inner->call;
    for (; inner > frame; inner--)
        call = tree_call(lane->calls, call)->parent;
    frame->call = call;
    return call;
}

/* Field by field: loading a word whole waits when it was just stored in parts. */
static ALWAYS_INLINE void add_frame(struct lane_chain *chain, const struct lane_step *step)
{
    uint32_t number = ++chain->frame_count;
    struct lane_chain_frame *frame = &chain->frames[number];

    frame->pc = step->frame.pc;
    frame->sp = step->frame.sp;
    frame->call = 0;
    frame->flags = step->frame.flags;
    chain->words[number].place = step->pc.place;
    chain->words[number].value = step->pc.value;
    if (UNLIKELY(step->frame.flags != 0)) {
        frame->fp = step->frame.fp;
        if (step->frame.flags & LANE_FP_IS_NEEDED)
            lane_chain_add_extra(chain, number, step->fp);
        if (step->frame.flags & LANE_HAS_CFA)
            lane_chain_add_extra(chain, number, step->cfa);
    }
}

HOT uint32_t join_steps(struct lane *lane, const struct walk *walk)
{
    struct lane_chain *chain = walk->chain;
    uint32_t call;

    if (LIKELY(walk->found != NULL)) {
        uint32_t found = (uint32_t)(walk->found - chain->frames);

        call = call_of(lane, &chain->frames[found]);
        lane_chain_cut(chain, found);
    } else {
        chain->end = walk->end;
        call = find_root(lane, walk);
        lane_chain_cut(chain, 0);
    }
    if (LIKELY(walk->step > chain->steps && call != 0))
        call = find_innermost(lane, walk, call);
    if (UNLIKELY(call == 0 || !walk->may_keep)) {
        lane_chain_forget(chain);
        return call;
    }
    for (const struct lane_step *step = walk->step; step-- > chain->steps;)
        add_frame(chain, step);
    chain->frames[chain->frame_count].call = call;
    lane_chain_end_words(chain);
    return call;
}

uint32_t join_elsewhere(struct lane *lane, const struct walk *walk)
{
    uint32_t root = find_root(lane, walk);

    return root != 0 && walk->step > walk->chain->steps ? find_innermost(lane, walk, root) : root;
}
