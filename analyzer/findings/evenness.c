/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the calls of a kernel take one time: WARMUP and BIMODAL.
 */
#include "findings/evenness.h"

#include <math.h>

#include "findings/targets.h"
#include "findings/texts.h"
#include "findings/thinned.h"
#include "kernels/group_samples.h"
#include "model/session.h"
#include "statistics/modes.h"

/* A share of the wall time: smaller rows do not count. */
static const double least_fraction = 0.01;

static const double far_outside = 3; /* Tukey's outer fence, in quartile distances */

bool evenness_counts(const struct findings_context *context, const struct group *group,
                     double fraction)
{
    return !findings_lost_name(group) && group->sample_calls >= EVENNESS_LEAST_CALLS &&
           findings_fraction(context, (double)group->self_ns) >= fraction;
}

struct warmth {
    struct targets rows;
    double first_ns; /* time of the row with the largest loss */
    double later_ns;
    double most_ns;
    size_t before; /* calls before the slowest series was steady */
};

/* If one later call in twenty is as long, as on a shared machine, a long first call does not
 * indicate a warm-up. */
static bool is_usual(const struct thinned *thinned, double duration_ns)
{
    const double usual = 0.05;
    size_t as_long = 0;

    for (size_t i = 0; i < thinned->count; i++)
        as_long += (double)thinned->values[i] >= duration_ns;
    return (double)as_long >= usual * (double)thinned->count;
}

/* The extra time of calls before their series was steady. */
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

static void add_warmth(struct warmth *warmth, const struct findings_context *context,
                       const struct group *group)
{
    struct thinned thinned;
    double extra_ns = 0;

    thinned_init(&thinned, group, context->options.confidence);
    for (size_t i = 0; i < group->series.count; i++)
        extra_ns += find_extra(warmth, array_at(&group->series, i), &thinned);
    if (extra_ns > 0)
        targets_add(&warmth->rows, group, extra_ns);
    thinned_fini(&thinned);
}

/* A preempted call seems long, whether a first one or a slow one. */
static struct finding *claim(const struct findings_context *context, struct findings *findings,
                             const struct finding_claim *claimed, const struct said *doubt)
{
    bool is_disturbed = findings_is_disturbed(context);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){claimed->target_ns, claimed->saved_ns,
                                                       is_disturbed ? FINDING_CONFIDENCE_LIMIT
                                                                    : claimed->confidence});

    if (is_disturbed) {
        say(&finding->refute, others_had_processors_text);
        say(&finding->refute, *doubt);
    }
    return finding;
}

static void say_warmth(const struct findings_context *context, struct findings *findings,
                       const struct warmth *warmth)
{
    double lost_ns = findings_wall_ns(context, warmth->rows.saved_ns);
    struct finding *finding = claim(
        context, findings, &(struct finding_claim){lost_ns, lost_ns, FINDING_CONFIDENCE_MEDIUM},
        &warmup_disturbed_text);

    say(&finding->evidence, warmup_times_text, said_time(warmth->first_ns),
        said_time(warmth->later_ns));
    targets_end(&finding->evidence, &warmth->rows, context);
    if (warmth->before <= context->options.warmup)
        return;
    say(&finding->evidence, warmup_steady_text, said_count(context->options.warmup),
        said_count(warmth->before));
    say(&finding->action, warmup_option_text, said_count(warmth->before));
}

void rule_warmup(const struct findings_context *context, struct findings *findings)
{
    struct warmth warmth = {.before = 0};
    size_t looked = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!evenness_counts(context, group, least_fraction))
            continue;
        looked++;
        add_warmth(&warmth, context, group);
    }
    if (looked == 0)
        findings_skip(findings, warmup_few_text, said_count(EVENNESS_LEAST_CALLS),
                      said_count(context->options.warmup));
    else if (warmth.rows.count > 0)
        say_warmth(context, findings, &warmth);
    else
        findings_pass(findings, warmup_passed_text, said_count(looked));
}

static void say_modes(const struct findings_context *context, struct findings *findings,
                      const struct group *group, const struct modes *modes)
{
    double extra_ns = modes->mode[1].share * (modes->mode[1].median - modes->mode[0].median);
    struct finding *finding =
        claim(context, findings,
              &(struct finding_claim){findings_wall_ns(context, (double)group->self_ns),
                                      findings_wall_ns(context, extra_ns * (double)group->calls),
                                      FINDING_CONFIDENCE_LOW},
              &bimodal_disturbed_text);

    findings_append_name(&finding->title, group);
    say(&finding->title, bimodal_title_text);
    say(&finding->evidence, bimodal_times_text, said_share(modes->mode[0].share),
        said_time(modes->mode[0].median), said_share(modes->mode[1].share),
        said_time(modes->mode[1].median));
    say(&finding->evidence, bimodal_distance_text, said_real(modes->separation),
        said_count(group->sample_calls));
}

static void look_for_modes(const struct findings_context *context, struct findings *findings,
                           const struct group *group, size_t *found)
{
    double resolution_ns = context->session->overhead.resolution_ns;
    struct thinned thinned;
    struct modes modes;

    thinned_init(&thinned, group, context->options.confidence);
    modes_find(&modes, &(struct summary_sample){.values = thinned.values, .count = thinned.count},
               &thinned.summary, (uint64_t)fmax(1, ceil(4 * resolution_ns)));
    if (modes.count == 2) {
        say_modes(context, findings, group, &modes);
        (*found)++;
    }
    thinned_fini(&thinned);
}

void rule_bimodal(const struct findings_context *context, struct findings *findings)
{
    size_t looked = 0, found = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!evenness_counts(context, group, EVENNESS_GRAVE) ||
            group->sample_calls < MODES_LEAST_COUNT)
            continue;
        looked++;
        look_for_modes(context, findings, group, &found);
    }
    if (looked == 0)
        findings_skip(findings, evenness_few_text, said_count(MODES_LEAST_COUNT));
    else if (found == 0)
        findings_pass(findings, bimodal_passed_text, said_count(looked));
}
