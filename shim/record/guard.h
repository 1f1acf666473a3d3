/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Protects the program from others that truncate its trace while it runs: cp over it, a truncate, a
 * lost file server.  A store beyond the end of a mapped file is SIGBUS, which would end the
 * program.
 *
 * Once the trace is a file, the shim's handler of SIGBUS precedes the program's, if it has one.  On
 * a fault in its own mappings, the shim replaces them by memory without a file, and recording ends.
 * Any other fault goes to the program's handler or ends the program, as without the shim.  The
 * program sees only its own action (interpose/signals.c).
 *
 * Not protected: a thread that blocks SIGBUS; a program that ignores SIGBUS, sets a one-time
 * handler, or sets one by its own system call.
 *
 * Decision: doc/decisions/traces-that-are-cut.
 */
#ifndef RECORD_GUARD_H
#define RECORD_GUARD_H

#include <signal.h>

/* Install the handler.  Called when the trace becomes a file. */
void guard_start(void);

/* Restore the program's action, before a sandbox. */
void guard_stop(void);

/* The program set an action of SIGBUS: install ours before it. */
void guard_note_set(void);

/* Replace the kernel's answer by the action that the program set. */
void guard_hide(struct sigaction *action);

#endif
