/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose time is known: a chain of dependent multiply-adds.
 */
#include "planted.h"

struct planted planted = {0, 1};

static double chain(double steps)
{
    volatile double start = 0.5; /* otherwise the compiler could compute the result */
    double value = start;

    for (long i = (long)steps; i > 0; i--)
        value = value * 0.999 + 0.001;
    return value;
}

double planted_large(int steps)
{
    return chain(steps);
}

double planted_small(int steps)
{
    static unsigned calls;
    double more = ++calls % planted.every == 0 ? planted.slowdown * planted.every : 0;

    return chain(steps * (1 + more));
}

double planted_stream(const double *values, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}
