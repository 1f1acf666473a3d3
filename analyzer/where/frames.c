/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a thread's state to its frames, a page at a time.
 *
 * The bytes may be anything: an endless chain is cut at a bound, and code objects are checked
 * later, while the thread runs again.
 */
#include "where/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "where/image.h"
#include "where/interpreter.h"

struct frames *frames_new(const struct interpreter *interpreter)
{
    struct frames *frames = memory_get(sizeof *frames);

    memset(frames, 1, sizeof *frames);
    frames->interpreter = interpreter;
    frames_aim(frames, 0);
    return frames;
}

void frames_free(struct frames *frames)
{
    free(frames);
}

void frames_aim(struct frames *frames, uint64_t state)
{
    frames->state = state;
    frames->count = 0;
    frames->page_count = 0;
    frames->is_cut = false;
    frames->is_torn = false;
}

static const unsigned char *find_page(struct frames *frames, uint64_t address)
{
    uint64_t start = address - address % FRAMES_PAGE;
    size_t count = frames->page_count;

    for (size_t i = 0; i < count; i++)
        if (frames->addresses[i] == start)
            return frames->pages[i];
    if (count == FRAMES_PAGES ||
        !image_read_now(frames->interpreter->image, start, frames->pages[count], FRAMES_PAGE))
        return NULL;
    frames->addresses[frames->page_count++] = start;
    return frames->pages[count];
}

static bool read_bytes(struct frames *frames, uint64_t address, void *bytes, size_t size)
{
    const unsigned char *page = find_page(frames, address);

    if (!page || address % FRAMES_PAGE + size > FRAMES_PAGE)
        return false;
    memcpy(bytes, page + address % FRAMES_PAGE, size);
    return true;
}

static bool read_word(struct frames *frames, uint64_t address, uint64_t *word)
{
    return address % sizeof *word == 0 && read_bytes(frames, address, word, sizeof *word);
}

/* Returns: the innermost frame; 0: there is none, or it cannot be read. */
static uint64_t find_first(struct frames *frames)
{
    const struct python_layout *layout = &frames->interpreter->layout;
    uint64_t first;

    if (!read_word(frames, frames->state + layout->thread_frame, &first))
        return 0;
    if (layout->has_cframe && !read_word(frames, first + layout->cframe_frame, &first))
        return 0;
    return first;
}

/* Returns: false where it cannot be read. */
static bool read_frame(struct frames *frames, uint64_t address, struct frames_item *item,
                       uint64_t *outer, uint8_t *owner)
{
    const struct python_layout *layout = &frames->interpreter->layout;
    uint8_t is_entry = 0;

    if (!read_word(frames, address + layout->frame_code, &item->code) ||
        !read_word(frames, address + layout->frame_instruction, &item->instruction) ||
        !read_word(frames, address + layout->frame_previous, outer) ||
        !read_bytes(frames, address + layout->frame_owner, owner, sizeof *owner) ||
        (layout->frame_is_entry != 0 &&
         !read_bytes(frames, address + layout->frame_is_entry, &is_entry, sizeof is_entry)))
        return false;
    item->code &= ~(uint64_t)PYTHON_TAG;
    item->is_entry = is_entry != 0;
    return true;
}

void frames_copy(struct frames *frames)
{
    frames_aim(frames, frames->state);
    uint64_t at = frames->state != 0 ? find_first(frames) : 0;

    uint8_t owner = 0;

    for (unsigned i = 0; at != 0 && i < 2 * FRAMES_MOST && frames->count < FRAMES_MOST; i++) {
        struct frames_item item;

        if (!read_frame(frames, at, &item, &at, &owner)) {
            frames->is_torn = frames->page_count < FRAMES_PAGES;
            break;
        }
        if (owner < PYTHON_OWNER_SHIM)
            frames->items[frames->count++] = item;
        else if (frames->count > 0)
            frames->items[frames->count - 1].is_entry = true;
    }
    frames->is_torn |= at == 0 && owner == PYTHON_OWNER_GENERATOR;
    frames->is_cut = at != 0 || frames->is_torn;
}

bool frames_are_right(const struct frames *frames)
{
    return !frames->is_torn &&
           (frames->count == 0 || interpreter_is_code(frames->interpreter, frames->items[0].code));
}
