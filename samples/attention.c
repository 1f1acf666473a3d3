/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of softmax over blocks of keys: with m the largest score so far, its
 * weights are exp(s - m), and earlier sums under a smaller m are multiplied by
 * exp(old m - m).  The sum of the weights divides at the end.
 *
 * Compilers turn loops over a fixed number of lanes into vectors by themselves,
 * without changing the order of a sum.
 */
#include "attention.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Built for the vectors of each processor; which of them runs is found out when
 * the program starts.  Lanes do not mix, so all give the same bits. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_EACH_VECTOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_VECTOR
#endif
#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = 128, LANES = 16 };

struct attention_blocks {
    float weights[BLOCK * BLOCK];
    float largest[BLOCK]; /* score of a row so far */
    float sum[BLOCK];     /* of its weights so far */
};

/* Queries and keys of one block. */
struct block {
    struct matrix queries, keys, values, weights, context;
    bool is_first; /* of its queries */
};

struct attention_blocks *attention_blocks_take(struct arena *arena)
{
    return arena_take(arena, sizeof(struct attention_blocks));
}

void attention_whole(const struct nn *nn, const struct head *head, float scale)
{
    struct matrix keys = matrix_transpose(head->keys);

    nn_multiply(nn, &(struct product){head->queries, keys, head->weights, {scale, 0}});
    softmax_forward(head->weights);
    nn_multiply(nn, &(struct product){head->weights, head->values, head->context, {1, 0}});
}

/* ---- rows of a block ---------------------------------------------------------- */

/* 2^x for x <= 0, each of the lanes: the nearest whole number goes into the
 * exponent, and the rest, of at most a half, into the Taylor series, whose next
 * term is below 2e-7 of it.  Adding 1.5 2^23 rounds: below the point there is
 * no place left, and the low bits are the whole number. */
INLINE void raise_two(float lanes[LANES])
{
    const float rounding = 12582912.0f, least = -126.0f;
    float rounded[LANES], power[LANES];
    uint32_t whole[LANES], bits[LANES];

    for (int i = 0; i < LANES; i++)
        lanes[i] = lanes[i] > least ? lanes[i] : least;
    for (int i = 0; i < LANES; i++)
        rounded[i] = lanes[i] + rounding;
    for (int i = 0; i < LANES; i++) {
        float rest = lanes[i] - (rounded[i] - rounding);

        power[i] = 1.54035304e-4f * rest + 1.33335581e-3f;
        power[i] = power[i] * rest + 9.61812911e-3f;
        power[i] = power[i] * rest + 5.55041087e-2f;
        power[i] = power[i] * rest + 2.40226507e-1f;
        power[i] = power[i] * rest + 6.93147181e-1f;
        power[i] = power[i] * rest + 1.0f;
    }
    memcpy(whole, rounded, sizeof whole);
    memcpy(bits, power, sizeof bits);
    for (int i = 0; i < LANES; i++)
        bits[i] += whole[i] << 23;
    memcpy(lanes, bits, sizeof bits);
}

INLINE float largest_of(const float *row, size_t count, float start)
{
    float lanes[LANES];
    size_t column = 0;

    for (int i = 0; i < LANES; i++)
        lanes[i] = start;
    for (; column + LANES <= count; column += LANES)
        for (int i = 0; i < LANES; i++)
            lanes[i] = row[column + (size_t)i] > lanes[i] ? row[column + (size_t)i] : lanes[i];
    for (; column < count; column++)
        lanes[0] = row[column] > lanes[0] ? row[column] : lanes[0];
    for (int i = 1; i < LANES; i++)
        lanes[0] = lanes[i] > lanes[0] ? lanes[i] : lanes[0];
    return lanes[0];
}

/* The weights of LANES scores, added to the sums. */
INLINE void weigh_lanes(float *row, float largest, float sums[LANES])
{
    const float log2_e = 1.44269504f;
    float lanes[LANES];

    memcpy(lanes, row, sizeof lanes);
    for (int i = 0; i < LANES; i++)
        lanes[i] = (lanes[i] - largest) * log2_e;
    raise_two(lanes);
    memcpy(row, lanes, sizeof lanes);
    for (int i = 0; i < LANES; i++)
        sums[i] += lanes[i];
}

/* Returns: the sum of the row's weights. */
INLINE float weigh(float *row, size_t count, float largest)
{
    float sums[LANES] = {0};
    size_t column = 0;

    for (; column + LANES <= count; column += LANES)
        weigh_lanes(row + column, largest, sums);
    for (; column < count; column++) {
        row[column] = expf(row[column] - largest);
        sums[0] += row[column];
    }
    for (int i = 1; i < LANES; i++)
        sums[0] += sums[i];
    return sums[0];
}

INLINE void scale_row(float *row, size_t count, float scale)
{
    for (size_t i = 0; i < count; i++)
        row[i] *= scale;
}

/* ---- blocks ------------------------------------------------------------------- */

FOR_EACH_VECTOR
static void weigh_block(const struct block *block, struct attention_blocks *blocks)
{
    for (size_t row = 0; row < block->weights.rows; row++) {
        float *weights = matrix_row(block->weights, row);
        float before = block->is_first ? -INFINITY : blocks->largest[row];
        float largest = largest_of(weights, block->weights.columns, before);
        float fading = block->is_first ? 0.0f : expf(before - largest);

        blocks->largest[row] = largest;
        blocks->sum[row] =
            fading * blocks->sum[row] + weigh(weights, block->weights.columns, largest);
        if (!block->is_first && largest > before)
            scale_row(matrix_row(block->context, row), block->context.columns, fading);
    }
}

static void attend_block(const struct nn *nn, const struct block *block, float scale,
                         struct attention_blocks *blocks)
{
    nn_multiply(nn, &(struct product){
                        block->queries, matrix_transpose(block->keys), block->weights, {scale, 0}});
    weigh_block(block, blocks);
    nn_multiply(nn,
                &(struct product){
                    block->weights, block->values, block->context, {1, block->is_first ? 0 : 1}});
}

/* The tokens of a block: as few blocks as BLOCK allows, and as equal as can be. */
static size_t block_size(size_t tokens)
{
    size_t blocks = (tokens + BLOCK - 1) / BLOCK;

    return (tokens + blocks - 1) / blocks;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void attend_queries(const struct nn *nn, const struct head *head, float scale,
                           struct attention_blocks *blocks)
{
    size_t tokens = head->keys.rows, queries = head->queries.rows;
    size_t size = block_size(tokens);

    for (size_t first = 0; first < tokens; first += size) {
        size_t count = smaller(size, tokens - first);

        attend_block(nn,
                     &(struct block){
                         .queries = head->queries,
                         .keys = matrix_rows(head->keys, first, count),
                         .values = matrix_rows(head->values, first, count),
                         .weights = matrix_view(blocks->weights, queries, count),
                         .context = head->context,
                         .is_first = first == 0,
                     },
                     scale, blocks);
    }
    for (size_t row = 0; row < queries; row++)
        scale_row(matrix_row(head->context, row), head->context.columns, 1.0f / blocks->sum[row]);
}

void attention_blocked(const struct nn *nn, const struct head *head, float scale,
                       struct attention_blocks *blocks)
{
    size_t tokens = head->queries.rows, size = block_size(tokens);

    for (size_t first = 0; first < tokens; first += size) {
        size_t count = smaller(size, tokens - first);
        struct head some = *head;

        some.queries = matrix_rows(head->queries, first, count);
        some.context = matrix_rows(head->context, first, count);
        attend_queries(nn, &some, scale, blocks);
    }
}
