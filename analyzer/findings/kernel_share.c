/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the time went, and what that allows: HOT and AMDAHL.  Neither knows a repair.
 *
 * Source: G. Amdahl, Validity of the single processor approach to achieving
 * large scale computing capabilities, 1967: without a part f of the time a
 * program is at most 1 / (1 - f) times as fast.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/coverage.h"
#include "figures/makers.h"
#include "findings/outside.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "findings/thinned.h"
#include "findings/whereabouts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"

/* A tenth of the time is where the specification's line report begins; below 2x
 * no work on kernels is the first thing to do. */
static const double hot_fraction = 0.1, kernels_ceiling = 2;

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

static enum status say_mean(struct text *text, const struct findings_context *context,
                            const struct group *group)
{
    double confidence = context->options.confidence;
    struct thinned thinned;

    if (thinned_init(&thinned, group, confidence))
        return STATUS_OUT_OF_MEMORY;
    if (isfinite(thinned.summary.mean_interval.low))
        say(text, hot_mean_text, said_time(thinned.summary.mean), said_share(confidence),
            said_time(thinned.summary.mean_interval.low),
            said_time(thinned.summary.mean_interval.high), said_count(thinned.count));
    thinned_fini(&thinned);
    return STATUS_OK;
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

/* Where the work of a call is not known, who knows its library may know what is inside. */
static void say_hint(struct text *text, const struct findings_context *context,
                     const struct group *group)
{
    const char *hint = group->library ? coverage_find_hint(group->library) : NULL;

    if (hint && isnan(findings_slot(context, group)->flops_each))
        say(text, hot_library_text, said_words(group->library), said_words(hint));
}

/* What is made and executed later is made too often, or takes too long to make. */
static void say_making(struct finding *finding, const struct findings_context *context,
                       const struct maker *maker)
{
    struct making making = makers_count(&context->groups, maker);

    say(&finding->evidence, hot_making_text, said_count(making.calls),
        said_count(making.executions));
    text_append(&finding->action, making.again >= maker->least ? maker->action : maker->once);
}

static void say_action(struct finding *finding, const struct findings_context *context,
                       const struct group *group)
{
    const struct maker *maker = makers_find(group->name);

    if (maker)
        say_making(finding, context, maker);
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

/* The others stand behind the hottest: several findings with the same advice would
 * hide those that say more. */
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
    if (say_mean(&finding->evidence, context, group))
        findings->status = STATUS_OUT_OF_MEMORY;
    say_roof(&finding->evidence, judgement);
    say_others(&finding->evidence, context);
    findings_say_whole(&finding->evidence, context);
    say_action(finding, context, group);
    finding_add_number(findings, finding, "calls", (double)group->calls);
    finding_add_number(findings, finding, "roof_fraction", judgement->roof_fraction);
}

void rule_hot(const struct findings_context *context, struct findings *findings)
{
    if (context->groups.rows.count == 0)
        findings_say_skip(findings, hot_skipped_text);
    else if (findings_lost_name(findings_group(context, 0)))
        findings_say_skip(findings, hot_lost_text);
    else if (share_of(context, 0) >= hot_fraction)
        add_hot(context, findings);
    else
        findings_say_pass(findings, hot_passed_text,
                          said_words(group_name(findings_group(context, 0))),
                          said_share(share_of(context, 0)));
}

/* The region with most time of its own that is in no kernel. */
static void say_region(struct text *text, const struct session *session)
{
    const struct session_region *most = NULL;
    uint64_t most_ns = 0;

    for (size_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = array_at(&session->regions, i);

        if (region->exclusive_ns <= region->kernel_ns ||
            region->exclusive_ns - region->kernel_ns <= most_ns)
            continue;
        most = region;
        most_ns = region->exclusive_ns - region->kernel_ns;
    }
    if (most)
        say(text, amdahl_region_text, said_words(most->path), said_time((double)most_ns));
}

/* Titles end with this, where the part is most of the time outside. */
static const struct said *const outside_words[] = {
    [WHEREABOUTS_BEFORE] = &amdahl_before_text,
    [WHEREABOUTS_BETWEEN] = NULL,
    [WHEREABOUTS_AFTER] = &amdahl_after_text,
    [WHEREABOUTS_IDLE] = &amdahl_idle_text,
};

static void say_outside_title(struct text *text, const struct findings_context *context,
                              const struct whereabouts *of)
{
    double outside_ns = context->wall.ns - context->kernel_ns;
    enum whereabouts_part part = whereabouts_first_outside(of);

    say(text, amdahl_title_text, said_share(outside_ns / context->wall.ns));
    if (of->ns[part] > outside_ns / 2 && outside_words[part])
        say_part(text, *outside_words[part]);
}

static void say_parts(struct text *text, const struct whereabouts *of)
{
    if (of->ns[WHEREABOUTS_BEFORE] > 0 || of->ns[WHEREABOUTS_AFTER] > 0)
        say(text, amdahl_parts_text, said_time(of->ns[WHEREABOUTS_BEFORE]),
            said_time(of->ns[WHEREABOUTS_BETWEEN]), said_time(of->ns[WHEREABOUTS_AFTER]));
}

/* The file with most calls of kernels.  Errors: STATUS_OUT_OF_MEMORY. */
static enum status find_caller(const struct session_module **found, const struct session *session)
{
    const struct session_module *caller = NULL, *modules = session->modules.items;
    uint64_t *calls = calloc(session->modules.count + 1, sizeof *calls), most = 0;

    for (size_t i = 0; calls && i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        const struct session_module *module =
            slot->nested ? NULL : session_find_module(session, slot->site);

        if (!module)
            continue;
        calls[module - modules] += slot->calls;
        if (calls[module - modules] > most) {
            most = calls[module - modules];
            caller = module;
        }
    }
    *found = caller;
    if (!calls)
        return STATUS_OUT_OF_MEMORY;
    free(calls);
    return STATUS_OK;
}

/* Where what calls them computes as well, who knows it may know what is outside. */
static enum status say_caller(struct text *text, const struct session *session)
{
    const struct session_module *caller;
    enum status status = find_caller(&caller, session);
    const char *file = caller && caller->path ? text_base_name(caller->path) : NULL;
    const char *hint = file ? coverage_find_caller_hint(file) : NULL;

    if (hint)
        say(text, amdahl_caller_text, said_words(file), said_words(hint));
    return status;
}

/* Whether most of the time in kernels is an estimate by too few calls. */
static bool is_rough(const struct findings_context *context)
{
    double rough_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++)
        if (group_is_rough(findings_group(context, i)))
            rough_ns += (double)findings_group(context, i)->self_ns;
    return rough_ns > (double)context->groups.self_ns / 2;
}

