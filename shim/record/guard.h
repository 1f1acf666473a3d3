/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What protects the program from others that cut its trace while it runs: cp over it, a truncate,
 * a server of files that is gone.  A store beyond the end of a mapped file is SIGBUS, which would
 * end the program.
 *
 * While the program has no handler of SIGBUS, and the trace is a file, ours stands there.  A fault
 * in our own mappings gets memory without a file in their place, and recording ends; any other
 * goes on to the program's end, as without us.  The program finds SIG_DFL when it asks
 * (interpose/signals.c).
 *
 * What is left: a program with a handler of its own, as Go and Java have, gets the signal; so does
 * a thread that blocks it.
 *
 * Decision: doc/decisions/traces-that-are-cut.
 */
#ifndef RECORD_GUARD_H
#define RECORD_GUARD_H

#include <signal.h>
#include <stdbool.h>

/* Stand there, if the program has no handler.  Called when the trace becomes a file. */
void guard_start(void);

/* Give the place back, before a sandbox. */
void guard_stop(void);

/* The program set an action of SIGBUS. */
void guard_note_replaced(void);

/* Is this ours? */
bool guard_is_handler(const struct sigaction *action);

#endif
