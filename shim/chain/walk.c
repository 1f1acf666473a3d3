/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding.  Written for programs whose consecutive allocations share most of their chain, as in
 * nearly all programs: only the changed frames take work.
 *
 * Decisions: doc/decisions/own-unwinder, chain-ends.
 */
#include "chain/walk.h"

#include "platform/own_stack.h"
#include "platform/readable.h"
#include "unwind/rules.h"

enum { PAGE = 4096 };

/* All of the thread's own stack may be read, until a guess led there: then it is like another
 * stack. */
static bool is_certain(const struct walk *walk)
{
    return walk->is_own && walk->limit == walk->high;
}

/* Ask before each word from now on. */
static void doubt(struct walk *walk)
{
    walk->limit = 0;
}

static bool is_in_page(const struct walk *walk, uintptr_t address)
{
    return walk->limit != 0 && walk->limit - 1 - address < PAGE;
}

static bool may_read(struct walk *walk, uintptr_t address)
{
    if (address % sizeof(uintptr_t) != 0 ||
        (walk->is_own && (address < walk->state.sp || address >= walk->high)))
        return false;
    if (is_certain(walk) || is_in_page(walk, address))
        return true;
    if (!readable_at_once(address, sizeof(uintptr_t)))
        return false;
    walk->limit = (address | (PAGE - 1)) + 1;
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

/* Most frames save the frame pointer and few need it, so it is looked up on demand.  The CFA of a
 * step is the stack pointer of the next. */
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

/* The frame of the next step uses the frame pointer.  The steps that the frame pointer passed
 * through, up to `end`, depend on its value from now on. */
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

/* The step saved the frame pointer at a place of no packed form. */
static void take_fp(struct walk *walk, struct lane_word read)
{
    walk->step->fp = read;
    walk->state.fp = read.value;
    walk->fp_step = walk->step;
    walk->fp_from = walk->step + 1;
    walk->unmarked = walk->step + 1;
}

/* The lane's own cache has most rules, at one comparison. */
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

/* Two paths have the same hash once in 2^64 times.  An equal hash counts as proof, because
 * comparing the addresses themselves misses the cache in every second walk.  Paths that differ in
 * one or two addresses by less than 256 MiB never have the same hash: the multiples of the factor's
 * powers are too far apart.  Of 255 powers the 221st comes nearest, with 387 MiB (the method is in
 * Knuth 3.3.4). */
static ALWAYS_INLINE uint64_t add_to_path(uint64_t path, uintptr_t pc)
{
    return (path + pc) * HASH_FACTOR;
}

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

/* A signal interrupted the next frame.  The handler ran on the thread's own stack; the code around
 * it may have run on another. */
static void leave_handler(struct walk *walk)
{
    uintptr_t sp = walk->state.sp;

    if (!walk->is_own || own_stack_holds(sp) || own_stack_reaches(sp))
        return;
    walk->is_own = false;
    walk->last = walk->chain->frames;
    doubt(walk);
}

/* Apply a rule of any form.  Returns: false when the frame is lost. */
static bool apply(struct walk *walk, const struct unwind_rule *rule)
{
    struct lane_step *step = walk->step;
    uintptr_t cfa = address_of(walk, rule->cfa, 0);
    struct lane_word fp = {NULL, 0};

    if (is_guess(rule) && is_certain(walk))
        doubt(walk);
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
    if (rule->kind == UNWIND_SIGNAL)
        leave_handler(walk);
    if (!is_certain(walk) && !is_in_page(walk, cfa))
        doubt(walk);
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

static struct unwind_rule rule_of(const struct walk *walk)
{
    uintptr_t pc = walk->state.pc;
    struct unwind_rule rule = {.kind = UNWIND_END};
    uint32_t packed;

    /* The entry of the dynamic linker has nothing above it. */
    if (walk->is_own && walk->state.sp >= walk->high)
        return rule;
    packed = walk->is_exact ? rules_find_exact(pc) : rules_find(rules_now(), pc);
    if (packed != 0)
        return unpack(packed);
    rules_learn(pc, walk->is_exact, &rule);
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
        walk->unmarked = step; /* the usual loop tried this step */
    walk->path = add_to_path(walk->path, walk->state.pc + step->frame.flags);
}

/* How the chain ends if the rule of its last frame leads no further.  A guessed frame pointer
 * that led nowhere was no frame pointer: that code keeps none. */
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

/* Take a step of any other kind.  A guessed address that leads nowhere is no frame.
 * Returns: false at the end of the chain. */
static COLD bool step_specially(struct walk *walk)
{
    const struct unwind_rule rule = rule_of(walk);
    bool goes_on;

    walk->end = end_by(walk, &rule);
    if (walk->state.pc == 0 || (unwind_is_lost(&rule) && walk->is_guessed))
        return false;
    begin_step(walk);
    goes_on = rule.kind != UNWIND_END && !unwind_is_lost(&rule) && apply(walk, &rule);
    walk->step++;
    return goes_on;
}

/* A chain whose outer calls were cut off may be joined only if enough of it remains.  Otherwise the
 * new chain would be too short. */
static bool may_join(const struct walk *walk)
{
    return walk->chain->end != TRACE_CHAIN_CUT ||
           (size_t)(walk->last - walk->chain->frames) + walk_count_steps(walk) >= TRACE_FRAMES_MAX;
}

/* Ask whether this frame is one of the last chain, unchanged from there outwards.  Both chains have
 * rising stack pointers. */
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

/* Unwind as far as the usual rules lead: the distance to the CFA is known, the return address is
 * next to the CFA, and the frame pointer is saved there or unchanged.  The walk stays in registers;
 * this loop is the main cost of a chain. */
static ALWAYS_INLINE void unwind_usually(struct walk *walk)
{
    struct lane_step *step = walk->step;
    const struct lane_step *first = step;
    const struct lane_step *end = walk->chain->steps + TRACE_FRAMES_MAX;
    const struct lane_chain_frame *last = walk->last;
    struct lane_chain *chain = walk->chain;
    uintptr_t high = walk->limit;
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

/* Unwind outwards until the walk meets the last chain or the stack ends.  A frame at which the
 * usual loop stops either meets the last chain or needs a special step. */
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
        .high = own_stack.high,
        .limit = own_stack.high,
        .is_own = LIKELY(own_stack_holds(state.sp)) || own_stack_reaches(state.sp),
        .end = TRACE_CHAIN_CUT,
    };
    walk->may_keep = walk->is_own;
}

/* Together with the kept frames, the chain would become too long. */
static bool is_too_long(const struct walk *walk)
{
    return walk->found &&
           (size_t)(walk->found - walk->chain->frames) + walk_count_steps(walk) > LANE_CHAIN_FRAMES;
}

/* A chain that would become too long is taken again, without its outer calls. */
HOT void walk_outward(struct walk *walk, struct lane_chain *chain, struct unwind_state state,
                      uint32_t unchanged)
{
    start(walk, chain, state);
    if (LIKELY(walk->is_own))
        walk->last = &chain->frames[unchanged];
    else
        walk->limit = ((state.sp - 1) | (PAGE - 1)) + 1; /* this thread is running on it */
    unwind(walk);
    if (UNLIKELY(is_too_long(walk))) {
        start(walk, chain, state);
        unwind(walk);
    }
}

/* The first address is nearly always new, and no return address, so it meets no frame of the last
 * chain. */
static COLD void leave_interrupted(struct walk *walk)
{
    walk->is_exact = true;
    if (!step_specially(walk))
        return;
    walk->end = TRACE_CHAIN_CUT;
    unwind(walk);
}

void walk_out_of_signal(struct walk *walk, struct lane_chain *chain, struct unwind_state state,
                        uint32_t unchanged)
{
    start(walk, chain, state);
    if (walk->is_own)
        walk->last = &chain->frames[unchanged];
    else
        doubt(walk);
    leave_interrupted(walk);
    if (!is_too_long(walk))
        return;
    start(walk, chain, state);
    leave_interrupted(walk);
}
