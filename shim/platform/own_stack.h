/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a thread's own stack is, as far as that is known for certain.
 *
 * Words there can be read without asking the kernel again, and stay where they are while the
 * thread runs.  interpose/threads.c learns it of each thread that begins.
 *
 * Budget of own_stack_holds: a subtraction and a comparison.
 */
#ifndef PLATFORM_OWN_STACK_H
#define PLATFORM_OWN_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

/* Zeros: nothing is known. */
struct own_stack {
    uintptr_t low;   /* from here up each page has been read */
    uintptr_t size;  /* from there to the end */
    uintptr_t high;
    uintptr_t floor; /* it reaches no farther down */
};

extern _Thread_local struct own_stack own_stack INITIAL_EXEC;

/* Is this on the thread's own stack, as far as that is known? */
static ALWAYS_INLINE bool own_stack_holds(uintptr_t sp)
{
    return sp - own_stack.low < own_stack.size;
}

/* This thread's stack ends at `high`.  It is used down to `low` now, and reaches no farther than to
 * `floor`. */
static inline void own_stack_set(uintptr_t low, uintptr_t high, uintptr_t floor)
{
    own_stack = (struct own_stack){low, high - low, high, floor};
}

/* The same where own_stack_holds says no: this learns how far down the stack is used by now.
 * Keeps errno. */
bool own_stack_reaches(uintptr_t sp);

/* Learn where the stack of the process's first thread ends, if this is that thread. */
void own_stack_begin_thread(int32_t thread);

#endif
