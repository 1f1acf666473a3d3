/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers that the models are made of, forward and backward, in float32.
 * Matrix products are CBLAS calls, each counted where it is made; the rest is
 * plain loops in a fixed order, so that the same input gives the same bits.
 *
 * A matrix is rows by columns; a row is an item, a token or a pixel.  Learned
 * numbers lie in one flat array, their gradients at the same places in
 * another; a layer knows its extents and where its numbers start.
 *
 * Backward functions add to the gradients of the learned numbers.  One that
 * works in place takes the gradient of the loss by its output and leaves the
 * gradient by its input.
 *
 * Safety: a context belongs to one thread; the values are only read here.
 */
#ifndef SAMPLES_NN_H
#define SAMPLES_NN_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "random.h"
#include "truth.h"

/* A view of floats that someone else owns. */
struct matrix {
    float *data;
    size_t rows, columns;
    size_t stride;      /* floats from one row to the next */
    bool is_transposed; /* as a factor: read columns by rows */
};

struct nn;
struct product;
struct naive;

/* The data of one worker's network. */
struct nn {
    float *values;
    float *gradients; /* this worker's share; NULL when nothing is learned */
    float *ones;      /* as many as the largest number of rows to be summed */
    struct truth *truth;
    /* How linear layers multiply in forward: nn_multiply, or a naive way. */
    void (*multiply)(const struct nn *nn, const struct product *product);
    struct naive *naive; /* the memory of that way, or NULL */
};

/* result = scale * (computed value) + keep * result */
struct blend {
    float scale, keep;
};

/* sum = left * right, blended */
struct product {
    struct matrix left, right, sum;
    struct blend blend;
};

/* Hands out places in the flat array of learned numbers. */
struct layout {
    size_t count;
};

/* outputs = inputs * weight + bias */
struct linear {
    size_t inputs, outputs;
    size_t weight; /* shape: inputs by outputs */
    size_t bias;
};

struct norm {
    size_t width;
    size_t gain;
    size_t shift;
};

/* The values of a norm's forward that its backward needs. */
struct norm_tape {
    struct matrix normal; /* mean 0 and variance 1, before gain and shift */
    struct matrix output;
    float *scales; /* one a row: 1 / standard deviation */
};

/* View `rows` by `columns` floats without gaps. */
struct matrix matrix_view(float *data, size_t rows, size_t columns);

/* Take a zeroed matrix from an arena. */
struct matrix matrix_take(struct arena *arena, size_t rows, size_t columns);

/* View some rows, or some columns, of a matrix. */
struct matrix matrix_rows(struct matrix matrix, size_t first, size_t count);
struct matrix matrix_columns(struct matrix matrix, size_t first, size_t count);

/* Take the matrix as its transpose in a product. */
struct matrix matrix_transpose(struct matrix matrix);

/* Find the row `index`: here, because loops ask for it at each element. */
static inline float *matrix_row(struct matrix matrix, size_t index)
{
    return matrix.data + index * matrix.stride;
}

/* Multiply with cblas_sgemm. */
void nn_multiply(const struct nn *nn, const struct product *product);

/* Sum the rows of a matrix with cblas_sgemv. */
void nn_sum_rows(const struct nn *nn, struct matrix matrix, float *sums, struct blend blend);

/* target = target + scale * source, over `count` floats, with cblas_saxpy. */
void nn_add_scaled(const struct nn *nn, size_t count, float scale, const float *source,
                   float *target);

/* target = target + source, element by element. */
void nn_add(struct matrix target, struct matrix source);

/* Reserve the next `count` numbers.  Returns: where they start. */
size_t layout_reserve(struct layout *layout, size_t count);

/* Place a linear layer, and fill it with small random weights and no bias. */
struct linear linear_place(struct layout *layout, size_t inputs, size_t outputs);
void linear_init(const struct linear *linear, float *values, struct random_stream *random);

void linear_forward(const struct nn *nn, const struct linear *linear, struct matrix input,
                    struct matrix output);

/* Add the gradients of weight and bias. */
void linear_learn(const struct nn *nn, const struct linear *linear, struct matrix input,
                  struct matrix output_gradient);

/* Compute the gradient by the input; the old content is lost. */
void linear_send_back(const struct nn *nn, const struct linear *linear,
                      struct matrix output_gradient, struct matrix input_gradient);

/* Place a layer norm, and fill it with gain 1 and shift 0. */
struct norm norm_place(struct layout *layout, size_t width);
void norm_init(const struct norm *norm, float *values);

/* Take the tape of a norm over `rows` rows from an arena. */
struct norm_tape norm_tape_take(struct arena *arena, size_t rows, size_t width);

void norm_forward(const struct nn *nn, const struct norm *norm, struct matrix input,
                  struct norm_tape *tape);

/* Works in place. */
void norm_backward(const struct nn *nn, const struct norm *norm, const struct norm_tape *tape,
                   struct matrix gradient);

/* Replace each negative element by 0; both work in place. */
void relu_forward(struct matrix output);
void relu_backward(struct matrix output, struct matrix gradient);

/* GELU; the backward needs the input, and works in place. */
void gelu_forward(struct matrix input, struct matrix output);
void gelu_backward(struct matrix input, struct matrix gradient);

/* Make each row positive with sum 1; both work in place. */
void softmax_forward(struct matrix scores);
void softmax_backward(struct matrix output, struct matrix gradient);

/* Compare the scores of classes with the labels, one a row.
 *
 * `gradient` gets the gradient by the scores, times `scale`.
 * Returns: the sum over the rows of -ln(probability of the label).
 */
double cross_entropy(struct matrix scores, const unsigned *labels, struct matrix gradient,
                     float scale);

/* Count the rows whose highest score is that of the label. */
size_t correct_count(struct matrix scores, const unsigned *labels);

#endif
