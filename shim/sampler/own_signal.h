/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signal of the samples, and what the program sees of it.
 *
 * SIGIO: hardly any program uses it, and debuggers pass it on without a word.  Its default action
 * is to end the program, so that one from outside can interrupt no call: it ends the program as
 * without us.  Where the default action is to ignore a signal, as with SIGURG, the kernel wakes
 * nobody for it; but any handler does, and each call that has a time limit would end with EINTR.
 *
 * While the action is ours, the program finds the default one, which it had.  When it sets
 * another, the samples end, and the kernel gets what the program said.  The default action must
 * never meet a signal of ours: what is pending is discarded first, in all threads.
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#ifndef SAMPLER_OWN_SIGNAL_H
#define SAMPLER_OWN_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "platform/signal_action.h"

enum { OWN_SIGNAL = SIGIO };

#define OWN_SIGNAL_BIT (UINT64_C(1) << (OWN_SIGNAL - 1))

/* Install a handler.  Returns: false where the program has the signal. */
bool own_signal_take(signal_handler handler);

/* The program asked for the default action: it sees that one from now on. */
void own_signal_pretend(const struct sigaction *action);

/* Ask the kernel whether the handler is still there: a program may replace it without a call that
 * we see. */
bool own_signal_is_taken(void);

/* Put what the program set into the place of our handler. */
void own_signal_hide(struct sigaction *action);

/* Take what is pending of ours in this thread.  A signal of another sender stays.
 * Returns: how many periods that was. */
uint32_t own_signal_drop_pending(void);

/* Discard what is pending of ours in all threads, whose timers have stopped. */
void own_signal_discard(void);

/* The same, and give the program its action back. */
void own_signal_give_back(void);

/* What a timer of ours carries. */
void *own_signal_mark(void);

/* Is it from a timer of ours? */
bool own_signal_is_ours(const siginfo_t *info);

/* The periods that passed before a signal of ours. */
uint32_t own_signal_periods(const siginfo_t *info);

/* Another sent it, so it ends the program, as by the default action, when our handler returns. */
void own_signal_end_program(siginfo_t *info, ucontext_t *context);

#endif
