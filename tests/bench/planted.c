/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short program for the gate: three kernels.  The one with a few percent of the time can be made
 * slower, or called more often.
 * Usage: planted [SLOWDOWN [EVERY [MORE_CALLS]]]     such as: planted 0.05
 */
#include <stdio.h>
#include <stdlib.h>

#include "planted.h"

enum {
    ROUNDS = 20,
    LARGE_STEPS = 500000,
    SMALL_CALLS = 10, /* a round */
    SMALL_STEPS = 3000,
    VALUES = 1 << 17
};

static double run_round(const double *values, int small_calls)
{
    double sum = planted_large(LARGE_STEPS);

    for (int i = 0; i < small_calls; i++)
        sum += planted_small(SMALL_STEPS);
    return sum + planted_stream(values, VALUES);
}

int main(int argc, char **argv)
{
    double *values = calloc(VALUES, sizeof *values);
    int more = argc > 3 ? atoi(argv[3]) : 0;
    double sum = 0;

    if (!values)
        return 1;
    planted.slowdown = argc > 1 ? atof(argv[1]) : 0;
    planted.every = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (int i = 0; i < ROUNDS; i++)
        sum += run_round(values, SMALL_CALLS + (i == 0 ? more : 0));
    free(values);
    return printf("%g\n", sum) > 0 ? 0 : 1;
}
