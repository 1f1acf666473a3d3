/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking a chain that is not the last one: by a guess, and else by a walk.
 *
 * Runs in the program's calls of malloc; callchain.h has the budget.
 *
 * Decision: doc/decisions/chains-by-difference.
 */
#include "chain/callchain.h"

#include <string.h>

#include "chain/join.h"
#include "chain/tree.h"
#include "chain/walk_clock.h"
#include "platform/own_stack.h"
#include "record/process.h"
#include "unwind/objects.h"

/* The chain is known: prefetch the guesses after it. */
static ALWAYS_INLINE uint32_t follow(struct lane *lane, uint32_t call)
{
    successors_follow(&lane->chain->successors, call - tree_first_call(lane->calls));
    return call;
}

/* Store a part of a row as the chain's frames from `number` on: their words, and the frames that
 * these lead to.  `leads_out`: the first word leads to a frame that is stored already. */
static ALWAYS_INLINE void keep_row(struct lane_chain *chain, uint32_t number, const struct row *row,
                                   uintptr_t sp, bool leads_out)
{
    struct lane_word *words = &chain->words[number];
    struct lane_chain_frame *outside = &chain->frames[number - 1];

#pragma GCC unroll 8
    for (unsigned i = 0; i < ROW_FRAMES; i++) {
        words[i].place = row_place(row, i, sp);
        words[i].value = row->values[i];
        if (i == 0 && leads_out)
            continue;
        outside[i].pc = unwind_address(row->values[i]);
        outside[i].sp = row_cfa(row, i, sp);
        outside[i].call = 0;
        outside[i].flags = 0;
    }
}

/* A position in a row of several parts, on the way from the outermost frame inwards. */
struct row_frame {
    const struct row *part;
    unsigned i;   /* in its part */
    unsigned bit; /* in struct row_fps */
};

static ALWAYS_INLINE void move_inward(struct row_frame *frame)
{
    frame->bit <<= 1;
    if (UNLIKELY(++frame->i == ROW_FRAMES)) {
        frame->part++;
        frame->i = 0;
    }
}

/* Keep how a row uses the frame pointer, for the chain's frames from `number` on. */
static void keep_fps(struct lane_chain *chain, uint32_t number, const struct row *row, uintptr_t sp)
{
    const struct row_fps fps = *row_fps(row);
    uint32_t end = number + row_frame_count(row);
    uintptr_t value = chain->frames[number - 1].fp;

    for (struct row_frame at = {row, 0, 1}; number < end; move_inward(&at), number++) {
        struct lane_chain_frame *frame = &chain->frames[number];
        const uintptr_t *place = row_fp_place(at.part, at.i, sp);

        if (fps.saved & at.bit)
            lane_chain_add_extra(chain, number, (struct lane_word){place, value});
        if (fps.used & at.bit)
            value = (uintptr_t)place;
        if (fps.kept_cfa & at.bit)
            lane_chain_add_extra(
                chain, number,
                (struct lane_word){row_cfa_place(place), row_cfa(at.part, at.i, sp)});
        if (fps.needed & at.bit)
            frame->flags = LANE_NEEDS_FP;
        frame->fp = value;
    }
}

/* Ask whether the frame pointer leads along the row to the frame outside of it. */
static bool fps_match(const struct row *row, const struct lane_chain_frame *outside,
                      struct unwind_state state)
{
    const struct row_fps fps = *row_fps(row);
    unsigned end = 1u << row_frame_count(row);
    uintptr_t value = outside->fp;
    uintptr_t differs = 0;

    if (row_fps_lead_out(&fps) != ((outside->flags & LANE_NEEDS_FP) != 0))
        return false;
    for (struct row_frame at = {row, 0, 1}; at.bit < end; move_inward(&at)) {
        const uintptr_t *place = row_fp_place(at.part, at.i, state.sp);

        if (fps.saved & at.bit)
            differs |= *place ^ value;
        if (fps.used & at.bit)
            value = (uintptr_t)place;
        if (fps.kept_cfa & at.bit)
            differs |= *row_cfa_place(place) ^ row_cfa(at.part, at.i, state.sp);
    }
    return differs == 0 && (!(fps.needed & end >> 1) || value == state.fp);
}

