/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of Python code of the calling thread, read from the interpreter's own memory.
 *
 * Only two functions are called, usually just one; they return a thread's state.  Nothing is
 * written.  Only the thread's own frames are read, which cannot disappear meanwhile.  In a signal
 * handler each page is checked before it is read; so are the first frames of a process, until some
 * agree with the version's layout.
 *
 * Safety: any thread, also in a signal handler; no lock, no allocation; errno is kept.
 * Budget: a call of some 2 ns that returns a thread's state, and three loads a frame.
 *
 * Decision: doc/decisions/python-frames.
 */
#ifndef PYTHON_FRAMES_H
#define PYTHON_FRAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/own_stack.h"
#include "spec/python_layout.h"

/* The data for reading the frames of this process. */
struct python {
    struct python_layout layout;
    void *(*own_thread)(void);     /* PyGILState_GetThisThreadState */
    /* _PyThreadState_UncheckedGet or its later name, or own_thread. */
    void *(*current_thread)(void);
    uintptr_t code_type;           /* PyCode_Type */
    bool is_any_current;           /* the current one is that of whichever thread has the GIL */
};

extern struct python python HIDDEN;

enum python_mode {
    PYTHON_IS_OFF,
    PYTHON_IS_UNPROVEN, /* no frame was read yet */
    PYTHON_IS_ON
};

extern atomic_uint python_mode HIDDEN;

/* Memory that may be read. */
struct python_view {
    uintptr_t pages[4];
    unsigned next;
    bool asks;
    bool never_waits; /* for a lock */
};

struct python_frame {
    uintptr_t frame;
    uintptr_t instruction;
    uintptr_t code;
    uintptr_t outer; /* 0: there is none */
    bool is_shim;    /* it represents a call of the interpreter's loop */
    bool is_entry;   /* the loop was called for it */
    bool is_generator;
};

static ALWAYS_INLINE uintptr_t python_word(uintptr_t address)
{
    return *(const uintptr_t *)address;
}

/* May these bytes be read? */
bool python_may_read(struct python_view *view, uintptr_t address, uint32_t size);

/* Find the innermost frame of this thread.  Returns: 0 when there is none. */
uintptr_t python_find_frame(struct python_view *view);
COLD uintptr_t python_find_frame_plainly(void); /* asks for no memory */

enum { PYTHON_NO_STATE = 1 };

/* This thread's state at the last request; PYTHON_NO_STATE: none. */
extern _Thread_local uintptr_t python_self INITIAL_EXEC HIDDEN;

/* Ask whether the current state is that of this thread.  If the state of any thread may be current,
 * only a former state of this thread is checked: another thread may now run the loop for it, on its
 * own stack. */
static ALWAYS_INLINE bool python_is_own(uintptr_t state)
{
    return LIKELY(state == python_self) &&
           (!python.is_any_current ||
            LIKELY(own_stack_holds(python_word(state + python.layout.thread_frame))));
}

/* The same without checking memory, once frames were proven and if no signal came in between. */
static ALWAYS_INLINE uintptr_t python_current_frame(void)
{
    uintptr_t state = (uintptr_t)python.current_thread();
    uintptr_t frame;

    if (state == 0) /* this thread has released the lock, and nobody has it */
        state = (uintptr_t)python.own_thread();
    if (UNLIKELY(!python_is_own(state)))
        return python_find_frame_plainly();
    frame = python_word(state + python.layout.thread_frame);
    return python.layout.has_cframe ? python_word(frame + python.layout.cframe_frame) : frame;
}

/* Does this thread collect garbage?  Another thread that does holds the lock of the interpreter. */
bool python_is_collecting(void);

/* Read a frame.  Returns: false when it is not readable. */
bool python_read_frame(struct python_view *view, uintptr_t address, struct python_frame *frame);

/* The offset of an instruction in its code, in bytes.  A frame that has not started its first
 * instruction is before it. */
static ALWAYS_INLINE uint32_t python_offset(uintptr_t code, uintptr_t instruction)
{
    uintptr_t start = code + python.layout.code_start;

    return instruction > start ? (uint32_t)(instruction - start) : 0;
}

/* Is this a code object? */
bool python_is_code(struct python_view *view, uintptr_t code);

/* Returns: whether frames are read. */
static ALWAYS_INLINE bool python_is_read(void)
{
    return atomic_load_explicit(&python_mode, memory_order_relaxed) != PYTHON_IS_OFF;
}

#endif
