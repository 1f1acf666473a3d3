/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many little calls: SMALL.
 */
#include <math.h>
#include <string.h>

#include "findings/own_place.h"
#include "findings/rates.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"

/* XProf warns from 3 % of a step in launching on. */
static const double small_fraction = 0.03;

/* A call through a library's interface takes some 5 to 30 ns, whatever the call computes.  A
 * processor may start the next call early; then no gap precedes it. */
static const double entry_ns = 50;
static const double mostly = 0.5;

static const double nearly_all = 0.99; /* needs no word */

struct little {
    struct targets rows; /* self time of the calls, and the possible saving */
    size_t most_slot;    /* the slot that most gaps precede, or GROUPS_NO_SLOT */
    double most_gap_ns;
    double by_bytes_ns;  /* part of the self time under the roof of memory */
    double delay_ns;     /* besides the self time: other programs had the processor */
    double gaps;
    double gap_ns;   /* first summed as thread time, then turned to wall time; so is far_gap_ns */
    double far_gaps; /* gaps too long for only the way to a call; no saving is claimed */
    double far_gap_ns;
    double entries_ns; /* part of saved_ns in calls that hardly do more than enter their library */
    double repeats;   /* the gaps between calls of one kernel, shape and place */
    uint64_t counted; /* calls that were not timed */
    uint64_t timed;
    uint64_t unseen; /* calls without a record, and without one that represents them: the gap before
                        them is unknown */
};

/* The time of untimed calls is estimated by the usual timed ones.  While others had the processor,
 * wall time passed that is not in the estimate. */
static double find_delay_ns(const struct findings_context *context, const struct group *group)
{
    double untimed_ns = 0;

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i))
        untimed_ns += (double)session_slot_at(context->session, i)->estimated_ns;
    return fmin(untimed_ns, (double)group->self_ns) * (1 / context->wall.processor - 1);
}

/* A short call mostly enters and leaves its library.  As part of a large call, it would take only
 * its time at the roof. */
static double call_saved_ns(const struct findings_context *context, size_t index, double delay_ns)
{
    const struct group *group = findings_group(context, index);
    double wasted_ns = (double)group->owning_ns + delay_ns - rates_least_ns(context, index);

    return isnan(wasted_ns) ? 0 : fmin(wasted_ns, (double)group->self_ns + delay_ns);
}

static bool is_mostly_entry(const struct group *group, double saved_ns)
{
    double self_ns = (double)group->self_ns;

    return self_ns < entry_ns * (double)group->calls && saved_ns >= mostly * self_ns;
}

/* Memory bandwidth limits the calls; with few large calls, the bytes may be in another level of
 * memory. */
static bool waits_for_bytes(const struct findings_context *context, size_t index)
{
    const struct judgement *judgement = findings_judgement(context, index);

    return judgement->intensity < machine_ridge(&judgement->roof);
}

/* Calls in courses, calls inside those (they have no gap), and the counted calls that these
 * represent. */
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

/* A gap is long if its thread lost the processor, and is then left out.  The other gaps are
 * processor time.  All gaps are outside of kernels. */
static void take_to_wall(struct little *little, const struct findings_context *context)
{
    struct groups_rest rest = groups_split_rest(context->session, context->groups.self_ns);
    double delay_ns = findings_wall_ns(context, little->delay_ns);
    double outside_ns = fmax(0, context->wall.ns - context->kernel_ns - delay_ns);
    double gap_ns = fmin(fmax(0, little->gap_ns) / context->wall.processor, (double)rest.other_ns);

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

static void find_most(struct little *little, const struct findings_context *context,
                      const struct group *group)
{
    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i)) {
        const struct succession *succession = array_at(&context->successions.slots, i);

        if (succession->close_gap_ns <= little->most_gap_ns)
            continue;
        little->most_gap_ns = succession->close_gap_ns;
        little->most_slot = i;
    }
}

static struct little gather_little(const struct findings_context *context)
{
    struct little little = {.most_slot = GROUPS_NO_SLOT};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        struct succession succession;
        double delay_ns, saved_ns;

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
        find_most(&little, context, group);
        delay_ns = find_delay_ns(context, group);
        little.delay_ns += delay_ns;
        saved_ns = call_saved_ns(context, i, delay_ns);
        targets_add(&little.rows, group, saved_ns);
        if (is_mostly_entry(group, saved_ns))
            little.entries_ns += saved_ns;
        if (waits_for_bytes(context, i))
            little.by_bytes_ns += (double)group->self_ns;
    }
    take_to_wall(&little, context);
    return little;
}

