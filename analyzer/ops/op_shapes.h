/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sizes of the tensors, and the lists of numbers, among the inputs of an op.
 */
#ifndef OPS_OP_SHAPES_H
#define OPS_OP_SHAPES_H

#include <stdbool.h>

enum { OP_INPUTS_MOST = 8, OP_DIMS_MOST = 8, OP_LISTS_MOST = 8 };

/* A tensor's sizes, or a list of numbers. */
struct op_sizes {
    unsigned count;
    long double of[OP_DIMS_MOST];
};

struct op_shapes {
    unsigned tensors;
    unsigned lists;
    struct op_sizes tensor[OP_INPUTS_MOST];
    struct op_sizes list[OP_LISTS_MOST];
    bool has_output;        /* the framework gave the outputs */
    struct op_sizes output; /* the first */
};

/* Read "f32[2,3] (1,1) -> f32[2,4]".  Other text, such as " ...", ends the inputs. */
void op_shapes_parse(const char *text, struct op_shapes *shapes);

/* Returns: the product of all sizes; 1 of a single number. */
long double op_sizes_elements(const struct op_sizes *of);

#endif
