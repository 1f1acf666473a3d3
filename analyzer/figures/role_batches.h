/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers of one width that are passed by batches of several sizes.
 *
 * The last batch of a data loader is smaller, and validation often has another batch than
 * training; so the same layers have products of several numbers of tokens.  A layer of
 * width d makes N products over T tokens in M = n + 2 t passes: n forward, and as a gradient
 * of inputs and one of weights for each of the t with gradients.  Its projections are laid
 * out as one of these:
 *
 *   3 d at once     N = M of T by 3 d by d, and M of T by d by d behind attention
 *   one by one      N = 4 M of T by d by d
 *   fewer heads     N = 2 M of T by d by d, with 2 M of T by a width below d, or M of 2 d
 *
 * With h heads, blocks of c tokens and B of them in a sequence, scores and context are
 *
 *   the sum over the batches of 2 M h T B / c
 *
 * products, and t in the place of M tells those with gradients.  All must hold exactly: then
 * nothing was left to guess.
 *
 * A width that is the tokens of another batch makes products of the sizes that the other
 * makes too.  What each makes is known where it is alone; where both are different things,
 * the family is what most of it is, and the others are counted as doubtful.
 *
 * The rule is ours.
 */
#ifndef FIGURES_ROLE_BATCHES_H
#define FIGURES_ROLE_BATCHES_H

#include "base/array.h"
#include "figures/role_families.h"

enum { ROLE_BATCHES_MAX = 8, ROLE_WIDTHS_MAX = 32 };

/* Passes through all layers, of one number of tokens. */
struct role_batch {
    int64_t tokens;
    double products; /* of one linear layer, with its gradients */
    double passes;   /* forward */
    double trained;  /* of these, with gradients */
};

/* What goes from the width of a model to this one, or back. */
struct role_width {
    int64_t width;
    double each; /* such products beside one of `products` of a batch */
    enum shape_role role;
};

struct role_batches {
    int64_t width;
    int64_t blocks;                            /* of a sequence */
    struct role_batch batch[ROLE_BATCHES_MAX]; /* that of most tokens in all first */
    unsigned count;                            /* 0: no batches explain the scores */
    struct role_width widths[ROLE_WIDTHS_MAX];
    unsigned width_count;
    double doubtful; /* products that have the role of others of their sizes */
};

/* Scores and context that layers are to explain. */
struct role_asked {
    int64_t block;
    int64_t head_width;
    double products;
    double trained_pairs; /* negative: not told by the scores */
};

struct role_layout;

/* Layers of one width, by a way to lay out their projections, and the batches that may pass. */
struct role_layers {
    int64_t width;
    const struct role_layout *layout;
    struct role_batch batch[ROLE_BATCHES_MAX];
    unsigned count;
};

/* Add the widths and the tokens that could be layers', for role_batches_find, to an array of
 * struct role_layers: those of families with so many FLOPs at least.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status role_layers_find(struct array *layers, const struct role_families *families,
                             double least_flops) MUST_CHECK;

/* Find the batches of such layers that make exactly the scores.  Returns: whether some do,
 * and no other ones. */
bool role_batches_find(struct role_batches *found, const struct role_layers *layers,
                       const struct role_families *families, const struct role_asked *asked);

/* Find what a family is in one of several batches. */
enum shape_role role_batches_role(const struct role_batches *batches,
                                  const struct role_family *family);

#endif
