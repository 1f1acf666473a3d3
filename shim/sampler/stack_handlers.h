/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's handlers on signal stacks (SA_ONSTACK).  Such a stack may be small, and the handler
 * of a sample would run on it, too.  So the kernel gets an entry of the shim for each of these
 * handlers, with the shim's signal in its mask.  The entry stops the thread's timer if there is
 * little room, unblocks the signal unless the program blocks it there, and calls the program's
 * handler.  So the handler, its children, and code that it jumps to have the program's mask.
 *
 * An entry always represents the same handler.  So code that saves an entry and installs it again,
 * such as libjsig or a child of vfork, gets the right handler.
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#ifndef SAMPLER_STACK_HANDLERS_H
#define SAMPLER_STACK_HANDLERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

/* Replace a handler on a signal stack by an entry.  If all entries are used, the shim's signal is
 * blocked while the handler runs. */
void stack_handlers_cover(int number, struct sigaction *action);

/* Replace an entry by the action that the program set. */
void stack_handlers_uncover(int number, struct sigaction *action);

/* Give the handler behind an entry; any other handler unchanged. */
sighandler_t stack_handlers_behind(sighandler_t handler);

/* Give the kernel the program's own handlers before a sandbox. */
void stack_handlers_give_back(void);

/* The sandbox was refused: set the entries again.  `exchange`: as sigaction(2), it covers. */
void stack_handlers_take_again(int (*exchange)(int number, const struct sigaction *action,
                                               struct sigaction *old));

/* A call in progress of this thread that waits with another mask of signals.  In a handler that
 * interrupts it, the context has the mask from before the call. */
struct stack_handlers_wait {
    uintptr_t sp; /* stack pointer of the call's caller; 0: there is none */
    bool blocks;  /* our signal */
};

extern _Thread_local struct stack_handlers_wait stack_handlers_wait INITIAL_EXEC;

#endif
