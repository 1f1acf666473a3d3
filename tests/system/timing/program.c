/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spins in five ways and prints, as JSON, statistics of its own measurements, from inside each call
 * and around it: mean and percentiles of type 7.  A profiler between the two must measure a time
 * between them.  It also prints the time of one reading of the clock.
 */
#include <stdio.h>
#include <stdlib.h>

#include "spin.h"

enum { CALLS = 1000, WARMUP = 40 };

static uint64_t random_state = 1;

static double draw_flat(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
    return (double)(random_state >> 11) / 0x1p53;
}

/* Twelve flat numbers have a sum of variance 1. */
static double draw_normal(void)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw_flat();
    return sum;
}

static double take_constant(int call)
{
    (void)call;
    return 20000;
}

static double take_normal(int call)
{
    (void)call;
    return 20000 + 2000 * draw_normal();
}

static double take_bimodal(int call)
{
    (void)call;
    return (draw_flat() < 0.7 ? 15000 : 25000) + 500 * draw_normal();
}

static double take_drifting(int call)
{
    return 15000 + 10000.0 * call / CALLS;
}

static double take_warming(int call)
{
    return call < WARMUP ? 60000 - 500 * call : 20000;
}

static const struct {
    const char *name;
    double (*take)(int call);
    uint64_t (*spin)(uint64_t ns);
} ways[] = {
    {"spin_constant", take_constant, spin_constant},
    {"spin_normal", take_normal, spin_normal},
    {"spin_bimodal", take_bimodal, spin_bimodal},
    {"spin_drifting", take_drifting, spin_drifting},
    {"spin_warming", take_warming, spin_warming},
};

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double find_percentile(const double *sorted, double fraction)
{
    double place = (CALLS - 1) * fraction;
    int below = (int)place;

    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

static void print_statistics(double *times)
{
    double mean = 0;

    for (int i = 0; i < CALLS; i++)
        mean += times[i] / CALLS;
    qsort(times, CALLS, sizeof *times, compare);
    printf("{\"min_ns\": %.1f, \"mean_ns\": %.1f, \"p50_ns\": %.1f, \"p90_ns\": %.1f, "
           "\"p95_ns\": %.1f, \"p99_ns\": %.1f, \"max_ns\": %.1f}",
           times[0], mean, find_percentile(times, 0.5), find_percentile(times, 0.9),
           find_percentile(times, 0.95), find_percentile(times, 0.99), times[CALLS - 1]);
}

static double time_clock(void)
{
    uint64_t start = spin_read_clock(), end = start;

    for (int i = 0; i < CALLS; i++)
        end = spin_read_clock();
    return (double)(end - start) / CALLS;
}

int main(void)
{
    static double inside[CALLS], around[CALLS];

    printf("{\"clock_ns\": %.1f, \"ways\": [", time_clock());
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int call = 0; call < CALLS; call++) {
            uint64_t wanted = (uint64_t)ways[i].take(call), start = spin_read_clock();

            inside[call] = (double)ways[i].spin(wanted);
            around[call] = (double)(spin_read_clock() - start);
        }
        printf("{\"name\": \"%s\", \"calls\": %d, \"inside\": ", ways[i].name, CALLS);
        print_statistics(inside);
        printf(", \"around\": ");
        print_statistics(around);
        printf("}");
        printf("%s", i + 1 < sizeof ways / sizeof *ways ? ",\n" : "]}\n");
    }
    return 0;
}
