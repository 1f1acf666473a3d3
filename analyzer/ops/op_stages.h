/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The purpose of ops: the forward pass, gradients, the optimizer, or loading data.
 */
#ifndef OPS_OP_STAGES_H
#define OPS_OP_STAGES_H

#include <stdint.h>

struct session;

enum op_stage { OP_STAGE_FORWARD, OP_STAGE_BACKWARD, OP_STAGE_OPTIMIZER, OP_STAGE_DATA, OP_STAGES };

/* Find the stage of an op: that of the nearest outer op with a stage, or forward if none has
 * one. */
enum op_stage op_stage_of(const struct session *session, uint32_t op);

/* Elapsed time in ops, summed over threads. */
struct op_stages {
    uint64_t ns[OP_STAGES];
    uint64_t all_ns; /* the sum of these */
};

struct op_stages op_stages_sum(const struct session *session);

#endif
