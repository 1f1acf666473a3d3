/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which calls are the interpreter's, by the mappings of the process.
 */
#include "where/mixed.h"

#include "base/text.h"
#include "model/python.h"
#include "where/image.h"
#include "where/interpreter.h"

struct mixing {
    const struct unwind_stack *calls;
    const struct frames *frames;
    const struct image *image;
    bool is_whole; /* Python's own program or library has nothing else */
};

static bool is_in(struct python_range range, uint64_t address)
{
    return address >= range.start && address < range.end;
}

static enum python_join_kind kind_of(const void *of, uint32_t native)
{
    const struct mixing *mixing = of;
    const struct interpreter *interpreter = mixing->frames->interpreter;
    uint64_t address = mixing->calls->addresses[native];
    const struct image_mapping *mapping = image_find(mixing->image, address);

    if (is_in(interpreter->loop, address) || is_in(interpreter->rest, address))
        return PYTHON_JOIN_LOOP;
    return mixing->is_whole && mapping && mapping->module == interpreter->module
               ? PYTHON_JOIN_INTERPRETER
               : PYTHON_JOIN_OTHER;
}

static bool is_entry(const void *of, uint32_t python)
{
    return ((const struct mixing *)of)->frames->items[python].is_entry;
}

size_t mixed_join(const struct unwind_stack *calls, const struct frames *frames,
                  const struct image *image, struct python_joined joined[MIXED_MOST])
{
    struct mixing mixing = {calls, frames, image, false};
    struct python_join join = {
        .kind_of = kind_of,
        .is_entry = is_entry,
        .of = &mixing,
        .native_count = (uint32_t)calls->count,
        .python_count = frames ? (uint32_t)frames->count : 0,
        .is_native_whole = calls->end == UNWIND_WHOLE,
        .is_python_whole = frames && !frames->is_cut,
        .joined = joined,
        .room = MIXED_MOST,
    };

    if (!frames || frames->count == 0) {
        for (uint32_t i = 0; i < calls->count; i++)
            joined[i] = (struct python_joined){false, i};
        return calls->count;
    }
    mixing.is_whole = python_is_own_file(text_base_name(frames->interpreter->module->path));
    python_join(&join);
    return join.count;
}
