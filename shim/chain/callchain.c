/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding from the caller outward until the last chain is met, and putting
 * the new frames in its place.
 *
 * Written for programs whose consecutive allocations share most of their
 * chain, as they nearly all do: the work is in the frames that changed.
 *
 * Decisions: doc/decisions/chains-by-difference, stacks-that-are-compared, chain-ends.
 */
#include "chain/callchain.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/estimate.h"
#include "platform/readable.h"
#include "record/process.h"
#include "record/tally.h"

/* The longest chains of new frames take half of WALK_NS_MAX. */
enum { PAGE_BITS = 12, WALKS_TO_ONE_TIMED = 64, WALK_NS_MAX = 100000 };

/* What is farther away is taken for another stack: it needs no system call to tell. */
#define FIRST_STACK_MAX (UINT64_C(1) << 30)

_Thread_local struct callchain_stack callchain_stack INITIAL_EXEC;

/* The stack pointer at the first instruction of the program; glibc's linker has it. */
extern void *__libc_stack_end __attribute__((weak));

/* Else the arguments are not far: what the kernel put above them is the end. */
static uintptr_t end_of_first_stack(void)
{
    return &__libc_stack_end ? (uintptr_t)__libc_stack_end
                             : getauxval(AT_RANDOM) & ~(sizeof(uintptr_t) - 1);
}

/* Other memory may stand below, as near as the gap of 1 MiB that the kernel keeps free
 * there: where the program asked for that place, where no other was free, where addresses
 * are not drawn at random and much is in the environment, and under qemu.  What is mapped
 * without a gap up to the part that is known is the same stack, unless a program forced
 * it there (MAP_FIXED), where the stack could not grow any more. */
COLD bool callchain_reaches(uintptr_t sp)
{
    uintptr_t page = sp >> PAGE_BITS << PAGE_BITS;
    uintptr_t low = callchain_stack.low;

    if (callchain_stack.high != end_of_first_stack() || low - sp > FIRST_STACK_MAX ||
        !readable_is_mapped(page, low))
        return false;
    callchain_stack.low = page;
    return true;
}

/* One walk along a stack. */
struct walk {
    struct lane_chain *chain;
    struct unwind_state state;            /* of the frame that is next; fp: of fp_from */
    struct lane_step *step;               /* the next */
    struct lane_step *fp_from;            /* the first whose frame pointer is state.fp, unless
                                             one from it on saved it */
    struct lane_step *fp_step;            /* that saved what is state.fp; NULL: none */
    struct lane_step *unmarked;           /* the first that may need the frame pointer and does
                                             not say so */
    const struct lane_chain_frame *last;  /* of the last chain, that may be met next */
    const struct lane_chain_frame *found; /* that was met; NULL: none */
    uint64_t path;                        /* hash of the steps' addresses */
    uintptr_t high;                       /* of its own stack */
    uintptr_t page;                       /* that was last found readable, on other stacks */
    bool is_own;                          /* the thread's own stack */
    bool is_exact;                        /* a signal came at state.pc */
    bool is_guessed;                      /* state.pc was found without an unwind table */
    bool may_keep;                        /* the chain may be compared the next time */
    enum trace_chain_end end;             /* when none was met */
};

static ALWAYS_INLINE size_t count_steps(const struct walk *walk)
{
    return (size_t)(walk->step - walk->chain->steps);
}

/* ---- the stack --------------------------------------------------------- */

static bool may_read(struct walk *walk, uintptr_t address)
{
    if (address % sizeof(uintptr_t) != 0)
        return false;
    if (walk->is_own)
        return address >= walk->state.sp && address < walk->high;
    if (address >> PAGE_BITS == walk->page)
        return true;
    if (!readable(address, sizeof(uintptr_t)))
        return false;
    walk->page = address >> PAGE_BITS;
    return true;
}

static bool read_word(struct walk *walk, uintptr_t address, struct lane_word *read)
{
    if (!may_read(walk, address))
        return false;
    read->place = (const uintptr_t *)address;
    read->value = *read->place;
    return true;
}

/* ---- the frame pointer ------------------------------------------------- */

/* Most frames save it and few need it: it is looked for when one does.
 * Where the CFA of a step is, the next frame has its stack pointer. */
