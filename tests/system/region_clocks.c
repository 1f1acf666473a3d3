/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions that compute, sleep, and alternate, with the thread's own clock for each: "truth: NAME
 * NANOSECONDS".
 *
 *     region_clocks phases TURNS   one region after the other, the clock read around all its calls
 *     region_clocks turns TURNS    in turn, the clock read around each call
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tprof.h"

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Work, not time: after a preemption it continues. */
static void compute(unsigned long rounds)
{
    uint64_t sum = 1;

    for (unsigned long i = 0; i < rounds; i++)
        sum = sum * 6364136223846793005u + i;
    __asm__ volatile("" : : "r"(sum));
}

static unsigned long rounds_of_us(double us)
{
    static double each_ns;

    for (int i = 0; each_ns == 0 || i < 20; i++) {
        uint64_t start = read_clock(CLOCK_THREAD_CPUTIME_ID);
        double ns;

        compute(100000);
        ns = (double)(read_clock(CLOCK_THREAD_CPUTIME_ID) - start) / 100000;
        each_ns = each_ns == 0 || ns < each_ns ? ns : each_ns;
    }
    return (unsigned long)(us * 1000 / each_ns) + 1;
}

static void sleep_us(long us)
{
    struct timespec time = {0, us * 1000};

    nanosleep(&time, NULL);
}

enum { KINDS = 6 };

static const struct kind {
    const char *name;
    double us;     /* of computing */
    long sleep_us; /* and of sleep, */
    int every;     /* in one of this many calls */
} kinds[KINDS] = {
    {"tiny", 2, 0, 1},         {"short", 10, 0, 1},       {"long", 90, 0, 1},
    {"sleeping", 32, 20, 1},   {"sometimes", 15, 100, 8}, {"rarely", 20, 2000, 150},
};

static uint64_t truth_ns[KINDS];
static unsigned long rounds[KINDS];

static void work(int kind, int turn)
{
    compute(rounds[kind]);
    if (kinds[kind].sleep_us > 0 && turn * 7 % kinds[kind].every == 0)
        sleep_us(kinds[kind].sleep_us);
}

static void call(int kind, int turn)
{
    tprof_region_begin(kinds[kind].name);
    work(kind, turn);
    tprof_region_end(kinds[kind].name);
}

static void run_phases(int turns)
{
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t start = read_clock(CLOCK_THREAD_CPUTIME_ID);

        for (int turn = 0; turn < turns; turn++)
            call(kind, turn);
        truth_ns[kind] = read_clock(CLOCK_THREAD_CPUTIME_ID) - start;
    }
}

/* The time of a reading depends on the work before it, so it is measured at the place of the call:
 * between two readings before it. */
static void run_turns(int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        for (int kind = 0; kind < KINDS; kind++) {
            uint64_t before = read_clock(CLOCK_THREAD_CPUTIME_ID);
            uint64_t start = read_clock(CLOCK_THREAD_CPUTIME_ID);

            call(kind, turn);
            truth_ns[kind] += read_clock(CLOCK_THREAD_CPUTIME_ID) - start - (start - before);
        }
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 2 ? atoi(argv[2]) : 1000;

    for (int kind = 0; kind < KINDS; kind++)
        rounds[kind] = rounds_of_us(kinds[kind].us);
    if (argc > 1 && strcmp(argv[1], "turns") == 0)
        run_turns(turns);
    else
        run_phases(turns);
    for (int kind = 0; kind < KINDS; kind++)
        printf("truth: %s %llu\n", kinds[kind].name, (unsigned long long)truth_ns[kind]);
    return 0;
}
