/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding tensors that grow by as many bytes with each call of an outermost layer.
 *
 * What the ops of one place have live is compared from call to call.  Their blocks must stay as
 * many: so a list of results does not count.  They count once they are given back; what stays is
 * a leak.
 */
#ifndef MODEL_OP_GROWTH_H
#define MODEL_OP_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"

struct events;
struct growth_place;
struct session;

struct op_growth {
    struct growth_place *places; /* by the number of the ops' place: see struct op_groups */
    struct array changed;        /* uint32_t: places since the last call */
};

/* Errors: STATUS_OUT_OF_MEMORY; it may be finished all the same. */
enum status op_growth_init(struct op_growth *growth, const struct events *events) MUST_CHECK;
void op_growth_fini(struct op_growth *growth);

/* An op has more live, or less, at these ticks.  Errors: STATUS_OUT_OF_MEMORY. */
enum status op_growth_add(struct events *events, uint32_t op, uint64_t bytes) MUST_CHECK;
enum status op_growth_drop(struct events *events, uint32_t op, uint64_t bytes,
                           uint64_t ticks) MUST_CHECK;

/* A call of an outermost layer begins at these ticks. */
void op_growth_step(struct events *events, uint32_t layer, uint64_t ticks);

#endif
