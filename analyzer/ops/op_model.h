/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of a session: the outermost module whose ops compute most, and its passes.
 */
#ifndef OPS_OP_MODEL_H
#define OPS_OP_MODEL_H

#include <stdint.h>

struct op_sum;
struct session;

struct op_model {
    uint32_t layer;    /* index in layers; 0: there is none */
    uint64_t passes;   /* calls of most of its computing places; 0: unknown */
    long double flops; /* FLOPs of its forward ops */
    long double backward_flops;
};

/* Find the model by the sums of op_sums.h. */
void op_model_find(struct op_model *model, const struct session *session,
                   const struct op_sum *sums);

#endif
