/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many little calls: SMALL, and passes over data that could be one: FUSE.
 */
#include <math.h>

#include "base/units.h"
#include "findings/rates.h"
#include "findings/targets.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* XProf warns from 3 % of a step in launching on. */
static const double small_fraction = 0.03, fuse_fraction = 0.03;

static const double nearly_all = 0.99; /* needs no word */

/* ---- small calls ------------------------------------------------------------------- */

struct little {
    struct targets rows; /* self time of the calls, and what they would save */
    double by_bytes_ns; /* of their self time, where the roof is that of memory */
    double delay_ns;    /* beside their self time: others had the processor */
    double gaps;
    double gap_ns;   /* thread time while it is gathered, then wall time; so far_gap_ns */
    double far_gaps; /* too long to be only the way to a call: nothing is claimed of them */
    double far_gap_ns;
    double repeats;   /* of the gaps, those between calls of one kernel, shape and place */
    uint64_t counted; /* calls that were not timed */
    uint64_t timed;
    uint64_t unseen; /* calls that left no record, nor one that stands for them: what is before
                        them is not known */
};

/* Calls that were not timed are taken to have taken as long as the usual ones that were: the time in
 * which others had the processor is in the wall time, but not in theirs. */
static double find_delay_ns(const struct findings_context *context, const struct group *group)
{
    double untimed_ns = 0;

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i))
        untimed_ns +=
            (double)((const struct session_slot *)array_at(&context->session->slots, i))->estimated_ns;
    return fmin(untimed_ns, (double)group->self_ns) * (1 / context->wall.processor - 1);
}

/* A short call is mostly the way into its library and out: what the roof allows is
 * what would be left of it in a large one. */
static double call_saved_ns(const struct findings_context *context, size_t index, double delay_ns)
{
    const struct group *group = findings_group(context, index);
    double wasted_ns = (double)group->owning_ns + delay_ns - rates_least_ns(context, index);

    return isnan(wasted_ns) ? 0 : fmin(wasted_ns, (double)group->self_ns + delay_ns);
}

/* In few large calls it is not known where the bytes have their home. */
static bool waits_for_bytes(const struct findings_context *context, size_t index)
{
    const struct judgement *judgement = findings_judgement(context, index);

    return judgement->intensity < machine_ridge(&judgement->roof);
}

/* Calls that are in courses or inside of those that are, where they have no gap, with the
 * counted ones that they stand for. */
static double count_seen(const struct findings_context *context, const struct group *group)
{
    double sum = 0;

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i)) {
        const struct succession *succession = array_at(&context->successions.slots, i);
        const struct session_slot *slot = session_slot_at(context->session, i);

        sum += fmax((double)succession->calls, (double)slot->durations_ns.count) *
               slots_stands_for(slot);
    }
    return sum;
}

/* A gap in which its thread lost the processor is long, and not among them: what the
 * others take is processor time.  All are outside of kernels. */
static void take_to_wall(struct little *little, const struct findings_context *context)
{
    struct groups_rest rest = groups_split_rest(context->session, context->groups.self_ns);
    double delay_ns = findings_wall_ns(context, little->delay_ns);
    double outside_ns = fmax(0, context->wall.ns - context->kernel_ns - delay_ns);
    double gap_ns =
        fmin(fmax(0, little->gap_ns) / context->wall.processor, (double)rest.other_ns);

    little->gap_ns = fmin(findings_wall_ns(context, gap_ns), outside_ns);
    little->far_gap_ns =
        fmin(findings_wall_ns(context, little->far_gap_ns), outside_ns - little->gap_ns);
}

static void add_counted(struct little *little, const struct findings_context *context,
                        const struct group *group)
{
    little->counted += group->calls - group->timed_calls;
    little->timed += group->timed_calls;
    little->unseen += (uint64_t)llround(fmax(0, (double)group->calls - count_seen(context, group)));
}

static struct little gather_little(const struct findings_context *context)
{
    struct little little = {.gaps = 0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        struct succession succession;
        double delay_ns;

        if (group->calls == 0 ||
            (double)group->self_ns / (double)group->calls >= context->judge.short_ns)
            continue;
        succession = rates_find_succession(context, group);
        little.gaps += succession.close_gaps;
        little.gap_ns += succession.close_gap_ns;
        little.far_gaps += succession.far_gaps;
        little.far_gap_ns += succession.far_gap_ns;
        little.repeats += succession.repeats;
        add_counted(&little, context, group);
        delay_ns = find_delay_ns(context, group);
        little.delay_ns += delay_ns;
        targets_add(&little.rows, group, call_saved_ns(context, i, delay_ns));
        if (waits_for_bytes(context, i))
            little.by_bytes_ns += (double)group->self_ns;
    }
    take_to_wall(&little, context);
    return little;
}

/* Of the close gaps.  Alike are calls of one kernel and shape from one place, one close after
 * another: one call of a batch can do their work. */
