/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of op_flops.h: rules of op_flops.def.  Each rule gives the FLOPs of a call; 0
 * if the shapes are not enough.
 */
#ifndef OPS_OP_FLOPS_PARTS_H
#define OPS_OP_FLOPS_PARTS_H

#include "ops/op_shapes.h"

/* A row of op_flops.def. */
struct op_rule {
    const char *name;
    long double (*flops)(const struct op_shapes *shapes, unsigned first);
    int first;
};

/* A matrix [.., n, k] by another: `first` is the first one's number. */
long double onnx_product(const struct op_shapes *shapes, unsigned first);

/* The same where the first matrix may be transposed: [.., k, n]. */
long double onnx_turned_product(const struct op_shapes *shapes, unsigned first);

/* In these, `first` is the index of the weights. */
long double onnx_convolution(const struct op_shapes *shapes, unsigned first);
long double onnx_transposed(const struct op_shapes *shapes, unsigned first);

long double onnx_rnn(const struct op_shapes *shapes, unsigned first);
long double onnx_gru(const struct op_shapes *shapes, unsigned first);
long double onnx_lstm(const struct op_shapes *shapes, unsigned first);

long double onnx_attention(const struct op_shapes *shapes, unsigned first);

#endif
