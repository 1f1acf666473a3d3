/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that grow by the same number of bytes with each call of an outermost layer:
 * events_op_growth.c finds them.
 *
 * The live bytes of the ops of one place are compared from call to call.  The number of blocks must
 * stay the same, so a growing list of results does not count.  Growth counts once the blocks are
 * freed; otherwise it is a leak.
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
