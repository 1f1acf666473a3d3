/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the figures can be believed: INVALID, DROPPED and OVERHEAD.
 */
#include <errno.h>
#include <math.h>

#include "analysis/loss_words.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_threads.h"

/* Clocks of different resolution agree to a percent; see judge.c for rates. */
static const double valid_time = 1.05;

/* A share of the wall time: smaller rows, and rows with rough times, cast no doubt on others. */
static const double least_invalid = 0.01;

/* The specification's own overhead is 5 %, its budget 1 %. */
static const double high_overhead = 0.05, some_overhead = 0.01;

/* Threads that were in kernels for longer than they lived. */
static size_t count_impossible(const struct session *session)
{
    size_t count = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        count +=
            thread->last_ns < thread->first_ns ||
            (double)thread->kernel_ns > valid_time * (double)(thread->last_ns - thread->first_ns);
    }
    return count;
}

static void add_invalid(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows, size_t impossible)
{
    struct finding *finding = findings_add_doubt(findings, true, FINDING_CONFIDENCE_HIGH);

    if (rows->count > 0) {
        targets_say(&finding->evidence, rows, context);
        say(&finding->evidence, invalid_rates_text);
    }
    if (impossible > 0)
        say(&finding->evidence, invalid_times_text, said_count(impossible));
}

/* Returns: the rows that together take enough time to matter; none otherwise. */
static struct targets find_invalid(const struct findings_context *context, double *fraction)
{
    struct targets rows = {0}, known = {0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!findings_judgement(context, i)->is_invalid)
            continue;
        targets_add(&rows, group, 0);
        if (!group_is_rough(group))
            targets_add(&known, group, 0);
    }
    *fraction = findings_fraction(context, rows.thread_ns);
    return findings_fraction(context, known.thread_ns) >= least_invalid ? known
                                                                        : (struct targets){0};
}

void rule_invalid(const struct findings_context *context, struct findings *findings)
{
    size_t impossible = count_impossible(context->session);
    double fraction;
    struct targets rows = find_invalid(context, &fraction);

    if (rows.count + impossible > 0)
        add_invalid(context, findings, &rows, impossible);
    else if (!context->judge.machine)
        findings_skip(findings, invalid_uncalibrated_text);
    else if (fraction > 0)
        findings_pass(findings, invalid_little_text, said_share(fraction));
    else
        findings_pass(findings, invalid_passed_text, said_count(context->groups.rows.count));
}

/* Reasons why the trace could not grow, and the remedies; 0: it could grow. */
static const struct cause {
    int number;
    const struct said *why, *remedy;
} causes[] = {
    {EACCES, &dropped_reopened_text, &dropped_user_text},
    {EPERM, &dropped_reopened_text, &dropped_user_text},
    {ENOENT, &dropped_reopened_text, &dropped_place_text},
    {EMFILE, &dropped_reopened_text, &dropped_files_text},
    {EFBIG, &dropped_file_size_text, &dropped_less_text},
    {ENOMEM, &dropped_memory_text, &dropped_less_text},
    {ENOSPC, &dropped_disk_text, &dropped_less_text},
    {0, &dropped_unwritable_text, &dropped_less_text},
};

static void say_cause(struct text *text, int number)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].number == number) {
            say(text, *causes[i].why);
            say(text, *causes[i].remedy);
            return;
        }
    say(text, dropped_refused_text);
}

/* Each kind of loss has its own remedy. */
static void say_remedies(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    const struct {
        uint64_t count;
        const struct said *remedy;
    } rows[] = {
        {losses->overwritten_records, &dropped_capacity_text},
        {session->heap.lost_samples, &dropped_samples_text},
        {losses->torn_chunks, &dropped_torn_text},
        {losses->bad_records, &dropped_bad_text},
        {losses->unmatched, &dropped_unmatched_text},
    };

    if (losses->lost_records > 0)
        say_cause(text, losses->failed_errno);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0)
            say(text, *rows[i].remedy);
}

static void say_effect(struct text *text, const struct session_losses *losses)
{
    bool is_cut = losses->lost_records > 0 || losses->overwritten_records > 0 ||
                  losses->torn_chunks > 0 || losses->bad_records > 0;

    if (losses->unmatched > 0)
        say(text, dropped_left_text);
    if (!is_cut && losses->unmatched > 0)
        return;
    if (losses->torn_chunks > 0) {
        say(text, dropped_readable_text);
        return;
    }
    say(text, losses->unmatched > 0 ? dropped_others_exact_text : dropped_exact_text);
    say(text, dropped_remaining_text);
}

