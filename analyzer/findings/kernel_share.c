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

#include "base/units.h"
#include "figures/coverage.h"
#include "figures/makers.h"
#include "findings/outside.h"
#include "findings/targets.h"
#include "findings/thinned.h"
#include "findings/whereabouts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"

/* A tenth of the time is where the specification's line report begins; below 2x
 * no work on kernels is the first thing to do. */
static const double hot_fraction = 0.1, kernels_ceiling = 2;

static void append_roof(struct text *text, const struct judgement *judgement)
{
    char share[UNITS_SIZE], rate[UNITS_SIZE];

    if (judgement->is_invalid)
        return;
    if (judgement->flops_per_second > 0)
        text_appendf(text, ", %s", units_format_flop_rate(rate, judgement->flops_per_second));
    if (isfinite(judgement->roof_fraction))
        text_appendf(text, ", %s of what the roof allows",
                     units_format_percent(share, judgement->roof_fraction));
}

/* ", 4.26 ms after warm-up (95 % interval of the mean 4.20 ms to 4.31 ms, n = 97)" */
static enum status append_mean(struct text *text, const struct findings_context *context,
                               const struct group *group)
{
    double confidence = context->options.confidence;
    char mean[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
    struct thinned thinned;

    if (thinned_init(&thinned, group, confidence))
        return STATUS_OUT_OF_MEMORY;
    if (isfinite(thinned.summary.mean_interval.low))
        text_appendf(text, ", %s after warm-up (%g %% interval of the mean %s to %s, n = %zu)",
                     units_format_time(mean, thinned.summary.mean), 100 * confidence,
                     units_format_time(low, thinned.summary.mean_interval.low),
                     units_format_time(high, thinned.summary.mean_interval.high), thinned.count);
    thinned_fini(&thinned);
    return STATUS_OK;
}

static double share_of(const struct findings_context *context, size_t row)
{
    return findings_wall_ns(context, (double)findings_group(context, row)->self_ns) /
           context->wall.ns;
}

/* "; cblas_sgemm m=64 n=64 k=64 takes 12.0 %, ..." */
static void append_others(struct text *text, const struct findings_context *context)
{
    char share[UNITS_SIZE];

    for (size_t i = 1; i < context->groups.rows.count && share_of(context, i) >= hot_fraction;
         i++) {
        text_append(text, i == 1 ? "; next come " : ", ");
        findings_append_name(text, findings_group(context, i));
        text_appendf(text, " with %s", units_format_percent(share, share_of(context, i)));
    }
}

/* Where the work of a call is not known, who knows its library may know what is inside. */
static void append_hint(struct text *text, const struct findings_context *context,
                        const struct group *group)
{
    const char *hint = group->library ? coverage_find_hint(group->library) : NULL;

    if (hint && isnan(findings_slot(context, group)->flops_each))
        text_appendf(text, "; of %s: %s", group->library, hint);
}

/* What is made and executed later is made too often, or takes too long to make. */
static void append_making(struct finding *finding, const struct findings_context *context,
                          const struct maker *maker)
{
    struct making making = makers_count(&context->groups, maker);
    char made[UNITS_SIZE], executed[UNITS_SIZE];

    text_appendf(&finding->evidence, "; %s made in all, for %s execution%s that %s seen",
                 units_format_count(made, (int64_t)making.calls),
                 units_format_count(executed, (int64_t)making.executions),
                 units_choose(making.executions, "", "s"),
                 units_choose(making.executions, "was", "were"));
    text_append(&finding->action, making.again >= maker->least ? maker->action : maker->once);
}

static void append_action(struct finding *finding, const struct findings_context *context,
                          const struct group *group)
{
    const struct maker *maker = makers_find(group->name);

    if (maker)
        append_making(finding, context, maker);
    else
        text_append(&finding->action, "apply the other findings for this kernel; tprof roofline "
                                      "tells what this machine allows for it");
    append_hint(&finding->action, context, group);
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
    char share[UNITS_SIZE], time[UNITS_SIZE], calls[UNITS_SIZE], call[UNITS_SIZE];

    findings_append_name(&finding->title, group);
    text_appendf(&finding->title, " takes %s", units_format_percent(share, finding->fraction));
    targets_append_error(&finding->title, context, group);
    text_append(&finding->title, " of the wall time");
    text_appendf(&finding->evidence, "%s call%s, %s in all without kernels inside, %s a call",
                 units_format_count(calls, (int64_t)group->calls),
                 units_choose(group->calls, "", "s"), units_format_time(time, wall_ns),
                 units_format_time(call, (double)group->self_ns / (double)group->calls));
    if (append_mean(&finding->evidence, context, group))
        findings->status = STATUS_OUT_OF_MEMORY;
    append_roof(&finding->evidence, judgement);
    append_others(&finding->evidence, context);
    findings_append_whole(&finding->evidence, context);
    text_append(&finding->why, "this kernel dominates the run time, so speeding it up pays most");
    append_action(finding, context, group);
    text_append(&finding->refute, "this does not mean that it can run faster");
    text_append(&finding->see, "tprof roofline, tprof timing");
    finding_add_number(findings, finding, "calls", (double)group->calls);
    finding_add_number(findings, finding, "roof_fraction", judgement->roof_fraction);
}

void rule_hot(const struct findings_context *context, struct findings *findings)
{
    char share[UNITS_SIZE];

    if (context->groups.rows.count == 0) {
        findings_skip(findings, "no known kernel was called; tprof coverage says what was "
                                "looked for");
        return;
    }
    if (findings_lost_name(findings_group(context, 0)))
        findings_skip(findings, "the trace was damaged, and the name of the kernel with most time "
                                "is lost");
    else if (share_of(context, 0) >= hot_fraction)
        add_hot(context, findings);
    else
        findings_pass(findings,
                      "no kernel and shape takes 10 %% of the wall time; the largest, %s, %s",
                      group_name(findings_group(context, 0)),
                      units_format_percent(share, share_of(context, 0)));
}

/* ---- all kernels together ------------------------------------------------------- */

/* The region with most time of its own that is in no kernel. */
static void append_region(struct text *text, const struct session *session)
{
    const struct session_region *most = NULL;
    uint64_t most_ns = 0;
    char time[UNITS_SIZE];

    for (size_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);

        if (region->exclusive_ns <= region->kernel_ns ||
            region->exclusive_ns - region->kernel_ns <= most_ns)
            continue;
        most = region;
        most_ns = region->exclusive_ns - region->kernel_ns;
    }
    if (most)
        text_appendf(text, "; of the regions %s has most of it, %s of thread time", most->path,
                     units_format_time(time, (double)most_ns));
}

