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
 * order, so a product belongs to the family of its sizes.  Scores and context alone
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
 * Where tokens, width and inner width are multiples of each other, several readings
 * fit a projection.  The one that explains most FLOPs is taken, less those in which its
 * tokens would lie as rows here and as columns there; one whose tokens are summed over in
 * more than half of a family's products is none, as gradients of weights are a third of
 * all in training.  Another one that explains nearly as much is told as its rival.
 *
 * Batches of several sizes have products of several T.  role_batches.h asks whether some of
 * them, and how often each, make exactly the scores that were counted; only then is the
 * confidence high.  What explains the scores less exactly, with one T, is taken where no such
 * batches are found.  Products of the width of a model over other tokens that nothing
 * explains put it in doubt.
 *
 * A reading stands only where role_splits.h finds the counts of its layers to be split in one
 * way; where it is refused, no product has a role by its shape.
 *
 * Once a model has its products, what remains makes no second one of another width unless
 * most that this one explains has no role yet.
 *
 * No single width explains attention in windows through stages of several widths; then
 * role_stages.h is asked.
 *
 * One head and one item are not told from a perceptron, and no cache of keys
 * is recognized: each step of it has another shape.
 *
 * Source: Vaswani and others, "Attention is all you need", 2017, for what is
 * multiplied; the rule is ours.
 */
#ifndef FIGURES_ROLE_MODEL_H
#define FIGURES_ROLE_MODEL_H

#include "base/array.h"
#include "base/text.h"
#include "figures/role_batches.h"
#include "figures/role_families.h"
#include "figures/role_splits.h"
#include "figures/role_stages.h"

/* All that models are made of. */
struct role_products {
    struct role_families families;
    struct array large;  /* of const struct role_family *: with role_products_least_flops or more */
    struct array layers; /* of struct role_layers, those that may be a model's */
    double flops;        /* of all families */
};

/* Why the confidence is medium; high where there is no doubt. */
enum role_doubt {
    ROLE_DOUBT_NONE,
    ROLE_DOUBT_RIVAL,  /* another reading explains nearly as much */
    ROLE_DOUBT_COUNTS, /* scores, or others, are not exactly what the layers ask for */
    ROLE_DOUBT_SIZES,  /* different things have the same sizes */
    ROLE_DOUBT_LEFT    /* products of its width over other tokens have no role */
};

/* Another reading of the same scores, and the FLOPs of the projections and the
 * feed-forward that it explains.  The width is 0 when none explains nearly as much. */
struct role_rival {
    double flops;
    int64_t width;
    int64_t tokens;
    bool is_square;
};

/* A model that was recognized.  Width, heads and the rest are 0 when no
 * projection told them, or when they are those of stages. */
struct role_model {
    int64_t sequence;
    int64_t block; /* side of the products: the sequence, or that of its blocks */
    int64_t head_width;
    int64_t width;
    int64_t heads;
    int64_t tokens;        /* of the batch that does most */
    double pairs;          /* of scores and context, forward */
    double trained_pairs;  /* of these, with gradients; the others are inference */
    double passes;         /* through a layer, forward */
    double trained_passes; /* of these, with gradients */
    const struct role_family *scores;
    struct role_batches batches; /* that explain the counts exactly; none else */
    struct role_stages stages;   /* of several widths; none else */
    bool is_square;              /* among its projections is one as wide as the model */
    double explained_flops;      /* of all that is its scores, projections and feed-forward */
    struct role_parts parts;     /* of these, all products of families with a role */
    enum role_splits splits;     /* ways to split the products of its width that fit it or others */
    struct role_rival rival;
    enum role_doubt doubt;
};

/* Returns: FLOPs of a family below which it is no projection. */
double role_products_least_flops(const struct role_products *all);

/* Find the model that a family is the scores of.  Returns: whether there is one. */
bool role_model_find(const struct role_products *all, const struct role_family *scores,
                     struct role_model *model);

/* Read a family as scores of the heads of a model.  Returns: whether it can be. */
bool role_model_reads_scores(const struct role_family *family, const struct role_model *model,
                             struct role_model *read);

/* Returns: what a family is in a model, beside its scores. */
enum shape_role role_model_role(const struct role_family *family, const struct role_model *model);

bool role_model_is_exact(const struct role_model *model);
bool role_model_has_projections(const struct role_model *model);

/* Returns: FLOPs that a model explains, less where not all counts agree: there is more to doubt. */
double role_model_weight(const struct role_model *model);

/* Ask whether only some of the pairs have gradients: training and inference in one run. */
bool role_model_is_mixed(const struct role_model *model);

/* Returns: "high" or "medium". */
const char *role_model_confidence(const struct role_model *model);

/* Say by what a model was recognized. */
void role_model_append(struct text *text, const struct role_model *model);

#endif
