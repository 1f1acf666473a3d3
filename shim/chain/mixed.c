/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entering the frames of Python code in the tree.
 */
#include "chain/mixed.h"

#include <string.h>

#include "chain/tree.h"
#include "platform/hash.h"
#include "python/codes.h"
#include "record/facts.h"

/* Chains whose frames of Python code were not as they must be. */
static atomic_uint unread;

/* Frames that are read, innermost first. */
struct reading {
    struct python_view view;
    struct mixed_chain *chain;
    struct mixed_frame *frames; /* of the chain: the side that is not the last ones' */
    uint32_t count;
    bool is_cut;
    bool is_bad; /* what was read is no frame */
};

/* Are there last frames, and is no code gone that they may have had? */
static ALWAYS_INLINE bool is_current(const struct mixed_chain *chain)
{
    return LIKELY(chain->gone == atomic_load_explicit(&codes_gone, memory_order_relaxed));
}

/* Are the frames those that were taken last?  `frame` is there, and each next one is what the one
 * before leads to.  Its address is taken from the last ones all the same, so that the processor
 * need not wait for one frame to load the next.
 *
 * All of them are compared: a frame that is the same, below the same one, may have been called from
 * another line of that. */
static ALWAYS_INLINE bool is_unchanged(const struct mixed_chain *chain, uintptr_t frame)
{
    const uint32_t instruction = python.layout.frame_instruction;
    const uint32_t previous = python.layout.frame_previous;
    const struct mixed_frame *last = chain->last;
    const struct mixed_frame *end = last + chain->count;

    uintptr_t expected = last->frame;

    if (UNLIKELY(frame != expected))
        return false;
    for (; last < end; last++) {
        frame = expected;
        expected = last[1].frame;
        if (UNLIKELY(python_word(frame + instruction) != last->instruction ||
                     python_word(frame + previous) != expected))
            return false;
    }
    return true;
}

/* Read the frames from this one outward. */
static void read_frames(struct reading *reading, uintptr_t frame)
{
    struct python_frame read;

    for (; frame != 0; frame = read.outer) {
        struct mixed_frame *to = &reading->frames[reading->count];

        if (reading->count == MIXED_FRAMES_MAX) {
            reading->is_cut = true;
            break;
        }
        if (!python_read_frame(&reading->view, frame, &read)) {
            reading->is_bad = true;
            return;
        }
        *to = (struct mixed_frame){.frame = frame,
                                   .instruction = read.instruction,
                                   .code = read.code,
                                   .is_shim = read.is_shim,
                                   .is_entry = read.is_entry};
        if (read.is_shim && reading->count > 0)
            to[-1].is_entry = true;
        /* A signal came when a generator had left the frame around it, and was still current. */
        reading->is_cut = read.is_generator && read.outer == 0;
        reading->count++;
    }
    reading->frames[reading->count].frame = frame;
}

/* How many outermost frames are those that were taken last. */
static uint32_t count_common(const struct reading *reading, uint32_t least)
{
    const struct mixed_chain *chain = reading->chain;
    const struct mixed_frame *last = chain->last + chain->count;
    const struct mixed_frame *now = reading->frames + reading->count;
    uint32_t count = 0;

    while (count < least && last[-1].frame == now[-1].frame &&
           last[-1].instruction == now[-1].instruction && last[-1].code == now[-1].code &&
           last[-1].is_entry == now[-1].is_entry) {
        last--;
        now--;
        count++;
    }
    return count;
}

static uint32_t find_root(struct lane *lane, bool is_cut)
{
    const struct trace_call root = {0, 0, is_cut ? TRACE_CHAIN_CUT : TRACE_CHAIN_WHOLE};

    return tree_find_call(lane, &root);
}

/* The call of a frame below that of the frame around it.  Returns: 0 without room, or when this is
 * no code. */
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

/* Enter the frames in the tree, from the first that is new inward.
 * Returns: the innermost call; 0 when that failed. */
