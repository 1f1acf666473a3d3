/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that checks the flags of the floating-point unit, and one that traps when they are set:
 * blocks and calls of a kernel set none.
 *
 * usage: floats flags | traps
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "routes/blas.h"

enum { CALLS = 100000, ROUNDS_MAX = 100, KIND_NS = 300000000 };

static void *volatile block;

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void work(void)
{
    static float numbers[16];

    for (int i = 0; i < CALLS; i++) {
        block = malloc((size_t)i % 100);
        free(block);
        cblas_sgemm(101, 111, 111, 1 + i % 3, 1, 1, 1, numbers, 1, numbers, 1, 0, numbers, 1);
    }
}

int main(int count, char **arguments)
{
    long long end_ns = now_ns() + KIND_NS;

    feclearexcept(FE_ALL_EXCEPT);
    if (count > 1 && strcmp(arguments[1], "traps") == 0)
        feenableexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < ROUNDS_MAX && now_ns() < end_ns; i++)
        work();
    printf("flags %d\n", fetestexcept(FE_ALL_EXCEPT));
    return 0;
}
