/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums by role.
 */
#include "kernels/flops_mix.h"

#include <math.h>
#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/slots.h"
#include "ops/op_stages.h"
#include "ops/op_sums.h"

static void add(struct flops_part *to, const struct flops_part *part)
{
    to->ns += part->ns;
    to->backward_ns += part->backward_ns;
    to->flops += part->flops;
    to->backward_flops += part->backward_flops;
}

/* Times are of kernels, without those inside. */
static void add_slot(struct flops_mix *mix, size_t index)
{
    const struct session_slot *slot = session_slot_at(mix->session, index);
    const struct role_entry *entry = roles_of(&mix->roles, index);
    struct flops_part part = {.ns = (double)slots_times(mix->session, slot).self_ns};

    if (!slot->nested && !isnan(slot->flops_each))
        part.flops = slot->flops_each * slot->calls;
    add(&mix->parts[entry->role], &part);
    add(&mix->whole, &part);
    if (entry->source > mix->source)
        mix->source = entry->source;
}

/* Records that were lost or not drawn leave gradients without their forward op. */
static void find_untied(struct flops_mix *mix, const struct op_sum *sums)
{
    long double tied = 0, all = 0;

    for (uint32_t i = 1; i < mix->session->ops.count; i++) {
        tied += sums[i].own_backward_flops;
        all += op_stage_of(mix->session, i) == OP_STAGE_BACKWARD ? sums[i].own_flops : 0;
    }
    mix->untied = all > tied ? (double)(1 - tied / all) : 0;
}

static void add_op(struct flops_mix *mix, uint32_t index, const struct op_sum *sum)
{
    const struct session_op *op = session_op_at(mix->session, index);
    enum role role = mix->roles.ops.of[index];
    struct flops_part part = {(double)op->exclusive_ns + op->backward_ns, op->backward_ns,
                              sum->own_flops + sum->own_backward_flops, sum->own_backward_flops};

    mix->whole.flops += sum->own_flops;
    mix->whole.ns += (double)op->exclusive_ns;
    if (op_stage_of(mix->session, index) != OP_STAGE_FORWARD)
        return;
    add(&mix->parts[role], &part);
    if (role_block_of(role) != ROLE_BLOCK_NONE)
        mix->source = ROLE_SOURCE_OPS;
}

/* An op has the time and the FLOPs of its gradients.  The remaining ones have no role. */
static void add_ops(struct flops_mix *mix)
{
    struct op_sum *sums = op_sums_new(mix->session);
    struct flops_part known = {0};

    for (uint32_t i = 1; i < mix->session->ops.count; i++)
        add_op(mix, i, &sums[i]);
    for (int i = 0; i <= ROLES; i++)
        add(&known, &mix->parts[i]);
    mix->parts[ROLES].ns += fmax(0, mix->whole.ns - known.ns);
    mix->parts[ROLES].flops += fmaxl(0, mix->whole.flops - known.flops);
    mix->whole.backward_ns = known.backward_ns;
    mix->whole.backward_flops = known.backward_flops;
    find_untied(mix, sums);
    op_model_find(&mix->model, mix->session, sums);
}

static void sum_up(struct flops_mix *mix)
{
    mix->is_of_ops = op_stages_sum(mix->session).all_ns > 0;
    if (mix->is_of_ops) {
        add_ops(mix);
        return;
    }
    for (size_t i = 0; i < mix->session->slots.count; i++)
        add_slot(mix, i);
}

void flops_mix_init(struct flops_mix *mix, const struct session *session)
{
    memset(mix, 0, sizeof *mix);
    mix->session = session;
    roles_init(&mix->roles, session);
    sum_up(mix);
}

struct flops_part flops_mix_block(const struct flops_mix *mix, enum role_block block)
{
    struct flops_part sum = {0};

    for (int i = 0; i < ROLES; i++)
        if (role_block_of((enum role)i) == block)
            add(&sum, &mix->parts[i]);
    return sum;
}

bool flops_mix_has_attention(const struct flops_mix *mix)
{
    return flops_mix_block(mix, ROLE_BLOCK_ATTENTION).ns > 0;
}

bool flops_mix_has_gradients(const struct flops_mix *mix)
{
    const double most_untied = 0.01;

    return mix->is_of_ops && mix->untied <= most_untied;
}

const char *flops_mix_source(const struct flops_mix *mix)
{
    static const char *const names[] = {[ROLE_SOURCE_NONE] = NULL,
                                        [ROLE_SOURCE_OPS] = "ops",
                                        [ROLE_SOURCE_NAMES] = "regions",
                                        [ROLE_SOURCE_SHAPES] = "inferred"};

    return flops_mix_has_attention(mix) ? names[mix->source] : NULL;
}
