/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attention in windows through several stages, as of Swin and MaxViT.
 *
 * Windows have s tokens and heads a width of e in all stages.  Stage i has a width d,
 * T tokens in all of a batch and l layers, each of which projects to 3 d at once, or
 * three times to d, and then to d.  So l is told by the counts of the projections, and
 *
 *   the sum over the stages of l (d / e) (T / s)
 *
 * must be the pairs of scores and context.  Stages that are wider have fewer tokens.
 * What merges tokens between stages is no projection of theirs: from 2 d to d.
 *
 * Source: Z. Liu and others, "Swin Transformer", 2021, section 3; the rule is ours.
 */
#ifndef FIGURES_ROLE_STAGES_H
#define FIGURES_ROLE_STAGES_H

#include "base/array.h"
#include "figures/role_families.h"

enum { ROLE_STAGES_MAX = 8 };

/* What is known of scores and context before their projections are. */
struct role_windows {
    int64_t tokens; /* of a window */
    int64_t head_width;
    double pairs;    /* of scores and context, forward */
    bool is_trained; /* all of them have gradients; else none has */
};

struct role_stage {
    int64_t width;
    int64_t tokens;
    double layers; /* forward passes through one */
};

struct role_stages {
    struct role_stage stage[ROLE_STAGES_MAX]; /* the narrowest first */
    unsigned count;                           /* 0: there are none */
    bool is_trained;
    bool tokens_are_rows; /* of what products make; else columns */
};

/* Find the stages that windows belong to.  Returns: whether there are two or more, and all
 * that could be one explain the windows. */
bool role_stages_find(struct role_stages *stages, const struct role_families *families,
                      const struct role_windows *windows);

/* Find what a family is in one of the stages, and over which tokens. */
enum shape_role role_stages_role(const struct role_stages *stages, const struct role_family *family,
                                 int64_t *tokens);

#endif
