/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests that are calls of functions: a catalog names these.  A request lasts from the entry of
 * the function to its return, on one thread.  A call inside of such a call belongs to it.
 *
 * Once such a function is bound, connections that are accepted begin no requests: both would count.
 *
 * Safety: the thread of the call; signal handlers, whose calls are inside of the interrupted one.
 * A call that a jump left ends nowhere, and is dropped at the thread's next one.  Of calls on
 * stacks that the program made itself, as for coroutines, a thread records one at a time.
 *
 * Budget: that of connections.h.
 */
#ifndef REQUEST_FUNCTIONS_H
#define REQUEST_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "request/first_bytes.h"

extern bool functions_are_bound HIDDEN;

/* Does a call begin a request?  `frame`: an address in the frame of its wrapper. */
bool functions_begins(uintptr_t frame);

/* A request begins.  `argument` tells the calls apart; it may be empty.  Keeps errno. */
REALIGNED void functions_begin(uintptr_t frame, const char *function, struct first_bytes argument);

/* The call in this frame has returned, or was left by an exception.  Keeps errno. */
REALIGNED void functions_end(uintptr_t frame);

#endif
