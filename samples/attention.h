/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forward of one attention head, context = softmax(scale Q K') V, in two
 * ways that give the same numbers up to rounding.
 *
 * Letters: n tokens, e the width of the head.
 *
 * Safety: as nn.h.
 */
#ifndef SAMPLES_ATTENTION_H
#define SAMPLES_ATTENTION_H

#include "nn.h"

/* One head of one item. */
struct head {
    struct matrix queries, keys, values; /* shape: n by e */
    struct matrix weights;               /* shape: n by n; what training keeps */
    struct matrix context;               /* shape: n by e */
};

/* The memory for computing blocks; its size does not depend on n. */
struct attention_blocks;

struct attention_blocks *attention_blocks_take(struct arena *arena);

/* Keep all n by n weights: a product for the scores, the softmax of whole rows
 * in passes over them, and a product for the context. */
void attention_whole(const struct nn *nn, const struct head *head, float scale);

/* Keep the weights of a block of queries and keys at a time, which stay in the
 * cache; `weights` of the head is not used.
 *
 * Source: Milakov and Gimelshein, "Online normalizer calculation for softmax",
 * 2018; Dao and others, "FlashAttention", 2022.
 */
void attention_blocked(const struct nn *nn, const struct head *head, float scale,
                       struct attention_blocks *blocks);

#endif
