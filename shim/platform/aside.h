/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening files without taking a descriptor of the program.
 *
 * open(2) returns the lowest free number.  A program may rely on this: one thread closes a
 * descriptor, opens another and expects the same number.  Meanwhile another thread of the program
 * may come here.  So files are opened in a thread made by clone(2), with its own table of
 * descriptors; it shares everything else, and the caller waits for its end.
 *
 * A process with a single thread does the work itself, and so does a process that cannot make a
 * thread.
 *
 * Budget: 22 µs beyond the work.
 * Decision: doc/decisions/files-opened-aside.
 */
#ifndef PLATFORM_ASIDE_H
#define PLATFORM_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

typedef void (*aside_function)(void *argument);

/* Processor time of the work that this thread had done aside: its own clock does not include it. */
extern _Thread_local uint64_t aside_cpu_ns INITIAL_EXEC;

/* Another thread is about to run in this process. */
void aside_note_thread(void);

/* Call `run`.  In the other thread, it uses the caller's stack and errno, and has another thread
 * number; it makes system calls, takes no lock and waits for nobody.
 * Safety: a handler of signals, too. */
void aside_run(aside_function run, void *argument);

/* The same, but only in another thread: also in a process with a single thread, which has no
 * descriptor left.
 * Returns: whether it was called. */
bool aside_try(aside_function run, void *argument);

#endif
