/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the calls of a kernel take one time: WARMUP, BIMODAL and NOISE.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "figures/group_samples.h"
#include "findings/targets.h"
#include "findings/thinned.h"
#include "model/session.h"
#include "model/session_process.h"
#include "spec/trace.h"
#include "statistics/modes.h"

enum { LEAST_CALLS = 10 };

/* Rows below have no say. */
static const double least_fraction = 0.01, grave_fraction = 0.1;

/* pyperf's and Google Benchmark's: a tenth of the mean. */
static const double noisy = 0.1;

static const double clock_steps = 2;

static const double far_outside = 3; /* Tukey's outer fence, in quartile distances */

/* A row that takes a share of the time, and has calls enough. */
static bool counts(const struct findings_context *context, const struct group *group,
                   double fraction)
{
    return !findings_lost_name(group) && group->sample_calls >= LEAST_CALLS &&
           findings_fraction(context, (double)group->self_ns) >= fraction;
}

/* ---- the first calls ------------------------------------------------------------------ */

struct warmth {
    struct targets rows;
    double first_ns; /* of the row that loses most */
    double later_ns;
    double most_ns;
    size_t before; /* calls before the slowest series was steady */
};

/* Where one later call in twenty is as long, such as on a machine that others use
 * too, the first being long is no sign of a warm-up. */
static bool is_usual(const struct thinned *thinned, double duration_ns)
{
    const double usual = 0.05;
    size_t as_long = 0;

    for (size_t i = 0; i < thinned->count; i++)
        as_long += (double)thinned->values[i] >= duration_ns;
    return (double)as_long >= usual * (double)thinned->count;
}

/* What calls took longer than later ones before their series was steady. */
static double find_extra(struct warmth *warmth, const struct group_series *series,
                         const struct thinned *thinned)
{
    const struct summary *summary = &thinned->summary;
    double fence =
        summary->upper_quartile + far_outside * (summary->upper_quartile - summary->lower_quartile);
    struct steadiness steadiness = steadiness_of(series->durations_ns, series->count);
    bool is_known =
        steadiness.from == STEADINESS_BY_EVENNESS || steadiness.from == STEADINESS_BY_CHANGE;
    size_t before = is_known && steadiness.before > 0 ? steadiness.before : 1;
    double first_ns = (double)group_series_at(series, 0), extra_ns = 0;

    if (!series->is_whole || first_ns <= fence || is_usual(thinned, first_ns))
        return 0;
    for (size_t i = 0; i < before; i++)
        extra_ns += fmax(0, (double)group_series_at(series, i) - thinned_median(thinned));
    warmth->before = before > warmth->before ? before : warmth->before;
    if (extra_ns > warmth->most_ns) {
        warmth->most_ns = extra_ns;
        warmth->first_ns = first_ns;
        warmth->later_ns = thinned_median(thinned);
    }
    return extra_ns;
}

static enum status add_warmth(struct warmth *warmth, const struct findings_context *context,
                              const struct group *group)
{
    struct thinned thinned;
    double extra_ns = 0;

    if (thinned_init(&thinned, group, context->options.confidence))
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < group->series.count; i++)
        extra_ns += find_extra(warmth, array_at(&group->series, i), &thinned);
    if (extra_ns > 0)
        targets_add(&warmth->rows, group, extra_ns);
    thinned_fini(&thinned);
    return STATUS_OK;
}

/* A call that was put aside seems long: a first one, or one of a slow sort. */
static double confidence_in(const struct findings_context *context, double confidence)
{
    return findings_is_disturbed(context) ? FINDING_CONFIDENCE_LIMIT : confidence;
}

static void say_warmth(const struct findings_context *context, struct findings *findings,
                       const struct warmth *warmth)
{
    struct finding_claim claim = {findings_wall_ns(context, warmth->rows.saved_ns),
                                  findings_wall_ns(context, warmth->rows.saved_ns),
                                  confidence_in(context, FINDING_CONFIDENCE_MEDIUM)};
    struct finding *finding = findings_add(findings, &claim);
    char first[UNITS_SIZE], later[UNITS_SIZE];

    text_append(&finding->title, "first calls take longer than those that follow");
    text_appendf(&finding->evidence, "%s at first, %s later, where most is lost; in ",
                 units_format_time(first, warmth->first_ns),
                 units_format_time(later, warmth->later_ns));
    targets_append(&finding->evidence, &warmth->rows, context);
    if (warmth->before > context->options.warmup)
        text_appendf(&finding->evidence,
                     "; statistics leave out %u call%s and times are steady after %zu",
                     context->options.warmup, units_choose(context->options.warmup, "", "s"),
                     warmth->before);
    text_append(&finding->why, "the first call of a shape touches new memory, makes code and "
                               "threads, and fills caches");
    text_append(&finding->action, "tprof timing tells what calls take after the first ones");
    if (warmth->before > context->options.warmup)
        text_appendf(&finding->action, "; leave these out of statistics: --warmup %zu",
                     warmth->before);
    text_append(&finding->refute, "in a longer run it weighs less");
    if (findings_is_disturbed(context))
        text_append(&finding->refute, "; other programs had the processors for a part of the time, "
                                      "and a first call may have waited for one");
    text_append(&finding->see, "tprof timing");
}

