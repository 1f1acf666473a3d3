/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts that operations are made of.
 *
 * Elementwise passes count a nominal number of operations an element: softmax
 * and normalization 5, GELU 8, other activations, sums and biases 1.
 * Source: Clark and others, ELECTRA, 2020, flops_computation.py.
 */
#ifndef CALC_PARTS_H
#define CALC_PARTS_H

#include "calc/calc.h"

enum { CALC_ADD_FLOPS = 1, CALC_SOFTMAX_FLOPS = 5, CALC_NORM_FLOPS = 5, CALC_GELU_FLOPS = 8 };

/* Rows of options that several operations have. */
#define CALC_NUMBER(key, title, help, need, standard)                                              \
    {                                                                                              \
        {key, title, help, UNIT_COUNT, 0}, CALC_WHOLE, need, standard, 1, 0                        \
    }
#define CALC_SWITCH(key, title, help)                                                              \
    {                                                                                              \
        {key, title, help, UNIT_BOOL, 0}, CALC_FLAG, CALC_OPTIONAL, NULL, 0, 0                     \
    }
#define CALC_DTYPE                                                                                 \
    {                                                                                              \
        {"dtype", "dtype", "type of the elements: f64, f32, f16, bf16 or int8", UNIT_TEXT, 0},     \
            CALC_TYPE, CALC_OPTIONAL, "f32", 1, 0                                                  \
    }

/* A result under construction: settings of the next parts, and the first
 * failure. */
struct calc_work {
    struct calc_result *result;
    const char *group;
    long double times; /* how often each part to come happens */
    long double element_size;
    bool has_bias;
    enum status status;
};

/* Start with one group that happens once. */
struct calc_work calc_begin(struct calc_result *result, const char *group,
                            const struct calc_value *dtype);

/* Add a part, as often as the work says, in its group. */
void calc_add(struct calc_work *work, const struct calc_part *part);

/* `batch` products of m by k with k by n. */
struct calc_product {
    long double batch, m, n, k;
    bool is_quadratic; /* in the sequence */
};

/* Add a product of two results of other parts. */
void calc_add_product(struct calc_work *work, const char *name, const struct calc_product *of);

/* Add `rows` vectors through a matrix of parameters. */
struct calc_linear {
    long double rows, inputs, outputs;
};
void calc_add_linear(struct calc_work *work, const char *name, const struct calc_linear *of);

/* Add a pass over elements, each read and written. */
void calc_add_pass(struct calc_work *work, const char *name, long double elements,
                   long double flops_each);

/* Add a normalization: two parameters for each column, one without biases. */
void calc_add_norm(struct calc_work *work, const char *name, long double rows, long double width);

/* Multi-head attention; key_heads below heads is grouped-query attention. */
struct calc_heads {
    long double batch, seq, context, width, heads, key_heads;
    long double new_keys; /* context tokens whose keys must still be computed */
};

/* Add attention and its projections, a group each. */
void calc_add_attention(struct calc_work *work, const struct calc_heads *of);

/* FLOPs that a causal mask saves in one layer: query i of n sees m-n+i+1 of m. */
long double calc_masked_flops(const struct calc_heads *of);

/* Refuse sizes that do not make heads.
 * Errors: STATUS_USAGE with a diagnostic. */
enum status calc_check_heads(const struct calc_heads *of, bool is_causal, const char *operation,
                             struct diagnostic *diagnostic) MUST_CHECK;

#endif
