/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluates the rules, and orders their findings.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pool.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "findings/whereabouts.h"

/* A share of the wall time: smaller savings are not shown. */
static const double least_saving = 0.01;

typedef void (*rule_function)(const struct findings_context *context, struct findings *findings);

static const rule_function functions[] = {
#define RULE(name, id, gain, help) rule_##name,
#include "findings/rules.def"
#undef RULE
};

/* Predictions and bounds are ordered together, by their promise.  Risks, pointers and doubts
 * follow. */
static enum finding_gain rank_of(const struct finding *finding)
{
    return finding->gain > FINDING_BOUNDS ? finding->gain : FINDING_BOUNDS;
}

/* Within a rank: the most severe first, then the largest share of time. */
static int compare_timeless(const struct finding *left, const struct finding *right)
{
    if (left->severity != right->severity)
        return left->severity > right->severity ? -1 : 1;
    if (left->rule != right->rule)
        return left->rule < right->rule ? -1 : 1;
    return (left->fraction < right->fraction) - (left->fraction > right->fraction);
}

static int compare_findings(const void *a, const void *b)
{
    const struct finding *left = *(struct finding *const *)a, *right = *(struct finding *const *)b;

    if (rank_of(left) != rank_of(right))
        return rank_of(left) < rank_of(right) ? -1 : 1;
    if (isnan(left->ceiling) || isnan(right->ceiling))
        return compare_timeless(left, right);
    if (finding_promise(left) != finding_promise(right))
        return finding_promise(left) > finding_promise(right) ? -1 : 1;
    if (left->ceiling != right->ceiling)
        return left->ceiling > right->ceiling ? -1 : 1;
    return compare_timeless(left, right);
}

static bool is_small(const struct finding *finding, double wall_ns)
{
    return finding->saved_ns < least_saving * wall_ns;
}

static struct finding *finding_at(const struct findings *findings, size_t index)
{
    return *(struct finding *const *)array_at(&findings->found, index);
}

static void note_small(struct findings *findings, const struct finding *finding)
{
    char gain[20];

    snprintf(gain, sizeof gain, "%.3fx", finding->ceiling);
    if (isnan(finding->ceiling))
        findings_pass(findings, finding_small_text, said_words(finding->title.bytes));
    else
        findings_pass(findings, finding_small_gain_text, said_words(finding->title.bytes),
                      said_words(gain),
                      said_words(finding->gain == FINDING_PREDICTS ? "as fast" : "at most"));
}

/* The largest saving among the findings from `first` on; NULL if one of them is not small. */
static const struct finding *find_largest_small(const struct findings *findings, size_t first)
{
    const struct finding *largest = NULL;

    for (size_t i = first; i < findings->found.count; i++) {
        const struct finding *finding = finding_at(findings, i);

        if (!is_small(finding, findings->wall_ns))
            return NULL;
        if (!largest || finding->saved_ns > largest->saved_ns)
            largest = finding;
    }
    return largest;
}

/* The small findings from `first` on become one note if all are small. */
static void leave_out_small(struct findings *findings, size_t first)
{
    const struct finding *largest = find_largest_small(findings, first);
    struct finding **found = findings->found.items;
    size_t kept = first;

    if (largest)
        note_small(findings, largest);
    for (size_t i = first; i < findings->found.count; i++)
        if (!is_small(found[i], findings->wall_ns))
            found[kept++] = found[i];
    array_truncate(&findings->found, kept);
}

static void findings_init(struct findings *findings, const struct findings_context *context)
{
    *findings = (struct findings){.wall_ns = context->wall.ns,
                                  .capacity = context->capacity,
                                  .is_in_kernels = context->kernel_ns > context->wall.ns / 2};
    array_init(&findings->found, sizeof(struct finding *));
    array_init(&findings->notes, sizeof(struct finding_note *));
    text_init(&findings->where);
}

/* Without a wall time, there are no shares. */
static void evaluate(struct findings *findings, const struct findings_context *context,
                     enum finding_rule rule)
{
    size_t found = findings->found.count;
    struct pool pool;

    findings->rule = rule;
    if (!(context->wall.ns > 0)) {
        findings_skip(findings, no_wall_time_text);
        return;
    }
    pool_enter(&pool);
    functions[rule](context, findings);
    pool_leave(&pool);
    leave_out_small(findings, found);
}

/* A bound of all that a function does, with a repair for any program, stands behind a cause that
 * saves as much of it, and behind a leak that may end the program. */
static const double as_good = 0.4; /* of the general saving */

static bool stands_before(const struct finding *finding, const struct finding *general)
{
    if (finding->rule == FINDING_RULE_mem_leak)
        return finding->severity == FINDING_HIGH;
    return finding->gain <= FINDING_BOUNDS && finding_is_advice(finding) &&
           finding->saved_ns >= as_good * general->saved_ns;
}

static void move(struct finding **found, size_t from, size_t to)
{
    struct finding *moved = found[from];

    for (; from > to; from--)
        found[from] = found[from - 1];
    found[to] = moved;
}

static void put_general_behind(struct findings *findings)
{
    struct finding **found = findings->found.items;
    size_t general = 0;

    while (general < findings->found.count && found[general]->rule != FINDING_RULE_interpreted)
        general++;
    for (size_t i = general + 1; i < findings->found.count; i++)
        if (stands_before(found[i], found[general]))
            move(found, i, general++);
}

static void finish(struct findings *findings)
{
    if (findings->found.count == 0)
        return;
    qsort(findings->found.items, findings->found.count, sizeof(struct finding *), compare_findings);
    put_general_behind(findings);
}

void findings_evaluate(struct findings *findings, const struct findings_context *context)
{
    findings_init(findings, context);
    for (int rule = 0; rule < FINDING_RULES; rule++)
        evaluate(findings, context, (enum finding_rule)rule);
    whereabouts_append(&findings->where, context);
    finish(findings);
}

void findings_evaluate_rule(struct findings *findings, const struct findings_context *context,
                            enum finding_rule rule)
{
    findings_init(findings, context);
    evaluate(findings, context, rule);
    finish(findings);
}

