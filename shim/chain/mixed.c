/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entering the frames of Python code in the tree.
 */
#include "chain/mixed.h"

#include <string.h>

#include "chain/tree.h"
#include "chain/walk_clock.h"
#include "platform/hash.h"
#include "python/codes.h"
#include "python/runtime.h"
#include "record/facts.h"

/* Chains whose frames of Python code were invalid. */
static atomic_uint unread;

/* How far a frame is sought among the last ones that are not in the order of their addresses: those
 * of generators. */
enum { FRAMES_SOUGHT = 4 };

/* Frames that are read. */
struct reading {
    struct python_view view;
    struct mixed_chain *chain;
    uint32_t common; /* outermost frames that are those of the chain */
    uint32_t count;  /* frames inside of these, in chain->inner */
    bool is_cut;
    bool is_bad; /* the read memory is no frame */
};

/* Ask whether there are last frames, and none of their code can be gone. */
static ALWAYS_INLINE bool is_current(const struct mixed_chain *chain)
{
    return LIKELY(chain->gone == atomic_load_explicit(&codes_gone, memory_order_relaxed));
}

/* Ask whether the frames equal the last ones.  `frame` is valid, and each frame leads to the next
 * one.  The address of the next is nevertheless taken from the last frames, so the processor need
 * not wait for one frame to load the next.
 *
 * All frames are compared: an equal frame below an equal outer one may come from another line of
 * the outer one. */
static ALWAYS_INLINE bool is_unchanged(const struct mixed_chain *chain, uintptr_t frame)
{
    const uint32_t instruction = python.layout.frame_instruction;
    const uint32_t previous = python.layout.frame_previous;
    const struct mixed_frame *last = &chain->frames[chain->count];
    uintptr_t expected = last->frame;

    if (UNLIKELY(frame != expected))
        return false;
    for (; last > chain->frames; last--) {
        frame = expected;
        expected = last[-1].frame;
        if (UNLIKELY(python_word(frame + instruction) != last->instruction ||
                     python_word(frame + previous) != expected))
            return false;
    }
    return true;
}

/* Find a frame among the last ones; those after `at` are inside it.
 * Returns: its number, or the number of another frame. */
static uint32_t find_last(const struct mixed_chain *chain, uint32_t at, uintptr_t frame)
{
    while (at > 0 && chain->frames[at].frame > frame)
        at--;
    for (uint32_t i = 0; i < FRAMES_SOUGHT && i < at; i++)
        if (chain->frames[at - i].frame == frame)
            return at - i;
    return at;
}

static ALWAYS_INLINE bool may_read(struct reading *reading, uintptr_t frame)
{
    return LIKELY(!reading->view.asks) ||
           (frame % sizeof frame == 0 &&
            python_may_read(&reading->view, frame, python.layout.frame_owner + 1));
}

static ALWAYS_INLINE uint8_t entry_byte(uintptr_t frame)
{
    return *(const uint8_t *)(frame + python.layout.frame_is_entry);
}

/* Count the last frames, from number `number` outward, that are unchanged and were called from
 * unchanged ones. */
static uint32_t count_same(struct reading *reading, uint32_t number)
{
    const uint32_t instruction = python.layout.frame_instruction;
    const uint32_t previous = python.layout.frame_previous;
    const struct mixed_frame *last = &reading->chain->frames[number];

    for (; last > reading->chain->frames; last--)
        if (!may_read(reading, last->frame) ||
            python_word(last->frame + instruction) != last->instruction ||
            python_word(last->frame + previous) != last[-1].frame ||
            entry_byte(last->frame) != last->entry_byte)
            break;
    return number - (uint32_t)(last - reading->chain->frames);
}

