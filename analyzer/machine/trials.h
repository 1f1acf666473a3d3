/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring the same again until it can be believed.
 */
#ifndef MACHINE_TRIALS_H
#define MACHINE_TRIALS_H

struct trials_outcome {
    double best;
    double spread; /* (best - median) / best */
};

/* Repeat a trial, which gives a rate, until the best ones agree or so many seconds
 * are over. */
struct trials_outcome trials_repeat(double (*trial)(void *of), void *of, double seconds);

/* Seconds of CLOCK_MONOTONIC. */
double trials_now(void);

#endif
