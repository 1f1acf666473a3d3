/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer for each thread, on the clock of its processor time, which sends the thread itself a
 * signal: sampler/cpu_sample.h.
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
void cpu_timers_begin_lane(struct lane *lane);
uint64_t cpu_timers_look_up(struct lane *lane, uint64_t now);

/* This thread begins, by a call that we see. */
void cpu_timers_begin_thread(void);

/* This thread is not sampled any more: it waits for the signal, or has no room for it. */
void cpu_timers_leave_out_thread(void);

/* This thread waits for signals with these blocked, or for these.  Stop its timer where the wait
 * could end by it, and take what has come.  Returns: whether cpu_timers_resume() must follow. */
bool cpu_timers_pause_unblocking(const sigset_t *blocked);
bool cpu_timers_pause_awaiting(const sigset_t *awaited);
void cpu_timers_resume(void);

/* A handler of the program begins on a signal stack, with our signal blocked: stop the thread's
 * timer where that stack has little room, and unblock the signal.
 * Returns: whether cpu_timers_leave_handler() must follow. */
bool cpu_timers_enter_handler(const ucontext_t *context);
void cpu_timers_leave_handler(void);

/* It is about to ask which signals have come. */
void cpu_timers_hide_pending(void);

/* End the samples of the process for good. */
void cpu_timers_end(enum trace_sampling_off reason);

/* Are there samples in this process? */
bool cpu_timers_are_on(void);

/* Stop all timers before a sandbox is entered, and let them go on when it was refused. */
void cpu_timers_stop(void);
void cpu_timers_go_on(void);

#endif
