/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of given ranks out of many whole numbers, exactly and without sorting
 * them: two passes, whatever the number of ranks.
 */
#ifndef STATISTICS_SELECTION_H
#define STATISTICS_SELECTION_H

#include <stddef.h>
#include <stdint.h>

enum { SELECTION_RANKS = 64 };

/* What is ranked: | scale value - centre | of each value.  With 1 and 0 these are the
 * values themselves; with 2 and twice their median, twice their deviations from it. */
struct selection {
    const uint64_t *values; /* scale value < 2^63 */
    size_t count;
    uint64_t scale;
    uint64_t centre;
};

/* Find the numbers of some ranks.
 *
 * Shape: `ranks` has `count` entries, at most SELECTION_RANKS, from 1 on and never
 * falling; `found` is in their order.
 */
void selection_find(const struct selection *of, const size_t *ranks, size_t count, uint64_t *found);

#endif