static void find_fp(struct walk *walk, uintptr_t sp)
{
    for (struct lane_step *step = walk->step; step-- > walk->fp_from; sp = step->frame.sp) {
        if (step->saved_fp == 0)
            continue;
        step->fp.place = (const uintptr_t *)(sp - step->saved_fp * UNWIND_FP_UNIT);
        step->fp.value = *step->fp.place;
        walk->state.fp = step->fp.value;
        walk->fp_step = step;
        walk->unmarked = step + 1;
        break;
    }
    walk->fp_from = walk->step;
}

/* The frame pointer is used in the frame of the next step: whether unwinding
 * comes out the same from the frames it came through, up to `end`, depends on it. */
static uintptr_t use_fp(struct walk *walk, struct lane_step *end)
{
    find_fp(walk, walk->state.sp);
    for (; walk->unmarked < end; walk->unmarked++) {
        walk->unmarked->frame.flags |= LANE_NEEDS_FP;
        walk->unmarked->frame.fp = walk->state.fp;
    }
    if (walk->fp_step)
        walk->fp_step->frame.flags |= LANE_FP_IS_NEEDED;
    return walk->state.fp;
}

/* The step saved it at a place that its rule tells in another form. */
static void take_fp(struct walk *walk, struct lane_word read)
{
    walk->step->fp = read;
    walk->state.fp = read.value;
    walk->fp_step = walk->step;
    walk->fp_from = walk->step + 1;
    walk->unmarked = walk->step + 1;
}

/* ---- rules ------------------------------------------------------------- */

/* The lane's own cache tells most rules with one comparison. */
static ALWAYS_INLINE uint32_t find_rule(struct lane_chain *chain, uintptr_t pc)
{
    uint64_t *place = &chain->rules[(pc ^ pc >> 9) % LANE_RULES];
    uint32_t packed;

    if (LIKELY((*place ^ rules_key(pc)) >> UNWIND_RULE_BITS == 0))
        return (uint32_t)(*place & ((1 << UNWIND_RULE_BITS) - 1));
    packed = rules_find(rules_now(), pc);
    if (LIKELY(packed != 0))
        *place = rules_key(pc) | packed;
    return packed;
}

/* Two rows of addresses have one hash once in 2^64 times.  That is taken for a
 * proof: to compare the addresses themselves misses the cache once in two walks.
 * Rows that differ in one or two addresses, by less than 256 MiB, never have:
 * the multiples of the factor's powers lie too far apart (of the 255 in a row the
 * nearest are those of the 221st, 387 MiB; Knuth 3.3.4 tells how to find them). */
static ALWAYS_INLINE uint64_t add_to_path(uint64_t path, uintptr_t pc)
{
    return (path + pc) * HASH_FACTOR;
}

/* ---- one step ---------------------------------------------------------- */

static uintptr_t address_of(struct walk *walk, struct unwind_place place, uintptr_t cfa)
{
    uintptr_t base = place.base == UNWIND_CFA  ? cfa
                     : place.base == UNWIND_SP ? walk->state.sp
                                               : use_fp(walk, walk->step + 1);

    return base + (uintptr_t)(intptr_t)place.offset;
}

/* Code without an unwind table may keep its frame pointer. */
static bool is_guess(const struct unwind_rule *rule)
{
    return rule->pc.base == UNWIND_FP;
}

/* By a rule of any form.  Returns: false when the frame is lost. */
static bool apply(struct walk *walk, const struct unwind_rule *rule)
{
    struct lane_step *step = walk->step;
    uintptr_t cfa = address_of(walk, rule->cfa, 0);
    struct lane_word fp = {NULL, 0};

    if (rule->is_indirect) {
        if (!read_word(walk, cfa, &step->cfa))
            return false;
        step->frame.flags |= LANE_HAS_CFA;
        cfa = step->cfa.value;
    }
    if (!read_word(walk, address_of(walk, rule->pc, cfa), &step->pc))
        return false;
    if (rule->fp.base != UNWIND_NONE && !read_word(walk, address_of(walk, rule->fp, cfa), &fp))
        return false;
    if (cfa <= walk->state.sp && rule->kind != UNWIND_SIGNAL)
        return false;
    walk->state.pc = unwind_address(step->pc.value);
    walk->state.sp = cfa;
    if (fp.place)
        take_fp(walk, fp);
    walk->is_exact = rule->kind == UNWIND_SIGNAL;
    walk->is_guessed = is_guess(rule);
    walk->may_keep = walk->may_keep && rule->kind != UNWIND_SIGNAL;
    return true;
}

