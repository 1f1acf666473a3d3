/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a recording: whether its figures can carry conclusions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/loss_words.h"
#include "base/units.h"
#include "kernels/groups.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/checks.h"
#include "screen/texts.h"

enum { ENOUGH_CALLS = 30 };

static const double worth_looking = 0.01;  /* share of kernel time: smaller rows say little */
static const double short_call_ns = 10000; /* XProf, pyperf */
static const double many_short = 0.15;     /* share of kernel time */
static const double short_run_ns = 1e9;
static const double much_overhead = 0.05; /* share of thread time */
static const double busy_load = 0.5;      /* load for each processor */

/* Sums over the rows of kernels. */
struct kernels {
    size_t rows;        /* worth looking at */
    size_t few;         /* kernels with fewer calls than a mean needs */
    size_t warmup_only; /* kernels whose calls were all left out as warm-up */
    uint64_t least_calls;
    const struct group *least; /* the row that has them */
    double short_fraction;     /* share of kernel time */
};

static struct kernels look_at(const struct groups *groups, unsigned warmup)
{
    struct kernels kernels = {.least_calls = UINT64_MAX};
    double all_ns = (double)groups->self_ns, short_ns = 0;

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (group->calls == 0 || (double)group->self_ns < worth_looking * all_ns)
            continue;
        kernels.rows++;
        kernels.few += group->calls < ENOUGH_CALLS + warmup;
        kernels.warmup_only += group->calls <= warmup;
        if ((double)group->total_ns / (double)group->calls < short_call_ns)
            short_ns += (double)group->self_ns;
        if (group->calls < kernels.least_calls) {
            kernels.least_calls = group->calls;
            kernels.least = group;
        }
    }
    kernels.short_fraction = all_ns > 0 ? short_ns / all_ns : 0;
    return kernels;
}

static void check_calls(struct checks *checks, const struct kernels *kernels)
{
    if (kernels->few == 0)
        checks_report(checks, CHECK_CALLS, CHECK_OK, checks_calls_text, said_count(kernels->rows),
                      said_count(kernels->least_calls));
    else
        checks_report(checks, CHECK_CALLS, CHECK_WARN, checks_calls_few_text,
                      said_count(kernels->few), said_count(kernels->rows),
                      said_words(group_name(kernels->least)), said_words(kernels->least->shape),
                      said_count(kernels->least_calls));
}

static void check_warmup(struct checks *checks, const struct kernels *kernels, unsigned warmup)
{
    if (kernels->warmup_only == 0)
        checks_report(checks, CHECK_WARMUP, CHECK_OK, checks_warmup_text, said_count(warmup));
    else
        checks_report(checks, CHECK_WARMUP, CHECK_WARN, checks_warmup_only_text,
                      said_count(kernels->warmup_only), said_count(kernels->rows),
                      said_count(warmup));
}

static void check_sizes(struct checks *checks, const struct kernels *kernels)
{
    checks_report(checks, CHECK_SIZES,
                  kernels->short_fraction >= many_short ? CHECK_WARN : CHECK_OK, checks_sizes_text,
                  said_share(kernels->short_fraction));
}

static void check_kernels(struct checks *checks, const struct session *session,
                          const struct analysis_options *options)
{
    struct groups groups;
    struct kernels kernels;

    groups_init(&groups, session, options);
    if (groups.calls == 0) {
        checks_report(checks, CHECK_KERNELS, CHECK_WARN, checks_kernels_none_text);
    } else {
        kernels = look_at(&groups, options->warmup);
        checks_report(checks, CHECK_KERNELS, CHECK_OK, checks_kernels_text,
                      said_count(groups.calls));
        check_calls(checks, &kernels);
        check_warmup(checks, &kernels, options->warmup);
        check_sizes(checks, &kernels);
    }
}

static const char *condition(const struct session *session, enum trace_condition_id id)
{
    return session->process.conditions[id] ? session->process.conditions[id] : "";
}

static bool was_busy(const struct session *session)
{
    double load;

    if (sscanf(condition(session, TRACE_CONDITION_LOAD), "%lf", &load) != 1 ||
        session->process.cpu_count == SESSION_UNKNOWN)
        return false;
    return load > busy_load * (double)session->process.cpu_count;
}

