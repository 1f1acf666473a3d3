/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of a model's parts: by its ops if it has some, else by kernels.
 */
#ifndef KERNELS_FLOPS_MIX_H
#define KERNELS_FLOPS_MIX_H

#include "document/document.h"
#include "kernels/roles.h"
#include "ops/op_model.h"

/* The work for one role, with its gradients. */
struct flops_part {
    double ns;
    double backward_ns; /* part in ops of the backward pass; likewise backward_flops */
    long double flops;
    long double backward_flops;
};

struct flops_mix {
    const struct session *session;
    struct roles roles;
    struct op_model model;
    bool is_of_ops; /* from ops; otherwise from kernels, and the part for gradients is unknown */
    struct flops_part parts[ROLES + 1]; /* the last is for work without a role */
    struct flops_part whole;
    double untied;           /* share of the FLOPs in backward ops whose forward op is unknown */
    enum role_source source; /* the least sure of those of attention and feed-forward */
};

void flops_mix_init(struct flops_mix *mix, const struct session *session);
/* Sum up a block of the model. */
struct flops_part flops_mix_block(const struct flops_mix *mix, enum role_block block);

/* Without attention in the model, a name such as fc may belong to any layer. */
bool flops_mix_has_attention(const struct flops_mix *mix);

/* Ask whether the FLOPs of gradients are known by part. */
bool flops_mix_has_gradients(const struct flops_mix *mix);

/* Returns: "ops", "regions" or "inferred"; NULL without attention. */
const char *flops_mix_source(const struct flops_mix *mix);

/* Add a table of the parts, if ops or attention show some. */
void flops_add_model_parts(struct document *document, const struct flops_mix *mix);

#endif
