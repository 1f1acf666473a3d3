/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Repeating a measurement until it is credible.
 */
#ifndef MACHINE_TRIALS_H
#define MACHINE_TRIALS_H

enum { TRIALS_FIGURES = 16, TRIALS_ROUNDS = 256 };

/* A figure to measure, and its result. */
struct trials_figure {
    double (*rate)(void *of); /* measures one rate */
    void *of;
    double best;
    double spread; /* (best - median) / best */
};

/* Measure `count` figures in turn, round after round, until the best rates of each agree or the
 * time is over.  The turns spread a short disturbance over all figures, so it affects none for
 * long. */
void trials_repeat(struct trials_figure *figures, unsigned count, double seconds);

/* Seconds of CLOCK_MONOTONIC. */
double trials_now(void);

#endif
