/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timer and the signal stack of each sampled thread.
 *
 * Entries are taken from slabs and returned to them; the stacks of ended threads are reused.
 *
 * Safety: any thread; no lock; an entry belongs to its thread, except for the timer.
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
    _Atomic int32_t timer; /* number in the kernel; SAMPLED_NO_TIMER */
    int32_t thread;        /* in a forked child, its parent's thread */
    char *stack;           /* SAMPLED_STACK_SIZE bytes */
    uint64_t left_ns;      /* rest of the period, while the timer is stopped */
    uint64_t system_ns;    /* time in Linux at the last sample; 0: none yet */
    uint64_t faults;       /* page faults at the last sample */
    uint32_t own_periods;  /* passed while we recorded, not yet written */
    uint32_t blocked_periods; /* consumed while the signal was blocked, not yet written */
    void *small_stack; /* the program's signal stack that ours replaces; NULL: none */
    uint32_t small_size;
    bool has_our_stack;      /* for its signals */
    bool is_unblocking;      /* in a call that may unblock the signal */
    bool is_entering;        /* in a handler of the program, which unblocks it */
    uintptr_t handler_stack; /* stack of the program's handler that stopped the timer */
    size_t handler_size;     /* size of that stack; 0: none */
};

/* This thread's entry; NULL: it is not sampled. */
extern _Thread_local struct sampled_thread *sampled_self INITIAL_EXEC;

/* Take an entry.  Returns: NULL when memory is refused. */
struct sampled_thread *sampled_threads_take(void);

void sampled_threads_give(struct sampled_thread *thread);

/* Visit all entries in use. */
void sampled_threads_each(void (*visit)(struct sampled_thread *thread));

/* This is a forked child: free all entries except this one, which may be NULL. */
void sampled_threads_keep(const struct sampled_thread *thread);

/* Ask whether the entry belongs to the calling thread and is not inherited. */
bool sampled_thread_is_current(const struct sampled_thread *thread);

/* Is the address on its stack? */
static inline bool sampled_thread_holds(const struct sampled_thread *thread, uintptr_t address)
{
    return address - (uintptr_t)thread->stack < SAMPLED_STACK_SIZE;
}

#endif
