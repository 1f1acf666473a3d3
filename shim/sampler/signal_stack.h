/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signal stack of a thread: the program's, or else the shim's, hidden from the program.  The
 * shim's also replaces a stack of the program with room for little more than the kernel's frame,
 * such as Rust makes for each thread.
 *
 * Without one, a handler would run on the stack of the interrupted code, and oneDNN's generated
 * code keeps data where such a handler's frame would be.
 *
 * Safety: only for the calling thread.
 */
#ifndef SAMPLER_SIGNAL_STACK_H
#define SAMPLER_SIGNAL_STACK_H

#include <signal.h>
#include <stdbool.h>

#include "sampler/sampled_threads.h"

/* Give the thread the shim's stack, unless it has its own.
 * Returns: false if its own has no room for a signal. */
bool signal_stack_begin(struct sampled_thread *self);

/* Remove our stack. */
void signal_stack_end(struct sampled_thread *self);

/* Same as sigaltstack(2).  *is_small: the thread now has its own stack, without room for a signal
 * of the shim, and the shim's stack cannot replace it. */
int signal_stack_exchange(const stack_t *stack, stack_t *old, bool *is_small);

#endif
