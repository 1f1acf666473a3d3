/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws the calls that represent others: all of the first ones, later some at random gaps, so that
 * the sample follows no rhythm of the program.
 */
#ifndef PLATFORM_DRAW_H
#define PLATFORM_DRAW_H

#include <stdint.h>

/* Returns: how many calls further the next is, 1 to twice the mean less 1 (xorshift,
 * Marsaglia 2003).  The state is not 0. */
static inline uint64_t draw_gap(uint64_t *state, uint64_t mean)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return 1 + *state % (2 * mean - 1);
}

/* Draw calls of a region.  The first 2 * DRAW_FIRST are all drawn, later as many for each e-fold
 * growth of their number, so that a few calls are enough samples.  More calls are drawn while the
 * two readings of each take at most one part in DRAW_PARTS of the region's time.
 * Units: ticks, those of all `calls` so far; at least one.
 * Returns: n, for one drawn call in n. */
enum { DRAW_FIRST = 32, DRAW_PARTS = 256 };

static inline uint64_t draw_of(uint64_t calls, uint64_t ticks, uint64_t reading_ticks)
{
    uint64_t by_number = calls / DRAW_FIRST;
    uint64_t by_cost = by_number > 1 ? 2 * reading_ticks * DRAW_PARTS / (ticks / calls + 1) : 0;
    uint64_t mean = by_number < by_cost ? by_number : by_cost;

    return mean > 1 ? mean : 1;
}

#endif
