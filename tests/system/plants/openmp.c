/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: planted_openmp ROUNDS
 *
 * Short parallel parts with a serial part between: the environment (OMP_WAIT_POLICY) decides what
 * the other threads do meanwhile.  Prints its result.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 2000, SKIPPED = 77, THREADS = 2, TIMES = 100 };

static double numbers[COUNT];

static double work_on(double number)
{
    for (int i = 0; i < TIMES; i++)
        number += 1 / (1 + number);
    return number;
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 0;
    double sum = 0;

    if (omp_get_num_procs() < THREADS) {
        fprintf(stderr, "plants: one processor\n");
        return SKIPPED;
    }
    omp_set_num_threads(THREADS);
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < COUNT; i++)
            numbers[i] = work_on(i);
        for (int i = 0; i < COUNT; i++)
            numbers[i] = work_on(numbers[i]);
    }
    for (int i = 0; i < COUNT; i++)
        sum += numbers[i];
    printf("%.6g\n", sum);
    return 0;
}
