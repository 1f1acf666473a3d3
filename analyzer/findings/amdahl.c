/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit of all kernels together, and the rest of the time: AMDAHL.  The rule has no repair.
 *
 * Source: G. Amdahl, Validity of the single processor approach to achieving
 * large scale computing capabilities, 1967: without a part f of the time a
 * program is at most 1 / (1 - f) times as fast.
 */

#include "base/pool.h"
#include "findings/context.h"
#include "findings/outside.h"
#include "findings/texts.h"
#include "findings/whereabouts.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"

/* Below 2x, no work on kernels is the first thing to do. */
static const double kernels_ceiling = 2;

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

/* Ends of the title, for a part that is most of the time outside. */
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

/* The file with most calls of kernels. */
static void find_caller(const struct session_module **found, const struct session *session)
{
    const struct session_module *caller = NULL, *modules = session->modules.items;
    uint64_t *calls = pool_get_zeros(session->modules.count + 1, sizeof *calls), most = 0;

    for (size_t i = 0; i < session->slots.count; i++) {
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
}

/* A library that calls kernels may do more work of its own: give the known hint for it. */
static void say_caller(struct text *text, const struct session *session)
{
    const struct session_module *caller;
    find_caller(&caller, session);
    const char *file = caller && caller->path ? text_base_name(caller->path) : NULL;
    const char *hint = file ? coverage_find_caller_hint(file) : NULL;

    if (hint)
        say(text, amdahl_caller_text, said_words(file), said_words(hint));
}

/* Ask whether most of the kernel time is estimated from too few calls. */
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
    say_caller(&finding->evidence, context->session);
    say(&finding->action, *whereabouts_command(context, whereabouts_first_outside(&of)));
    say(&finding->action, amdahl_action_text);
    if (is_rough(context))
        say(&finding->refute, amdahl_rough_text);
    finding_add_number(finding, "before_ns", of.ns[WHEREABOUTS_BEFORE]);
    finding_add_number(finding, "after_ns", of.ns[WHEREABOUTS_AFTER]);
    finding_add_number(finding, "kernel_ceiling", ceiling);
}

void rule_amdahl(const struct findings_context *context, struct findings *findings)
{
    double ceiling = finding_ceiling(context->wall.ns, context->kernel_ns);
    double largest_ns;

    if (context->groups.rows.count == 0) {
        findings_skip(findings, amdahl_skipped_text);
        return;
    }
    if (ceiling < kernels_ceiling) {
        add_outside(context, findings);
        return;
    }
    largest_ns = findings_wall_ns(context, (double)findings_group(context, 0)->self_ns);
    findings_pass(findings, amdahl_passed_text, said_speedup(ceiling),
                  said_speedup(finding_ceiling(context->wall.ns, largest_ns)));
}
