/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The purpose of ops: attention, its projections, feed-forward, convolution and so on.
 *
 * Scores and context are an op that computes attention; or, in one module, two products of matrices
 * without weights around a softmax.  The softmax then has the elements, rows and columns that the
 * first product makes and the second one multiplies.  That module is attention; so is an outer one
 * with such a class name, and torch.nn.MultiheadAttention.  Its products with weights are
 * projections, if heads fit into their widths.
 *
 * The next module outside with other products with weights is a block.  Products that widen, and
 * products that narrow again to the same width, are its feed-forward.  A module that computes both
 * itself, like the fast path of TransformerEncoderLayer, is a block, too.
 *
 * All other ops have the role of their own names, or of the ops around them.  An op of a backward
 * pass has the role of the op whose gradients it computes.  Several such ops may have several
 * roles: each role has its part of the calls.
 */
#ifndef OPS_OP_ROLES_H
#define OPS_OP_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "ops/role_names.h"

struct session;

/* Calls of a backward op for one of several roles. */
struct op_role_part {
    uint32_t op;
    enum role role;
    double share; /* share of its calls with a known role: all parts of an op sum to 1 */
};

struct op_roles {
    enum role *of;      /* one for each op: the role of most calls; ROLES: unknown */
    struct array parts; /* of struct op_role_part, those of an op side by side */
};

/* Find the roles of a session's ops. */
void op_roles_init(struct op_roles *roles, const struct session *session);
/* Find the parts of an op.  Returns: how many; 0 where all calls have one role. */
size_t op_roles_find_parts(const struct op_roles *roles, uint32_t op,
                           const struct op_role_part **first);

#endif
