/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sampled block stands for.
 */
#include "model/heap_weight.h"

#include <math.h>

/* Amounts that damage alone can make are cut: a sum of some does not turn over. */
static uint64_t fix(double amount, unsigned point)
{
    double units = ldexp(amount, (int)point) + 0.5;

    return units < 0x1p56 ? (uint64_t)units : UINT64_C(1) << 56;
}

/* Bytes are sampled as a Poisson process does: one in `sample_bytes`, so that
 * a block of s bytes has none with probability exp(-s / sample_bytes).  A block
 * without bytes is drawn as if it had one.
 * Returns: the probability that a block was recorded. */
static double find_chance(uint64_t sample_bytes, uint64_t size)
{
    return -expm1(-(size > 0 ? (double)size : 1) / (double)sample_bytes);
}

struct heap_weight heap_weigh_sample(uint64_t sample_bytes, uint64_t size)
{
    double p = find_chance(sample_bytes, size);

    return (struct heap_weight){fix(1 / p, HEAP_BLOCK_POINT),
                                fix((double)size / p, HEAP_BYTE_POINT)};
}

double heap_vary_sample(uint64_t sample_bytes, uint64_t size)
{
    double p = find_chance(sample_bytes, size);

    return (1 - p) / (p * p);
}
