/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of products by their shapes: the models of a session (role_model.h), and what belongs to
 * which.
 */
#ifndef FIGURES_ROLE_SHAPES_H
#define FIGURES_ROLE_SHAPES_H

#include "figures/lapack.h"
#include "figures/role_convolved.h"
#include "figures/role_model.h"

struct session;
struct session_slot;

struct role_shapes {
    struct lapack lapack; /* whose products are no model's */
    struct role_products all;
    struct array
        models; /* of struct role_model; exact models come first, then those that explain most */
    struct array convolved; /* of struct role_convolved, with or without a feed-forward */
    struct role_model refused; /* the uncertain model that explains most; zeroed without one */
};

/* Errors: STATUS_OUT_OF_MEMORY; nothing is to be finished then. */
enum status role_shapes_init(struct role_shapes *shapes, const struct session *session) MUST_CHECK;
void role_shapes_fini(struct role_shapes *shapes);

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot);

/* Say why what looks like attention has no role; nothing where a model was recognized, or nothing
 * looks like one. */
void role_shapes_append_refusal(struct text *text, const struct role_shapes *shapes);

/* Say by what a feed-forward behind convolutions was recognized; nothing where there is none. */
void role_convolved_append(struct text *text, const struct array *found);

#endif