/* The share of repeated gaps in the close gaps.  Close calls of one kernel and shape from one place
 * are alike: one call of a batch can do their work. */
static double repeated_share(const struct little *little)
{
    return little->gaps > 0 ? fmin(1, fmax(0, little->repeats) / little->gaps) : 0;
}

/* The time saved with the calls that follow an equal one. */
static double batched_ns(const struct little *little, const struct findings_context *context)
{
    double close_share = little->gaps / (little->gaps + little->far_gaps);
    double calls_ns = findings_wall_ns(context, little->rows.saved_ns) * close_share;

    return repeated_share(little) * (calls_ns + little->gap_ns);
}

/* The time before calls, and in calls that do little but enter their library. */
static double lost_ns(const struct little *little, const struct findings_context *context)
{
    return little->gap_ns + findings_wall_ns(context, little->entries_ns);
}

static bool can_be_batched(const struct little *little, const struct findings_context *context)
{
    return repeated_share(little) * lost_ns(little, context) >= small_fraction * context->wall.ns;
}

static void say_gaps(struct text *text, const struct findings_context *context,
                     const struct little *little)
{
    const struct said gaps = said_count((uint64_t)llround(little->gaps)),
                      close = said_time(context->successions.close_ns),
                      time = said_time(little->gap_ns),
                      share = said_share(little->gap_ns / context->wall.ns);

    if (little->counted > 0)
        say(text, small_gaps_by_timed_text, gaps, close, time, share, said_count(little->timed));
    else
        say(text, small_gaps_text, gaps, close, time, share);
    if (little->entries_ns > 0)
        say(text, small_entries_text, said_time(entry_ns));
    if (repeated_share(little) < nearly_all)
        say(text, small_repeated_text, said_share(repeated_share(little)));
}

/* Unclaimed gaps may have the same cause if a runtime runs between the calls, as calls from Python
 * are far apart. */
static void say_limit(struct text *text, const struct findings_context *context,
                      const struct little *little)
{
    say(text, small_limit_text);
    if (little->far_gap_ns < small_fraction * context->wall.ns)
        return;
    say(text, small_far_text, said_count((uint64_t)llround(little->far_gaps)),
        said_time(little->far_gap_ns));
    say(text, context->successions.runtime ? small_far_runtime_text : small_far_own_text);
}

/* Time of kernels that is known badly weighs by its part of all that is claimed. */
static double confidence_of(const struct little *little, const struct findings_context *context)
{
    struct targets with_gaps = little->rows;

    with_gaps.thread_ns += little->gap_ns * context->wall.at_once;
    return targets_confidence(&with_gaps, FINDING_CONFIDENCE_LOW);
}

/* An op of PyTorch makes several of the calls each time, so the loop is not the program's. */
static bool is_loop_of_op(const struct findings_context *context, const struct little *little)
{
    const struct session_slot *slot;
    const struct session_op *op;

    if (little->most_slot == GROUPS_NO_SLOT || context->session->ops.count <= 1)
        return false;
    slot = session_slot_at(context->session, little->most_slot);
    op = session_op_at(context->session, slot->op);
    return slot->op != 0 && op->calls > 0 && strncmp(op->name, "aten::", strlen("aten::")) == 0 &&
           slot->calls >= 2 * op->calls;
}

/* One call can replace equal calls, but not different ones: only the time of equal calls is
 * shown. */
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
    else if (is_loop_of_op(context, little) || little->by_bytes_ns > little->rows.thread_ns / 2)
        finding_weaken(finding, FINDING_BOUNDS);
    if (is_batch)
        say_limit(&finding->limit, context, little);
    return finding;
}

static void say_action(struct text *text, const struct findings_context *context,
                       const struct little *little)
{
    if (!can_be_batched(little, context)) {
        say(text, small_differ_text);
        return;
    }
    if (is_loop_of_op(context, little)) {
        say(text, small_batch_op_text,
            said_words(session_op_at(context->session,
                                     session_slot_at(context->session, little->most_slot)->op)
                           ->name));
    } else if (context->session->ops.count > 1) {
        say(text, small_batch_torch_text);
    } else if (context->has_python) {
        say(text, small_batch_numpy_text);
    } else {
        say(text, small_batch_text);
        if (context->successions.runtime)
            say(text, small_loops_text, said_words(context->successions.runtime));
    }
}

/* Modules that make a call of a BLAS for a call of the program: the loop around it is the
 * program's.  libffi makes the calls of ctypes and cffi. */
