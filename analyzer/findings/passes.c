/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passes over data that could be one: FUSE.
 */
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"

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
    say(&finding->limit, fuse_limit_text);
}

/* Of level-1 BLAS calls are counted and some timed: their order is not known. */
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

    if (!context->successions.is_known)
        findings_skip(findings, fuse_no_event_text);
    else if (has_only_sampled(context))
        findings_skip(findings, fuse_sampled_text);
    else if (fraction >= least_fraction)
        add_fuse(context, findings);
    else
        findings_pass(findings, fuse_passed_text, said_share(fraction));
}
