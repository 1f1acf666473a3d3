/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product of two matrices, m by k with k by n: m n k multiply-adds.
 */
#include "calc/parts.h"

enum option { M, N, K, A, B, BATCH, DTYPE, OPTIONS };

static const struct calc_option options[] = {
    [M] = CALC_NUMBER("m", "m", "rows of the result", CALC_OPTIONAL, NULL),
    [N] = CALC_NUMBER("n", "n", "columns of the result", CALC_OPTIONAL, NULL),
    [K] = CALC_NUMBER("k", "k", "length of the sums", CALC_OPTIONAL, NULL),
    [A] = {{"a", "a", "rows and columns of the left matrix, as 32x784, in place of m, n and k",
            UNIT_TEXT, 0},
           CALC_PAIR,
           CALC_OPTIONAL,
           NULL,
           1,
           0},
    [B] = {{"b", "b", "rows and columns of the right matrix", UNIT_TEXT, 0},
           CALC_PAIR,
           CALC_OPTIONAL,
           NULL,
           1,
           0},
    [BATCH] = CALC_NUMBER("batch", "batch", "products of this size", CALC_OPTIONAL, "1"),
    [DTYPE] = CALC_DTYPE,
};

static enum status read_matrices(const struct calc_value *values, struct calc_product *product,
                                 struct diagnostic *diagnostic)
{
    const long double *a = values[A].numbers, *b = values[B].numbers;

    if (!values[A].is_set || !values[B].is_set || values[M].is_set || values[N].is_set ||
        values[K].is_set)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc matmul: expected --m, --n and --k, or else --a and --b");
    if (a[1] != b[0])
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc matmul: the matrices do not fit: --a has %.0Lf columns "
                              "and --b has %.0Lf rows",
                              a[1], b[0]);
    product->m = a[0];
    product->k = a[1];
    product->n = b[1];
    return STATUS_OK;
}

static enum status count(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic)
{
    struct calc_work work = calc_begin(result, "product", &values[DTYPE]);
    struct calc_product product = {values[BATCH].numbers[0], values[M].numbers[0],
                                   values[N].numbers[0], values[K].numbers[0], false};
    bool has_sizes = values[M].is_set && values[N].is_set && values[K].is_set;

    if ((!has_sizes || values[A].is_set || values[B].is_set) &&
        read_matrices(values, &product, diagnostic))
        return STATUS_USAGE;
    result->items = product.batch;
    calc_add_product(&work, "multiply-adds", &product);
    return STATUS_OK;
}

const struct calc_operation calc_matmul = {
    "matmul", "a product of two matrices, or a batch of them", options, OPTIONS, count,
};
