/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing the clock, and reading it beside CLOCK_MONOTONIC.
 */
#include "hot/clock.h"

#include <time.h>

enum { PAIR_TRIES = 8 };

bool clock_is_counter;

uint64_t clock_monotonic(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void clock_init(void)
{
    clock_is_counter = clock_counter_is_constant();
}

/* The tightest of a few sandwiches: an interrupt inside one makes it wide. */
struct trace_clock_pair clock_read_pair(void)
{
    struct trace_clock_pair best = {0, 0};
    uint64_t width = UINT64_MAX;

    for (int i = 0; i < PAIR_TRIES; i++) {
        uint64_t before = clock_read_ordered();
        uint64_t monotonic = clock_monotonic();
        uint64_t after = clock_read_ordered();

        if (after - before >= width)
            continue;
        width = after - before;
        best.ticks = before + width / 2;
        best.monotonic_ns = monotonic;
    }
    return best;
}
