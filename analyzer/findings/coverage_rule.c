/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether tprof sees the kernels that take the time: COVERAGE.
 */
#include <math.h>
#include <string.h>

#include "findings/targets.h"
#include "findings/texts.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* Shares of the processor time; smaller ones of workers are not mentioned. */
static const double least_coverage = 0.2, least_workers = 0.01;

/* A share of kernel time. */
static const double most_unknown = 0.1;

/* A program computes if it uses a processor for this part of its wall time, and long enough to be
 * worth a line. */
static const double least_computing = 0.2;
static const double least_of_kernels = 0.01; /* kernels count from this share of the processor time
                                                on */
enum { LEAST_COMPUTING_NS = 100000000 };

/* If all slots could be hooked, a library that is called only through slots was not called. */
static bool is_seen(const struct coverage *coverage, const struct coverage_library *library)
{
    return library->calls > 0 ||
           (library->is_entered && library->exported > 0 && coverage->missed == 0);
}

static bool is_unseen(const struct coverage *coverage, const struct coverage_library *library)
{
    return library->kind && !is_seen(coverage, library);
}

/* The first library that computes unseen.  `is_caller`: one that calls other libraries, so that
 * few kernels of its own are expected. */
static const struct coverage_library *find_unseen(const struct coverage *coverage, bool is_caller)
{
    for (size_t i = 0; i < coverage->libraries.count; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);

        if (is_unseen(coverage, library) && library->is_caller == is_caller)
            return library;
    }
    return NULL;
}

/* A library of arrays may call a dot product when it is loaded, as numpy does. */
static bool has_kernels(const struct findings_context *context, const struct coverage *coverage)
{
    double most = coverage_share(coverage).most;

    return context->groups.calls > 0 && (isnan(most) || most >= least_of_kernels);
}

static bool has_same_hint(const struct coverage_library *a, const struct coverage_library *b)
{
    return strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->hint ? a->hint : "", b->hint ? b->hint : "") == 0;
}

static void say_library(struct text *text, const struct said *row, const char *names,
                        const struct coverage_library *library)
{
    say(text, *row, said_words(names), said_words(library->kind));
    if (library->hint && library->hint[0])
        say(text, coverage_hint_text, said_words(library->hint));
}

/* Several libraries might be the computing one: numpy loads one for transforms that few programs
 * use.  Neighbours share the same hint. */
static void say_silent(struct text *text, const struct coverage *coverage)
{
    const struct coverage_library *last = NULL;
    struct text names;

    text_init(&names);
    for (size_t i = 0; i < coverage->libraries.count; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);

        if (!is_unseen(coverage, library) || library->is_caller)
            continue;
        if (last && !has_same_hint(last, library)) {
            say_library(text, &coverage_unseen_text, names.bytes, last);
            text_clear(&names);
        }
        text_append(&names, names.size > 0 ? ", " : "");
        text_append(&names, library->name);
        last = library;
    }
    if (last)
        say_library(text, &coverage_unseen_text, names.bytes, last);
}

static void say_unseen(struct text *text, const struct coverage *coverage)
{
    const struct coverage_library *caller = find_unseen(coverage, true);

    say_silent(text, coverage);
    if (caller)
        say_library(text, &coverage_caller_text, caller->name, caller);
}

/* The program computes without a known library, perhaps in loops of its own. */
static bool computes_itself(const struct findings_context *context, const struct coverage *coverage)
{
    return !has_kernels(context, coverage) && !find_unseen(coverage, false) &&
           coverage->cpu_ns != SESSION_UNKNOWN && coverage->cpu_ns >= LEAST_COMPUTING_NS &&
           (double)coverage->cpu_ns >= least_computing * context->wall.ns;
}

/* A program that computes little, or in its own code, has no kernels to see.  A program that loaded
 * such a library, and seems to call nothing in it, is not observed correctly. */
static bool is_blind(const struct findings_context *context, const struct coverage *coverage)
{
    return context->groups.calls == 0 && find_unseen(coverage, false);
}