static double repeated_share(const struct little *little)
{
    return little->gaps > 0 ? fmin(1, fmax(0, little->repeats) / little->gaps) : 0;
}

/* What goes with the calls that stand behind one that is alike. */
static double batched_ns(const struct little *little, const struct findings_context *context)
{
    double close_share = little->gaps / (little->gaps + little->far_gaps);
    double calls_ns = findings_wall_ns(context, little->rows.saved_ns) * close_share;

    return repeated_share(little) * (calls_ns + little->gap_ns);
}

static bool can_be_batched(const struct little *little, const struct findings_context *context)
{
    return repeated_share(little) * little->gap_ns >= small_fraction * context->wall.ns;
}

/* "; between them 100 ms in 99,999 gaps shorter than 10.0 us, 20.0 % of the wall time" */
static void append_gaps(struct text *text, const struct findings_context *context,
                        const struct little *little)
{
    char share[UNITS_SIZE], gap[UNITS_SIZE], gaps[UNITS_SIZE], timed[UNITS_SIZE];
    char close[UNITS_SIZE];

    text_appendf(text, "; between them %s%s in %s gap%s shorter than %s, %s of the wall time",
                 little->counted > 0 ? "about " : "", units_format_time(gap, little->gap_ns),
                 units_format_count(gaps, llround(little->gaps)),
                 units_choose((uint64_t)llround(little->gaps), "", "s"),
                 units_format_time(close, context->successions.close_ns),
                 units_format_percent(share, little->gap_ns / context->wall.ns));
    if (little->counted > 0)
        text_appendf(text, ", by the %s calls that were timed",
                     units_format_count(timed, (int64_t)little->timed));
    if (repeated_share(little) < nearly_all)
        text_appendf(text, "; %s of the gaps are between calls of one kernel and shape",
                     units_format_percent(share, repeated_share(little)));
}

/* What is not claimed may be the same where a runtime stands between calls: those from Python
 * stand far from each other. */
static void append_small_limit(struct text *text, const struct findings_context *context,
                               const struct little *little)
{
    char gap[UNITS_SIZE], gaps[UNITS_SIZE];

    text_append(text, "; with the same work in few large calls");
    if (little->far_gap_ns >= small_fraction * context->wall.ns)
        text_appendf(text, "; not in it are %s in %s longer gap%s between them, which %s",
                     units_format_time(gap, little->far_gap_ns),
                     units_format_count(gaps, llround(little->far_gaps)),
                     units_choose((uint64_t)llround(little->far_gaps), "", "s"),
                     context->successions.runtime
                         ? "may be the way to the next call as well, or other work"
                         : "are the program's own work");
}

/* Time of kernels that is known badly weighs by its part of all that is claimed. */
static double confidence_of(const struct little *little, const struct findings_context *context)
{
    struct targets with_gaps = little->rows;

    with_gaps.thread_ns += little->gap_ns * context->wall.at_once;
    return targets_confidence(&with_gaps, FINDING_CONFIDENCE_LOW);
}

/* Of calls that differ none is known to do the work of several: their time is shown alone. */
static struct finding *claim_small(const struct findings_context *context,
                                   struct findings *findings, const struct little *little)
{
    double calls_ns = findings_wall_ns(context, little->rows.thread_ns + little->delay_ns);
    bool is_batch = can_be_batched(little, context);
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){calls_ns + little->gap_ns,
                                          is_batch ? batched_ns(little, context) : little->gap_ns,
                                          confidence_of(little, context)});

    if (!is_batch)
        finding_weaken(finding, FINDING_POINTS);
    else if (little->by_bytes_ns > little->rows.thread_ns / 2)
        finding_weaken(finding, FINDING_BOUNDS);
    if (is_batch)
        append_small_limit(&finding->limit, context, little);
    return finding;
}

static void append_small_action(struct text *text, const struct findings_context *context,
                                const struct little *little)
{
    if (!can_be_batched(little, context)) {
        text_append(text, "look at the loop that makes these calls: calls that differ cannot be "
                          "one batch");
        return;
    }
    text_append(text, "make fewer and larger calls: batch products (gemm_batch, bmm, "
                      "einsum over the batch), fuse steps");
    if (context->successions.runtime)
        text_appendf(text, ", take loops out of %s", context->successions.runtime);
}