static struct unwind_rule unpack(uint32_t packed)
{
    unsigned fp = unwind_packed_fp(packed);
    struct unwind_rule rule = {.kind = UNWIND_FRAME};
    int32_t cfa = (int32_t)(unwind_packed_cfa(packed) * UNWIND_CFA_UNIT);

    if (rules_is_special(packed))
        return *rules_get_special(packed);
    rule.cfa = (struct unwind_place){cfa, unwind_packed_base(packed) ? UNWIND_FP : UNWIND_SP};
    rule.pc = (struct unwind_place){(int32_t)unwind_packed_pc_place(0, fp), UNWIND_CFA};
    if (fp != 0)
        rule.fp = (struct unwind_place){-(int32_t)(fp * UNWIND_FP_UNIT), UNWIND_CFA};
    return rule;
}

static struct unwind_rule rule_of(const struct walk *walk, uint32_t packed)
{
    struct unwind_rule rule = {.kind = UNWIND_END};

    /* The entry of the dynamic linker has nothing above it. */
    if (walk->is_own && walk->state.sp >= walk->high)
        return rule;
    if (packed != 0 && !walk->is_exact)
        return unpack(packed);
    rules_learn(walk->state.pc, walk->is_exact, &rule);
    return rule;
}

static void begin_step(struct walk *walk)
{
    static const uintptr_t nowhere;
    struct lane_step *step = walk->step;

    step->frame.pc = walk->state.pc;
    step->frame.sp = walk->state.sp;
    step->frame.flags = walk->is_exact ? LANE_IS_EXACT : 0;
    step->saved_fp = 0;
    step->pc = (struct lane_word){&nowhere, 0};
    if (walk->unmarked > step)
        walk->unmarked = step; /* the usual way was tried on it */
    walk->path = add_to_path(walk->path, walk->state.pc + step->frame.flags);
}

/* How the chain ends if the rule of its last frame leads no further.  Where a guessed frame
 * pointer led nowhere it was none: that code keeps none. */
static COLD enum trace_chain_end end_by(const struct walk *walk, const struct unwind_rule *rule)
{
    if (rule->kind == UNWIND_END || walk->state.pc == 0)
        return TRACE_CHAIN_WHOLE;
    if (rule->kind == UNWIND_NO_TABLE || is_guess(rule) ||
        (unwind_is_lost(rule) && walk->is_guessed))
        return TRACE_CHAIN_NO_TABLE;
    if (rule->kind == UNWIND_NO_CODE)
        return TRACE_CHAIN_NO_CODE;
    return rule->kind == UNWIND_STRANGE ? TRACE_CHAIN_STRANGE : TRACE_CHAIN_UNREADABLE;
}

/* A step that is not of the usual kind.  An address that was guessed and leads
 * nowhere is no frame.  Returns: false at the end of the chain. */
static COLD bool step_specially(struct walk *walk)
{
    const struct unwind_rule rule = rule_of(walk, rules_find(rules_now(), walk->state.pc));
    bool goes_on;

    walk->end = end_by(walk, &rule);
    if (walk->state.pc == 0 || (unwind_is_lost(&rule) && walk->is_guessed))
        return false;
    begin_step(walk);
    goes_on = rule.kind != UNWIND_END && !unwind_is_lost(&rule) && apply(walk, &rule);
    walk->step++;
    return goes_on;
}

/* ---- the walk ---------------------------------------------------------- */

/* A chain whose outer calls were cut off may be joined only where enough of it
 * is left; it would be shorter than it need be. */
static bool may_join(const struct walk *walk)
{
    return walk->chain->end != TRACE_CHAIN_CUT ||
           (size_t)(walk->last - walk->chain->frames) + count_steps(walk) >= TRACE_FRAMES_MAX;
}

/* Is this frame one of the last chain, and the same from there outward?  The
 * frames of both come with rising stack pointers. */
