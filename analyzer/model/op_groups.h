/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of ops that differ only in their inputs, region and outer op.
 */
#ifndef MODEL_OP_GROUPS_H
#define MODEL_OP_GROUPS_H

#include <stdint.h>

struct session;

struct op_groups {
    uint32_t *calls;  /* by op: ops of one name in one layer share a number */
    uint32_t *places; /* by op: ops called from one line share a number */
    uint32_t count;   /* how many numbers of places there are */
};

/* Number the ops of a session. */
void op_groups_init(struct op_groups *groups, const struct session *session);
void op_groups_fini(struct op_groups *groups);

#endif
