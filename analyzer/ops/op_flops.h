/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The FLOPs of an op by its name and its inputs: a multiply-add is two.
 *
 * A sum over products, convolutions and attention.  Taps of convolutions in their padding, and
 * masked products, count as well.
 */
#ifndef OPS_OP_FLOPS_H
#define OPS_OP_FLOPS_H

#include <stdbool.h>

struct session;
struct session_op;

/* An op that multiplies [items, rows, inner] by [items, inner, columns], or by weights [inner,
 * columns]. */
struct op_product {
    long double items, rows, inner, columns;
    bool has_weights;
};

/* Returns: the FLOPs of one call; 0 without a rule. */
long double op_flops(const struct session *session, const struct session_op *op);

/* Read the sizes of a product of matrices.  Returns: whether the op is one, and shows them. */
bool op_find_product(const struct session_op *op, struct op_product *product);

#endif
