/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A transformer by the sizes and numbers of its products, of a program that runs no ops.
 *
 * With sequences of s tokens, h heads of width e, a width d = h e, and T tokens in a batch, a layer
 * multiplies
 *
 *   scores and context   s by s by e and s by e by s, h T / s of each
 *   projections          T by d by d four times, or T by d by 3 d and T by d by d
 *   feed-forward         T by f by d and T by d by f, and the former twice where it is gated
 *
 * Gradients are products of the same sizes in another order, two for each product.  So all passes
 * make a number of rounds: one for each forward pass, and two more for each that trains.  Each part
 * of a layer has its products of one round times that number.  Blocks of c tokens make the scores
 * of a sequence from (s / c)^2 products of their size.
 *
 * All counts must agree exactly, except that the projections may lack the gradients of the first
 * layer's inputs.  Several sequence lengths count if their rounds add up to those of the
 * projections.  No other product of the width over the same tokens may remain that a layer makes
 * more than once.  A single item without a feed-forward may be a perceptron.
 *
 * A model that fits is inferred.  Its confidence is the share of the FLOPs of all products that the
 * model explains.  No model is inferred below a half, or if two fit.
 *
 * Source: Vaswani and others, "Attention is all you need", 2017, for the products; the rule is
 * ours.  Decision: doc/decisions/roles-of-products.
 */
#ifndef KERNELS_ROLE_SHAPES_H
#define KERNELS_ROLE_SHAPES_H

#include "base/text.h"
#include "kernels/lapack.h"
#include "kernels/role_families.h"

struct session;
struct session_slot;

/* An inferred model; zeros: there is none. */
struct role_model {
    int64_t sequence; /* the longest */
    int64_t tokens;   /* tokens of a batch */
    int64_t head_width;
    int64_t heads;
    int64_t width;
    double rounds;
    double confidence;
};

struct role_shapes {
    struct lapack lapack; /* LAPACK, whose products belong to no model */
    struct role_families families;
    double flops; /* FLOPs of all families */
    struct role_model model;
};

void role_shapes_init(struct role_shapes *shapes, const struct session *session);
enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot);

/* Describe the inferred model, and how well it fits; nothing without one. */
void role_shapes_append(struct text *text, const struct role_shapes *shapes);

#endif
