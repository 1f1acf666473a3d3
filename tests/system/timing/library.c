/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of a given duration: the kernels of timing.test.
 */
#include "spin.h"

#include <time.h>

uint64_t spin_read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t spin(uint64_t ns)
{
    uint64_t start = spin_read_clock(), now;

    do
        now = spin_read_clock();
    while (now - start < ns);
    return now - start;
}

uint64_t spin_constant(uint64_t ns)
{
    return spin(ns);
}

uint64_t spin_normal(uint64_t ns)
{
    return spin(ns);
}

uint64_t spin_bimodal(uint64_t ns)
{
    return spin(ns);
}

uint64_t spin_drifting(uint64_t ns)
{
    return spin(ns);
}

uint64_t spin_warming(uint64_t ns)
{
    return spin(ns);
}