static ALWAYS_INLINE bool meets_last_chain(struct walk *walk)
{
    while (walk->last->sp < walk->state.sp)
        walk->last--;
    if (walk->last->sp != walk->state.sp || walk->last->pc != walk->state.pc)
        return false;
    if (UNLIKELY(walk->last->flags & LANE_NEEDS_FP) && walk->last->fp != use_fp(walk, walk->step))
        return false;
    if (!may_join(walk))
        return false;
    walk->found = walk->last;
    return true;
}

/* As far as the usual rules lead: the distance to the CFA is known, the return
 * address is beside it, the frame pointer is saved there or left alone.  The
 * walk is in registers meanwhile; this loop is what a chain costs. */
static ALWAYS_INLINE void unwind_usually(struct walk *walk)
{
    struct lane_step *step = walk->step;
    const struct lane_step *first = step;
    const struct lane_step *end = walk->chain->steps + TRACE_FRAMES_MAX;
    const struct lane_chain_frame *last = walk->last;
    struct lane_chain *chain = walk->chain;
    uintptr_t high = walk->high;
    uintptr_t pc = walk->state.pc;
    uintptr_t sp = walk->state.sp;
    uint64_t path = walk->path;

    for (; step < end; step++) {
        uintptr_t cfa = sp;
        uint32_t packed;

        while (last->sp < sp)
            last--;
        if (last->sp == sp && last->pc == pc)
            break; /* met, if the frame pointer agrees */
        packed = find_rule(chain, pc);
        if (UNLIKELY(packed == 0 || rules_is_special(packed)))
            break;
        step->frame.pc = pc;
        step->frame.sp = sp;
        step->frame.flags = 0;
        step->saved_fp = unwind_packed_fp(packed);
        if (unwind_packed_base(packed)) {
            walk->step = step;
            walk->state.sp = sp;
            cfa = use_fp(walk, step + 1);
        }
        cfa += unwind_packed_cfa(packed) * UNWIND_CFA_UNIT;
        if (UNLIKELY(cfa <= sp || cfa > high || cfa % sizeof(uintptr_t) != 0))
            break;
        step->pc.place = (const uintptr_t *)unwind_packed_pc_place(cfa, unwind_packed_fp(packed));
        step->pc.value = *step->pc.place;
        path = add_to_path(path, pc);
        pc = unwind_address(step->pc.value);
        sp = cfa;
    }
    walk->is_guessed = walk->is_guessed && step == first;
    walk->state.pc = pc;
    walk->state.sp = sp;
    walk->step = step;
    walk->last = last;
    walk->path = path;
}

/* From the caller outward, until the last chain is met or there is no more.
 * A frame that the usual loop leaves is met, or takes a step of its own. */
static ALWAYS_INLINE void unwind(struct walk *walk)
{
    const struct lane_step *end = walk->chain->steps + TRACE_FRAMES_MAX;

    for (;;) {
        if (LIKELY(walk->is_own && !walk->is_exact))
            unwind_usually(walk);
        if (LIKELY(meets_last_chain(walk)))
            return;
        if (walk->step == end || !step_specially(walk))
            return;
        walk->end = TRACE_CHAIN_CUT;
    }
}

/* ---- the tree ---------------------------------------------------------- */

/* Find or make a call.  Returns: 0 when there is no room. */
static ALWAYS_INLINE uint32_t find_call(struct lane *lane, const struct trace_call *call)
{
    const struct lane_calls *calls = lane->calls;
    uint64_t hash = tree_hash(call);
    uint32_t at = (uint32_t)(hash >> 32) & calls->index_mask;

    for (; calls->index[at] != 0; at = (at + 1) & calls->index_mask) {
        uint32_t entry = calls->index[at];
        uint32_t number = lane_entry_number(calls, entry);
        const struct trace_call *known;

        if (entry >> LANE_ENTRY_BITS != lane_entry_tag(hash))
            continue;
        known = lane_call(calls, number);
        if (LIKELY(known->address == call->address && known->parent == call->parent &&
                   known->flags == call->flags))
            return number;
    }
    return lane_add_call(lane, call, hash);
}

static uint32_t find_root(struct lane *lane, const struct walk *walk)
{
    const struct trace_call root = {walk->chain->epoch, 0, walk->end};

    return find_call(lane, &root);
}

