/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample: the place of a thread after a period of its processor time.
 *
 * Runs in the signal handler, which may interrupt the program, libc or the shim anywhere.
 */
#ifndef SAMPLER_CPU_SAMPLE_H
#define SAMPLER_CPU_SAMPLE_H

#include <signal.h>

struct sampled_thread;

/* The handler. */
void cpu_sample_on_signal(int number, siginfo_t *info, void *context);

/* The thread ends: write the periods that could not be written before. */
void cpu_sample_write_rest(struct sampled_thread *self);

/* Take a pending sample, without its place: the signal is blocked, and the program is about to wait
 * for signals. */
void cpu_sample_drop_pending(struct sampled_thread *self);

#endif
