/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kernel calls are for: attention, its projections, feed-forward,
 * convolution and so on.
 *
 * The names of regions and kernels tell it, and the ops of a framework.  In a program without
 * ops, products of matrices are told apart by their shapes: that is inferred.
 */
#ifndef FIGURES_ROLES_H
#define FIGURES_ROLES_H

#include "base/text.h"
#include "figures/role_shapes.h"

struct session;

enum role {
#define ROLE(name, word, block) ROLE_##name,
#include "figures/roles.def"
#undef ROLE
    ROLES
};

enum role_block { ROLE_BLOCK_NONE, ROLE_BLOCK_ATTENTION, ROLE_BLOCK_FEED_FORWARD };

/* By what a block is known, from the surest to the least sure. */
enum role_source { ROLE_SOURCE_NONE, ROLE_SOURCE_OPS, ROLE_SOURCE_NAMES, ROLE_SOURCE_SHAPES };

struct role_entry {
    enum role role;
    enum role_block block;
    enum role_source source; /* of the block */
};

struct roles {
    struct array entries; /* of struct role_entry, one a slot of the session */
    struct role_shapes shapes;
};

/* Find the roles of a session's slots.
 * Errors: STATUS_OUT_OF_MEMORY; nothing is to be finished then. */
enum status roles_init(struct roles *roles, const struct session *session) MUST_CHECK;
void roles_fini(struct roles *roles);

const struct role_entry *roles_of(const struct roles *roles, size_t slot);
const char *role_name(enum role role);

/* Tell the block of a region by its name, or by those around it. */
enum role_block roles_block_of_region(const struct session *session, uint32_t region);

/* Ask whether a name has one of some words, whole, in any case: as role_words.def has it.
 * Shape: the words, then NULL. */
bool role_name_has_any(const char *name, const char *const *words);

/* Find the role that the name of an op tells, or of those around it.  Returns: ROLES when none
 * does. */
enum role role_of_op(const struct session *session, uint32_t op);

/* Find the block of a model that an op is in, by its name, those around it, or the classes of
 * modules that called it.  Returns: ROLES when none tells one. */
enum role role_of_op_block(const struct session *session, uint32_t op);

/* Find the role that a name tells.  Returns: ROLES when it tells none. */
enum role role_of_name(const char *name);

#endif
