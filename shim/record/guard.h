/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What protects the program from others that cut its trace while it runs: cp over it, a truncate,
 * a server of files that is gone.  A store beyond the end of a mapped file is SIGBUS, which would
 * end the program.
 *
 * From the moment when the trace is a file our handler of SIGBUS stands before that of the program,
 * or where it has none.  A fault in our own mappings gets memory without a file in their place, and
 * recording ends; any other goes to the program's handler, or to the program's end, as without us.
 * The program finds what it set (interpose/signals.c).
 *
 * What is left: a thread that blocks SIGBUS, a program that ignores it, sets a handler that serves
 * once, or asks the kernel itself.
 *
 * Decision: doc/decisions/traces-that-are-cut.
 */
#ifndef RECORD_GUARD_H
#define RECORD_GUARD_H

#include <signal.h>

/* Stand there.  Called when the trace becomes a file. */
void guard_start(void);

/* Give the place back, before a sandbox. */
void guard_stop(void);

/* The program set an action of SIGBUS: stand before it, too. */
void guard_note_set(void);

/* Put what the program set into the place of what the kernel told. */
void guard_hide(struct sigaction *action);

#endif