/* The call of a step below the call around it. */
static uint32_t find_step(struct lane *lane, const struct lane_step *step, uint32_t parent)
{
    const struct trace_call call = {step->frame.pc, parent,
                                    step->frame.flags & LANE_IS_EXACT ? TRACE_CALL_EXACT : 0};

    return find_call(lane, &call);
}

/* Enter the steps in the tree, one below the other, below `call`.
 * Returns: the innermost; 0 when there was no room. */
static uint32_t enter_steps(struct lane *lane, const struct walk *walk, uint32_t call)
{
    for (const struct lane_step *step = walk->step; step-- > walk->chain->steps && call != 0;)
        call = find_step(lane, step, call);
    return call;
}

/* The innermost step's call, below `outer`.
 * Returns: 0 when there was no room. */
static ALWAYS_INLINE uint32_t find_innermost(struct lane *lane, const struct walk *walk,
                                             uint32_t outer)
{
    uint64_t hash = (walk->path + outer) * HASH_FACTOR;
    struct lane_join *join = &walk->chain->joins[(hash >> 32) % LANE_JOINS];

    if (LIKELY(join->path == walk->path && join->outer == outer && join->call != 0))
        return join->call;
    join->path = walk->path;
    join->outer = outer;
    join->call = enter_steps(lane, walk, outer);
    return join->call;
}

/* ---- the last chain ---------------------------------------------------- */

/* The call of a frame of the last chain.  That of the innermost is known, and
 * each names the one around it. */
static ALWAYS_INLINE uint32_t call_of(const struct lane *lane, struct lane_chain_frame *frame)
{
    const struct lane_chain_frame *inner = frame;
    uint32_t call;

    while (inner->call == 0)
        inner++;
    call = inner->call;
    for (; inner > frame; inner--)
        call = lane_call(lane->calls, call)->parent;
    frame->call = call;
    return call;
}

static void add_extra(struct lane_chain *chain, uint32_t owner, struct lane_word added)
{
    chain->owners[chain->extra_count] = (uint16_t)owner;
    chain->extras[chain->extra_count++] = added;
}

/* Field by field: what was stored in parts a moment ago is slow to load whole. */
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
            add_extra(chain, number, step->fp);
        if (step->frame.flags & LANE_HAS_CFA)
            add_extra(chain, number, step->cfa);
    }
}

/* Keep the frames from the found one outward. */
static ALWAYS_INLINE void cut_frames(struct lane_chain *chain, uint32_t frame_count)
{
    chain->frame_count = frame_count;
    while (UNLIKELY(chain->extra_count > 0) && chain->owners[chain->extra_count - 1] > frame_count)
        chain->extra_count--;
}

/* The new frames take the place of those inside the frame that was met. */
static ALWAYS_INLINE uint32_t join(struct lane *lane, const struct walk *walk)
{
    struct lane_chain *chain = walk->chain;
    uint32_t call;

    if (LIKELY(walk->found != NULL)) {
        uint32_t found = (uint32_t)(walk->found - chain->frames);

        call = call_of(lane, &chain->frames[found]);
        cut_frames(chain, found);
    } else {
        chain->end = walk->end;
        call = find_root(lane, walk);
        cut_frames(chain, 0);
    }
    if (LIKELY(walk->step > chain->steps && call != 0))
        call = find_innermost(lane, walk, call);
    if (UNLIKELY(call == 0 || !walk->may_keep)) {
        callchain_forget(chain);
        return call;
    }
    for (const struct lane_step *step = walk->step; step-- > chain->steps;)
        add_frame(chain, step);
    chain->frames[chain->frame_count].call = call;
    callchain_end_words(chain);
    return call;
}

/* ---- what came after the last chain ------------------------------------ */

/* The chain has come: send for what may come after it. */
static ALWAYS_INLINE uint32_t follow(struct lane *lane, uint32_t call)
{
    successors_follow(&lane->chain->successors, call - lane_first_call(lane->calls));
    return call;
}

/* Frames that are the chain's from `number` on: words as a part of a row tells,
 * and the frames outside of them; `leads_out`: the first of these is there. */
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

/* A frame of a row of several parts, on the way from the outermost inward. */
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

