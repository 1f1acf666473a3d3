/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding from the caller outward until the last chain is met, and putting
 * the new frames in its place.
 *
 * Written for programs whose consecutive allocations share most of their
 * chain, as they nearly all do: the work is in the frames that changed.
 */
#include "hot/callchain.h"

#include <dlfcn.h>
#include <string.h>

#include "cold/process.h"
#include "hot/tally.h"
#include "unwind/readable.h"

enum { PAGE_BITS = 12, WALKS_TO_ONE_TIMED = 64 };

/* The kernel keeps at least this much free below the first thread's stack, so
 * no other mapping comes nearer (mmap_base, arch/x86/mm/mmap.c, MIN_GAP). */
#define FIRST_STACK_GAP (UINT64_C(128) << 20)

_Thread_local struct callchain_stack callchain_stack INITIAL_EXEC;

/* The stack pointer at the first instruction of the program; the dynamic
 * linker's. */
extern void *__libc_stack_end;

void callchain_init(void)
{
    uintptr_t high = (uintptr_t)__libc_stack_end;

    callchain_stack = (struct callchain_stack){high - FIRST_STACK_GAP, high};
}

/* One walk along a stack. */
struct walk {
    struct lane_chain *chain;
    struct rules_table *rules;
    struct unwind_state state;            /* of the frame that is next */
    struct lane_step *step;               /* the next */
    struct lane_step *fp_step;            /* that read the frame pointer; NULL: none */
    struct lane_step *unmarked;           /* the first through which the frame pointer came
                                             unchanged, and whose flags do not say so */
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

/* The frame pointer is used in a frame: whether unwinding comes out the same
 * from the frames it came through, up to `end`, depends on it. */
static ALWAYS_INLINE void use_fp(struct walk *walk, struct lane_step *end)
{
    for (; walk->unmarked < end; walk->unmarked++)
        walk->unmarked->frame.flags |= LANE_NEEDS_FP;
    if (walk->fp_step)
        walk->fp_step->frame.flags |= LANE_FP_IS_NEEDED;
}

static ALWAYS_INLINE void take_fp(struct walk *walk, struct lane_word read)
{
    walk->step->fp = read;
    walk->state.fp = read.value;
    walk->fp_step = walk->step;
    walk->unmarked = walk->step + 1;
}

/* ---- one step ---------------------------------------------------------- */

static uintptr_t address_of(struct walk *walk, struct unwind_place place, uintptr_t cfa)
{
    uintptr_t base = place.base == UNWIND_CFA  ? cfa
                     : place.base == UNWIND_SP ? walk->state.sp
                                               : walk->state.fp;

    if (place.base == UNWIND_FP)
        use_fp(walk, walk->step + 1);
    return base + (uintptr_t)(intptr_t)place.offset;
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
    step->frame.flags |= LANE_HAS_PC;
    if (rule->fp.base != UNWIND_NONE && !read_word(walk, address_of(walk, rule->fp, cfa), &fp))
        return false;
    if (cfa <= walk->state.sp && rule->kind != UNWIND_SIGNAL)
        return false;
    walk->state.pc = unwind_address(step->pc.value);
    walk->state.sp = cfa;
    if (fp.place)
        take_fp(walk, fp);
    walk->is_exact = rule->kind == UNWIND_SIGNAL;
    walk->is_guessed = rule->pc.base == UNWIND_FP;
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

static ALWAYS_INLINE void begin_step(struct walk *walk, unsigned flags)
{
    walk->step->frame.state = walk->state;
    walk->step->frame.flags = (uint16_t)flags;
    walk->path = (walk->path + walk->state.pc) * TALLY_FACTOR;
}

/* A step that is not of the usual kind.  An address that was guessed and leads
 * nowhere is no frame.  Returns: false at the end of the chain. */
static COLD bool step_specially(struct walk *walk)
{
    const struct unwind_rule rule = rule_of(walk, rules_find(walk->rules, walk->state.pc));
    bool goes_on;

    walk->end =
        rule.kind == UNWIND_END || walk->state.pc == 0 ? TRACE_CHAIN_WHOLE : TRACE_CHAIN_LOST;
    if (walk->state.pc == 0 || (rule.kind == UNWIND_LOST && walk->is_guessed))
        return false;
    begin_step(walk, walk->is_exact ? LANE_IS_EXACT : 0);
    goes_on = rule.kind != UNWIND_END && rule.kind != UNWIND_LOST && apply(walk, &rule);
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
    while (walk->last->state.sp < walk->state.sp)
        walk->last--;
    if (walk->last->state.sp != walk->state.sp || walk->last->state.pc != walk->state.pc)
        return false;
    if ((walk->last->flags & LANE_NEEDS_FP) && walk->last->state.fp != walk->state.fp)
        return false;
    if (!may_join(walk))
        return false;
    if (walk->last->flags & LANE_NEEDS_FP)
        use_fp(walk, walk->step);
    walk->found = walk->last;
    return true;
}

/* The lane's own cache tells most rules with one comparison. */
static ALWAYS_INLINE uint32_t find_rule(struct lane_chain *chain, struct rules_table *rules,
                                        uintptr_t pc)
{
    uint64_t *place = &chain->rules[(pc ^ pc >> 9) % LANE_RULES];
    uint32_t packed;

    if (LIKELY((*place ^ rules_key(pc)) >> UNWIND_RULE_BITS == 0))
        return (uint32_t)(*place & ((1 << UNWIND_RULE_BITS) - 1));
    packed = rules_find(rules, pc);
    if (LIKELY(packed != 0))
        *place = rules_key(pc) | packed;
    return packed;
}

/* As far as the usual rules lead: the distance to the CFA is known, the return
 * address is beside it, the frame pointer is saved there or left alone.  The
 * walk is in registers meanwhile; this loop is what a chain costs. */
static ALWAYS_INLINE void unwind_usually(struct walk *walk)
{
    struct unwind_state state = walk->state;
    struct lane_step *step = walk->step;
    const struct lane_step *end = walk->chain->steps + TRACE_FRAMES_MAX;
    const struct lane_chain_frame *last = walk->last;
    struct rules_table *rules = walk->rules;
    struct lane_chain *chain = walk->chain;
    uintptr_t high = walk->high;
    uint64_t path = walk->path;

    while (step < end) {
        uint32_t packed;
        uintptr_t cfa;
        unsigned fp;

        while (last->state.sp < state.sp)
            last--;
        if (last->state.sp == state.sp && last->state.pc == state.pc)
            break; /* met, if the frame pointer agrees */
        packed = find_rule(chain, rules, state.pc);
        if (UNLIKELY(packed == 0 || rules_is_special(packed)))
            break;
        cfa = unwind_packed_cfa(packed) * UNWIND_CFA_UNIT +
              (unwind_packed_base(packed) ? state.fp : state.sp);
        if (UNLIKELY(cfa <= state.sp || cfa > high))
            break;
        step->frame.state = state;
        step->frame.flags = LANE_HAS_PC;
        if (unwind_packed_base(packed)) {
            if (UNLIKELY(state.fp % sizeof(uintptr_t) != 0))
                break;
            use_fp(walk, step + 1);
        }
        path = (path + state.pc) * TALLY_FACTOR;
        fp = unwind_packed_fp(packed);
        step->pc.place = (const uintptr_t *)unwind_packed_pc_place(cfa, fp);
        step->pc.value = *step->pc.place;
        state.pc = unwind_address(step->pc.value);
        state.sp = cfa;
        if (fp != 0) {
            step->fp.place = (const uintptr_t *)(cfa - fp * UNWIND_FP_UNIT);
            state.fp = step->fp.value = *step->fp.place;
            walk->fp_step = step;
            walk->unmarked = step + 1;
        }
        step++;
    }
    walk->is_guessed = walk->is_guessed && step == walk->step;
    walk->state = state;
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
    uint64_t hash = callchain_hash(call);
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
static ALWAYS_INLINE uint32_t find_step(struct lane *lane, const struct lane_step *step,
                                        uint32_t parent)
{
    const struct trace_call call = {step->frame.state.pc, parent,
                                    step->frame.flags & LANE_IS_EXACT ? TRACE_CALL_EXACT : 0};

    return find_call(lane, &call);
}

/* ---- the last chain ---------------------------------------------------- */

static ALWAYS_INLINE void add_word(struct lane_chain *chain, struct lane_word added)
{
    chain->owners[chain->word_count] = (uint16_t)chain->frame_count;
    chain->words[chain->word_count++] = added;
}

/* Field by field: what was stored in parts a moment ago is slow to load whole. */
static ALWAYS_INLINE void add_frame(struct lane_chain *chain, const struct lane_step *step)
{
    struct lane_chain_frame *frame = &chain->frames[++chain->frame_count];

    if (LIKELY(step->frame.flags & LANE_HAS_PC))
        add_word(chain, step->pc);
    if (UNLIKELY(step->frame.flags & (LANE_FP_IS_NEEDED | LANE_HAS_CFA))) {
        if (step->frame.flags & LANE_FP_IS_NEEDED)
            add_word(chain, step->fp);
        if (step->frame.flags & LANE_HAS_CFA)
            add_word(chain, step->cfa);
    }
    frame->state.pc = step->frame.state.pc;
    frame->state.sp = step->frame.state.sp;
    frame->state.fp = step->frame.state.fp;
    frame->call = step->frame.call;
    frame->words = (uint16_t)chain->word_count;
    frame->flags = step->frame.flags;
}

/* Enter the steps in the tree, one below the other, below `call`.
 * Returns: the innermost; 0 when there was no room. */
static uint32_t enter_steps(struct lane *lane, const struct walk *walk, uint32_t call)
{
    for (struct lane_step *step = walk->step; step-- > walk->chain->steps && call != 0;) {
        call = find_step(lane, step, call);
        step->frame.call = call;
    }
    return call;
}

/* Do the calls from `call` outward have the addresses of the steps, and
 * `outer` around them? */
static ALWAYS_INLINE bool is_path(const struct lane *lane, const struct walk *walk, uint32_t call,
                                  uint32_t outer)
{
    for (struct lane_step *step = walk->chain->steps; step < walk->step; step++) {
        const struct trace_call *known = lane_call(lane->calls, call);

        if (known->address != step->frame.state.pc || known->parent == 0 ||
            !(known->flags & TRACE_CALL_EXACT) != !(step->frame.flags & LANE_IS_EXACT))
            return false;
        step->frame.call = call;
        call = known->parent;
    }
    return call == outer;
}

/* The steps' place in the tree.  The same few calls in a row come again and
 * again: they are looked up as one, and proved from the inside out.
 * Returns: the innermost call; 0 when there was no room. */
static ALWAYS_INLINE uint32_t find_path(struct lane *lane, const struct walk *walk, uint32_t outer)
{
    uint64_t hash = (walk->path + outer) * TALLY_FACTOR;
    uint64_t *place = &walk->chain->paths[(hash >> 32) % LANE_PATHS];
    uint32_t call = (uint32_t)*place;

    if (LIKELY(*place >> 32 == (uint32_t)hash && call != 0 && is_path(lane, walk, call, outer)))
        return call;
    call = enter_steps(lane, walk, outer);
    *place = hash << 32 | call;
    return call;
}

/* The new frames take the place of those inside the frame that was met. */
static ALWAYS_INLINE uint32_t join(struct lane *lane, const struct walk *walk)
{
    struct lane_chain *chain = walk->chain;
    const struct lane_chain_frame *found = walk->found ? walk->found : chain->frames;
    uint32_t call = found->call;

    chain->frame_count = (uint32_t)(found - chain->frames);
    chain->word_count = found->words;
    if (UNLIKELY(!walk->found)) {
        chain->end = walk->end;
        call = find_root(lane, walk);
    }
    if (LIKELY(walk->step > chain->steps && call != 0))
        call = find_path(lane, walk, call);
    if (UNLIKELY(call == 0 || !walk->may_keep)) {
        callchain_forget(chain);
        return call;
    }
    for (struct lane_step *step = walk->step; step-- > chain->steps;)
        add_frame(chain, step);
    callchain_end_words(chain);
    return call;
}

/* Frames of another stack are entered in the tree and not kept. */
static COLD uint32_t enter(struct lane *lane, const struct walk *walk)
{
    uint32_t root = find_root(lane, walk);

    return root != 0 && walk->step > walk->chain->steps ? find_path(lane, walk, root) : root;
}

/* ---- taking ------------------------------------------------------------ */

static ALWAYS_INLINE void start(struct walk *walk, struct lane_chain *chain,
                                struct unwind_state state)
{
    *walk = (struct walk){
        .chain = chain,
        .rules = rules_now(),
        .state = state,
        .step = chain->steps,
        .unmarked = chain->steps,
        .last = chain->frames,
        .high = callchain_stack.high,
        .is_own = state.sp - callchain_stack.low < callchain_stack.high - callchain_stack.low,
        .end = TRACE_CHAIN_CUT,
    };
    walk->may_keep = walk->is_own;
}

/* The innermost frame of the last chain from which all words outward are as
 * they were. */
static ALWAYS_INLINE const struct lane_chain_frame *find_unchanged(const struct lane_chain *chain,
                                                                   uint32_t unchanged)
{
    if (unchanged == CALLCHAIN_UNVERIFIED)
        unchanged = callchain_verify(chain);
    return &chain->frames[chain->owners[unchanged] - 1];
}

/* With what is kept it would become too long: its outer calls are cut off. */
static bool is_too_long(const struct walk *walk)
{
    return walk->found &&
           (size_t)(walk->found - walk->chain->frames) + count_steps(walk) > LANE_CHAIN_FRAMES;
}

static ALWAYS_INLINE uint32_t take(struct lane *lane, struct unwind_state state, uint32_t unchanged)
{
    struct lane_chain *chain = lane->chain;
    unsigned epoch = atomic_load_explicit(&rules_epoch, memory_order_acquire);
    struct walk walk;

    if (UNLIKELY(lane_tree_is_full(lane->calls))) {
        lane_begin_tree(lane);
        unchanged = CALLCHAIN_UNVERIFIED;
    }
    if (UNLIKELY(chain->epoch != epoch)) {
        callchain_forget(chain);
        memset(chain->rules, 0, sizeof chain->rules);
        chain->epoch = epoch;
        unchanged = CALLCHAIN_UNVERIFIED;
    }
    start(&walk, chain, state);
    if (LIKELY(walk.is_own))
        walk.last = find_unchanged(chain, unchanged);
    unwind(&walk);
    if (UNLIKELY(is_too_long(&walk))) {
        start(&walk, chain, state);
        unwind(&walk);
    }
    return LIKELY(walk.is_own) ? join(lane, &walk) : enter(lane, &walk);
}

/* One walk in so many is timed, and stands for the others in what the trace
 * says that we cost. */
uint32_t callchain_walk(struct lane *lane, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                        uint32_t unchanged)
{
    const struct unwind_state state = {pc, sp, fp};
    uint64_t start;
    uint32_t call;

    if (LIKELY(++lane->chain->walks % WALKS_TO_ONE_TIMED != 0))
        return take(lane, state, unchanged);
    start = clock_read();
    call = take(lane, state, unchanged);
    process_add_slow_ticks((clock_read() - start) * WALKS_TO_ONE_TIMED);
    return call;
}
