/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the range of addresses that holds an address.
 *
 * Ranges may overlap and nest: the answer is the range that starts last, so the innermost.  First
 * add all ranges, then sort them, then search.
 */
#ifndef SYMBOLS_INTERVALS_H
#define SYMBOLS_INTERVALS_H

#include <stdint.h>

#include "base/array.h"

struct interval {
    uint64_t start;
    uint64_t end;   /* the first address after it */
    uint32_t value; /* the caller's: an index of the item here */
    uint32_t outer; /* index of the nearest earlier interval that ends after this one's start */
};

struct intervals {
    struct array items; /* of struct interval */
};

void intervals_init(struct intervals *intervals);

void intervals_fini(struct intervals *intervals);

/* Add a range.  An empty one holds no address and is left out.
 */
void intervals_add(struct intervals *intervals, uint64_t start, uint64_t end, uint32_t value);

/* Sort the added ranges, before the first intervals_find. */
void intervals_sort(struct intervals *intervals);

/* Returns: the innermost interval that holds an address, or NULL. */
const struct interval *intervals_find(const struct intervals *intervals, uint64_t address);

#endif
