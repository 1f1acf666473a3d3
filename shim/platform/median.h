/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The median of a few numbers.
 */
#ifndef PLATFORM_MEDIAN_H
#define PLATFORM_MEDIAN_H

#include <stdint.h>

/* Sort the values, and take the middle one. */
static inline uint64_t median_of(uint64_t *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        for (unsigned j = i; j > 0 && values[j] < values[j - 1]; j--) {
            uint64_t larger = values[j - 1];

            values[j - 1] = values[j];
            values[j] = larger;
        }
    }
    return values[count / 2];
}

#endif
