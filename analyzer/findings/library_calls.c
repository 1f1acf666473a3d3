/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work of libraries besides computing: REORDER and PRIMCREATE.
 */
#include <math.h>

#include "base/pool.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "kernels/creators.h"
#include "model/session.h"

/* verbose_converter's sample has 10.5 %; below 5 % a reorder is not worth a change. */
static const double reorder_fraction = 0.05, create_fraction = 0.05;

/* A program of PyTorch does not call oneDNN itself. */
static void add_reorder(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows, double fraction)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);

    say(&finding->title, reorder_title_text, said_share(fraction));
    if (findings_has_torch(context)) {
        text_clear(&finding->action);
        finding_advise(finding, "reorder_torch");
    }
}

void rule_reorder(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    double fraction;

    if (context->groups.rows.count == 0) {
        findings_skip(findings, no_kernel_called_text);
        return;
    }
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (group->kernel && group->kernel->class == CATALOG_MOVEMENT)
            targets_add(&rows, group, (double)group->self_ns);
    }
    fraction = findings_fraction(context, rows.thread_ns);
    if (fraction >= reorder_fraction)
        add_reorder(context, findings, &rows, fraction);
    else
        findings_pass(findings, reorder_passed_text, said_share(fraction));
}

static bool makes_again(const struct findings_context *context, size_t row, const void *creator)
{
    const struct group *group = findings_group(context, row);

    return creator_repeats(creator, group->name, group->calls);
}

/* Objects made in all, and those made again.  The first of each shape, which is a row, must be
 * made. */
enum making_state { NOT_MADE_AGAIN, NOT_YET_MADE, MADE };
struct made {
    enum making_state *rows;
    uint64_t calls, again;
    double again_ns; /* thread time */
};

static void follow_making(void *what, const struct row_call *at)
{
    struct made *made = what;

    if (made->rows[at->row] == NOT_MADE_AGAIN)
        return;
    made->calls++;
    if (made->rows[at->row] == MADE) {
        made->again++;
        made->again_ns += (double)course_length_ns(at->call);
    }
    made->rows[at->row] = MADE;
}

static void find_made(struct made *made, const struct findings_context *context,
                      const struct creator *creator)
{
    *made = (struct made){pool_get_zeros(context->groups.rows.count + 1, sizeof *made->rows), 0,
                          0, 0};
    for (size_t i = 0; i < context->groups.rows.count; i++)
        made->rows[i] = makes_again(context, i, creator) ? NOT_YET_MADE : NOT_MADE_AGAIN;
    row_calls_follow(context, follow_making, made);
}

/* An object that is not made again is not freed again. */
static double freeing_ns(const struct findings_context *context, const struct creator *creator,
                         const struct made *made)
{
    double sum_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (creator_frees(creator, group->name))
            sum_ns += (double)group->self_ns;
    }
    return made->calls > 0 ? sum_ns * (double)made->again / (double)made->calls : 0;
}

static size_t count_makers(const struct findings_context *context, const struct creator *creator)
{
    size_t count = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++)
        count += creator_is(creator, findings_group(context, i)->name);
    return count;
}

static void say_maker(struct finding *finding, const struct creator *creator)
{
    bool is_repaired = finding->gain == FINDING_PREDICTS;

    text_append(&finding->title, creator->title);
    if (is_repaired)
        say(&finding->limit, primcreate_once_text);
    text_append(&finding->why, creator->why);
    text_append(&finding->action, is_repaired ? creator->action : creator->once);
    text_append(&finding->refute, creator->refute);
    text_appendf(&finding->see, "tprof timing --filter %s", creator->see_names);
}

static void add_creation(const struct findings_context *context, struct findings *findings,
                         const struct creator *creator, struct targets *rows)
{
    struct finding *finding;
    struct made made;

    find_made(&made, context, creator);
    rows->saved_ns = fmin(rows->thread_ns, made.again_ns) + freeing_ns(context, creator, &made);
    finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);
    /* A program that only makes plans, as fftw-wisdom does, executes nothing. */
    if (creators_count(&context->groups, creator).executions == 0)
        finding_weaken(finding, FINDING_POINTS);
    say_maker(finding, creator);
}

/* `late`: of the library that takes most. */
static void pass_creation(const struct findings_context *context, struct findings *findings,
                          const struct targets_outermost *late)
{
    double fraction = findings_fraction(context, late->thread_ns);

    if (fraction < create_fraction)
        findings_pass(findings, primcreate_passed_text, said_share(fraction));
    else
        findings_pass(findings, primcreate_few_text, said_count(late->calls), said_share(fraction));
}

void rule_primcreate(const struct findings_context *context, struct findings *findings)
{
    uint64_t from_ns = context->session->process.wall_ns / 5; /* making before that is warm-up */
    struct targets_outermost most = {.calls = 0};
    size_t seen = 0, found = 0;

    for (size_t i = 0; i < creator_count; i++) {
        struct targets_outermost late = {.calls = 0};

        targets_gather(&late, context, makes_again, &creators[i], from_ns);
        late.thread_ns = fmin(late.rows.thread_ns, late.thread_ns);
        seen += count_makers(context, &creators[i]);
        most = late.thread_ns > most.thread_ns ? late : most;
        if (late.calls < creators[i].least ||
            findings_fraction(context, late.thread_ns) < create_fraction)
            continue;
        add_creation(context, findings, &creators[i], &late.rows);
        found++;
    }
    if (seen == 0)
        findings_skip(findings, primcreate_skipped_text);
    else if (!context->successions.is_known)
        findings_skip(findings, no_order_text);
    else if (found == 0)
        pass_creation(context, findings, &most);
}
