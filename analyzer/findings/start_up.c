/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that mostly starts up: START-UP.
 */
#include <math.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "steps/phase_sums.h"
#include "steps/phases.h"

static const double least_share = 0.5; /* share of the processor time */
static const double least_ns = 2e8;    /* shorter ones are not noticed; as in IMPORTS */

struct start_up {
    double cpu_ns;
    double all_ns; /* time of all phases */
    double wall_ns;
};

/* Sum up the start-up and the run.
 * Returns: false if the end of the start-up or the processor time is unknown. */
static bool measure(struct start_up *of, const struct session *session,
                    const struct phases *phases)
{
    struct phase_sum sums[PHASES];

    if (phases->ends_by[PHASE_START] == PHASE_BY_NOTHING)
        return false;
    phase_sums_find(sums, session, phases);
    *of = (struct start_up){.cpu_ns = sums[PHASE_START].cpu_ns,
                            .wall_ns = (double)phase_length_ns(phases, PHASE_START)};
    for (int i = 0; i < PHASES; i++)
        of->all_ns += sums[i].cpu_ns;
    return of->all_ns > 0; /* NAN is not */
}

static void add_start_up(const struct findings_context *context, struct findings *findings,
                         const struct start_up *of)
{
    double share = of->wall_ns / (double)context->session->process.wall_ns;
    double ns = fmin(share, 1) * context->wall.ns; /* recording is in both */
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_LIMIT});

    say(&finding->title, start_up_title_text, said_share(of->cpu_ns / of->all_ns));
    say(&finding->evidence, start_up_time_text, said_time(of->cpu_ns), said_time(of->all_ns),
        said_time(of->wall_ns));
    if (context->has_python && context->python.import_ns > 0)
        say(&finding->evidence, start_up_imports_text, said_time(context->python.import_ns));
    finding_add_number(finding, "cpu_ns", of->cpu_ns);
    finding_add_number(finding, "wall_ns", of->wall_ns);
}

void rule_start_up(const struct findings_context *context, struct findings *findings)
{
    struct start_up of;
    struct phases phases;
    bool are;

    phases_find(&phases, context->session, context->options.find_frames, &are);
    if (!are || !measure(&of, context->session, &phases))
        findings_skip(findings, start_up_unknown_text);
    else if (of.cpu_ns > least_share * of.all_ns && of.cpu_ns >= least_ns)
        add_start_up(context, findings, &of);
    else
        findings_pass(findings, start_up_passed_text, said_share(of.cpu_ns / of.all_ns));
}
