/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roles of kernel calls: attention, its projections, feed-forward, convolution and so on.
 *
 * The names of regions and kernels give the role, and so do the ops of a framework.  In a program
 * without ops, the roles of products are inferred from their shapes.
 */
#ifndef KERNELS_ROLES_H
#define KERNELS_ROLES_H

#include "kernels/role_shapes.h"
#include "ops/op_roles.h"
#include "ops/role_names.h"

struct session;

/* Sources of a block, from the surest to the least sure. */
enum role_source { ROLE_SOURCE_NONE, ROLE_SOURCE_OPS, ROLE_SOURCE_NAMES, ROLE_SOURCE_SHAPES };

struct role_entry {
    enum role role; /* role of most of its calls */
    const struct op_role_part *parts; /* role parts of its op, if it has several roles */
    size_t part_count;                /* 0: all calls have one role */
    enum role_block block;
    enum role_source source; /* source of the block */
};

struct roles {
    struct array entries; /* of struct role_entry, one a slot of the session */
    struct op_roles ops;
    struct role_shapes shapes;
};

/* Find the roles of a session's slots. */
void roles_init(struct roles *roles, const struct session *session);
const struct role_entry *roles_of(const struct roles *roles, size_t slot);
/* Find the block of a region by its own name or those of outer regions. */
enum role_block roles_block_of_region(const struct session *session, uint32_t region);

#endif