static const char *const direct[] = {"_multiarray_umath", "_umath_linalg", "lapack_lite", "_fblas",
                                     "_flapack",          "_decomp_",      "libffi",      "_ctypes",
                                     "_cffi_backend"};

/* Returns: the native module whose own loop makes most of the calls of a Python program; NULL: the
 * program's lines make them. */
static const char *find_looping(const struct findings_context *context, const struct little *little)
{
    const struct session *session = context->session;
    const struct session_module *module =
        little->most_slot != GROUPS_NO_SLOT && context->has_python && session->ops.count <= 1
            ? session_find_module(session, session_slot_at(session, little->most_slot)->site)
            : NULL;
    const char *name = module ? text_base_name(module->path) : NULL;

    for (size_t i = 0; name && i < sizeof direct / sizeof *direct; i++)
        if (strncmp(name, direct[i], strlen(direct[i])) == 0)
            return NULL;
    return name;
}

static void say_place(struct finding *finding, const struct findings_context *context,
                      const struct little *little)
{
    if (little->most_slot != GROUPS_NO_SLOT)
        own_place_append_slot(&finding->place, context,
                              session_slot_at(context->session, little->most_slot));
}

/* "480,000 short calls of cblas_dgemv lose time between them" */
static void say_title(struct text *title, const struct findings_context *context,
                      const struct little *little)
{
    const struct targets *rows = &little->rows;
    bool is_entry = findings_wall_ns(context, little->entries_ns) > little->gap_ns;
    struct said calls = said_count(rows->calls);

    if (rows->count == 1)
        say(title, is_entry ? small_title_entries_one_text : small_title_one_text, calls,
            said_words(rows->named[0]->name));
    else
        say(title, is_entry ? small_title_entries_text : small_title_text, calls);
}

static void add_small(const struct findings_context *context, struct findings *findings,
                      const struct little *little)
{
    const struct targets *rows = &little->rows;
    struct finding *finding = claim_small(context, findings, little);
    const char *looping = find_looping(context, little);

    say_title(&finding->title, context, little);
    say_place(finding, context, little);
    targets_say(&finding->evidence, rows, context);
    say(&finding->evidence, small_each_text, said_time(rows->thread_ns / (double)rows->calls));
    say_gaps(&finding->evidence, context, little);
    if (looping) {
        finding_weaken(finding, FINDING_POINTS);
        say(&finding->action, small_library_text, said_words(looping));
    } else {
        say_action(&finding->action, context, little);
    }
    finding_add_number(finding, "calls", (double)rows->calls);
    finding_add_number(finding, "gap_ns", little->gap_ns);
    finding_add_number(finding, "repeated_share", repeated_share(little));
}

/* An upper bound for unseen close gaps, before calls that no record represents: at most all time
 * outside of kernels. */
static double find_unseen_ns(const struct findings_context *context, const struct little *little)
{
    double outside_ns = context->wall.ns - context->kernel_ns;

    return fmin((double)little->unseen * context->successions.close_ns, fmax(0, outside_ns));
}

static void skip_small(const struct findings_context *context, struct findings *findings,
                       const struct little *little)
{
    struct text *note =
        findings_skip(findings, small_unseen_text, said_count(little->unseen),
                      said_count(little->rows.calls), said_time(context->judge.short_ns));

    say(note, small_outside_text, said_share(1 - context->kernel_ns / context->wall.ns));
}

static void pass_small(const struct findings_context *context, struct findings *findings,
                       const struct little *little)
{
    struct text *note = findings_pass(
        findings, small_passed_text, said_time(context->successions.close_ns),
        said_time(context->judge.short_ns), said_share(little->gap_ns / context->wall.ns));

    if (!context->successions.runtime && little->far_gaps > 0)
        say(note, small_far_own_text);
}

void rule_small(const struct findings_context *context, struct findings *findings)
{
    struct little little = gather_little(context);
    double most_ns = little.gap_ns + find_unseen_ns(context, &little);

    if (context->groups.rows.count == 0)
        findings_skip(findings, no_kernel_called_text);
    else if (!context->successions.is_known)
        findings_skip(findings, small_no_event_text);
    else if (lost_ns(&little, context) >= small_fraction * context->wall.ns)
        add_small(context, findings, &little);
    else if (little.unseen > 0 && most_ns >= small_fraction * context->wall.ns)
        skip_small(context, findings, &little);
    else
        pass_small(context, findings, &little);
}
