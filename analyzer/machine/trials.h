/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring the same again until it can be believed.
 */
#ifndef MACHINE_TRIALS_H
#define MACHINE_TRIALS_H

enum { TRIALS_FIGURES = 16, TRIALS_ROUNDS = 256 };

/* A figure to measure, and its result. */
struct trials_figure {
    double (*rate)(void *of); /* measures it once */
    void *of;
    double best;
    double spread; /* (best - median) / best */
};

/* Measure so many figures in turn, round after round, until the best rates of each
 * agree, or so many seconds are over.  In turn, so that a short disturbance hits all figures, but
 * none of them for long. */
void trials_repeat(struct trials_figure *figures, unsigned count, double seconds);

/* Seconds of CLOCK_MONOTONIC. */
double trials_now(void);

#endif
