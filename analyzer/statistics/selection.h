/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact values for given ranks among many whole numbers, without sorting: two passes for any number
 * of ranks.
 */
#ifndef STATISTICS_SELECTION_H
#define STATISTICS_SELECTION_H

#include <stddef.h>
#include <stdint.h>

enum { SELECTION_RANKS = 64 };

/* The ranked numbers are | scale value - centre | for each value.  A scale of 1 and a centre of 0
 * give the values; a scale of 2 and twice their median give twice their deviations from it. */
struct selection {
    const uint64_t *values; /* scale value < 2^63 */
    size_t count;
    uint64_t scale;
    uint64_t centre;
};

/* Find the numbers of some ranks.
 *
 * Shape: `ranks` has `count` entries, at most SELECTION_RANKS, counted from 1 and never falling;
 * `found` has the same order.
 */
void selection_find(const struct selection *of, const size_t *ranks, size_t count, uint64_t *found);

#endif