/* Titles end with this, where the part is most of what is outside. */
static const char *const outside_words[] = {
    [WHEREABOUTS_BEFORE] = ", most of it before they begin: start-up",
    [WHEREABOUTS_BETWEEN] = "",
    [WHEREABOUTS_AFTER] = ", most of it after the last of them",
    [WHEREABOUTS_IDLE] = ", most of it waiting",
};

static void append_outside_title(struct text *text, const struct findings_context *context,
                                 const struct whereabouts *of)
{
    double outside_ns = context->wall.ns - context->kernel_ns;
    enum whereabouts_part part = whereabouts_first_outside(of);
    char share[UNITS_SIZE];

    text_appendf(text, "%s of the wall time is outside of known kernels",
                 units_format_percent(share, outside_ns / context->wall.ns));
    if (of->ns[part] > outside_ns / 2)
        text_append(text, outside_words[part]);
}

/* "; 2.14 s pass before they begin, 250 ms between them and 20.0 ms after the last" */
static void append_parts(struct text *text, const struct whereabouts *of)
{
    char before[UNITS_SIZE], between[UNITS_SIZE], after[UNITS_SIZE];

    if (of->ns[WHEREABOUTS_BEFORE] > 0 || of->ns[WHEREABOUTS_AFTER] > 0)
        text_appendf(text, "; %s pass before they begin, %s between them and %s after the last",
                     units_format_time(before, of->ns[WHEREABOUTS_BEFORE]),
                     units_format_time(between, of->ns[WHEREABOUTS_BETWEEN]),
                     units_format_time(after, of->ns[WHEREABOUTS_AFTER]));
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
static enum status append_caller(struct text *text, const struct session *session)
{
    const struct session_module *caller;
    enum status status = find_caller(&caller, session);
    const char *file = caller && caller->path ? text_base_name(caller->path) : NULL;
    const char *hint = file ? coverage_find_caller_hint(file) : NULL;

    if (hint)
        text_appendf(text, "; of %s, which makes most calls of kernels: %s", file, hint);
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
    char time[UNITS_SIZE], whole[UNITS_SIZE], ceiling[UNITS_SIZE];

    append_outside_title(&finding->title, context, &of);
    text_appendf(
        &finding->evidence,
        "kernels take %s of %s; were all of them free, the program "
        "would be %s as fast and no more",
        units_format_time(time, context->kernel_ns), units_format_time(whole, context->wall.ns),
        units_format_speedup(ceiling, finding_ceiling(context->wall.ns, context->kernel_ns)));
    append_parts(&finding->evidence, &of);
    append_region(&finding->evidence, context->session);
    findings_append_whole(&finding->evidence, context);
    outside_append(&finding->evidence, &finding->action, context);
    if (append_caller(&finding->evidence, context->session))
        findings->status = STATUS_OUT_OF_MEMORY;
    text_append(&finding->why, "by Amdahl's law what is not sped up bounds the whole");
    say(&finding->action, *whereabouts_command(context, whereabouts_first_outside(&of)));
    text_append(&finding->action, " Name parts of the program with tprof_region_begin(), or its "
                                  "own kernels with TPROF_KERNELS, to see them here.");
    text_append(&finding->refute, "kernels that were called and not seen would make it wrong; "
                                  "tprof coverage tells");
    if (is_rough(context))
        text_append(&finding->refute, "; most of the time in kernels is estimated by few of their "
                                      "calls, and more of it may be theirs");
    text_append(&finding->see, "tprof regions, tprof coverage");
    finding_add_number(findings, finding, "before_ns", of.ns[WHEREABOUTS_BEFORE]);
    finding_add_number(findings, finding, "after_ns", of.ns[WHEREABOUTS_AFTER]);
    finding_add_number(findings, finding, "kernel_ceiling",
                       finding_ceiling(context->wall.ns, context->kernel_ns));
}

void rule_amdahl(const struct findings_context *context, struct findings *findings)
{
    double ceiling = finding_ceiling(context->wall.ns, context->kernel_ns);
    double largest_ns;
    char all[UNITS_SIZE], largest[UNITS_SIZE];

    if (context->groups.rows.count == 0) {
        findings_skip(findings, "no known kernel was called: what kernels allow is not known");
        return;
    }
    if (ceiling < kernels_ceiling) {
        add_outside(context, findings);
        return;
    }
    largest_ns = findings_wall_ns(context, (double)findings_group(context, 0)->self_ns);
    findings_pass(findings,
                  "without any kernel the program would be %s as fast, without the "
                  "largest alone %s: no single one gives more",
                  units_format_speedup(all, ceiling),
                  units_format_speedup(largest, finding_ceiling(context->wall.ns, largest_ns)));
}
