/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each sampled thread has: its timer, and a stack for signals.
 *
 * Places are taken from slabs and given back; the stacks of ended threads serve others.
 *
 * Safety: any thread; no lock; a place belongs to its thread, but for the timer.
 */
#ifndef SAMPLER_SAMPLED_THREADS_H
#define SAMPLER_SAMPLED_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"

enum { SAMPLED_STACK_SIZE = 65536, SAMPLED_NO_TIMER = -1 };

struct sampled_thread {
    _Atomic int32_t timer; /* of the kernel; SAMPLED_NO_TIMER */
    int32_t thread;        /* a forked child finds its parent's here */
    char *stack;           /* SAMPLED_STACK_SIZE bytes */
    uint64_t left_ns;      /* of the period, while the timer is stopped */
    uint64_t system_ns;    /* in Linux, up to the last sample; 0: there was none */
    uint64_t faults;       /* of pages, the same */
    uint32_t own_periods;  /* passed while we recorded, not yet written */
    uint32_t blocked_periods; /* consumed while the signal was blocked, not yet written */
    void *small_stack; /* for signals: the program's, in whose place ours is; NULL: none is */
    uint32_t small_size;
    bool has_our_stack;      /* for its signals */
    bool is_unblocking;      /* it is in a call that may unblock the signal */
    bool is_entering;        /* a handler of the program, which unblocks it */
    uintptr_t handler_stack; /* of a handler of the program for which the timer is stopped */
    size_t handler_size;     /* of that stack; 0: there is none */
};

/* This thread's; NULL: it is not sampled. */
extern _Thread_local struct sampled_thread *sampled_self INITIAL_EXEC;

/* Take a place.  Returns: NULL when memory is refused. */
struct sampled_thread *sampled_threads_take(void);

void sampled_threads_give(struct sampled_thread *thread);

/* Visit all that are taken. */
void sampled_threads_each(void (*visit)(struct sampled_thread *thread));

/* This is a forked child: all but this one, which may be NULL, are gone. */
void sampled_threads_keep(const struct sampled_thread *thread);

/* Is this the calling thread's, and not inherited? */
bool sampled_thread_is_current(const struct sampled_thread *thread);

/* Is the address on its stack? */
static inline bool sampled_thread_holds(const struct sampled_thread *thread, uintptr_t address)
{
    return address - (uintptr_t)thread->stack < SAMPLED_STACK_SIZE;
}

#endif
