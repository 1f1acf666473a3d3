/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three functions; one has a given length, as if in another build of the program: for
 * tests/system/time.test.
 *
 *     time_builds LENGTH
 *
 * A length is processor time, in parts of 20 us: other programs on the machine change how far a
 * function gets, but not how long it takes.  Each takes ticks of Linux's clock; at a system call,
 * such as reading this clock, others get the processor.
 */
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20, STEPS = 100000 };

static volatile double sink;

static double now_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* The code differs: the compiler would otherwise merge the functions. */
#define TAKE(name, weight)                                                                         \
    __attribute__((noinline)) static void name(int length)                                         \
    {                                                                                              \
        for (double end = now_us() + 20.0 * length; now_us() < end;)                               \
            for (int i = 1; i < STEPS; i++)                                                        \
                sink += weight / i;                                                                \
    }
TAKE(scan, 1.0)
TAKE(parse, 2.0)
TAKE(load, 3.0)

int main(int argc, char **argv)
{
    int length = argc > 1 ? atoi(argv[1]) : 1000;

    for (int i = 0; i < ROUNDS; i++) {
        scan(length);
        parse(500);
        load(250);
    }
    return 0;
}
