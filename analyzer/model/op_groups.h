/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops that are alike but for their inputs, and for the region and the op around them.
 */
#ifndef MODEL_OP_GROUPS_H
#define MODEL_OP_GROUPS_H

#include <stdint.h>

struct session;

struct op_groups {
    uint32_t *calls;  /* by op: ops of one name in one layer have one number */
    uint32_t *places; /* by op: the same, where one line called them, too */
    uint32_t count;   /* of the numbers of places */
};

/* Number the ops of a session. */
void op_groups_init(struct op_groups *groups, const struct session *session);
void op_groups_fini(struct op_groups *groups);

#endif
