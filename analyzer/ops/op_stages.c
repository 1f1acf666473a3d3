/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stage of ops, by their names and by the ops whose gradients they compute.
 */
#include "ops/op_stages.h"

#include <string.h>

#include "model/session.h"
#include "model/session_ops.h"

static const struct {
    enum op_stage stage;
    const char *begin;
} names[] = {
#define OP_STAGE(stage, begin) {OP_STAGE_##stage, begin},
#include "ops/op_stages.def"
#undef OP_STAGE
};

/* Returns: OP_STAGES if the op shows none. */
static enum op_stage find_told(const struct session_op *op)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(op->name, names[i].begin, strlen(names[i].begin)) == 0)
            return names[i].stage;
    return op->is_backward ? OP_STAGE_BACKWARD : OP_STAGES;
}

enum op_stage op_stage_of(const struct session *session, uint32_t op)
{
    enum op_stage stage = OP_STAGES;

    for (; op != 0 && stage == OP_STAGES; op = session_op_at(session, op)->parent)
        stage = find_told(session_op_at(session, op));
    return stage == OP_STAGES ? OP_STAGE_FORWARD : stage;
}

struct op_stages op_stages_sum(const struct session *session)
{
    struct op_stages sum = {.all_ns = 0};

    for (uint32_t i = 1; i < session->ops.count; i++) {
        uint64_t ns = session_op_at(session, i)->exclusive_ns;

        sum.ns[op_stage_of(session, i)] += ns;
        sum.all_ns += ns;
    }
    return sum;
}
