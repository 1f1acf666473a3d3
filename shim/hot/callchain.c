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
    struct unwind_state state; /* of the frame that is next */
    bool is_own;               /* the thread's own stack */
    bool is_exact;             /* a signal came at state.pc */
    bool is_guessed;           /* state.pc was found without an unwind table */
    bool may_keep;             /* the chain may be compared the next time */
    uintptr_t high;            /* of its own stack */
    uintptr_t page;            /* that was last found readable, on other stacks */
    unsigned count;            /* of steps */
    uint64_t path;             /* hash of their addresses */
    unsigned fp_from;          /* step that read the frame pointer, counted from 1; 0: none */
    unsigned fp_marked;        /* steps below this one have needs_fp as it must be */
    uint32_t last;             /* frame of the last chain that may be met next */
    uint32_t junction;         /* frame that was met; 0: none */
    enum trace_chain_end end;  /* without a junction */
};

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

/* The frame pointer of the walk is used: whether unwinding comes out the same
 * from the frames it passed through depends on it. */
static ALWAYS_INLINE void use_fp(struct walk *walk, unsigned end)
{
    struct lane_step *steps = walk->chain->steps;

    for (; walk->fp_marked < end; walk->fp_marked++)
        steps[walk->fp_marked].needs_fp = true;
    if (walk->fp_from != 0)
        steps[walk->fp_from - 1].fp_is_needed = true;
}

static ALWAYS_INLINE void take_fp(struct walk *walk, struct lane_word read)
{
    walk->chain->steps[walk->count].fp = read;
    walk->state.fp = read.value;
    walk->fp_from = walk->count + 1;
    walk->fp_marked = walk->count + 1;
}

/* ---- one step ---------------------------------------------------------- */

static uintptr_t address_of(struct walk *walk, struct unwind_place place, uintptr_t cfa)
{
    uintptr_t base = place.base == UNWIND_CFA  ? cfa
                     : place.base == UNWIND_SP ? walk->state.sp
                                               : walk->state.fp;

    if (place.base == UNWIND_FP)
        use_fp(walk, walk->count + 1);
    return base + (uintptr_t)(intptr_t)place.offset;
}

