/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each way is one function.  Their calls of CBLAS are counted as those of nn.c.
 */
#include "naive.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

/* OpenBLAS's own; absent from other libraries and from their headers. */
void cblas_somatcopy(CBLAS_ORDER order, CBLAS_TRANSPOSE transposition, int rows, int columns,
                     float scale, const float *from, int from_stride, float *to, int to_stride)
    __attribute__((weak));

/* The memory of a context; each way uses only some members. */
struct naive {
    double *weight, *left, *sum;
    float *stored;    /* the learned numbers, weights in the other order */
    float *reordered; /* one weight in the order of its multiplication */
    /* The multiplication after the reordering: a context may have two ways. */
    void (*multiply)(const struct nn *nn, const struct product *product);
};

/* Item by item, a matrix with a vector each, and not the batch at once: the
 * weights are read again for every item. */
static void multiply_each_item(const struct nn *nn, const struct product *product)
{
    struct matrix left = product->left, right = product->right, sum = product->sum;

    for (size_t row = 0; row < sum.rows; row++) {
        truth_count(nn->truth, (struct truth_shape){TRUTH_SGEMV, right.rows, right.columns, 1});
        cblas_sgemv(CblasRowMajor, CblasTrans, (int)right.rows, (int)right.columns,
                    product->blend.scale, right.data, (int)right.stride, matrix_row(left, row), 1,
                    product->blend.keep, matrix_row(sum, row), 1);
    }
}

static void widen(struct matrix from, double *to)
{
    for (size_t row = 0; row < from.rows; row++, to += from.columns) {
        const float *line = matrix_row(from, row);

        for (size_t i = 0; i < from.columns; i++)
            to[i] = (double)line[i];
    }
}

static void narrow(const double *from, struct matrix to)
{
    for (size_t row = 0; row < to.rows; row++, from += to.columns) {
        float *line = matrix_row(to, row);

        for (size_t i = 0; i < to.columns; i++)
            line[i] = (float)from[i];
    }
}

/* The right factor is the layer's weight, whose doubles are there already. */
static void multiply_in_double(const struct nn *nn, const struct product *product)
{
    struct matrix left = product->left, right = product->right, sum = product->sum;

    widen(left, nn->naive->left);
    widen(sum, nn->naive->sum);
    truth_count(nn->truth, (struct truth_shape){TRUTH_DGEMM, sum.rows, sum.columns, left.columns});
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)sum.rows, (int)sum.columns,
                (int)left.columns, (double)product->blend.scale, nn->naive->left, (int)left.columns,
                nn->naive->weight, (int)right.stride, (double)product->blend.keep, nn->naive->sum,
                (int)sum.columns);
    narrow(nn->naive->sum, sum);
}

/* The product without this way; the work before it is unnecessary. */
static void multiply_reordered(const struct nn *nn, const struct product *product)
{
    struct product reordered = *product;
    struct matrix right = product->right;
    const float *stored = nn->naive->stored + (right.data - nn->values);

    truth_count(nn->truth, (struct truth_shape){TRUTH_SOMATCOPY, right.columns, right.rows, 1});
    cblas_somatcopy(CblasRowMajor, CblasTrans, (int)right.columns, (int)right.rows, 1.0f, stored,
                    (int)right.rows, nn->naive->reordered, (int)right.columns);
    reordered.right.data = nn->naive->reordered;
    nn->naive->multiply(nn, &reordered);
}

void naive_set_each_item(struct nn *nn)
{
    nn->multiply = multiply_each_item;
}

void naive_set_double(struct nn *nn, struct arena *arena, const struct linear *linear, size_t rows)
{
    struct matrix weight =
        matrix_view(nn->values + linear->weight, linear->inputs, linear->outputs);
    struct naive *naive = arena_take(arena, sizeof *naive);

    naive->weight = arena_take(arena, linear->inputs * linear->outputs * sizeof(double));
    naive->left = arena_take(arena, rows * linear->inputs * sizeof(double));
    naive->sum = arena_take(arena, rows * linear->outputs * sizeof(double));
    widen(weight, naive->weight);
    nn->naive = naive;
    nn->multiply = multiply_in_double;
}

void naive_set_reorder(struct nn *nn, struct arena *arena, size_t count)
{
    if (!cblas_somatcopy) {
        fprintf(stderr, "sample: --naive reorder needs the cblas_somatcopy of OpenBLAS\n");
        exit(EXIT_FAILURE);
    }
    nn->naive = arena_take(arena, sizeof *nn->naive);
    nn->naive->stored = arena_take_floats(arena, count);
    nn->naive->reordered = arena_take_floats(arena, count);
    nn->naive->multiply = nn->multiply;
    nn->multiply = multiply_reordered;
}

void naive_store(struct nn *nn, const struct linear *linear)
{
    const float *weight = nn->values + linear->weight;
    float *stored = nn->naive->stored + linear->weight;

    for (size_t row = 0; row < linear->inputs; row++)
        for (size_t i = 0; i < linear->outputs; i++)
            stored[i * linear->inputs + row] = weight[row * linear->outputs + i];
}