/* What the frame pointer is to the frames that are the chain's from `number` on. */
static void keep_fps(struct lane_chain *chain, uint32_t number, const struct row *row, uintptr_t sp)
{
    const struct row_fps fps = *row_fps(row);
    uint32_t end = number + row_frame_count(row);
    uintptr_t value = chain->frames[number - 1].fp;

    for (struct row_frame at = {row, 0, 1}; number < end; move_inward(&at), number++) {
        struct lane_chain_frame *frame = &chain->frames[number];
        const uintptr_t *place = row_fp_place(at.part, at.i, sp);

        if (fps.saved & at.bit)
            add_extra(chain, number, (struct lane_word){place, value});
        if (fps.used & at.bit)
            value = (uintptr_t)place;
        if (fps.kept_cfa & at.bit)
            add_extra(chain, number,
                      (struct lane_word){row_cfa_place(place), row_cfa(at.part, at.i, sp)});
        if (fps.needed & at.bit)
            frame->flags = LANE_NEEDS_FP;
        frame->fp = value;
    }
}

/* The frame pointer leads along the row to the frame outside of it. */
static bool fps_are_so(const struct row *row, const struct lane_chain_frame *outside,
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

/* The further parts of a long row are as the stack, and so are the frame pointers. */
static bool is_so_further(const struct row *row, const struct lane_chain_frame *outside,
                          struct unwind_state state)
{
    for (unsigned i = 1; i < row_count_parts(row); i++)
        if (row_differs(row + i, state.sp) != 0)
            return false;
    return row_fps(row) ? fps_are_so(row, outside, state) : !(outside->flags & LANE_NEEDS_FP);
}

/* What unwinding would read is where the row says, and leads to that frame. */
static ALWAYS_INLINE bool is_so(const struct row *row, const struct lane_chain_frame *outside,
                                struct unwind_state state)
{
    if (row_cfa(row, 0, state.sp) != outside->sp || !callchain_is_on_stack(state.sp))
        return false;
    if ((unwind_address(row->values[0]) ^ outside->pc) | (row->pc ^ state.pc) |
        row_differs(row, state.sp))
        return false;
    if (LIKELY(!row_is_long(row)))
        return !(outside->flags & LANE_NEEDS_FP);
    return is_so_further(row, outside, state);
}

/* Is the guess right for a frame that asks, where so many frames are unchanged? */
static ALWAYS_INLINE bool is_right(const struct lane_chain *chain, uint64_t guess,
                                   struct unwind_state state, uint32_t unchanged)
{
    return guess != 0 && guess_frame(guess) <= unchanged &&
           is_so(guess_row(&chain->successors, guess), &chain->frames[guess_frame(guess)], state);
}

/* Others of the line that have the key of this frame; the one that is right is the first
 * the next time.  Returns: that, or 0. */
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

/* The further parts of a long row. */
static void keep_further(struct lane_chain *chain, uint32_t number, const struct row *row,
                         uintptr_t sp)
{
    for (unsigned i = 1; i < row_count_parts(row); i++)
        keep_row(chain, number + i * ROW_FRAMES, row + i, sp, false);
}

/* Take a chain that came after this one before.
 * Returns: its number; 0 when it is another or nothing is known. */
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
    row_send_ahead(row);
    cut_frames(chain, number);
    keep_row(chain, number + 1, row, state.sp, true);
    if (UNLIKELY(row_is_long(row)))
        keep_further(chain, number + 1, row, state.sp);
    chain->frame_count = number + row_frame_count(row);
    innermost = &chain->frames[chain->frame_count];
    innermost->pc = state.pc;
    innermost->sp = state.sp;
    innermost->call = lane_first_call(lane->calls) + guess_call(guess);
    innermost->flags = 0;
    if (UNLIKELY(row_is_long(row)) && row_fps(row))
        keep_fps(chain, number + 1, row, state.sp);
    callchain_end_words(chain);
    return follow(lane, innermost->call);
}

/* Keep what came after the last chain. */
static ALWAYS_INLINE void learn(struct lane *lane, const struct walk *walk, uint32_t call)
{
    uint32_t number = (uint32_t)(walk->found - walk->chain->frames);

    if (number + ROW_FRAMES_MAX < LANE_CHAIN_FRAMES)
        successors_learn(&walk->chain->successors, walk->chain->steps, count_steps(walk),
                         walk->found, walk->path, number, call - lane_first_call(lane->calls));
}

