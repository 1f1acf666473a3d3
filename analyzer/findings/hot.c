/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel and shape with the most time: HOT.  The rule knows no repair.
 */
#include <math.h>

#include "findings/targets.h"
#include "findings/texts.h"
#include "findings/thinned.h"
#include "kernels/coverage.h"
#include "kernels/creators.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* The specification's line report starts at a tenth of the time. */
static const double hot_fraction = 0.1;

static void say_roof(struct text *text, const struct judgement *judgement)
{
    bool has_rate = judgement->flops_per_second > 0, has_roof = isfinite(judgement->roof_fraction);
    struct said rate = said_flop_rate(judgement->flops_per_second);
    struct said share = said_share(judgement->roof_fraction);

    if (judgement->is_invalid)
        return;
    if (has_rate && has_roof)
        say(text, hot_rate_of_roof_text, rate, share);
    else if (has_rate)
        say(text, hot_rate_text, rate);
    else if (has_roof)
        say(text, hot_roof_text, share);
}

static void say_mean(struct text *text, const struct findings_context *context,
                     const struct group *group)
{
    double confidence = context->options.confidence;
    struct thinned thinned;

    thinned_init(&thinned, group, confidence);
    if (isfinite(thinned.summary.mean_interval.low))
        say(text, hot_mean_text, said_time(thinned.summary.mean), said_share(confidence),
            said_time(thinned.summary.mean_interval.low),
            said_time(thinned.summary.mean_interval.high), said_count(thinned.count));
    thinned_fini(&thinned);
}

static double share_of(const struct findings_context *context, size_t row)
{
    return findings_wall_ns(context, (double)findings_group(context, row)->self_ns) /
           context->wall.ns;
}

/* "Next come cblas_sgemm m=64 n=64 k=64 (12.0 %), ..." */
static void say_others(struct text *text, const struct findings_context *context)
{
    size_t i;

    for (i = 1; i < context->groups.rows.count && share_of(context, i) >= hot_fraction; i++) {
        if (i == 1)
            say(text, hot_next_text);
        text_append(text, i == 1 ? " " : ", ");
        findings_append_name(text, findings_group(context, i));
        say(text, hot_share_text, said_share(share_of(context, i)));
    }
    if (i > 1)
        text_append(text, ".");
}

/* If the work of a call is unknown, a hint about its library may still help. */
static void say_hint(struct text *text, const struct findings_context *context,
                     const struct group *group)
{
    const char *hint = group->library ? coverage_find_hint(group->library) : NULL;

    if (hint && isnan(findings_slot(context, group)->flops_each))
        say(text, hot_library_text, said_words(group->library), said_words(hint));
}

/* An object for later execution is made too often, or takes too long to make. */
static void say_making(struct finding *finding, const struct findings_context *context,
                       const struct creator *creator)
{
    struct making making = creators_count(&context->groups, creator);

    say(&finding->evidence, hot_making_text, said_count(making.calls),
        said_count(making.executions));
    text_append(&finding->action, making.again >= creator->least ? creator->action : creator->once);
}

static void say_action(struct finding *finding, const struct findings_context *context,
                       const struct group *group)
{
    const struct creator *creator = creators_find(group->name);

    if (creator)
        say_making(finding, context, creator);
    else
        say(&finding->action, hot_action_text);
    say_hint(&finding->action, context, group);
}

static void say_title(struct finding *finding, const struct findings_context *context,
                      const struct group *group)
{
    findings_append_name(&finding->title, group);
    say(&finding->title, hot_takes_text, said_share(finding->fraction));
    targets_append_error(&finding->title, context, group);
    say(&finding->title, hot_of_wall_text);
}

/* A single finding also names the next hottest kernels: several findings with the same advice would
 * hide more specific ones. */
static void add_hot(const struct findings_context *context, struct findings *findings)
{
    const struct group *group = findings_group(context, 0);
    const struct judgement *judgement = findings_judgement(context, 0);
    double wall_ns = findings_wall_ns(context, (double)group->self_ns);
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){wall_ns, wall_ns,
                                          targets_confidence_in(group, FINDING_CONFIDENCE_HIGH)});

    say_title(finding, context, group);
    say(&finding->evidence, hot_calls_text, said_count(group->calls), said_time(wall_ns),
        said_time((double)group->self_ns / (double)group->calls));
    say_mean(&finding->evidence, context, group);
    say_roof(&finding->evidence, judgement);
    say_others(&finding->evidence, context);
    findings_say_whole(&finding->evidence, context);
    say_action(finding, context, group);
    finding_add_number(finding, "calls", (double)group->calls);
    finding_add_number(finding, "roof_fraction", judgement->roof_fraction);
}

void rule_hot(const struct findings_context *context, struct findings *findings)
{
    if (context->groups.rows.count == 0)
        findings_skip(findings, hot_skipped_text);
    else if (findings_lost_name(findings_group(context, 0)))
        findings_skip(findings, hot_lost_text);
    else if (share_of(context, 0) >= hot_fraction)
        add_hot(context, findings);
    else
        findings_pass(findings, hot_passed_text, said_words(group_name(findings_group(context, 0))),
                      said_share(share_of(context, 0)));
}