/* The user's setting for the threads of the library goes before the number of processors. */
static double most_with_workers(const struct findings_context *context,
                                const struct coverage *coverage)
{
    const struct judge *judge = &context->judge;
    bool is_set = judge->threads_from != JUDGE_FROM_TIME;

    return coverage_most_with_workers(coverage, is_set ? judge->threads : 0);
}

/* Waiting makes the share a bound, and workers of a library may have computed a part. */
static void say_share(struct text *text, const struct findings_context *context,
                      const struct coverage *coverage)
{
    double share = coverage_share(coverage).most, most = most_with_workers(context, coverage);

    if (coverage->cpu_ns != SESSION_UNKNOWN)
        say(text,
            isnan(coverage_fraction(coverage)) ? coverage_share_at_most_text : coverage_share_text,
            said_share(share), said_time((double)coverage->cpu_ns));
    if (most - share >= least_workers)
        say(text, coverage_workers_text, said_share(most));
}

static void add_coverage(const struct findings_context *context, struct findings *findings,
                         const struct coverage *coverage)
{
    struct finding *finding =
        findings_add_doubt(findings, is_blind(context, coverage), FINDING_CONFIDENCE_MEDIUM);
    bool is_uncalled = context->groups.calls == 0;

    finding_advise(finding, "coverage_seen");
    if (computes_itself(context, coverage)) {
        say(&finding->title, is_uncalled ? coverage_own_text : coverage_own_kernels_text,
            said_time((double)coverage->cpu_ns));
        say(&finding->action, coverage_own_action_text);
    } else {
        say(&finding->title, is_uncalled ? coverage_uncalled_text : coverage_little_text);
        say(&finding->action, coverage_action_text);
    }
    say_share(&finding->evidence, context, coverage);
    say_unseen(&finding->evidence, coverage);
}

/* Append the kernels without known FLOPs that take most. */
static void append_unknown_names(struct text *text, const struct findings_context *context)
{
    size_t named = 0;

    for (size_t i = 0; i < context->groups.rows.count && named < TARGETS_NAMED; i++) {
        const struct group *group = findings_group(context, i);

        if (!isnan(findings_slot(context, group)->flops_each))
            continue;
        text_append(text, named++ ? ", " : ": ");
        findings_append_name(text, group);
    }
}

static void add_unknown(const struct findings_context *context, struct findings *findings,
                        double fraction)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    finding_advise(finding, "coverage_flops");
    say(&finding->evidence, coverage_unknown_text, said_share(fraction),
        said_time((double)context->groups.self_ns));
    append_unknown_names(&finding->evidence, context);
    text_append(&finding->evidence, ".");
}

static void judge_coverage(const struct findings_context *context, struct findings *findings,
                           const struct coverage *coverage)
{
    double fraction = most_with_workers(context, coverage);
    double unknown = (double)context->groups.work.unknown_ns / (double)context->groups.self_ns;
    struct text *passed;

    if (isnan(fraction)) {
        findings_skip(findings, coverage_skipped_text);
        return;
    }
    if (fraction < least_coverage)
        add_coverage(context, findings, coverage);
    if (unknown > most_unknown)
        add_unknown(context, findings, unknown);
    if (fraction < least_coverage || unknown > most_unknown)
        return;
    passed = findings_pass(findings, coverage_passed_text, said_share(unknown));
    say_share(passed, context, coverage);
}

/* If a program seems to compute by itself, its files are searched, too, which takes a moment: an
 * engine may be linked into any file. */
static void find_coverage(const struct findings_context *context, struct coverage *coverage)
{
    coverage_init(coverage, context->session, false);

    if (!computes_itself(context, coverage))
        return;
    coverage_init(coverage, context->session, true);
}

void rule_coverage(const struct findings_context *context, struct findings *findings)
{
    struct coverage coverage;

    find_coverage(context, &coverage);
    judge_coverage(context, findings, &coverage);
}