static void add_outside(const struct findings_context *context, struct findings *findings)
{
    double outside_ns = context->wall.ns - context->kernel_ns;
    struct whereabouts of = whereabouts_find(context);
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){outside_ns, outside_ns, FINDING_CONFIDENCE_HIGH});
    double ceiling = finding_ceiling(context->wall.ns, context->kernel_ns);

    say_outside_title(&finding->title, context, &of);
    say(&finding->evidence, amdahl_kernels_text, said_time(context->kernel_ns),
        said_time(context->wall.ns), said_speedup(ceiling));
    say_parts(&finding->evidence, &of);
    say_region(&finding->evidence, context->session);
    findings_say_whole(&finding->evidence, context);
    outside_append(&finding->evidence, &finding->action, context);
    if (say_caller(&finding->evidence, context->session))
        findings->status = STATUS_OUT_OF_MEMORY;
    say(&finding->action, *whereabouts_command(context, whereabouts_first_outside(&of)));
    say(&finding->action, amdahl_action_text);
    if (is_rough(context))
        say(&finding->refute, amdahl_rough_text);
    finding_add_number(findings, finding, "before_ns", of.ns[WHEREABOUTS_BEFORE]);
    finding_add_number(findings, finding, "after_ns", of.ns[WHEREABOUTS_AFTER]);
    finding_add_number(findings, finding, "kernel_ceiling", ceiling);
}

void rule_amdahl(const struct findings_context *context, struct findings *findings)
{
    double ceiling = finding_ceiling(context->wall.ns, context->kernel_ns);
    double largest_ns;

    if (context->groups.rows.count == 0) {
        findings_say_skip(findings, amdahl_skipped_text);
        return;
    }
    if (ceiling < kernels_ceiling) {
        add_outside(context, findings);
        return;
    }
    largest_ns = findings_wall_ns(context, (double)findings_group(context, 0)->self_ns);
    findings_say_pass(findings, amdahl_passed_text, said_speedup(ceiling),
                      said_speedup(finding_ceiling(context->wall.ns, largest_ns)));
}
