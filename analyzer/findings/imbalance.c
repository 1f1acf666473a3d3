/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads with unequal work: IMBALANCE, from the courses of all threads.
 */
#include <math.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "waits/concurrency.h"

static const double uneven_share = 0.20;
static const double least_lost = 0.01; /* share of the wall time */

/* The saving of equal parts, by as many threads as have a processor. */
static double even_saves_ns(const struct concurrency_work *work, double processors)
{
    double workers = (double)work->workers;

    return fmax(0, work->most_ns - work->mean_ns * workers / fmin(workers, processors));
}

/* If other programs used the processors that equal parts need, nothing is promised. */
static struct finding *claim_imbalance(const struct findings_context *context,
                                       struct findings *findings,
                                       const struct concurrency_work *work)
{
    const double least_ns = least_lost * context->wall.ns;
    double allowed = (double)context->session->process.cpu_count;
    struct finding_claim claim = {work->most_ns, even_saves_ns(work, context->capacity.left),
                                  FINDING_CONFIDENCE_MEDIUM};
    struct finding *finding;

    if (claim.saved_ns >= least_ns || even_saves_ns(work, allowed) < least_ns)
        return findings_add_waiting(findings, &claim, work->outside_ns);
    claim.saved_ns = even_saves_ns(work, allowed);
    finding = findings_add(findings, &claim);
    finding_weaken(finding, FINDING_POINTS);
    return finding;
}

static void add_imbalance(const struct findings_context *context, struct findings *findings,
                          const struct concurrency_work *work)
{
    struct finding *finding = claim_imbalance(context, findings, work);

    say(&finding->title, imbalance_title_text, said_share(work->imbalance));
    say(&finding->evidence, imbalance_times_text, said_count(work->workers),
        said_time(work->most_ns), said_time(work->mean_ns));
    finding_add_number(finding, "workers", (double)work->workers);
    finding_add_number(finding, "imbalance", work->imbalance);
}

void rule_imbalance(const struct findings_context *context, struct findings *findings)
{
    struct concurrency_work work = concurrency_weigh(context->session);

    if (work.workers == 0)
        findings_skip(findings, no_kernel_called_text);
    else if (work.workers == 1)
        findings_pass(findings, imbalance_one_text);
    else if (work.imbalance >= uneven_share)
        add_imbalance(context, findings, &work);
    else
        findings_pass(findings, imbalance_passed_text, said_count(work.workers),
                      said_share(work.imbalance));
}