void rule_dropped(const struct findings_context *context, struct findings *findings)
{
    const struct session_losses *losses = &context->session->losses;
    bool is_damaged = losses->lost_records > 0 || losses->torn_chunks > 0 ||
                      losses->bad_records > 0 || context->session->heap.lost_samples > 0;
    struct finding *finding;

    if (!is_damaged && losses->overwritten_records == 0 && losses->unmatched == 0) {
        findings_pass(findings, dropped_passed_text);
        return;
    }
    finding = findings_add_doubt(findings, is_damaged, FINDING_CONFIDENCE_HIGH);
    loss_words_append(&finding->evidence, context->session);
    say_effect(&finding->why, losses);
    say_remedies(&finding->action, context->session);
}

/* A part of the cost of recording, and how to reduce it. */
struct cost {
    double ns, each_ns; /* NAN: it has no number */
    const struct said *words, *action;
};

enum { COSTS = 4 };

static const struct cost *find_largest(const struct cost costs[COSTS])
{
    const struct cost *largest = costs;

    for (int i = 1; i < COSTS; i++)
        if (costs[i].ns > largest->ns)
            largest = &costs[i];
    return largest;
}

static const struct said *find_heap_action(const struct session *session)
{
    return session->heap.has_chains ? &overhead_chains_action_text : &overhead_heap_action_text;
}

/* A new page of the trace costs 0.7 to 4 us and a chain 10 to 60 ns.  So the slow part is due to
 * many records, or in a short trace to the start. */
static const struct said *find_slow_action(const struct session *session)
{
    const double page_ns = 1000, page_bytes = 4096;
    const double chain_ns = session->heap.has_chains ? 20 : 0;
    const struct session_overhead *overhead = &session->overhead;
    double pages_ns = (double)session->file_bytes / page_bytes * page_ns;
    double events = overhead->allocation_ns > 0 ? overhead->blocks_ns / overhead->allocation_ns : 0;

    if (pages_ns + events / 2 * chain_ns <= overhead->slow_ns / 2)
        return &overhead_start_action_text;
    return overhead->blocks_ns < overhead->kernels_ns ? &overhead_calls_action_text
                                                      : find_heap_action(session);
}

/* "Recording took about 54.9 ms: 44.1 ms for starting, ..., 10.8 ms for allocations and frees
 * (10.0 ns each)." */
static void say_costs(struct text *text, const struct session_overhead *overhead,
                      const struct cost costs[COSTS])
{
    const double least = 0.01; /* as a share of all */
    const char *separator = ": ";

    say(text, overhead_total_text, said_time((double)overhead->total_ns));
    for (int i = 0; i < COSTS; i++) {
        if (!(costs[i].ns >= least * (double)overhead->total_ns) || !(costs[i].ns > 0))
            continue;
        text_append(text, separator);
        say_part(text, *costs[i].words, said_time(costs[i].ns));
        if (!isnan(costs[i].each_ns))
            say(text, overhead_each_text, said_time(costs[i].each_ns));
        separator = ", ";
    }
    text_append(text, ".");
}

static void add_overhead(const struct findings_context *context, struct findings *findings)
{
    const struct session_overhead *overhead = &context->session->overhead;
    const struct cost costs[COSTS] = {
        {overhead->blocks_ns, overhead->allocation_ns, &overhead_heap_text,
         find_heap_action(context->session)},
        {overhead->kernels_ns, overhead->kernel_ns, &overhead_calls_text,
         &overhead_calls_action_text},
        {overhead->regions_ns, overhead->region_ns, &overhead_regions_text,
         &overhead_regions_action_text},
        {overhead->slow_ns, (double)NAN, &overhead_start_text, find_slow_action(context->session)}};
    struct finding *finding =
        findings_add_doubt(findings, overhead->fraction > high_overhead, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->title, overhead_title_text, said_share(overhead->fraction));
    say_costs(&finding->evidence, overhead, costs);
    say(&finding->action, *find_largest(costs)->action);
}

void rule_overhead(const struct findings_context *context, struct findings *findings)
{
    double fraction = context->session->overhead.fraction;

    if (!isfinite(fraction))
        findings_skip(findings, overhead_unknown_text);
    else if (fraction <= some_overhead)
        findings_pass(findings, overhead_passed_text, said_share(fraction));
    else
        add_overhead(context, findings);
}
