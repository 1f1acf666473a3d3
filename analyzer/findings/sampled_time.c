/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What samples of processor time tell outside of kernels: SPIN and HOT-LINE.
 */
#include <math.h>

#include "figures/cpu_time.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const double least_spin = 0.1, least_line = 0.2; /* of the processor time */
static const uint64_t least_samples = 30; /* fewer tell a tenth to no better than half of it */

/* Time of rows, and the row that has most of it. */
struct part {
    double ns;
    uint64_t samples;
    const struct cpu_row *most;
};

static void add_row(struct part *part, const struct cpu_row *row)
{
    part->ns += row->self_ns;
    part->samples += row->samples;
    if (!part->most || row->self_ns > part->most->self_ns)
        part->most = row;
}

static struct part find_spinning(const struct cpu_time *time)
{
    struct part part = {0};

    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->kind == CPU_SPIN)
            add_row(&part, row);
    }
    return part;
}

/* Rows come by their time: the first line outside of kernels has most. */
static const struct cpu_row *find_line(const struct cpu_time *time)
{
    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->kind == CPU_FUNCTION && row->place)
            return row;
    }
    return NULL;
}

/* Were all of it work that could be done at once, each processor had its part of it less. */
static double without_spinning_ns(const struct findings_context *context, double spun_ns)
{
    uint64_t allowed = context->session->process.cpu_count;
    double processors = allowed == SESSION_UNKNOWN || allowed == 0 ? 1 : (double)allowed;

    return fmin(spun_ns / processors, context->wall.ns);
}

static void add_spin(const struct findings_context *context, struct findings *findings,
                     const struct cpu_time *time, const struct part *part)
{
    double saved_ns = without_spinning_ns(context, part->ns);
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){saved_ns, saved_ns, FINDING_CONFIDENCE_LOW}, part->ns);

    say(&finding->title, spin_title_text, said_share(part->ns / time->cpu_ns));
    say(&finding->evidence, spin_time_text, said_time(part->ns), said_time(time->cpu_ns),
        said_count(part->samples));
    say(&finding->evidence, spin_most_text, said_words(part->most->name));
    finding_add_number(findings, finding, "spun_ns", part->ns);
    finding_add_number(findings, finding, "samples", (double)part->samples);
}

static void judge_spin(const struct findings_context *context, struct findings *findings,
                       const struct cpu_time *time)
{
    struct part part = find_spinning(time);
    double share = time->cpu_ns > 0 ? part.ns / time->cpu_ns : 0;

    if (share >= least_spin && part.samples >= least_samples)
        add_spin(context, findings, time, &part);
    else
        findings_pass(findings, spin_passed_text, said_share(share));
}

static void add_line(const struct findings_context *context, struct findings *findings,
                     const struct cpu_time *time, const struct cpu_row *row)
{
    double ns = fmin(row->self_ns, context->wall.ns);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_HIGH});

    say(&finding->title, hot_line_title_text, said_words(row->place), said_words(row->name),
        said_share(row->self_ns / time->cpu_ns));
    say(&finding->evidence, hot_line_time_text, said_time(row->self_ns), said_time(time->cpu_ns),
        said_count(row->samples));
    if (isfinite(row->self.low))
        say(&finding->evidence, hot_line_interval_text, said_share(context->options.confidence),
            said_time(row->self.low), said_time(row->self.high));
    finding_add_number(findings, finding, "self_ns", row->self_ns);
    finding_add_number(findings, finding, "samples", (double)row->samples);
}

static void judge_line(const struct findings_context *context, struct findings *findings,
                       const struct cpu_time *time)
{
    const struct cpu_row *row = find_line(time);
    double share = row && time->cpu_ns > 0 ? row->self_ns / time->cpu_ns : 0;

    if (!row)
        findings_pass(findings, hot_line_none_text);
    else if (share >= least_line && row->samples >= least_samples)
        add_line(context, findings, time, row);
    else
        findings_pass(findings, hot_line_passed_text, said_words(row->place), said_share(share));
}

typedef void (*time_judge)(const struct findings_context *context, struct findings *findings,
                           const struct cpu_time *time);

static void judge(const struct findings_context *context, struct findings *findings, enum cpu_by by,
                  time_judge judge_time)
{
    const struct cpu_time_options options = {by, context->options.confidence,
                                             context->options.find_frames};
    struct cpu_time time;

    if (cpu_time_init(&time, context->session, &options))
        findings->status = STATUS_OUT_OF_MEMORY;
    else if (time.unknown)
        findings_skip(findings, time_not_sampled_text, said_words(time.unknown));
    else
        judge_time(context, findings, &time);
    cpu_time_fini(&time);
}

void rule_spin(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings, CPU_BY_FUNCTION, judge_spin);
}

void rule_hot_line(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings, CPU_BY_LINE, judge_line);
}
