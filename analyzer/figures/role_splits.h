/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the counts of a model's products leave one way to split them.
 *
 * A layer of width d over T tokens has linear layers from d to x or back, each a family of
 * T by d by x.  Scores and context say how often a layer was passed, so how many products of
 * a family one pass makes is known.  Attention takes of them one of these:
 *
 *   d + 2 y at once and d             y <= d, the width of keys; mostly y = d
 *   d twice and y twice               mostly y = d
 *   d twice and 2 y at once
 *
 * and feed-forward x twice, x three times (gated), 2 x and x (gated at once), or nothing.  What
 * is left must be layers that are passed less often, such as a head.  Only the first layer may
 * have too few: the inputs of a model need no gradients.
 *
 * A reading stands when one split fits at least, and all that fit give the same shares.
 *
 * The rule is ours.
 */
#ifndef FIGURES_ROLE_SPLITS_H
#define FIGURES_ROLE_SPLITS_H

#include "figures/role_batches.h"

enum role_splits { ROLE_SPLITS_NONE, ROLE_SPLITS_ONE, ROLE_SPLITS_SEVERAL };

/* FLOPs of the linear layers of a model. */
struct role_parts {
    double projections;
    double feed_forward;
};

/* A reading of some products. */
struct role_reading {
    const struct role_families *families;
    const struct role_batches *batches; /* with the products of each of a layer's layers */
    int64_t head_width;
    struct role_parts parts; /* as it has them */
    double tolerance;        /* FLOPs by which parts may differ and be the same */
};

/* Returns: how many splits fit a reading, those that give other shares than it being several. */
enum role_splits role_splits_find(const struct role_reading *reading);

#endif
