/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Amounts of blocks and bytes are in units: one, unless blocks were sampled.
 * Then a block stands for 1 / p blocks, p being the probability with which it
 * was recorded, and amounts are numbers with a fixed point, so that what was
 * added can be taken back without a rest.
 */
#ifndef MODEL_HEAP_WEIGHT_H
#define MODEL_HEAP_WEIGHT_H

#include <stdint.h>

enum {
    HEAP_BLOCK_POINT = 20, /* binary digits behind the point of sampled amounts */
    HEAP_BYTE_POINT = 8
};

/* What a block counts for. */
struct heap_weight {
    uint64_t blocks;
    uint64_t bytes;
};

/* Weigh a sampled block: it stands for 1 / p (Horvitz and Thompson 1952). */
struct heap_weight heap_weigh_sample(uint64_t sample_bytes, uint64_t size);

/* The variance of a sum of such is the sum of (1 - p) / p^2, in the same work. */
double heap_vary_sample(uint64_t sample_bytes, uint64_t size);

#endif