static uint32_t enter_frames(struct lane *lane, struct reading *reading)
{
    struct mixed_chain *chain = reading->chain;
    uint32_t least = reading->count < chain->count ? reading->count : chain->count;
    bool may_share = is_current(chain) && reading->is_cut == chain->is_cut &&
                     !reading->is_cut;
    uint32_t common = may_share ? count_common(reading, least) : 0;
    const struct mixed_frame *last = chain->last + chain->count;
    uint32_t call = common > 0 ? last[-(int32_t)common].call : find_root(lane, reading->is_cut);

    for (uint32_t i = 1; i <= common; i++)
        reading->frames[reading->count - i].call = last[-(int32_t)i].call;
    for (uint32_t i = reading->count - common; i > 0 && call != 0; i--) {
        call = enter_frame(lane, reading, &reading->frames[i - 1], call);
        reading->frames[i - 1].call = call;
    }
    return call;
}

/* The frames that were read are the last ones now. */
static void keep(struct mixed_chain *chain, const struct reading *reading, unsigned gone)
{
    chain->last = reading->frames;
    chain->count = reading->count;
    chain->is_cut = reading->is_cut;
    chain->gone = gone;
    chain->native = chain->pair = 0;
}

/* Read the frames, and keep them.  Returns: the innermost call; 0 when there is none. */
static COLD uint32_t take_anew(struct lane *lane, struct reading *reading, uintptr_t frame)
{
    struct mixed_chain *chain = reading->chain;
    unsigned gone = atomic_load(&codes_gone);
    uint32_t call;

    reading->frames = chain->frames[chain->last == chain->frames[0]];
    read_frames(reading, frame);
    call = reading->is_bad || reading->count == 0 ? 0 : enter_frames(lane, reading);
    keep(chain, reading, call != 0 ? gone : 0);
    python_note_proof(!reading->is_bad);
    if (reading->is_bad)
        atomic_fetch_add(&unread, 1);
    return call;
}

/* Chains that follow one another have numbers near each other, so that the processor sends for
 * what comes next.  The tree finds its calls by a hash: each would miss the caches. */
static struct mixed_known *find_known(struct mixed_chain *chain, uint32_t native,
                                      uint32_t innermost)
{
    return &chain->known[(native ^ innermost * (uint32_t)HASH_FACTOR) % MIXED_PAIRS];
}

/* The call that stands for both.  Where there is no room for it nothing is kept. */
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

/* Take the frames by reading all of them. */
static COLD uint32_t take_otherwise(struct lane *lane, uint32_t native, bool asks)
{
    struct reading reading = {.view.asks = asks, .chain = &lane->chain->mixed};
    uintptr_t frame;
    uint32_t call;

    if (native == 0 || reading.chain->is_left_out)
        return native;
    frame = python_find_frame(&reading.view);
    call = frame != 0 ? take_anew(lane, &reading, frame) : 0;
    return call != 0 ? find_pair(lane, reading.chain, native, call) : native;
}

static bool is_proven(void)
{
    return atomic_load_explicit(&python_mode, memory_order_relaxed) == PYTHON_IS_ON;
}

HOT uint32_t mixed_take(struct lane *lane, uint32_t native)
{
    struct mixed_chain *chain = &lane->chain->mixed;

    if (UNLIKELY(!is_current(chain) || !is_unchanged(chain, python_current_frame())))
        return take_otherwise(lane, native, !is_proven());
    if (LIKELY(native == chain->native))
        return chain->pair;
    return native != 0 ? find_pair(lane, chain, native, chain->last->call) : 0;
}

uint32_t mixed_take_interrupted(struct lane *lane, uint32_t native)
{
    return take_otherwise(lane, native, true);
}

void mixed_forget(struct mixed_chain *chain)
{
    chain->gone = 0;
    memset(chain->known, 0, sizeof chain->known);
}

bool mixed_write_unread(unsigned *written)
{
    return facts_update_number(written, "python_unread", atomic_load(&unread));
}