/* Frames of another stack are entered in the tree and not kept. */
static COLD uint32_t enter(struct lane *lane, const struct walk *walk)
{
    uint32_t root = find_root(lane, walk);

    return root != 0 && walk->step > walk->chain->steps ? find_innermost(lane, walk, root) : root;
}

/* ---- taking ------------------------------------------------------------ */

static ALWAYS_INLINE void start(struct walk *walk, struct lane_chain *chain,
                                struct unwind_state state)
{
    *walk = (struct walk){
        .chain = chain,
        .state = state,
        .step = chain->steps,
        .fp_from = chain->steps,
        .unmarked = chain->steps,
        .last = chain->frames,
        .high = callchain_stack.high,
        .is_own = LIKELY(callchain_is_on_stack(state.sp)) || callchain_reaches(state.sp),
        .end = TRACE_CHAIN_CUT,
    };
    walk->may_keep = walk->is_own;
}

/* With what is kept it would become too long: its outer calls are cut off. */
static bool is_too_long(const struct walk *walk)
{
    return walk->found &&
           (size_t)(walk->found - walk->chain->frames) + count_steps(walk) > LANE_CHAIN_FRAMES;
}

/* Unwind, and keep what came.  Of a chain that was never met before nothing is
 * learned: it may be the last time too. */
static HOT __attribute__((noinline)) uint32_t unwind_anew(struct lane *lane,
                                                          struct unwind_state state,
                                                          uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    uint32_t first_new = lane->calls->next;
    struct walk walk;
    uint32_t call;

    start(&walk, chain, state);
    if (LIKELY(walk.is_own))
        walk.last = &chain->frames[unchanged];
    unwind(&walk);
    if (UNLIKELY(is_too_long(&walk))) {
        start(&walk, chain, state);
        unwind(&walk);
    }
    if (UNLIKELY(!walk.is_own))
        return enter(lane, &walk);
    call = join(lane, &walk);
    if (UNLIKELY(chain->frame_count == 0))
        return call;
    if (LIKELY(walk.found != NULL && call < first_new))
        learn(lane, &walk, call);
    return follow(lane, call);
}

static ALWAYS_INLINE uint32_t take(struct lane *lane, struct unwind_state state, uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    unsigned epoch = atomic_load_explicit(&rules_epoch, memory_order_acquire);
    uint32_t call;

    if (UNLIKELY(lane_tree_is_full(lane->calls))) {
        lane_begin_tree(lane);
        unchanged = 0;
    }
    if (UNLIKELY(chain->epoch != epoch)) {
        callchain_forget(chain);
        memset(chain->rules, 0, sizeof chain->rules);
        chain->epoch = epoch;
        unchanged = 0;
    }
    call = repeat(lane, state, unchanged);
    return LIKELY(call != 0) ? call : unwind_anew(lane, state, unchanged);
}

/* The timed walk stands for those since the last one that was timed, unless
 * something else ran in the middle of it. */
static COLD void add_walks(struct lane_chain *chain, uint64_t start, uint64_t end)
{
    uint64_t ticks = end - start;
    uint64_t room = ticks < clock_ticks_of(WALK_NS_MAX) ? end - chain->timed_ticks : ticks;

    chain->timed_ticks = end;
    process_add_slow_ticks(estimate_all(ticks, WALKS_TO_ONE_TIMED, room));
}

/* One walk in so many is timed, for what the trace says that we cost. */
HOT uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                            uint32_t unchanged)
{
    const struct unwind_state state = {pc, sp, fp};
    uint64_t start;
    uint32_t call;

    if (LIKELY(++lane->chain->walks % WALKS_TO_ONE_TIMED != 0))
        return take(lane, state, unchanged);
    start = clock_read();
    call = take(lane, state, unchanged);
    add_walks(lane->chain, start, clock_read());
    return call;
}

void callchain_begin_thread(struct lane *lane)
{
    uintptr_t high = end_of_first_stack();

    if (lane->chain)
        callchain_forget(lane->chain);
    if (callchain_stack.high == 0 && lane->thread == calls_getpid())
        callchain_stack = (struct callchain_stack){high, high};
}
