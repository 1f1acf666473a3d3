/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best of repeated trials: nothing makes a machine faster than it is, but much slows it down.
 *
 * Decision: doc/decisions/machine-measured-in-turn.
 */
#include "machine/trials.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum {
    LEAST_ROUNDS = 5,
    AGREEING = 3 /* best rates that must agree */
};

static const double agreement = 0.01; /* largest difference of the best rates, as a share */

/* Trials beside another process also agree, until its turn ends.  So each figure is measured for
 * longer than a turn even if its trials agree. */
static const double settling_seconds = 0.1;

/* The rates of one figure, the highest first. */
struct rates {
    double of[TRIALS_ROUNDS];
};

double trials_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare_down(const void *a, const void *b)
{
    const double *left = a, *right = b;

    return (*left < *right) - (*left > *right);
}

static void measure_round(struct trials_figure *figures, unsigned count, struct rates *rates,
                          unsigned round)
{
    for (unsigned i = 0; i < count; i++) {
        rates[i].of[round] = figures[i].rate(figures[i].of);
        qsort(rates[i].of, round + 1, sizeof *rates[i].of, compare_down);
    }
}

static bool all_agree(const struct rates *rates, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (rates[i].of[AGREEING - 1] <= (1 - agreement) * rates[i].of[0])
            return false;
    return true;
}

void trials_repeat(struct trials_figure *figures, unsigned count, double seconds)
{
    struct rates rates[TRIALS_FIGURES];
    double start = trials_now();
    bool is_enough = false;
    unsigned rounds = 0;

    measure_round(figures, count, rates, 0); /* warms up, and is overwritten */
    while (!is_enough && rounds < TRIALS_ROUNDS) {
        double taken;

        measure_round(figures, count, rates, rounds++);
        taken = trials_now() - start;
        is_enough = rounds >= AGREEING && taken > seconds;
        is_enough |=
            rounds >= LEAST_ROUNDS && taken > settling_seconds * count && all_agree(rates, count);
    }
    for (unsigned i = 0; i < count; i++) {
        figures[i].best = rates[i].of[0];
        figures[i].spread = (rates[i].of[0] - rates[i].of[rounds / 2]) / rates[i].of[0];
    }
}
