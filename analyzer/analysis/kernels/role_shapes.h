/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attention and feed-forward by the shapes of products.
 *
 * With sequences of s tokens, heads of width e, h of them in a width d = h e,
 * and T = b s tokens in a batch of b:
 *
 *   scores and context   s by s by e and s by e by s, b h of each a layer
 *   projections          T by d by d, or by 2 d or 3 d at once
 *   feed-forward         T by f by d and T by d by f, one of each a layer
 *
 * The gradients of these are products of the same three sizes in another
 * order, so a product belongs to the family of its sizes, sorted; which of
 * them is summed over tells forward from backward.  Scores and context alone
 * would also fit a two-layer perceptron.  So attention is inferred only when
 * projections agree with it: a width that is a multiple of e, tokens that are
 * a multiple of s, and as many calls as so many heads and items make; or when
 * single calls make several products, as batched ones of two operands do.
 * The gradients of a pair are one product more that is summed over e and three over
 * s; so the counts of both kinds tell how many pairs are trained, also where passes
 * of validation stand between those of training.
 * Attention by blocks of c tokens makes products of c by c by e, and as many for
 * each block of queries as the sequence has blocks: s is c times the least number
 * of blocks with which no more passes are left than there are projections.
 *
 * One head and one item are not told from a perceptron, and no cache of keys
 * is recognized: each step of it has another shape.
 *
 * Source: Vaswani and others, "Attention is all you need", 2017, for what is
 * multiplied; the rule is ours.
 */
#ifndef ANALYSIS_ROLE_SHAPES_H
#define ANALYSIS_ROLE_SHAPES_H

#include "base/array.h"
#include "base/text.h"
#include "model/session.h"

enum role_confidence { ROLE_CONFIDENCE_MEDIUM, ROLE_CONFIDENCE_HIGH };

enum shape_role { SHAPE_ROLE_NONE, SHAPE_ROLE_SCORES, SHAPE_ROLE_PROJECTION, SHAPE_ROLE_FEED };

/* A model that was recognized.  Width, heads and the rest are 0 when no
 * projection told them. */
struct role_model {
    int64_t sequence;
    int64_t block; /* side of the products: the sequence, or that of its blocks */
    int64_t head_width;
    int64_t width;
    int64_t heads;
    int64_t tokens;
    double pairs;          /* of scores and context, forward */
    double trained_pairs;  /* of these, with gradients; the others are inference */
    double passes;         /* through a layer, forward */
    double trained_passes; /* of these, with gradients */
    enum role_confidence confidence;
};

struct role_shapes {
    struct array families;
    struct array models; /* of struct role_model */
};

/* Errors: STATUS_OUT_OF_MEMORY; nothing is to be finished then. */
enum status role_shapes_init(struct role_shapes *shapes, const struct session *session) MUST_CHECK;
void role_shapes_fini(struct role_shapes *shapes);

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot);

/* Say by what a model was recognized. */
void role_model_append(struct text *text, const struct role_model *model);

#endif
