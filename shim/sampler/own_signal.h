/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signal of the samples, and what the program sees of it.
 *
 * SIGURG, as Go's scheduler takes it: its default action is to be ignored, so an exec or a
 * program that resets its handlers kills nobody.  While the action is ours, the program finds the
 * default one, which it had.  When it sets another, the samples end and the kernel gets what the
 * program said; only a sample that was still on its way is kept from its handler.
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#ifndef SAMPLER_OWN_SIGNAL_H
#define SAMPLER_OWN_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { OWN_SIGNAL = SIGURG };

#define OWN_SIGNAL_BIT (UINT64_C(1) << (OWN_SIGNAL - 1))

/* A handler as of SA_SIGINFO. */
typedef void (*own_signal_handler)(int number, siginfo_t *info, void *context);

/* Install a handler.  Returns: false where the program has the signal. */
bool own_signal_take(own_signal_handler handler);

/* The program asked for an action that does nothing: it sees that one from now on. */
void own_signal_pretend(const struct sigaction *action);

/* Ask the kernel whether the handler is still there: a program may replace it without a call that
 * we see. */
bool own_signal_is_taken(void);

/* Give the program its action back. */
void own_signal_give_back(void);

/* What a timer of ours carries. */
void *own_signal_mark(void);

/* Is it from a timer of ours? */
bool own_signal_is_ours(const siginfo_t *info);

/* As sigaction(2) of this signal, when the samples have ended, or to ask. */
int own_signal_exchange(const struct sigaction *action, struct sigaction *old);

/* The program's handler was installed by another call than sigaction: stand before it.
 * `old`: what that call found.  Returns: what it would have found without us. */
void (*own_signal_shield(void (*old)(int)))(int);

#endif
