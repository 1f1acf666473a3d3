/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timers, one for each thread, on the clock of its processor time.  A timer sends its signal to its
 * own thread: sampler/cpu_sample.h.
 *
 *   what happens                              its timer
 *   a thread begins by pthread_create         starts; without room for one it is counted
 *   a process begins, or a forked child       starts in the thread that does
 *   a thread ends                             is deleted: else it would outlive the thread
 *   an exec                                   is gone
 *   a handler begins on a small signal stack  stops until it returns; after a jump out of it,
 *                                             until the next handler or quiet moment
 *   the program enters a sandbox              stops; a refused sandbox lets it go on
 *   the program takes the signal for itself   all are deleted, for good
 *
 * Decision: doc/decisions/samples-of-processor-time.
 */
#ifndef SAMPLER_CPU_TIMERS_H
#define SAMPLER_CPU_TIMERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "spec/trace.h"

struct lane;
struct sampled_thread;

/* Rows of room.h. */
bool cpu_timers_begin(void);

/* Recording is deferred, and only the samples begin. */
void cpu_timers_defer(void);
void cpu_timers_begin_lane(struct lane *lane);
uint64_t cpu_timers_look_up(struct lane *lane, uint64_t now);

/* This thread starts by a call that we intercept. */
void cpu_timers_begin_thread(void);

/* This thread is no longer sampled: it waits for the signal, or has no room for it. */
void cpu_timers_leave_out_thread(void);

/* This thread waits for signals with the set blocked, or for the set.  Stop its timer if its signal
 * could end the wait, and take the pending signal.
 * Returns: whether cpu_timers_resume() must follow. */
bool cpu_timers_pause_unblocking(const sigset_t *blocked);
bool cpu_timers_pause_awaiting(const sigset_t *awaited);
void cpu_timers_resume(void);

/* A handler of the program starts on a signal stack, with our signal blocked: stop the thread's
 * timer if that stack has little room, and unblock the signal.
 * Returns: whether cpu_timers_leave_handler() must follow. */
bool cpu_timers_enter_handler(const ucontext_t *context);
void cpu_timers_leave_handler(void);

/* This thread is about to ask for the pending signals. */
void cpu_timers_hide_pending(void);

/* End the samples of the process for good. */
void cpu_timers_end(enum trace_sampling_off reason);

/* Does this process take samples? */
bool cpu_timers_are_on(void);

/* Stop all timers before a sandbox is entered, and restart them when it was refused. */
void cpu_timers_stop(void);
void cpu_timers_go_on(void);

#endif
