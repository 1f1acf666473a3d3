/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Throwing points, and remembering what they hit.
 */
#include "hot/samples.h"

#include "cold/memory.h"
#include "cold/settings.h"

_Atomic uintptr_t (*samples_lines)[SAMPLES_LINE];

/* A forked child has recorded none of its parent's blocks. */
bool samples_init(void)
{
    if (!samples_lines)
        samples_lines = memory_map_wiped(SAMPLES_LINES * sizeof *samples_lines);
    return samples_lines != NULL;
}

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled", 2016).  Returns: from 0 to below 1. */
static double uniform(struct lane *lane)
{
    lane->random ^= lane->random >> 12;
    lane->random ^= lane->random << 25;
    lane->random ^= lane->random >> 27;
    return (double)(lane->random * UINT64_C(0x2545f4914f6cdd1d) >> 11) * 0x1p-53;
}

/* A number of the exponential distribution with mean 1, by comparisons alone:
 * the first of a falling run of uniform numbers that is of odd length, and one
 * for each run before it (von Neumann, "Various techniques used in connection
 * with random digits", 1951).  Exact, and needs no logarithm. */
static double exponential(struct lane *lane)
{
    for (double whole = 0;; whole++) {
        double first = uniform(lane);
        double last = first;
        bool is_odd = true;

        for (double next = uniform(lane); next < last; next = uniform(lane)) {
            last = next;
            is_odd = !is_odd;
        }
        if (is_odd)
            return whole + first;
    }
}

void samples_throw(struct lane *lane)
{
    lane->sample_distance = (uint64_t)(exponential(lane) * (double)settings.sample_bytes);
}

/* Threads differ in their number, runs in the clock. */
void samples_start(struct lane *lane)
{
    lane->random = clock_read() * HASH_FACTOR ^ (uint64_t)lane->thread << 32 ^ 1;
    samples_throw(lane);
}

bool samples_remember(uintptr_t block)
{
    _Atomic uintptr_t *line = samples_line(block);

    for (int i = 0; i < SAMPLES_LINE; i++) {
        uintptr_t is_free = 0;

        if (atomic_compare_exchange_strong(&line[i], &is_free, block))
            return true;
    }
    return false;
}
