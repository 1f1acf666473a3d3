/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a recording: whether its figures can carry conclusions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "figures/groups.h"
#include "figures/loss_words.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/checks.h"

enum { ENOUGH_CALLS = 30 };

static const double worth_looking = 0.01;  /* of kernel time: rows below tell little */
static const double short_call_ns = 10000; /* XProf, pyperf */
static const double many_short = 0.15;     /* of kernel time */
static const double short_run_ns = 1e9;
static const double much_overhead = 0.05; /* of thread time */
static const double busy_load = 0.5;      /* for each processor */

/* What the rows of the kernels tell together. */
struct kernels {
    size_t rows;        /* worth looking at */
    size_t few;         /* of these, with fewer calls than a mean needs */
    size_t warmup_only; /* of these, whose calls were all left out as warm-up */
    uint64_t least_calls;
    const struct group *least; /* the row that has them */
    double short_fraction;     /* of kernel time */
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
        checks_say(checks, CHECK_CALLS, CHECK_OK,
                   "at least %llu call%s of each of the %zu %s of 1 %% of kernel "
                   "time or more",
                   (unsigned long long)kernels->least_calls,
                   units_choose(kernels->least_calls, "", "s"), kernels->rows,
                   units_choose(kernels->rows, "kernel and shape", "kernels and shapes"));
    else
        checks_say(checks, CHECK_CALLS, CHECK_WARN,
                   "%zu of %zu %s of 1 %% of kernel time or more %s too few "
                   "calls: %s %.60s has %llu with its warm-up",
                   kernels->few, kernels->rows,
                   units_choose(kernels->rows, "kernel and shape", "kernels and shapes"),
                   units_choose(kernels->few, "has", "have"), group_name(kernels->least),
                   kernels->least->shape, (unsigned long long)kernels->least_calls);
}

static void check_warmup(struct checks *checks, const struct kernels *kernels, unsigned warmup)
{
    if (kernels->warmup_only == 0)
        checks_say(checks, CHECK_WARMUP, CHECK_OK, "each was called more than %u time%s", warmup,
                   units_choose(warmup, "", "s"));
    else
        checks_say(checks, CHECK_WARMUP, CHECK_WARN,
                   "%zu of %zu %s %s called %u time%s or less, so that all of "
                   "these calls are warm-up",
                   kernels->warmup_only, kernels->rows,
                   units_choose(kernels->rows, "kernel and shape", "kernels and shapes"),
                   units_choose(kernels->warmup_only, "was", "were"), warmup,
                   units_choose(warmup, "", "s"));
}

static void check_sizes(struct checks *checks, const struct kernels *kernels)
{
    char share[UNITS_SIZE];

    checks_say(checks, CHECK_SIZES, kernels->short_fraction >= many_short ? CHECK_WARN : CHECK_OK,
               "%s of kernel time is in calls of less than 10 us",
               units_format_percent(share, kernels->short_fraction));
}

static void check_kernels(struct checks *checks, const struct session *session,
                          const struct analysis_options *options)
{
    struct groups groups;
    struct kernels kernels;
    char count[UNITS_SIZE];

    if (groups_init(&groups, session, options)) {
        checks->status = STATUS_OUT_OF_MEMORY;
    } else if (groups.calls == 0) {
        checks_say(checks, CHECK_KERNELS, CHECK_WARN, "no call of a kernel was recorded");
    } else {
        kernels = look_at(&groups, options->warmup);
        checks_say(checks, CHECK_KERNELS, CHECK_OK, "%s call%s",
                   units_format_count(count, (int64_t)groups.calls),
                   units_choose(groups.calls, "", "s"));
        check_calls(checks, &kernels);
        check_warmup(checks, &kernels, options->warmup);
        check_sizes(checks, &kernels);
    }
    groups_fini(&groups);
}

/* ---- the rest -------------------------------------------------------------------- */

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

static void check_conditions(struct checks *checks, const struct session *session)
{
    const struct session_counter *throttles = &session->counters[TRACE_COUNTER_THROTTLES];
    const char *governor = condition(session, TRACE_CONDITION_GOVERNOR);
    bool is_known = false;
    struct text found;

    text_init(&found);
    for (int i = 0; i < TRACE_CONDITIONS; i++)
        is_known |= session->process.conditions[i] != NULL;
    if (governor[0] && strcmp(governor, "performance") != 0)
        text_appendf(&found, "%sthe governor was %s", found.size ? ", " : "", governor);
    if (was_busy(session))
        text_appendf(&found, "%sthe load was %s before it started", found.size ? ", " : "",
                     condition(session, TRACE_CONDITION_LOAD));
    if (throttles->is_known && throttles->value > 0)
        text_appendf(&found, "%sheat slowed processors down %.0f times", found.size ? ", " : "",
                     throttles->value);
    if (!is_known)
        checks_say(checks, CHECK_CONDITIONS, CHECK_UNKNOWN,
                   "tprof run notes them, and it did not start this process");
    else
        checks_say(checks, CHECK_CONDITIONS, found.size ? CHECK_WARN : CHECK_OK, "%s",
                   found.size ? found.bytes : "nothing that is known disturbed it");
    text_fini(&found);
}

static void check_duration(struct checks *checks, const struct session *session)
{
    double wall_ns = (double)session->process.wall_ns;
    char time[UNITS_SIZE];

    checks_say(checks, CHECK_DURATION, wall_ns < short_run_ns ? CHECK_WARN : CHECK_OK, "%s",
               units_format_time(time, wall_ns));
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
        checks_say(checks, CHECK_PHASES, CHECK_OK, "regions of both were recorded");
    else if (trains || infers)
        checks_say(checks, CHECK_PHASES, CHECK_WARN, "only regions of %s were recorded",
                   trains ? "training" : "inference");
    else
        checks_say(checks, CHECK_PHASES, CHECK_UNKNOWN,
                   "no region has the name of either (tprof_region_begin names them)");
}

static void check_allocator(struct checks *checks, const struct session *session)
{
    const struct session_process *process = &session->process;

    if (process->malloc_owner)
        checks_say(checks, CHECK_ALLOCATOR, CHECK_WARN,
                   "%.200s takes malloc for itself: what is allocated there was not recorded",
                   process->malloc_owner);
    else
        checks_say(checks, CHECK_ALLOCATOR, CHECK_OK, "%.200s",
                   process->allocator ? process->allocator : "that of the C library");
}

static void check_losses(struct checks *checks, const struct session *session)
{
    struct text words;

    text_init(&words);
    if (loss_words_are_due(session))
        loss_words_append(&words, session);
    else
        text_append(&words, "none");
    checks_say(checks, CHECK_LOSSES, loss_words_are_due(session) ? CHECK_WARN : CHECK_OK, "%s",
               words.bytes);
    text_fini(&words);
}

static void check_overhead(struct checks *checks, const struct session *session)
{
    double fraction = session->overhead.fraction;
    char share[UNITS_SIZE];

    checks_say(checks, CHECK_OVERHEAD,
               isnan(fraction)            ? CHECK_UNKNOWN
               : fraction > much_overhead ? CHECK_WARN
                                          : CHECK_OK,
               "%s of thread time, estimated", units_format_percent(share, fraction));
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