/* Ask whether the further parts of a long row match the stack, including the frame pointers. */
static bool matches_further(const struct row *row, const struct lane_chain_frame *outside,
                            struct unwind_state state)
{
    for (unsigned i = 1; i < row_count_parts(row); i++)
        if (row_differs(row + i, state.sp) != 0)
            return false;
    return row_fps(row) ? fps_match(row, outside, state) : !(outside->flags & LANE_NEEDS_FP);
}

/* Returns: whether unwinding would read the words of the row and arrive at `outside`.  On another
 * stack this is never true: no frame there counts as unchanged, and frame 0 has no place. */
static ALWAYS_INLINE bool matches(const struct row *row, const struct lane_chain_frame *outside,
                                  struct unwind_state state)
{
    if (row_cfa(row, 0, state.sp) != outside->sp)
        return false;
    if ((unwind_address(row->values[0]) ^ outside->pc) | (row->pc ^ state.pc) |
        row_differs(row, state.sp))
        return false;
    if (LIKELY(!row_is_long(row)))
        return !(outside->flags & LANE_NEEDS_FP);
    return matches_further(row, outside, state);
}

/* Is the guess right for this frame, with `unchanged` frames unchanged? */
static ALWAYS_INLINE bool is_right(const struct lane_chain *chain, uint64_t guess,
                                   struct unwind_state state, uint32_t unchanged)
{
    return guess != 0 && guess_frame(guess) <= unchanged &&
           matches(guess_row(&chain->successors, guess), &chain->frames[guess_frame(guess)], state);
}

/* Try the other guesses of the line that have the key of this frame.  The right one moves
 * to the first place.  Returns: it, or 0. */
static HOT __attribute__((noinline)) uint64_t guess_again(struct lane_chain *chain,
                                                          struct unwind_state state,
                                                          uint32_t unchanged)
{
    uint64_t hash = successors_hash(state.pc, state.sp);
    uint32_t key = successors_key(&chain->successors, hash);
    uint64_t *line = chain->successors.line;

    for (unsigned i = 0; i < SUCCESSORS_SLOTS; i++) {
        uint64_t guess = line[i];

        if (guess_key(guess) != key || !is_right(chain, guess, state, unchanged))
            continue;
        line[i] = line[successors_slot(hash)];
        line[successors_slot(hash)] = guess;
        return guess;
    }
    return 0;
}

/* Keep the further parts of a long row. */
static void keep_further(struct lane_chain *chain, uint32_t number, const struct row *row,
                         uintptr_t sp)
{
    for (unsigned i = 1; i < row_count_parts(row); i++)
        keep_row(chain, number + i * ROW_FRAMES, row + i, sp, false);
}

/* Take a chain that already followed the last one before.
 * Returns: its number; 0 when no guess is right. */
static ALWAYS_INLINE uint32_t repeat(struct lane *lane, struct unwind_state state,
                                     uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    uint64_t guess = successors_guess(&chain->successors, state.pc, state.sp);
    struct lane_chain_frame *innermost;
    const struct row *row;
    uint32_t number;

    if (UNLIKELY(!is_right(chain, guess, state, unchanged)))
        guess = guess_again(chain, state, unchanged);
    if (UNLIKELY(guess == 0))
        return 0;
    row = guess_row(&chain->successors, guess);
    number = guess_frame(guess);
    row_prefetch_ahead(row);
    lane_chain_cut(chain, number);
    keep_row(chain, number + 1, row, state.sp, true);
    if (UNLIKELY(row_is_long(row)))
        keep_further(chain, number + 1, row, state.sp);
    chain->frame_count = number + row_frame_count(row);
    innermost = &chain->frames[chain->frame_count];
    innermost->pc = state.pc;
    innermost->sp = state.sp;
    innermost->call = tree_first_call(lane->calls) + guess_call(guess);
    innermost->flags = 0;
    if (UNLIKELY(row_is_long(row)) && row_fps(row))
        keep_fps(chain, number + 1, row, state.sp);
    lane_chain_end_words(chain);
    return follow(lane, innermost->call);
}

/* Learn that this chain came after the last one. */
static ALWAYS_INLINE void learn(struct lane *lane, const struct walk *walk, uint32_t call)
{
    uint32_t number = (uint32_t)(walk->found - walk->chain->frames);

    if (number + ROW_FRAMES_MAX < LANE_CHAIN_FRAMES)
        successors_learn(&walk->chain->successors, walk->chain->steps, walk_count_steps(walk),
                         walk->found, walk->path, number, call - tree_first_call(lane->calls));
}