static void add_small(const struct findings_context *context, struct findings *findings,
                      const struct little *little)
{
    const struct targets *rows = &little->rows;
    struct finding *finding = claim_small(context, findings, little);
    char time[UNITS_SIZE];

    text_append(&finding->title, "many calls are so short that reaching them costs as much");
    targets_append_sums(&finding->evidence, rows, context);
    text_appendf(&finding->evidence,
                 ", %s a call: ", units_format_time(time, rows->thread_ns / (double)rows->calls));
    targets_append(&finding->evidence, rows, context);
    append_gaps(&finding->evidence, context, little);
    text_append(&finding->why, "each call pays for its way in and out, however little it computes");
    append_small_action(&finding->action, context, little);
    text_append(&finding->refute, "what the program does between calls may be needed work");
    text_append(&finding->see, "tprof timing, tprof roofline");
    finding_add_number(findings, finding, "calls", (double)rows->calls);
    finding_add_number(findings, finding, "gap_ns", little->gap_ns);
    finding_add_number(findings, finding, "repeated_share", repeated_share(little));
}

/* What close gaps before calls that nothing stands for may take beside those that were seen:
 * no more than all time outside of kernels. */
static double find_unseen_ns(const struct findings_context *context, const struct little *little)
{
    double outside_ns = context->wall.ns - context->kernel_ns;

    return fmin((double)little->unseen * context->successions.close_ns, fmax(0, outside_ns));
}

static void skip_small(const struct findings_context *context, struct findings *findings,
                       const struct little *little)
{
    char unseen[UNITS_SIZE], calls[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    findings_skip(findings,
                  "of %s call%s shorter than %s %s left no record, so the gaps before %s are not "
                  "known; %s of the wall time is outside of kernels",
                  units_format_count(calls, (int64_t)little->rows.calls),
                  units_choose(little->rows.calls, "", "s"),
                  units_format_time(time, context->judge.short_ns),
                  units_format_count(unseen, (int64_t)little->unseen),
                  units_choose(little->unseen, "it", "them"),
                  units_format_percent(share, 1 - context->kernel_ns / context->wall.ns));
}

void rule_small(const struct findings_context *context, struct findings *findings)
{
    struct little little = gather_little(context);
    char share[UNITS_SIZE], time[UNITS_SIZE], close[UNITS_SIZE];
    double fraction = little.gap_ns / context->wall.ns;

    if (context->groups.rows.count == 0)
        findings_skip(findings, "no known kernel was called");
    else if (!context->successions.is_known)
        findings_skip(findings, "no event of a kernel is in the trace, so gaps are not known");
    else if (fraction >= small_fraction)
        add_small(context, findings, &little);
    else if (little.unseen > 0 &&
             fraction + find_unseen_ns(context, &little) / context->wall.ns >= small_fraction)
        skip_small(context, findings, &little);
    else
        findings_pass(findings,
                      "the gaps of up to %s before calls shorter than %s are %s of the wall time, "
                      "less than 3 %%%s",
                      units_format_time(close, context->successions.close_ns),
                      units_format_time(time, context->judge.short_ns),
                      units_format_percent(share, fraction),
                      context->successions.runtime || little.far_gaps == 0
                          ? ""
                          : "; longer ones are the program's own work");
}

/* ---- passes over data ----------------------------------------------------------------- */

static void add_fuse(const struct findings_context *context, struct findings *findings)
{
    const struct chains *chains = &context->successions.chains;
    struct finding_claim claim = {findings_wall_ns(context, chains->thread_ns),
                                  findings_wall_ns(context, chains->fused_ns),
                                  FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);
    char calls[UNITS_SIZE], count[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    text_append(&finding->title, "passes over data come one after another and could be one");
    text_appendf(&finding->evidence,
                 "%s elementwise or copying calls in %s chain%s, %s, %s of the wall time",
                 units_format_count(calls, (int64_t)chains->calls),
                 units_format_count(count, (int64_t)chains->count),
                 units_choose(chains->count, "", "s"), units_format_time(time, claim.target_ns),
                 units_format_percent(share, finding->fraction));
    text_append(&finding->limit, "; as if each chain took as long as its longest call; what a "
                                 "product takes over as post-ops goes as a whole");
    text_append(&finding->why, "each pass reads and writes its data anew, and does little with it");
    text_append(&finding->action, "fuse them: one loop, a post-op of the product (oneDNN's "
                                  "append_eltwise, append_sum), torch.compile, numexpr, in-place "
                                  "operations");
    text_append(&finding->refute, "wrong where they work on different data; which operands they "
                                  "have is not recorded");
    text_append(&finding->see, "tprof flops --by class");
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
    const struct chains *chains = &context->successions.chains;
    char share[UNITS_SIZE];

    if (!context->successions.is_known)
        findings_skip(findings,
                      "no event of a kernel is in the trace, so their order is not known");
    else if (has_only_sampled(context))
        findings_skip(findings, "all elementwise calls are of level-1 BLAS, which are counted: "
                                "their order is not known");
    else if (findings_fraction(context, chains->thread_ns) >= fuse_fraction)
        add_fuse(context, findings);
    else
        findings_pass(findings,
                      "elementwise and copying kernels that follow one another take %s of the wall "
                      "time; bias and activation in loops of the program's own are not seen",
                      units_format_percent(share, findings_fraction(context, chains->thread_ns)));
}
