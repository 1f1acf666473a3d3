/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the machine was quiet, and calls of one kind took one time: NOISE.
 */
#include <math.h>
#include <string.h>

#include "findings/evenness.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "findings/thinned.h"
#include "model/session.h"
#include "model/session_process.h"
#include "spec/trace.h"

/* pyperf's and Google Benchmark's: a tenth of the mean. */
static const double noisy = 0.1;

static const double clock_steps = 2;

struct noise {
    struct targets rows;
    double worst; /* deviation by mean */
    struct summary of_worst;
    size_t looked;
};

static void add_noise(struct noise *noise, const struct findings_context *context,
                      const struct group *group)
{
    struct thinned thinned;
    double variation;

    thinned_init(&thinned, group, context->options.confidence);
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

static void say_machine(struct text *text, const struct findings_context *context)
{
    const char *governor = slow_governor(context->session);
    double throttles = count_throttles(context->session);

    if (findings_is_disturbed(context))
        say(text, noise_shared_text, said_share(context->wall.processor));
    if (governor)
        say(text, noise_governor_text, said_words(governor));
    if (throttles > 0)
        say(text, noise_throttles_text, said_count((uint64_t)throttles));
}

static void say_variation(struct text *text, const struct noise *noise,
                          const struct findings_context *context)
{
    const struct summary *of = &noise->of_worst;

    say(text, noise_rows_text);
    targets_end(text, &noise->rows, context);
    say(text, noise_worst_text, said_share(noise->worst), said_time(of->mean),
        said_real(100 * context->options.confidence), said_time(of->mean_interval.low),
        said_time(of->mean_interval.high));
    say(text, noise_range_text, said_time(of->minimum), said_time(of->maximum),
        said_count(of->count));
}

/* The worst of the causes. */
static void say_title(struct text *text, const struct noise *noise,
                      const struct findings_context *context)
{
    double throttles = count_throttles(context->session);

    if (findings_is_disturbed(context))
        say(text, noise_busy_text, said_share(1 - context->wall.processor));
    else if (throttles > 0)
        say(text, noise_hot_text, said_count((uint64_t)throttles));
    else if (noise->rows.count > 0)
        say(text, noise_uneven_text);
    else
        say(text, noise_clock_text, said_words(slow_governor(context->session)));
}

static void say_noise(const struct findings_context *context, struct findings *findings,
                      const struct noise *noise)
{
    bool is_grave = findings_is_disturbed(context) || count_throttles(context->session) > 0;
    struct finding *finding = findings_add_doubt(findings, is_grave, FINDING_CONFIDENCE_HIGH);

    say_title(&finding->title, noise, context);
    if (noise->rows.count > 0)
        say_variation(&finding->evidence, noise, context);
    say_machine(&finding->evidence, context);
    if (findings_is_disturbed(context) && context->judge.threads > 1)
        say(&finding->action, noise_threads_text);
    finding_add_number(finding, "processor_share", context->wall.processor);
    finding_add_number(finding, "variation", noise->worst);
}

void rule_noise(const struct findings_context *context, struct findings *findings)
{
    struct noise noise = {.looked = 0};
    bool is_loud = findings_is_disturbed(context) || slow_governor(context->session) ||
                   count_throttles(context->session) > 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (evenness_counts(context, group, EVENNESS_GRAVE))
            add_noise(&noise, context, group);
    }
    if (noise.rows.count > 0 || is_loud)
        say_noise(context, findings, &noise);
    else if (noise.looked == 0)
        findings_skip(findings, evenness_few_text, said_count(EVENNESS_LEAST_CALLS));
    else
        findings_pass(findings, noise_passed_text, said_count(noise.looked),
                      said_share(noise.worst));
}