/* Unwind, and store the chain.  A new chain is not learned: it may never come again. */
static HOT __attribute__((noinline)) uint32_t unwind_anew(struct lane *lane,
                                                          struct unwind_state state,
                                                          uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    uint32_t first_new = lane->calls->next;
    struct walk walk;
    uint32_t call;

    walk_outward(&walk, chain, state, unchanged);
    if (UNLIKELY(!walk.is_own))
        return join_elsewhere(lane, &walk);
    call = join_steps(lane, &walk);
    if (UNLIKELY(chain->frame_count == 0))
        return call;
    if (LIKELY(walk.found != NULL && call < first_new))
        learn(lane, &walk, call);
    return follow(lane, call);
}

/* Starts another tree when the last is full, and forgets the frames of another epoch.
 * Returns: the number of frames of the last chain that still count. */
static ALWAYS_INLINE uint32_t renew(struct lane *lane, uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    unsigned epoch = atomic_load_explicit(&rules_epoch, memory_order_acquire);

    if (UNLIKELY(tree_is_full(lane->calls))) {
        tree_begin(lane);
        unchanged = 0;
    }
    if (UNLIKELY(chain->epoch != epoch)) {
        lane_chain_forget(chain);
        memset(chain->rules, 0, sizeof chain->rules);
        chain->epoch = epoch;
        unchanged = 0;
    }
    return unchanged;
}

static ALWAYS_INLINE uint32_t take(struct lane *lane, struct unwind_state state, uint32_t unchanged)
{
    uint32_t call;

    unchanged = renew(lane, unchanged);
    call = repeat(lane, state, unchanged);
    return LIKELY(call != 0) ? call : unwind_anew(lane, state, unchanged);
}

static ALWAYS_INLINE uint32_t take_pair(struct lane *lane, struct unwind_state state,
                                        uint32_t unchanged)
{
    return mixed_pair(lane, take(lane, state, unchanged));
}

HOT uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                            uint32_t unchanged)
{
    const struct unwind_state state = {pc, sp, fp};
    uint64_t start;
    uint32_t call;

    if (!walk_clock_is_due(lane->chain))
        return take_pair(lane, state, unchanged);
    start = walk_clock_begin(lane->chain);
    call = take_pair(lane, state, unchanged);
    walk_clock_end(lane->chain, start);
    return call;
}

HOT uint32_t callchain_walk_elsewhere(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
    bool is_own = LIKELY(own_stack_holds(sp)) || own_stack_reaches(sp);

    return callchain_walk(lane, pc, sp, fp, is_own ? callchain_verify(lane->chain) : 0);
}

/* From now on the last chain is that of the frame around the interrupted one, because the
 * interrupted frame changes its words on the stack with its next instruction. */
static void drop_interrupted(struct lane *lane, uint32_t call)
{
    struct lane_chain *chain = lane->chain;
    uint32_t outer;

    if (chain->frame_count < 2) {
        lane_chain_forget(chain);
        return;
    }
    outer = tree_call(lane->calls, call)->parent;
    lane_chain_cut(chain, chain->frame_count - 1);
    chain->frames[chain->frame_count].call = outer;
    lane_chain_end_words(chain);
    follow(lane, outer);
}

static uint32_t take_interrupted(struct lane *lane, struct unwind_state state)
{
    struct lane_chain *chain = lane->chain;
    bool is_own = own_stack_holds(state.sp) || own_stack_reaches(state.sp);
    uint32_t unchanged = renew(lane, is_own ? callchain_verify(chain) : 0);
    struct walk walk;
    uint32_t call;

    walk_out_of_signal(&walk, chain, state, unchanged);
    if (walk.is_own) {
        call = join_steps(lane, &walk);
        drop_interrupted(lane, call);
    } else {
        call = join_elsewhere(lane, &walk);
    }
    return python_is_read() ? mixed_take_interrupted(lane, call) : call;
}

uint32_t callchain_take_interrupted(struct lane *lane, struct unwind_state state)
{
    bool was_alone = objects_alone;
    uint32_t call;

    objects_alone = true;
    call = take_interrupted(lane, state);
    objects_alone = was_alone;
    return call;
}

void callchain_begin_thread(struct lane *lane)
{
    if (lane->chain)
        lane_chain_forget(lane->chain);
    if (lane->sample_chain)
        lane_chain_forget(lane->sample_chain);
    if (lane->idle_chain)
        lane_chain_forget(lane->idle_chain);
    own_stack_begin_thread(lane->thread);
}
