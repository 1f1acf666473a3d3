/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signal of the samples, hidden from the program.
 *
 * The signal is SIGIO: hardly any program uses it, and debuggers pass it on without a message.  Its
 * default action ends the program.  So a SIGIO from outside interrupts no call: it ends the program
 * as without the shim.  A signal that is ignored by default, such as SIGURG, wakes no thread; with
 * the shim's handler it would, and each call with a time limit would end with EINTR.
 *
 * While the action is the shim's, the program sees the default action, which it had.  When the
 * program sets another action, the samples end, and the kernel gets the program's action.  The
 * default action must never meet a signal of the shim: pending ones are discarded first, in all
 * threads.
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

/* Install a handler.  Returns: false if the program uses the signal. */
bool own_signal_take(signal_handler handler);

/* The program set the default action: it sees that action from now on. */
void own_signal_pretend(const struct sigaction *action);

/* Ask the kernel whether the handler is still installed: a program may replace it without a call
 * that the shim intercepts. */
bool own_signal_is_taken(void);

/* Replace our handler by the action that the program set. */
void own_signal_hide(struct sigaction *action);

/* Take our pending signal in this thread.  A signal of another sender stays.
 * Returns: its number of periods. */
uint32_t own_signal_drop_pending(void);

/* Discard our pending signals in all threads, whose timers have stopped. */
void own_signal_discard(void);

/* The same, and give the program its action back. */
void own_signal_give_back(void);

/* Give the value that a timer of ours carries. */
void *own_signal_mark(void);

/* Ask whether a signal is from a timer of the shim. */
bool own_signal_is_ours(const siginfo_t *info);

/* Give the number of periods before a signal of ours. */
uint32_t own_signal_periods(const siginfo_t *info);

/* End the program when our handler returns, as by the default action: another sender sent the
 * signal. */
void own_signal_end_program(siginfo_t *info, ucontext_t *context);

#endif
