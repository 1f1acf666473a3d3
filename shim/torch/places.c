/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places of ops, by a hash of all frames of Python code.
 *
 * A thread that asks from the same frames again finds the place by a 64-bit hash: of the frames'
 * code objects and instructions, and of the addresses and types of the called layers.  A code
 * object is identified by its address, so the hash changes when one is freed.
 */
#include "torch/places.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "python/codes.h"
#include "python/frames.h"
#include "python/sites.h"
#include "record/lane.h"
#include "spec/python_layout.h"
#include "torch/layers.h"

enum { FRAMES_MOST = 128 };

/* The code of torch.nn.Module's __call__, which has the layer in its first local. 0: not seen. */
static _Atomic uintptr_t layer_code;

/* Frames, innermost first. */
struct stack {
    unsigned count;
    uint32_t codes[FRAMES_MOST]; /* ids */
    uint64_t places[FRAMES_MOST];
    uintptr_t addresses[FRAMES_MOST];
    uintptr_t objects[FRAMES_MOST]; /* code objects */
};

static ALWAYS_INLINE uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * HASH_FACTOR;
    return hash ^ hash >> 29;
}

static ALWAYS_INLINE uintptr_t first_local(uintptr_t frame)
{
    return python_word(frame + python.layout.frame_locals) & ~(uintptr_t)PYTHON_TAG;
}

/* An object of another class may take the address of a freed one.  The frame that calls a layer
 * keeps the layer alive, and the layer its type. */
static ALWAYS_INLINE uint64_t hash_layer(uintptr_t frame)
{
    uintptr_t object = first_local(frame);

    return UNLIKELY(object == 0) ? 0 : object + python_word(object + PYTHON_TYPE) * HASH_FACTOR;
}

/* An instruction is inside of its code object, so its address identifies both. */
static ALWAYS_INLINE uint64_t hash_frames(uintptr_t frame)
{
    const struct python_layout layout = python.layout;
    uintptr_t layer = atomic_load_explicit(&layer_code, memory_order_relaxed);
    uint64_t hash = atomic_load_explicit(&codes_gone, memory_order_relaxed);

    for (unsigned i = 0; frame != 0 && i < FRAMES_MOST; i++) {
        hash = mix(hash, python_word(frame + layout.frame_instruction));
        if ((python_word(frame + layout.frame_code) & ~(uintptr_t)PYTHON_TAG) == layer)
            hash += hash_layer(frame);
        frame = python_word(frame + layout.frame_previous);
    }
    return hash | 1;
}

/* ---- a place that is new --------------------------------------------------- */

static void add_frame(struct stack *stack, struct python_view *view,
                      const struct python_frame *read)
{
    unsigned i = stack->count++;

    stack->codes[i] = codes_find(view, read->code);
    stack->places[i] = (uint64_t)stack->codes[i] << TRACE_CODE_SHIFT |
                       python_offset(read->code, read->instruction);
    stack->addresses[i] = read->frame;
    stack->objects[i] = read->code;
}

static COLD void read_stack(struct stack *stack, uintptr_t frame)
{
    struct python_view view = {.asks = false};
    struct python_frame read;

    for (stack->count = 0; frame != 0 && stack->count < FRAMES_MOST; frame = read.outer) {
        if (!python_read_frame(&view, frame, &read))
            return;
        if (!read.is_shim)
            add_frame(stack, &view, &read);
    }
}

static bool is_named(uint32_t code, const char *name)
{
    const struct trace_code *record = codes_record(code);

    return code != 0 && record->name_size == strlen(name) &&
           memcmp(record + 1, name, record->name_size) == 0;
}

static bool has_part(const char *file, size_t size, const char *part)
{
    return memmem(file, size, part, strlen(part)) != NULL;
}

/* Since 2.1 another function wraps the former __call__; the wrapper has the layer as a plain local,
 * the former __call__ has not.  The caller of the last frame read is unknown. */
static bool calls_layer(const struct stack *stack, unsigned i)
{
    static const char now[] = "Module._wrapped_call_impl";

    if (is_named(stack->codes[i], now))
        return true;
    if (i + 1 == FRAMES_MOST || !is_named(stack->codes[i], "Module._call_impl"))
        return false;
    return i + 1 == stack->count || !is_named(stack->codes[i + 1], now);
}

static bool is_own(uint32_t code)
{
    static const char *const parts[] = {
#define TORCH_LIBRARY(part) part,
#include "torch/library.def"
#undef TORCH_LIBRARY
    };
    const struct trace_code *record = codes_record(code);

    if (code == 0)
        return false;
    const char *file = (const char *)(record + 1) + record->name_size;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has_part(file, record->file_size, parts[i]))
            return false;
    return true;
}

static uint32_t find_layer(const struct stack *stack)
{
    uint32_t layer = 0;

    for (unsigned i = stack->count; i-- > 0;) {
        if (!calls_layer(stack, i))
            continue;
        atomic_store(&layer_code, stack->objects[i]);
        layer = layers_find(layer, first_local(stack->addresses[i]));
    }
    return layer;
}

/* Returns: the index of the innermost asking frame that did not only pass the call on; the count
 * when there is none. */
static unsigned find_innermost(const struct stack *stack)
{
    unsigned i = 0;

    while (i < stack->count && stack->codes[i] != 0 && codes_pass_on(stack->codes[i]))
        i++;
    return i < stack->count && stack->codes[i] != 0 ? i : stack->count;
}

static uint32_t find_line(const struct stack *stack, unsigned innermost)
{
    unsigned i = innermost;

    while (i < stack->count && !is_own(stack->codes[i]))
        i++;
    if (i == innermost || i == stack->count)
        return 0;
    return sites_add(&(struct sites_key){.place = stack->places[i]});
}

static COLD uint32_t learn(uintptr_t frame)
{
    struct sites_key key = {0};
    struct stack stack;
    unsigned innermost;

    read_stack(&stack, frame);
    innermost = find_innermost(&stack);
    if (innermost == stack.count)
        return 0;
    key.place = stack.places[innermost];
    key.layer = find_layer(&stack);
    key.line = find_line(&stack, innermost);
    return sites_add(&key);
}

/* The code of the first layer is known only now, and so is the hash. */
static COLD uint32_t add(struct lane *lane, uintptr_t frame)
{
    uint32_t id = learn(frame);
    uint64_t hash = hash_frames(frame);

    lane->op_places[hash >> 32 & (LANE_OP_PLACES - 1)] = (struct lane_op_label){hash, id};
    return id;
}

uint32_t places_find(struct lane *lane)
{
    uintptr_t frame;
    uint64_t hash;

    if (atomic_load_explicit(&python_mode, memory_order_relaxed) != PYTHON_IS_ON)
        return 0;
    frame = python_current_frame();
    if (frame == 0)
        return 0;
    hash = hash_frames(frame);
    const struct lane_op_label *known = &lane->op_places[hash >> 32 & (LANE_OP_PLACES - 1)];
    return LIKELY(known->hash == hash) ? known->id : add(lane, frame);
}
