/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passes over data that could be one: FUSE.
 */
#include <math.h>

#include "findings/ops_meant.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/op_texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"

/* XProf warns from 3 % of a step in launching on. */
static const double least_fraction = 0.03;

static void add_fuse(const struct findings_context *context, struct findings *findings)
{
    const struct chains *chains = &context->successions.chains;
    struct finding_claim claim = {findings_wall_ns(context, chains->thread_ns),
                                  findings_wall_ns(context, chains->fused_ns),
                                  FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);

    say(&finding->evidence, fuse_chains_text, said_count(chains->calls), said_count(chains->count),
        said_time(claim.target_ns), said_share(finding->fraction));
    finding_advise(finding, "fuse_kernels");
    say(&finding->limit, fuse_limit_text);
}

/* ---- ops ---- */

/* The passes of ops that could be left out. */
struct op_passes {
    const struct findings_context *context;
    uint64_t calls;
    double ns, saved_ns, saved_bytes;
    uint32_t most; /* the op with the most of saved_ns; 0: there is none */
    double most_ns;
};

/* The size of a first cache: below it the calls cost more than the passes. */
static const double least_bytes = 32768;

/* A result that is neither written nor read again saves its bytes twice. */
static void add_passes(struct op_passes *passes, const struct session_op *op, uint32_t index)
{
    const struct op_inputs inputs = op_inputs_sum(op->inputs);
    double saved_bytes = 2 * inputs.most_bytes, bytes = inputs.bytes + inputs.most_bytes;
    double saved_ns = op->follower_ns * fmin(1, saved_bytes / bytes);

    if (op->followers == 0 || op->device || inputs.most_bytes < least_bytes)
        return;
    passes->calls += op->followers;
    passes->ns += op->follower_ns;
    passes->saved_ns += saved_ns;
    passes->saved_bytes += saved_bytes * (double)op->followers;
    if (saved_ns <= passes->most_ns)
        return;
    passes->most = index;
    passes->most_ns = saved_ns;
}

static struct op_passes sum_passes(const struct findings_context *context)
{
    struct op_passes passes = {.context = context};

    for (uint32_t i = 1; i < context->session->ops.count; i++)
        add_passes(&passes, session_op_at(context->session, i), i);
    return passes;
}

static bool is_follower(const struct session *session, uint32_t op)
{
    return session_op_at(session, op)->followers > 0;
}

/* Without memory for the place it is left out, and findings remember. */
static void say_place(struct finding *finding, const struct findings_context *context)
{
    struct ops_meant meant;

    ops_meant_init(&meant, context, is_follower);
    if (meant.place.size > 0) {
        text_append(&finding->place, meant.place.bytes);
        say(&finding->evidence, fuse_ops_at_text, said_words(meant.place.bytes));
    }
}

static void add_fuse_ops(const struct op_passes *passes, struct findings *findings)
{
    const struct findings_context *context = passes->context;
    const struct finding_claim claim = {fmin(passes->ns, context->wall.ns),
                                        fmin(passes->saved_ns, context->wall.ns),
                                        FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);

    finding_advise(finding, "fuse_ops");
    say(&finding->evidence, fuse_ops_calls_text, said_count(passes->calls),
        said_time(claim.target_ns), said_share(finding->fraction),
        said_words(session_op_at(context->session, passes->most)->name));
    say_place(finding, context);
    say(&finding->evidence, fuse_ops_bytes_text, said_bytes(passes->saved_bytes));
    say(&finding->limit, fuse_ops_limit_text);
    finding_add_number(finding, "saved_bytes", passes->saved_bytes);
}

/* Returns: whether there are any to speak of. */
static bool evaluate_ops(const struct findings_context *context, struct findings *findings)
{
    const struct op_passes passes = sum_passes(context);

    if (passes.saved_ns < least_fraction * context->wall.ns || passes.saved_ns <= 0)
        return false;
    add_fuse_ops(&passes, findings);
    return true;
}

/* ---- kernels ---- */

/* Only some calls of level-1 BLAS are timed, so their order is unknown. */
static bool has_only_sampled(const struct findings_context *context)
{
    bool has_any = false, has_ordered = false;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct catalog_kernel *kernel = findings_group(context, i)->kernel;

        if (!kernel || (kernel->class != CATALOG_ELEMENTWISE && kernel->class != CATALOG_MOVEMENT))
            continue;
        has_any = true;
        has_ordered |= !kernel->is_sampled;
    }
    return has_any && !has_ordered;
}

void rule_fuse(const struct findings_context *context, struct findings *findings)
{
    double fraction = findings_fraction(context, context->successions.chains.thread_ns);
    bool has_ops = evaluate_ops(context, findings);

    if (has_ops && !(fraction >= least_fraction))
        return;
    if (!context->successions.is_known)
        findings_skip(findings, fuse_no_event_text);
    else if (has_only_sampled(context))
        findings_skip(findings, fuse_sampled_text);
    else if (fraction >= least_fraction)
        add_fuse(context, findings);
    else
        findings_pass(findings, fuse_passed_text, said_share(fraction));
}