/* Start an item of a list. */
static struct text *next_item(struct text *list)
{
    text_append(list, list->size > 0 ? ", " : "");
    return list;
}

static void append_disturbances(struct text *found, const struct session *session)
{
    const struct session_counter *throttles = &session->counters[TRACE_COUNTER_THROTTLES];
    const char *governor = condition(session, TRACE_CONDITION_GOVERNOR);

    if (governor[0] && strcmp(governor, "performance") != 0)
        say_part(next_item(found), checks_governor_text, said_words(governor));
    if (was_busy(session))
        say_part(next_item(found), checks_load_text,
                 said_words(condition(session, TRACE_CONDITION_LOAD)));
    if (throttles->is_known && throttles->value > 0)
        say_part(next_item(found), checks_heat_text,
                 said_count((uint64_t)llround(throttles->value)));
}

static void check_conditions(struct checks *checks, const struct session *session)
{
    bool is_known = false;
    struct text found;

    text_init(&found);
    append_disturbances(&found, session);
    for (int i = 0; i < TRACE_CONDITIONS; i++)
        is_known |= session->process.conditions[i] != NULL;
    if (!is_known)
        checks_report(checks, CHECK_CONDITIONS, CHECK_UNKNOWN, checks_conditions_unknown_text);
    else if (found.size == 0)
        checks_report(checks, CHECK_CONDITIONS, CHECK_OK, checks_conditions_none_text);
    else
        checks_report(checks, CHECK_CONDITIONS, CHECK_WARN, said_words(found.bytes));
}

static void check_duration(struct checks *checks, const struct session *session)
{
    double wall_ns = (double)session->process.wall_ns;
    char time[UNITS_SIZE];

    checks_report(checks, CHECK_DURATION, wall_ns < short_run_ns ? CHECK_WARN : CHECK_OK,
                  said_words(units_format_time(time, wall_ns)));
}

static bool has_region(const struct session *session, const char *const *words)
{
    for (size_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);

        for (size_t j = 0; words[j]; j++)
            if (region->label && strcasestr(region->label, words[j]))
                return true;
    }
    return false;
}

static void check_phases(struct checks *checks, const struct session *session)
{
    static const char *const training[] = {"train", "backward", "optimizer", NULL};
    static const char *const inference[] = {"infer", "eval", "predict", "valid", "test", NULL};
    bool trains = has_region(session, training), infers = has_region(session, inference);

    if (trains && infers)
        checks_report(checks, CHECK_PHASES, CHECK_OK, checks_phases_text);
    else if (trains || infers)
        checks_report(checks, CHECK_PHASES, CHECK_WARN, checks_phase_text,
                      said_words(trains ? "training" : "inference"));
    else
        checks_report(checks, CHECK_PHASES, CHECK_UNKNOWN, checks_phases_unknown_text);
}

static void check_allocator(struct checks *checks, const struct session *session)
{
    const struct session_process *process = &session->process;

    if (process->malloc_owner)
        checks_report(checks, CHECK_ALLOCATOR, CHECK_WARN, checks_allocator_text,
                      said_words(process->malloc_owner));
    else
        checks_report(
            checks, CHECK_ALLOCATOR, CHECK_OK,
            said_words(process->allocator ? process->allocator : "the C library's malloc"));
}

static void check_losses(struct checks *checks, const struct session *session)
{
    struct text words;

    text_init(&words);
    if (loss_words_are_due(session))
        loss_words_append(&words, session);
    else
        text_append(&words, "none");
    checks_report(checks, CHECK_LOSSES, loss_words_are_due(session) ? CHECK_WARN : CHECK_OK,
                  said_words(words.bytes));
}

static void check_overhead(struct checks *checks, const struct session *session)
{
    double fraction = session->overhead.fraction;

    checks_report(checks, CHECK_OVERHEAD,
                  isnan(fraction)            ? CHECK_UNKNOWN
                  : fraction > much_overhead ? CHECK_WARN
                                             : CHECK_OK,
                  checks_overhead_text, said_share(fraction));
}

void checks_of_trace(struct checks *checks, const struct session *session,
                     const struct analysis_options *options)
{
    check_conditions(checks, session);
    check_duration(checks, session);
    check_kernels(checks, session, options);
    check_phases(checks, session);
    check_allocator(checks, session);
    check_losses(checks, session);
    check_overhead(checks, session);
}
