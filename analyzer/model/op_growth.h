/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that grow by as many bytes with each call of an outermost layer:
 * events_op_growth.c finds them.
 *
 * What the ops of one place have live is compared from call to call.  Their blocks must stay as
 * many: so a list of results does not count.  They count once they are given back; what stays is
 * a leak.
 */
#ifndef MODEL_OP_GROWTH_H
#define MODEL_OP_GROWTH_H

#include "base/array.h"

struct growth_place;

struct op_growth {
    struct growth_place *places; /* by the number of the ops' place: see struct op_groups */
    struct array changed;        /* uint32_t: places since the last call */
};

#endif
