/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best of repeated trials: nothing makes a machine faster than it is, and much
 * slows it down.
 */
#include "machine/trials.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum {
    TRIALS_MAX = 256,
    TRIALS_MIN = 5,
    AGREEING = 3 /* best trials that must agree */
};

static const double agreement = 0.01;       /* of the best trials with one another */
static const double settling_seconds = 0.1; /* some turns of the scheduler: see trials_repeat */

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

static bool agree(const double *sorted, unsigned count)
{
    return count >= TRIALS_MIN && sorted[AGREEING - 1] > (1 - agreement) * sorted[0];
}

/* Trials that share the processor with another process agree too, until its turn
 * ends: so they go on for longer than a turn even when they agree.
 * Returns: the best of the rates. */
struct trials_outcome trials_repeat(double (*trial)(void *of), void *of, double seconds)
{
    double rates[TRIALS_MAX], start = trials_now();
    unsigned count = 0;
    bool is_enough = false;

    trial(of); /* warms up */
    while (!is_enough && count < TRIALS_MAX) {
        double taken;

        rates[count++] = trial(of);
        qsort(rates, count, sizeof *rates, compare_down);
        taken = trials_now() - start;
        is_enough = count >= AGREEING &&
                    (taken > seconds || (taken > settling_seconds && agree(rates, count)));
    }
    return (struct trials_outcome){rates[0], (rates[0] - rates[count / 2]) / rates[0]};
}
