/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample: where a thread was when a period of its processor time had passed.
 *
 * Runs in the handler of the signal, which may have come anywhere in the program, in libc or in
 * the shim.
 */
#ifndef SAMPLER_CPU_SAMPLE_H
#define SAMPLER_CPU_SAMPLE_H

#include <signal.h>

struct sampled_thread;

/* The handler. */
void cpu_sample_on_signal(int number, siginfo_t *info, void *context);

/* Write the periods that could not be written when they had passed: the thread ends. */
void cpu_sample_write_rest(struct sampled_thread *self);

/* Take a sample that is on its way, without its place: the signal is blocked, and the program is
 * about to wait for signals. */
void cpu_sample_drop_pending(struct sampled_thread *self);

#endif
