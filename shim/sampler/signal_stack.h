/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signal stack of a thread: the program's, or else ours, hidden from the program.  Ours also
 * replaces a stack of the program's with room for little but the kernel's frame, such as Rust makes
 * for each thread.
 *
 * Without one a handler would run on the stack of the interrupted code, and oneDNN's generated
 * code keeps data where such a handler's frame would be.
 *
 * Safety: for the calling thread alone.
 */
#ifndef SAMPLER_SIGNAL_STACK_H
#define SAMPLER_SIGNAL_STACK_H

#include <signal.h>
#include <stdbool.h>

#include "sampler/sampled_threads.h"

/* Give the thread our stack, unless it has its own.
 * Returns: false if its own has no room for a signal. */
bool signal_stack_begin(struct sampled_thread *self);

/* Remove our stack. */
void signal_stack_end(struct sampled_thread *self);

/* As sigaltstack(2).  *is_small: the thread has a stack of its own now, without room for a signal
 * of ours, and ours cannot stand in for it. */
int signal_stack_exchange(const stack_t *stack, stack_t *old, bool *is_small);

#endif
