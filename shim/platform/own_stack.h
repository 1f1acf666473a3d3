/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a thread's own stack, if certain.
 *
 * Words there can be read without asking the kernel again, and stay mapped while the thread runs.
 * interpose/threads.c finds the stack of each new thread.
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
    uintptr_t low;   /* from here upwards, each page has been read */
    uintptr_t size;  /* from there to the end */
    uintptr_t high;
    uintptr_t floor; /* the stack's lowest address */
};

extern _Thread_local struct own_stack own_stack INITIAL_EXEC;

/* Ask whether an address is on the thread's own stack, if known. */
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

/* The same if own_stack_holds says no: this learns how far down the stack is used now.  Keeps
 * errno. */
bool own_stack_reaches(uintptr_t sp);

/* Learn where the stack of the process's first thread ends, if this is that thread. */
void own_stack_begin_thread(int32_t thread);

#endif
