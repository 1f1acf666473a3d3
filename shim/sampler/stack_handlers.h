/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's handlers on signal stacks (SA_ONSTACK).  Such a stack may be small, and a sample
 * would stand on it, too.  So the kernel gets an entry of ours for each of these handlers, with our
 * signal in its mask.  The entry stops the thread's timer where there is little room, unblocks the
 * signal, unless the program has it blocked there, and calls the program's handler: that one, a
 * child that it starts, and the code to which it jumps have the program's mask.
 *
 * An entry stands for one handler for good.  So whoever keeps an entry and installs it again, as
 * libjsig does, or in a child of vfork, gets the handler that was meant.
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#ifndef SAMPLER_STACK_HANDLERS_H
#define SAMPLER_STACK_HANDLERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

/* Put an entry in the place of a handler on a signal stack.  Where all entries are taken, our
 * signal is in the mask for as long as the handler runs. */
void stack_handlers_cover(int number, struct sigaction *action);

/* Put what the program set into the place of an entry. */
void stack_handlers_uncover(int number, struct sigaction *action);

/* The handler behind an entry; any other as it is. */
sighandler_t stack_handlers_behind(sighandler_t handler);

/* Give the kernel the program's own before a sandbox. */
void stack_handlers_give_back(void);

/* It was refused: set the program's actions again.  `exchange`: as sigaction(2), it covers. */
void stack_handlers_take_again(int (*exchange)(int number, const struct sigaction *action,
                                               struct sigaction *old));

/* A call of this thread that waits with other signals blocked, until its end.  In a handler that
 * interrupts it, the context has the mask from before the call. */
struct stack_handlers_wait {
    uintptr_t sp; /* of the call's caller; 0: there is none */
    bool blocks;  /* our signal */
};

extern _Thread_local struct stack_handlers_wait stack_handlers_wait INITIAL_EXEC;

#endif