/* By a rule of any form.  Returns: false when the frame is lost. */
static bool apply(struct walk *walk, const struct unwind_rule *rule)
{
    struct lane_step *step = &walk->chain->steps[walk->count];
    uintptr_t cfa = address_of(walk, rule->cfa, 0);
    struct lane_word fp = {NULL, 0};

    if (rule->is_indirect) {
        if (!read_word(walk, cfa, &step->cfa))
            return false;
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
    walk->is_guessed = rule->pc.base == UNWIND_FP;
    walk->may_keep = walk->may_keep && rule->kind != UNWIND_SIGNAL;
    return true;
}

static bool stop(struct walk *walk, enum trace_chain_end end)
{
    walk->end = end;
    return false;
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

/* A step that is not of the usual kind.  An address that was guessed and leads
 * nowhere is no frame.  Returns: false at the end of the chain. */
static COLD bool step_specially(struct walk *walk, uint32_t packed)
{
    struct unwind_rule rule;
    bool goes_on;

    if (walk->state.pc == 0)
        return stop(walk, TRACE_CHAIN_WHOLE);
    if (walk->is_own && walk->state.sp >= walk->high) { /* the entry of the dynamic linker */
        walk->count++;
        return stop(walk, TRACE_CHAIN_WHOLE);
    }
    if (packed != 0 && !walk->is_exact)
        rule = unpack(packed);
    else
        rules_learn(walk->state.pc, walk->is_exact, &rule);
    if (rule.kind == UNWIND_LOST && walk->is_guessed)
        return stop(walk, TRACE_CHAIN_LOST);
    goes_on = rule.kind != UNWIND_END && rule.kind != UNWIND_LOST && apply(walk, &rule);
    walk->count++;
    return goes_on || stop(walk, rule.kind == UNWIND_END ? TRACE_CHAIN_WHOLE : TRACE_CHAIN_LOST);
}

/* Most frames: the distance to the CFA is known, the return address is beside
 * it, the frame pointer is saved there or left alone.
 * Returns: false when the rule leads off the stack. */
static ALWAYS_INLINE bool step_usually(struct walk *walk, uint32_t packed)
{
    struct lane_step *step = &walk->chain->steps[walk->count];
    unsigned fp = unwind_packed_fp(packed);
    uintptr_t cfa = unwind_packed_cfa(packed) * UNWIND_CFA_UNIT;

    if (unwind_packed_base(packed)) {
        use_fp(walk, walk->count + 1);
        cfa += walk->state.fp;
    } else {
        cfa += walk->state.sp;
    }
    if (UNLIKELY(cfa <= walk->state.sp || cfa > walk->high || cfa % sizeof(uintptr_t) != 0))
        return false;
    step->pc.place = (const uintptr_t *)unwind_packed_pc_place(cfa, fp);
    step->pc.value = *step->pc.place;
    if (fp != 0) {
        const uintptr_t *place = (const uintptr_t *)(cfa - fp * UNWIND_FP_UNIT);

        take_fp(walk, (struct lane_word){place, *place});
    }
    walk->state.pc = unwind_address(step->pc.value);
    walk->state.sp = cfa;
    walk->is_guessed = false;
    walk->count++;
    return true;
}

static ALWAYS_INLINE void begin_step(struct walk *walk)
{
    struct lane_step *step = &walk->chain->steps[walk->count];

    step->state = walk->state;
    step->pc.place = NULL;
    step->fp.place = NULL;
    step->cfa.place = NULL;
    step->needs_fp = false;
    step->fp_is_needed = false;
    step->is_exact = walk->is_exact;
}

/* ---- the walk ---------------------------------------------------------- */

/* A chain whose outer calls were cut off may be joined only where enough of it
 * is left; it would be shorter than it need be. */
static bool may_join(const struct walk *walk)
{
    return walk->chain->end != TRACE_CHAIN_CUT || walk->last + walk->count >= TRACE_FRAMES_MAX;
}

/* Is this frame one of the last chain, and the same from there outward?  The
 * frames of both come with rising stack pointers. */
static ALWAYS_INLINE bool meets_last_chain(struct walk *walk)
{
    const struct lane_chain_frame *frames = walk->chain->frames;
    const struct lane_chain_frame *frame;

    while (walk->last > 0 && frames[walk->last].state.sp < walk->state.sp)
        walk->last--;
    frame = &frames[walk->last];
    if (frame->state.sp != walk->state.sp || frame->state.pc != walk->state.pc ||
        (frame->needs_fp && frame->state.fp != walk->state.fp) || !may_join(walk))
        return false;
    if (frame->needs_fp)
        use_fp(walk, walk->count);
    walk->junction = walk->last;
    return true;
}

static void unwind(struct walk *walk)
{
    walk->end = TRACE_CHAIN_CUT;
    while (!meets_last_chain(walk) && walk->count < TRACE_FRAMES_MAX) {
        uint32_t packed = rules_find(walk->rules, walk->state.pc);

        begin_step(walk);
        walk->path = (walk->path + walk->state.pc) * TALLY_FACTOR;
        if (LIKELY(packed != 0 && !rules_is_special(packed) && walk->is_own && !walk->is_exact)) {
            if (LIKELY(step_usually(walk, packed)))
                continue;
            walk->count++;
            walk->end = TRACE_CHAIN_LOST;
            return;
        }
        if (!step_specially(walk, packed))
            return;
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
        uint32_t number = calls->index[at];
        const struct trace_call *known = lane_call(calls, number);

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
    const struct trace_call call = {step->state.pc, parent, step->is_exact ? TRACE_CALL_EXACT : 0};

    return find_call(lane, &call);
}

/* ---- the last chain ---------------------------------------------------- */

static ALWAYS_INLINE void add_word(struct lane_chain *chain, struct lane_word added)
{
    chain->words[chain->word_count++] = added;
}

static ALWAYS_INLINE void add_frame(struct lane_chain *chain, const struct lane_step *step)
{
    struct lane_chain_frame *frame = &chain->frames[++chain->frame_count];

    if (LIKELY(step->pc.place != NULL))
        add_word(chain, step->pc);
    if (step->fp_is_needed)
        add_word(chain, step->fp);
    if (UNLIKELY(step->cfa.place != NULL))
        add_word(chain, step->cfa);
    frame->state = step->state;
    frame->call = step->call;
    frame->words = (uint16_t)chain->word_count;
    frame->needs_fp = step->needs_fp;
}

/* Enter the steps in the tree, one below the other, below `call`.
 * Returns: the innermost; 0 when there was no room. */
static uint32_t enter_steps(struct lane *lane, const struct walk *walk, uint32_t call)
{
    struct lane_step *steps = walk->chain->steps;

    for (unsigned i = walk->count; i-- > 0 && call != 0;) {
        call = find_step(lane, &steps[i], call);
        steps[i].call = call;
    }
    return call;
}

/* Do the calls from `call` outward have the addresses of the steps, and
 * `outer` around them? */
static ALWAYS_INLINE bool is_path(const struct lane *lane, const struct walk *walk, uint32_t call,
                                  uint32_t outer)
{
    struct lane_step *steps = walk->chain->steps;

    for (unsigned i = 0; i < walk->count; i++) {
        const struct trace_call *known = lane_call(lane->calls, call);

        if (known->address != steps[i].state.pc || known->parent == 0 ||
            (known->flags & TRACE_CALL_EXACT) != steps[i].is_exact)
            return false;
        steps[i].call = call;
        call = known->parent;
    }
    return call == outer;
}

/* The steps' place in the tree.  The same few calls in a row come again and
 * again: they are looked up as one, and proved from the inside out.
 * Returns: the innermost call; 0 when there was no room. */
static uint32_t find_path(struct lane *lane, const struct walk *walk, uint32_t outer)
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

/* The new frames take the place of those inside the junction. */
static uint32_t join(struct lane *lane, const struct walk *walk)
{
    struct lane_chain *chain = walk->chain;
    uint32_t call = chain->frames[walk->junction].call;

    chain->frame_count = walk->junction;
    chain->word_count = chain->frames[walk->junction].words;
    if (UNLIKELY(walk->junction == 0)) {
        chain->end = walk->end;
        call = find_root(lane, walk);
    }
    if (LIKELY(walk->count > 0 && call != 0))
        call = find_path(lane, walk, call);
    if (call == 0 || !walk->may_keep) {
        callchain_forget(chain);
        return call;
    }
    for (unsigned i = walk->count; i-- > 0;)
        add_frame(chain, &chain->steps[i]);
    return call;
}

/* Frames of another stack are entered in the tree and not kept. */
static uint32_t enter(struct lane *lane, const struct walk *walk)
{
    uint32_t root = find_root(lane, walk);

    return root != 0 && walk->count > 0 ? find_path(lane, walk, root) : root;
}

/* ---- taking ------------------------------------------------------------ */

static void start(struct walk *walk, struct unwind_state state)
{
    walk->rules = rules_now();
    walk->state = state;
    walk->is_own = state.sp - callchain_stack.low < callchain_stack.high - callchain_stack.low;
    walk->high = callchain_stack.high;
    walk->may_keep = walk->is_own;
}

/* The frames of the last chain whose words are all as they were. */
static uint32_t find_unchanged(const struct lane_chain *chain)
{
    uint32_t valid = callchain_verify(chain);
    uint32_t last = chain->frame_count;

    while (last > 0 && chain->frames[last].words > valid)
        last--;
    return last;
}

static uint32_t take(struct lane *lane, struct unwind_state state)
{
    struct lane_chain *chain = lane->chain;
    unsigned epoch = atomic_load_explicit(&rules_epoch, memory_order_acquire);
    struct walk walk = {.chain = chain};

    if (UNLIKELY(chain->epoch != epoch)) {
        callchain_forget(chain);
        chain->epoch = epoch;
    }
    start(&walk, state);
    if (walk.is_own)
        walk.last = find_unchanged(chain);
    unwind(&walk);
    if (UNLIKELY(walk.junction + walk.count > LANE_CHAIN_FRAMES)) {
        walk = (struct walk){.chain = chain};
        start(&walk, state);
        unwind(&walk);
    }
    return walk.is_own ? join(lane, &walk) : enter(lane, &walk);
}

/* One walk in so many is timed, and stands for the others in what the trace
 * says that we cost. */
uint32_t callchain_walk(struct lane *lane, struct unwind_state state)
{
    uint64_t start;
    uint32_t call;

    if (LIKELY(++lane->chain->walks % WALKS_TO_ONE_TIMED != 0))
        return take(lane, state);
    start = clock_read();
    call = take(lane, state);
    process_add_slow_ticks((clock_read() - start) * WALKS_TO_ONE_TIMED);
    return call;
}
