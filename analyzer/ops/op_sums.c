/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums from the innermost ops outwards.
 */
#include "ops/op_sums.h"

#include "base/pool.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/slots.h"
#include "ops/op_flops.h"

static void add_slots(struct op_sum *sums, const struct session *session)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        struct op_sum *of = &sums[slot->op];

        of->kernel_ns += slots_times(session, slot).self_ns;
        of->kernels += slot->calls;
        if (slot->nested)
            continue;
        of->flops += slot->flops_each * slot->calls;
        of->bytes += slot->bytes_each * slot->calls;
    }
}

/* A build is the host's work. */
static void add_commands(struct op_sum *sums, const struct session *session)
{
    for (size_t i = 0; i < session->devices.sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);
        struct op_sum *of = &sums[sum->op];

        if (sum->kind == TRACE_COMMAND_BUILD)
            continue;
        of->device_ns += sum->run_ns;
        of->commands += sum->calls;
        of->untimed +=
            sum->calls > sum->timed + sum->failed ? sum->calls - sum->timed - sum->failed : 0;
    }
}

/* Use the rules of op_flops.h if no kernel below the op has FLOPs.  A call that computes nothing
 * has 0, too. */
static void apply_rules(struct op_sum *sum, const struct session *session,
                        const struct session_op *op)
{
    if (sum->flops != 0)
        return;
    sum->flops = op_flops(session, op) * op->calls;
    sum->is_ruled = sum->flops > 0;
}

/* Adds the work of an op itself. */
static void add_own(struct op_sum *sum, const struct session *session, const struct session_op *op)
{
    sum->kernels += op->worker_ns > 0;
    sum->flops += op->worker_flops;
    sum->bytes += op->worker_bytes;
    sum->kernel_ns += (uint64_t)op->worker_ns;
    sum->backward_calls += op->backward_calls;
    sum->backward_ns += op->backward_ns;
    sum->peak_bytes += op->peak_bytes;
    sum->kept_bytes += op->kept_bytes;
    sum->kept_blocks += op->kept_blocks;
    sum->device = sum->device ? sum->device : op->device;
    apply_rules(sum, session, op);
}

static void add_to_outer(struct op_sum *around, const struct op_sum *sum)
{
    around->kernels += sum->kernels;
    around->flops += sum->flops;
    around->is_ruled = around->is_ruled || sum->is_ruled;
    around->device = around->device ? around->device : sum->device;
    around->bytes += sum->bytes;
    around->backward_calls += sum->backward_calls;
    around->backward_ns += sum->backward_ns;
    around->peak_bytes += sum->peak_bytes;
    around->kept_bytes += sum->kept_bytes;
    around->kept_blocks += sum->kept_blocks;
}

static void find_own_flops(struct op_sum *sums, const struct session *session)
{
    const struct session_op *op = session->ops.items;

    for (size_t i = 1; i < session->ops.count; i++) {
        sums[i].own_flops += sums[i].flops;
        sums[op[i].parent].own_flops -= sums[i].flops;
    }
}

/* The inputs of an op inside a backward one give the work of a call. */
static void add_backward_flops(struct op_sum *sums, const struct session *session)
{
    const struct session_op *op = session->ops.items;

    for (size_t i = 1; i < session->op_ties.count; i++) {
        const struct session_op_tie *tie = array_at(&session->op_ties, i);

        if (op[tie->backward].calls > 0)
            sums[tie->forward].own_backward_flops +=
                sums[tie->backward].own_flops * tie->calls / op[tie->backward].calls;
    }
    for (size_t i = session->ops.count; i-- > 1;) {
        sums[i].backward_flops += sums[i].own_backward_flops;
        sums[op[i].parent].backward_flops += sums[i].backward_flops;
    }
}

/* An op comes after its outer op.  So from the last op to the first, each is complete before it is
 * added to its outer op. */
struct op_sum *op_sums_new(const struct session *session)
{
    const struct session_op *op = session->ops.items;
    struct op_sum *sums = pool_get_zeros(session->ops.count, sizeof *sums);

    add_slots(sums, session);
    add_commands(sums, session);
    for (size_t i = session->ops.count; i-- > 1;) {
        add_own(&sums[i], session, &op[i]);
        add_to_outer(&sums[op[i].parent], &sums[i]);
    }
    find_own_flops(sums, session);
    add_backward_flops(sums, session);
    return sums;
}