/* Count the outermost frames that are unchanged since they were last taken. */
static uint32_t count_common(struct reading *reading, uintptr_t frame)
{
    const struct mixed_chain *chain = reading->chain;
    uint32_t at = chain->count;

    if (!is_current(chain) || chain->is_cut)
        return 0;
    for (uint32_t i = 0; frame != 0 && i < MIXED_FRAMES_MAX && may_read(reading, frame); i++) {
        at = find_last(chain, at, frame);
        if (at > 0 && chain->frames[at].frame == frame) {
            uint32_t same = count_same(reading, at);

            if (same == at)
                return at;
            at -= same;
            frame = chain->frames[at].frame;
        }
        if (!may_read(reading, frame))
            return 0;
        frame = python_word(frame + python.layout.frame_previous);
    }
    return 0;
}

/* Read the frames from this one outward, up to those that are common. */
static void read_frames(struct reading *reading, uintptr_t frame)
{
    const uintptr_t end = reading->chain->frames[reading->common].frame;
    struct mixed_frame *to = reading->chain->inner;
    struct python_frame read = {.is_shim = false};

    for (; frame != 0 && (frame != end || reading->common == 0); frame = read.outer, to++) {
        reading->is_cut = reading->common + reading->count == MIXED_FRAMES_MAX;
        if (reading->is_cut)
            break;
        reading->is_bad = !python_read_frame(&reading->view, frame, &read);
        if (reading->is_bad)
            return;
        *to = (struct mixed_frame){.frame = frame,
                                   .instruction = read.instruction,
                                   .code = read.code,
                                   .is_shim = read.is_shim,
                                   .is_entry = read.is_entry,
                                   .entry_byte = entry_byte(frame)};
        if (read.is_shim && reading->count > 0)
            to[-1].is_entry = true;
        /* A signal came after a generator had left the frame around it, while the generator was
         * still current. */
        reading->is_cut = read.is_generator && read.outer == 0;
        reading->count++;
    }
    if (reading->common == 0)
        reading->chain->frames[0].frame = frame;
    else if (reading->chain->frames[reading->common].is_shim && reading->count > 0)
        to[-1].is_entry = true;
}

/* Read the frames that changed since the last ones were taken, or all frames if the outermost ones
 * are now cut off. */
static void read_changed(struct reading *reading, uintptr_t frame)
{
    reading->common = count_common(reading, frame);
    read_frames(reading, frame);
    if (reading->common == 0 || !reading->is_cut || reading->is_bad)
        return;
    reading->common = reading->count = 0;
    read_frames(reading, frame);
}

static uint32_t find_root(struct lane *lane, bool is_cut)
{
    const struct trace_call root = {0, 0, is_cut ? TRACE_CHAIN_CUT : TRACE_CHAIN_WHOLE};

    return tree_find_call(lane, &root);
}

/* Find the call of a frame below that of the outer frame.  Returns: 0 without room, or when the
 * frame has no code. */
static uint32_t enter_frame(struct lane *lane, struct reading *reading,
                            const struct mixed_frame *frame, uint32_t parent)
{
    struct trace_call call = {0, parent,
                              TRACE_CALL_PYTHON | (frame->is_entry ? TRACE_CALL_ENTRY : 0)};
    uint32_t id;

    if (frame->is_shim)
        return parent;
    id = codes_find(&reading->view, frame->code);
    if (id == 0 && !python_is_code(&reading->view, frame->code)) {
        reading->is_bad = true;
        return 0;
    }
    if (id != 0)
        call.address =
            (uint64_t)id << TRACE_CODE_SHIFT | python_offset(frame->code, frame->instruction);
    return tree_find_call(lane, &call);
}

/* Enter the frames in the tree, from the first new one inwards, and store them after the common
 * ones.  Returns: the innermost call; 0 when that failed. */
static uint32_t enter_frames(struct lane *lane, struct reading *reading)
{
    struct mixed_frame *to = &reading->chain->frames[reading->common];
    uint32_t call = reading->common > 0 ? to->call : find_root(lane, reading->is_cut);

    for (uint32_t i = reading->count; i > 0 && call != 0; i--) {
        *++to = reading->chain->inner[i - 1];
        call = enter_frame(lane, reading, to, call);
        to->call = call;
    }
    return call;
}

