/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: loops ROUNDS
 *
 * One parallel loop that two functions begin in turn, the second for three times as long.  Prints
 * its result.
 */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 2000, TIMES = 100, SHORT = 600, LONG = 1800 };

static double numbers[COUNT];

static __attribute__((noinline)) void loop(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < COUNT; i++)
        for (int time = 0; time < TIMES; time++)
            numbers[i] += 1 / (1 + numbers[i]);
}

static __attribute__((noinline)) void begin_short(void)
{
    for (int i = 0; i < SHORT; i++)
        loop();
}

static __attribute__((noinline)) void begin_long(void)
{
    for (int i = 0; i < LONG; i++)
        loop();
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1;

    for (int round = 0; round < rounds; round++) {
        begin_short();
        begin_long();
    }
    printf("%.6g\n", numbers[COUNT - 1]);
    return 0;
}
