/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a thread's state to its frames, by the offsets of a layout.
 */
#include "python/frames.h"

#include <string.h>

#include "platform/own_stack.h"
#include "platform/readable.h"

enum { PAGE_BITS = 12, CFRAME_BEFORE = 8 };

struct python python;
atomic_uint python_mode;
_Thread_local uintptr_t python_self INITIAL_EXEC = PYTHON_NO_STATE;

static bool knows_page(const struct python_view *view, uintptr_t page)
{
    for (unsigned i = 0; i < sizeof view->pages / sizeof *view->pages; i++)
        if (view->pages[i] == page)
            return true;
    return false;
}

static bool may_read_page(struct python_view *view, uintptr_t address)
{
    uintptr_t page = address >> PAGE_BITS;

    /* An unused page of the view is 0, too. */
    if (page == 0)
        return false;
    if (knows_page(view, page))
        return true;
    if (!readable(address, 1))
        return false;
    view->pages[view->next++ % (sizeof view->pages / sizeof *view->pages)] = page;
    return true;
}

bool python_may_read(struct python_view *view, uintptr_t address, uint32_t size)
{
    uintptr_t last = address + size - 1;

    if (LIKELY(!view->asks))
        return true;
    if (last < address || !may_read_page(view, address))
        return false;
    for (uintptr_t page = (address >> PAGE_BITS) + 1; page <= last >> PAGE_BITS; page++)
        if (!may_read_page(view, page << PAGE_BITS))
            return false;
    return true;
}

/* Ask whether this thread runs the loop for a state.  The loop's cframe is on the stack of the
 * thread that runs it.  A state names the thread that made it; outside of the main interpreter
 * another thread may run it. */
static bool runs_here(struct python_view *view, uintptr_t thread)
{
    uintptr_t at = thread + python.layout.thread_frame;
    struct python_view wary = {.asks = true};
    uintptr_t cframe;

    if (!python_may_read(view->asks ? view : &wary, at, sizeof(uintptr_t)))
        return false;
    cframe = python_word(at);
    return own_stack_holds(cframe) || own_stack_reaches(cframe);
}

/* If the current state belongs to the thread with the GIL, it may be this thread's even outside of
 * the main interpreter. */
static uintptr_t find_state(struct python_view *view)
{
    uintptr_t own = (uintptr_t)python.own_thread();
    uintptr_t current = (uintptr_t)python.current_thread();

    if (LIKELY(current == own) || current == 0)
        return own;
    if (!python.is_any_current)
        return current;
    return own != 0 && runs_here(view, current) ? current : own;
}

bool python_is_code(struct python_view *view, uintptr_t code)
{
    return code % sizeof(uintptr_t) == 0 && code != 0 &&
           python_may_read(view, code + PYTHON_TYPE, sizeof(uintptr_t)) &&
           python_word(code + PYTHON_TYPE) == python.code_type;
}

/* A thread's state and its interpreter exist as long as the thread runs: a word of them is checked
 * once, and then known. */
static bool may_read_once(struct python_view *view, uintptr_t at, uint32_t size, uintptr_t *known)
{
    if (LIKELY(at == *known))
        return true;
    if (!python_may_read(view, at, size))
        return false;
    *known = at;
    return true;
}

static bool may_read_state(struct python_view *view, uintptr_t at)
{
    static _Thread_local uintptr_t known INITIAL_EXEC;

    return may_read_once(view, at, sizeof(uintptr_t), &known);
}

/* A cframe is on the stack of its thread. */
static bool may_read_cframe(struct python_view *view, uintptr_t at)
{
    return LIKELY(own_stack_holds(at)) ||
           python_may_read(view, at, CFRAME_BEFORE + sizeof(uintptr_t));
}

static bool is_frame(struct python_view *view, uintptr_t address)
{
    struct python_frame frame;

    return address == 0 || (python_read_frame(view, address, &frame) &&
                            (frame.is_shim || python_is_code(view, frame.code)));
}