/* Read the frames, and store them.  Returns: the innermost call; 0 when there is none. */
static HOT uint32_t take_anew(struct lane *lane, struct reading *reading, uintptr_t frame)
{
    struct mixed_chain *chain = reading->chain;
    unsigned gone = atomic_load(&codes_gone);
    uint32_t call;

    read_changed(reading, frame);
    call = reading->is_bad ? 0 : enter_frames(lane, reading);
    chain->count = reading->common + reading->count;
    chain->is_cut = reading->is_cut;
    chain->gone = call != 0 ? gone : 0;
    chain->native = chain->pair = 0;
    python_note_proof(!reading->is_bad);
    if (reading->is_bad)
        atomic_fetch_add(&unread, 1);
    return call;
}

/* Successive chains have near numbers, so the processor prefetches the next entry.  The tree finds
 * its calls by a hash: each would miss the caches. */
static struct mixed_known *find_known(struct mixed_chain *chain, uint32_t native,
                                      uint32_t innermost)
{
    return &chain->known[(native ^ innermost * (uint32_t)HASH_FACTOR) % MIXED_PAIRS];
}

/* Find the call that represents both.  Without room for it, nothing is stored. */
static uint32_t find_pair(struct lane *lane, struct mixed_chain *chain, uint32_t native,
                          uint32_t innermost)
{
    const struct trace_call pair = {innermost, native, TRACE_CALL_MIXED};
    struct mixed_known *known = find_known(chain, native, innermost);

    if (known->native != native || known->innermost != innermost || known->pair == 0)
        *known = (struct mixed_known){native, innermost, tree_find_call(lane, &pair)};
    chain->pair = known->pair;
    chain->native = known->pair != 0 ? native : 0;
    return known->pair != 0 ? known->pair : native;
}

/* Read the frames from the innermost one on. */
static HOT uint32_t take_otherwise(struct lane *lane, struct reading *reading, uint32_t native,
                                    uintptr_t frame)
{
    uint32_t call = frame != 0 ? take_anew(lane, reading, frame) : 0;

    return call != 0 ? find_pair(lane, reading->chain, native, call) : native;
}

static uint32_t ask_for_frames(struct lane *lane, uint32_t native)
{
    struct reading reading = {.view.asks = true, .chain = &lane->chain->mixed};

    return take_otherwise(lane, &reading, native, python_find_frame(&reading.view));
}

uint32_t mixed_take_interrupted(struct lane *lane, uint32_t native)
{
    if (native == 0 || lane->chain->mixed.is_left_out)
        return native;
    return ask_for_frames(lane, native);
}

static HOT uint32_t take_changed(struct lane *lane, uint32_t native, uintptr_t frame)
{
    struct reading reading = {.view.asks = false, .chain = &lane->chain->mixed};
    uint64_t start;

    if (native == 0 || reading.chain->is_left_out)
        return native;
    if (!walk_clock_is_due(lane->chain))
        return take_otherwise(lane, &reading, native, frame);
    start = walk_clock_begin(lane->chain);
    native = take_otherwise(lane, &reading, native, frame);
    walk_clock_end(lane->chain, start);
    return native;
}

static ALWAYS_INLINE bool is_proven(void)
{
    return LIKELY(atomic_load_explicit(&python_mode, memory_order_relaxed) == PYTHON_IS_ON);
}

HOT uint32_t mixed_take(struct lane *lane, uint32_t native)
{
    struct mixed_chain *chain = &lane->chain->mixed;
    uintptr_t frame;

    if (UNLIKELY(!is_proven()))
        return mixed_take_interrupted(lane, native);
    frame = python_current_frame();
    if (UNLIKELY(!is_current(chain) || !is_unchanged(chain, frame)))
        return take_changed(lane, native, frame);
    if (LIKELY(native == chain->native))
        return chain->pair;
    return native != 0 ? find_pair(lane, chain, native, chain->frames[chain->count].call) : 0;
}

bool mixed_write_unread(unsigned *written)
{
    return facts_update_number(written, "python_unread", atomic_load(&unread));
}
