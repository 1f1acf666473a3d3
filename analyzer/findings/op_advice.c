/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The finding that concerns some ops.
 *
 * Calls of a backward op that belong to several layers are one op of the session: each layer gets
 * its share of the op by its share of the calls.
 */
#include "findings/op_advice.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "findings/ops_meant.h"
#include "findings/rows.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/slots.h"

/* A share of the ops' time: smaller findings are no good start. */
static const double least_share = 0.1;

/* The part of each op that is wanted, from 0 to 1. */
struct wanted {
    const struct findings_context *context;
    double *parts;
    double ns; /* elapsed, without the ops inside */
};

static void add_gradients(struct wanted *wanted, uint32_t index)
{
    const struct session *session = wanted->context->session;

    for (uint32_t tie = session_op_at(session, index)->tie; tie != 0;) {
        const struct session_op_tie *of = array_at(&session->op_ties, tie);
        const struct session_op *backward = session_op_at(session, of->backward);

        if (backward->calls > 0)
            wanted->parts[of->backward] =
                fmin(1, wanted->parts[of->backward] + of->calls / (double)backward->calls);
        tie = of->next;
    }
}

static void wanted_init(struct wanted *wanted, const struct findings_context *context,
                        const bool *is_wanted)
{
    const struct session *session = context->session;

    *wanted = (struct wanted){.context = context,
                              .parts = pool_get_zeros(session->ops.count + 1, sizeof(double))};
    for (uint32_t i = 1; i < session->ops.count; i++)
        if (is_wanted[i])
            add_gradients(wanted, i);
    for (uint32_t i = 1; i < session->ops.count; i++) {
        if (is_wanted[i])
            wanted->parts[i] = 1;
        wanted->ns += (double)session_op_at(session, i)->exclusive_ns * wanted->parts[i];
    }
}

/* ---- the time that a finding is about ---- */

static bool is_inside(const struct session *session, uint32_t op, op_is_meant is_meant)
{
    while ((op = session_op_at(session, op)->parent) != 0)
        if (is_meant(session, op))
            return true;
    return false;
}

static double sum_meant(const struct wanted *wanted, op_is_meant is_meant)
{
    const struct session *session = wanted->context->session;
    double ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++)
        if (wanted->parts[i] > 0 && is_meant(session, i) && !is_inside(session, i, is_meant))
            ns += (double)session_op_at(session, i)->inclusive_ns * wanted->parts[i];
    return ns;
}

static double sum_followers(const struct wanted *wanted)
{
    const struct session *session = wanted->context->session;
    double ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++)
        ns += session_op_at(session, i)->follower_ns * wanted->parts[i];
    return ns;
}

static double sum_products(const struct wanted *wanted)
{
    const struct findings_context *context = wanted->context;
    double ns = 0;

    for (size_t i = 0; i < context->session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(context->session, i);

        if (wanted->parts[slot->op] > 0 &&
            group_is_product(findings_group(context, findings_row(context, i))))
            ns += (double)slots_times(context->session, slot).self_ns * wanted->parts[slot->op];
    }
    return ns;
}

static bool is_about_products(enum finding_rule rule)
{
    static const bool are[FINDING_RULES] = {
        [FINDING_RULE_lowprec] = true, [FINDING_RULE_fp64] = true, [FINDING_RULE_skinny] = true,
        [FINDING_RULE_gemv] = true,    [FINDING_RULE_order] = true, [FINDING_RULE_prefix] = true,
    };

    return are[rule];
}

static double sum_of(const struct wanted *wanted, enum finding_rule rule)
{
    op_is_meant is_meant = op_rules_meaning(rule);

    if (is_meant)
        return sum_meant(wanted, is_meant);
    if (rule == FINDING_RULE_fuse)
        return sum_followers(wanted);
    return is_about_products(rule) ? sum_products(wanted) : 0;
}

/* ---- the op of most of the time ---- */

static double sum_name(const struct wanted *wanted, const char *name)
{
    const struct session *session = wanted->context->session;
    double ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++)
        if (wanted->parts[i] > 0 && strcmp(session_op_at(session, i)->name, name) == 0)
            ns += (double)session_op_at(session, i)->exclusive_ns * wanted->parts[i];
    return ns;
}

/* Only names of ops with more time than the smallest listed op are summed up. */
static void find_most(struct op_advice *advice, const struct wanted *wanted)
{
    const struct session *session = wanted->context->session;
    double largest_ns = 0, most_ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);
        double ns = (double)op->exclusive_ns * wanted->parts[i];

        if (ns <= largest_ns)
            continue;
        largest_ns = ns;
        ns = sum_name(wanted, op->name);
        if (ns > most_ns)
            advice->most = op->name;
        most_ns = fmax(most_ns, ns);
    }
    advice->most_share = wanted->ns > 0 ? most_ns / wanted->ns : 0;
}

void op_advice_find(struct op_advice *advice, const struct findings *findings,
                    const struct findings_context *context, const bool *is_wanted)
{
    struct wanted wanted;

    wanted_init(&wanted, context, is_wanted);
    *advice = (struct op_advice){.share = 0};
    find_most(advice, &wanted);
    for (size_t i = 0; i < findings->found.count && !advice->finding; i++) {
        const struct finding *finding = findings_at(findings, i);
        double ns = finding->action.size > 0 ? sum_of(&wanted, finding->rule) : 0;

        if (ns < least_share * wanted.ns || ns == 0)
            continue;
        advice->finding = finding;
        advice->share = fmin(1, ns / wanted.ns);
    }
}