void rule_warmup(const struct findings_context *context, struct findings *findings)
{
    struct warmth warmth = {.before = 0};
    size_t looked = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!counts(context, group, least_fraction))
            continue;
        looked++;
        if (add_warmth(&warmth, context, group))
            findings->status = STATUS_OUT_OF_MEMORY;
    }
    if (looked == 0)
        findings_skip(findings,
                      "no kernel with 1 %% of the wall time has %d calls that were timed "
                      "after the first %u",
                      LEAST_CALLS, context->options.warmup);
    else if (warmth.rows.count > 0)
        say_warmth(context, findings, &warmth);
    else
        findings_pass(findings, "no first call of %zu %s stands out of the others", looked,
                      units_choose(looked, "kernel and shape", "kernels and shapes"));
}

/* ---- two sorts of calls ---------------------------------------------------------------- */

static void say_modes(const struct findings_context *context, struct findings *findings,
                      const struct group *group, const struct modes *modes)
{
    double extra_ns = modes->mode[1].share * (modes->mode[1].median - modes->mode[0].median);
    struct finding_claim claim = {findings_wall_ns(context, (double)group->self_ns),
                                  findings_wall_ns(context, extra_ns * (double)group->calls),
                                  confidence_in(context, FINDING_CONFIDENCE_LOW)};
    struct finding *finding = findings_add(findings, &claim);
    char low[UNITS_SIZE], high[UNITS_SIZE], fast[UNITS_SIZE], slow[UNITS_SIZE];

    text_append(&finding->title, "calls of ");
    findings_append_name(&finding->title, group);
    text_append(&finding->title, " come in two sorts");
    text_appendf(&finding->evidence,
                 "%s of them about %s, %s about %s, %.1f pooled MADs apart, in %llu calls",
                 units_format_percent(fast, modes->mode[0].share),
                 units_format_time(low, modes->mode[0].median),
                 units_format_percent(slow, modes->mode[1].share),
                 units_format_time(high, modes->mode[1].median), modes->separation,
                 (unsigned long long)group->sample_calls);
    text_append(&finding->why, "one kernel of one shape should take one time: the slow ones differ "
                               "in where their data or threads are, or in the clock");
    text_append(&finding->action, "tprof timing --by thread and --by site tell which calls are "
                                  "slow; threads that move (OMP_PROC_BIND=close, taskset), memory "
                                  "that is far (numactl --localalloc) and a frequency that changes "
                                  "are what else to try");
    text_append(&finding->refute, "operands in and out of cache differ as well, and may have to");
    if (findings_is_disturbed(context))
        text_append(&finding->refute, "; other programs had the processors for a part of the time, "
                                      "which alone makes two sorts of calls");
    text_append(&finding->see, "tprof timing --by thread, tprof timing --by site");
}

static enum status look_for_modes(const struct findings_context *context, struct findings *findings,
                                  const struct group *group, size_t *found)
{
    double resolution_ns = context->session->overhead.resolution_ns;
    struct thinned thinned;
    struct modes modes;
    enum status status = thinned_init(&thinned, group, context->options.confidence);

    if (status)
        return status;
    status = modes_find(&modes,
                        &(struct summary_sample){.values = thinned.values, .count = thinned.count},
                        &thinned.summary, (uint64_t)fmax(1, ceil(4 * resolution_ns)));
    if (!status && modes.count == 2) {
        say_modes(context, findings, group, &modes);
        (*found)++;
    }
    thinned_fini(&thinned);
    return status;
}

void rule_bimodal(const struct findings_context *context, struct findings *findings)
{
    size_t looked = 0, found = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!counts(context, group, grave_fraction) || group->sample_calls < MODES_LEAST_COUNT)
            continue;
        looked++;
        if (look_for_modes(context, findings, group, &found))
            findings->status = STATUS_OUT_OF_MEMORY;
    }
    if (looked == 0)
        findings_skip(findings,
                      "no kernel with 10 %% of the wall time has %d calls that were timed",
                      MODES_LEAST_COUNT);
    else if (found == 0)
        findings_pass(findings, "the calls of %zu %s have one time each", looked,
                      units_choose(looked, "kernel and shape", "kernels and shapes"));
}

/* ---- noise -------------------------------------------------------------------------------- */

struct noise {
    struct targets rows;
    double worst; /* deviation by mean */
    struct summary of_worst;
    size_t looked;
};

static enum status add_noise(struct noise *noise, const struct findings_context *context,
                             const struct group *group)
{
    struct thinned thinned;
    double variation;

    if (thinned_init(&thinned, group, context->options.confidence))
        return STATUS_OUT_OF_MEMORY;
    variation = thinned.summary.sd / thinned.summary.mean;
    noise->looked++;
    /* Steps of the clock are no noise. */
    if (variation >= noisy &&
        thinned.summary.sd > clock_steps * context->session->overhead.resolution_ns)
        targets_add(&noise->rows, group, 0);
    if (variation > noise->worst) {
        noise->worst = variation;
        noise->of_worst = thinned.summary;
    }
    thinned_fini(&thinned);
    return STATUS_OK;
}

