/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weight of a drawn block.
 *
 * Points are thrown on the bytes that a program obtains, as a Poisson process does, one in
 * `distance` bytes on average.  A block that counts for s bytes is drawn with the probability
 * p = 1 - exp(-s / distance), and stands for 1 / p blocks (Horvitz and Thompson, JASA 47 (1952)
 * 663): itself, and 1 / p - 1 others, its rest.  The rest is kept apart, because the drawn blocks
 * are certain and only the others are estimated.
 *
 * Sums of rests are in units, numbers with a fixed point, so that subtraction cancels addition
 * exactly.
 */
#ifndef MODEL_HEAP_WEIGHT_H
#define MODEL_HEAP_WEIGHT_H

#include <math.h>
#include <stdint.h>

enum {
    HEAP_BLOCK_POINT = 20, /* binary digits behind the point of units of blocks */
    HEAP_BYTE_POINT = 8    /* and of bytes */
};

/* Returns: the number of other blocks that a drawn one represents, 1 / p - 1.  A block that counts
 * for 0 bytes is drawn like one of 1 byte. */
static inline double heap_rest(uint64_t distance, uint64_t bytes)
{
    return 1 / expm1((bytes > 0 ? (double)bytes : 1) / (double)distance);
}

/* Returns: the variance that a drawn block adds to a sum of blocks, (1 - p) / p^2, in the same
 * work. */
static inline double heap_rest_variance(double rest)
{
    return rest * (1 + rest);
}

/* Convert to units.  Impossible amounts, which only damage makes, are limited, so that a few of
 * them cannot overflow a sum. */
static inline uint64_t heap_units(double amount, unsigned point)
{
    double units = amount * (double)(UINT64_C(1) << point) + 0.5;

    return units < 0x1p56 ? (uint64_t)units : UINT64_C(1) << 56;
}

static inline double heap_amount_of(uint64_t units, unsigned point)
{
    return (double)units / (double)(UINT64_C(1) << point);
}

#endif
