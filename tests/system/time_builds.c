/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three functions of which one has a length that is given, as if another build of the program
 * had it: for tests/system/time.test.
 *
 *     time_builds STEPS
 */
#include <stdlib.h>

enum { ROUNDS = 120000 };

static volatile double sink;

/* About a nanosecond a step. */
__attribute__((noinline)) static void scan(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 1.0 / i;
    sink = sum;
}

__attribute__((noinline)) static void parse(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 2.0 / i;
    sink = sum;
}

__attribute__((noinline)) static void load(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 3.0 / i;
    sink = sum;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 1000;

    for (int i = 0; i < ROUNDS; i++) {
        scan(steps);
        parse(1500);
        load(500);
    }
    return 0;
}