static const char *slow_governor(const struct session *session)
{
    const char *governor = session->process.conditions[TRACE_CONDITION_GOVERNOR];

    return governor && strcmp(governor, "performance") != 0 ? governor : NULL;
}

static double count_throttles(const struct session *session)
{
    const struct session_counter *counter = &session->counters[TRACE_COUNTER_THROTTLES];

    return counter->is_known ? counter->value : 0;
}

static void append_shared(struct text *text, const struct findings_context *context)
{
    char share[UNITS_SIZE];

    text_appendf(text, "other programs took %s of the processor time that this run needed",
                 units_format_percent(share, 1 - context->wall.processor));
}

static void append_throttles(struct text *text, const struct session *session)
{
    text_appendf(text, "processors were slowed down %.0f times because they were hot",
                 count_throttles(session));
}

static void append_governor(struct text *text, const struct session *session)
{
    text_appendf(text, "the frequency governor is %s", slow_governor(session));
}

static struct text *next_part(struct text *text)
{
    text_append(text, text->size > 0 ? "; " : "");
    return text;
}

static void append_machine(struct text *text, const struct findings_context *context)
{
    if (findings_is_disturbed(context))
        append_shared(next_part(text), context);
    if (slow_governor(context->session))
        append_governor(next_part(text), context->session);
    if (count_throttles(context->session) > 0)
        append_throttles(next_part(text), context->session);
}

static void append_variation(struct text *text, const struct noise *noise,
                             const struct findings_context *context)
{
    const struct summary *of = &noise->of_worst;
    char share[UNITS_SIZE], mean[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE], least[UNITS_SIZE],
        most[UNITS_SIZE];

    text_append(text, "deviations of 10 % of the mean and more: ");
    targets_append(text, &noise->rows, context);
    text_appendf(
        text, "; at worst %s of a mean of %s (%g %% interval %s to %s), from %s to %s, n = %zu",
        units_format_percent(share, noise->worst), units_format_time(mean, of->mean),
        100 * context->options.confidence, units_format_time(low, of->mean_interval.low),
        units_format_time(high, of->mean_interval.high), units_format_time(least, of->minimum),
        units_format_time(most, of->maximum), of->count);
}

/* The worst of it. */
static void append_noise_title(struct text *text, const struct noise *noise,
                               const struct findings_context *context)
{
    if (findings_is_disturbed(context))
        append_shared(text, context);
    else if (count_throttles(context->session) > 0)
        append_throttles(text, context->session);
    else if (noise->rows.count > 0)
        text_append(text, "calls of one kernel and shape differ by 10 % of their mean and more");
    else
        append_governor(text, context->session);
}

static void say_noise(const struct findings_context *context, struct findings *findings,
                      const struct noise *noise)
{
    bool is_grave = findings_is_disturbed(context) || count_throttles(context->session) > 0;
    struct finding *finding = findings_add_doubt(findings, is_grave, FINDING_CONFIDENCE_HIGH);

    append_noise_title(&finding->title, noise, context);
    if (noise->rows.count > 0)
        append_variation(&finding->evidence, noise, context);
    append_machine(&finding->evidence, context);
    text_append(&finding->why, "other work, frequencies and caches change times without any change "
                               "of the program");
    text_append(&finding->action, "measure on a quiet machine, with the performance governor and "
                                  "pinned threads; compare medians of several runs in turn (tprof "
                                  "bench)");
    if (findings_is_disturbed(context) && context->judge.threads > 1)
        text_append(&finding->action,
                    "; where others have the processors, the threads of a library wait for the "
                    "one that has none: try OPENBLAS_NUM_THREADS=1 (OMP_NUM_THREADS, "
                    "MKL_NUM_THREADS)");
    text_append(&finding->see, "tprof timing, tprof info");
    finding_add_number(findings, finding, "processor_share", context->wall.processor);
    finding_add_number(findings, finding, "variation", noise->worst);
}

void rule_noise(const struct findings_context *context, struct findings *findings)
{
    struct noise noise = {.looked = 0};
    bool is_loud;
    char share[UNITS_SIZE];

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (counts(context, group, grave_fraction) && add_noise(&noise, context, group))
            findings->status = STATUS_OUT_OF_MEMORY;
    }
    is_loud = findings_is_disturbed(context) || slow_governor(context->session) ||
              count_throttles(context->session) > 0;
    if (noise.rows.count > 0 || is_loud)
        say_noise(context, findings, &noise);
    else if (noise.looked == 0)
        findings_skip(findings,
                      "no kernel with 10 %% of the wall time has %d calls that were timed",
                      LEAST_CALLS);
    else
        findings_pass(findings, "deviations of %zu %s are at most %s of %s", noise.looked,
                      units_choose(noise.looked, "kernel and shape", "kernels and shapes"),
                      units_format_percent(share, noise.worst),
                      units_choose(noise.looked, "its mean", "their means"));
}