/* When the loop is being called, its cframe is linked before it holds the frame: then the frame is
 * that of the previous cframe. */
static uintptr_t find_in_cframe(struct python_view *view, uintptr_t cframe)
{
    uintptr_t at = cframe + python.layout.cframe_frame;
    uintptr_t frame;

    if (cframe == 0 || !may_read_cframe(view, at))
        return 0;
    frame = python_word(at);
    if (!view->asks || is_frame(view, frame))
        return frame;
    cframe = python_word(at + CFRAME_BEFORE);
    at = cframe + python.layout.cframe_frame;
    return cframe != 0 && python_may_read(view, at, sizeof(uintptr_t)) ? python_word(at) : 0;
}

static uintptr_t find_thread(struct python_view *view)
{
    uintptr_t state = find_state(view);

    python_self = state != 0 ? state : PYTHON_NO_STATE;
    return state;
}

uintptr_t python_find_frame(struct python_view *view)
{
    uintptr_t thread = find_thread(view);
    uintptr_t first;

    if (thread == 0 || !may_read_state(view, thread + python.layout.thread_frame))
        return 0;
    first = python_word(thread + python.layout.thread_frame);
    return python.layout.has_cframe ? find_in_cframe(view, first) : first;
}

uintptr_t python_find_frame_plainly(void)
{
    struct python_view view = {.asks = false};

    return python_find_frame(&view);
}

/* A thread that has no current state has no lock. */
static uintptr_t find_locked_thread(void)
{
    uintptr_t current = (uintptr_t)python.current_thread();

    return !python.is_any_current || current == (uintptr_t)python.own_thread() ? current : 0;
}

/* Finds the place where a thread's interpreter says that it collects garbage.  Returns: 0 when it
 * cannot be read. */
static uintptr_t find_collecting(uintptr_t thread)
{
    static _Thread_local uintptr_t known INITIAL_EXEC, known_flag INITIAL_EXEC;
    struct python_view view = {.asks = true};
    uintptr_t at = thread + python.layout.thread_interpreter;

    if (!may_read_once(&view, at, sizeof(uintptr_t), &known))
        return 0;
    at = python_word(at) + python.layout.interpreter_collecting;
    return may_read_once(&view, at, sizeof(unsigned), &known_flag) ? at : 0;
}

bool python_is_collecting(void)
{
    struct python_layout *layout = &python.layout;
    uintptr_t thread = find_locked_thread(), at;
    unsigned is_collecting;

    if (thread == 0 || layout->interpreter_collecting == 0 ||
        atomic_load_explicit(&python_mode, memory_order_relaxed) != PYTHON_IS_ON)
        return false;
    at = find_collecting(thread);
    if (at == 0)
        return false;
    memcpy(&is_collecting, (const void *)at, sizeof is_collecting);
    if (UNLIKELY(is_collecting > 1)) /* in this build, the place is another */
        layout->interpreter_collecting = 0;
    return is_collecting == 1;
}

bool python_read_frame(struct python_view *view, uintptr_t address, struct python_frame *frame)
{
    const struct python_layout *layout = &python.layout;
    uint32_t size = layout->frame_owner + 1;
    uint8_t owner;

    if (address % sizeof(uintptr_t) != 0 || !python_may_read(view, address, size))
        return false;
    frame->frame = address;
    frame->instruction = python_word(address + layout->frame_instruction);
    frame->code = python_word(address + layout->frame_code) & ~(uintptr_t)PYTHON_TAG;
    frame->outer = python_word(address + layout->frame_previous);
    owner = *(const uint8_t *)(address + layout->frame_owner);
    frame->is_shim = owner >= PYTHON_OWNER_SHIM;
    frame->is_generator = owner == PYTHON_OWNER_GENERATOR;
    frame->is_entry =
        layout->frame_is_entry != 0 && *(const uint8_t *)(address + layout->frame_is_entry) != 0;
    return true;
}
