/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads with unequal work: IMBALANCE, from the courses of all threads, and from samples in
 * parallel loops of OpenMP.
 */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"
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

/* ---- parallel loops of OpenMP ------------------------------------------------------------ */

static const uint64_t least_samples = 30;
static const double least_saved = 0.05; /* share of the wall time */

/* Time of threads in such loops. */
struct loops {
    double *thread_ns; /* by index of the thread */
    double most_ns;
    double sum_ns;
    unsigned workers;
    uint64_t samples;
    struct place place; /* of the busiest thread's last sample; no function: there is none */
};

/* Compilers make a function of each parallel loop: gcc's and LLVM's names. */
static bool is_parallel(const struct place *place)
{
    return strstr(place->function->name, "_omp_fn") ||
           strstr(place->function->name, "omp_outlined");
}

static void add_loop_sample(struct loops *loops, const struct cpu_time *time, size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    const struct place *place = places_find_known(time->places, sample->call, is_parallel);

    if (!place || sample->thread >= time->session->threads.count)
        return;
    loops->workers += loops->thread_ns[sample->thread] == 0;
    loops->thread_ns[sample->thread] += time->sample_ns[index];
    loops->sum_ns += time->sample_ns[index];
    loops->samples += sample->count;
    if (loops->thread_ns[sample->thread] <= loops->most_ns)
        return;
    loops->most_ns = loops->thread_ns[sample->thread];
    loops->place = *place;
}

static struct loops find_loops(const struct cpu_time *time)
{
    struct loops loops = {.samples = 0};

    if (time->unknown)
        return loops;
    loops.thread_ns = pool_get_zeros(time->session->threads.count + 1, sizeof *loops.thread_ns);
    for (size_t i = 0; i < time->session->samples.count; i++)
        add_loop_sample(&loops, time, i);
    return loops;
}

static double loops_save_ns(const struct findings_context *context, const struct loops *loops)
{
    double workers = fmin(loops->workers, context->capacity.left);

    return workers > 1 ? fmax(0, loops->most_ns - loops->sum_ns / workers) : 0;
}

static bool are_uneven(const struct findings_context *context, const struct loops *loops)
{
    return loops->samples >= least_samples &&
           loops->sum_ns / loops->workers <= (1 - uneven_share) * loops->most_ns &&
           loops_save_ns(context, loops) >= least_saved * context->wall.ns;
}

static void add_loops(const struct findings_context *context, struct findings *findings,
                      const struct loops *loops)
{
    double saved_ns = loops_save_ns(context, loops), mean_ns = loops->sum_ns / loops->workers;
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){loops->most_ns, saved_ns, FINDING_CONFIDENCE_MEDIUM}, 0);

    place_append_short(&finding->place, &loops->place);
    say(&finding->title, imbalance_loops_title_text, said_time(loops->most_ns), said_time(mean_ns));
    say(&finding->evidence, imbalance_loops_text, said_count(loops->workers),
        said_time(loops->most_ns), said_time(mean_ns), said_count(loops->samples));
    finding_add_number(finding, "workers", (double)loops->workers);
}

void rule_imbalance(const struct findings_context *context, struct findings *findings)
{
    struct concurrency_work work = concurrency_weigh(context->session);
    struct loops loops = find_loops(&context->time);

    if (are_uneven(context, &loops))
        add_loops(context, findings, &loops);
    else if (work.workers == 0)
        findings_skip(findings, no_kernel_called_text);
    else if (work.workers == 1)
        findings_pass(findings, imbalance_one_text);
    else if (work.imbalance >= uneven_share)
        add_imbalance(context, findings, &work);
    else
        findings_pass(findings, imbalance_passed_text, said_count(work.workers),
                      said_share(work.imbalance));
}
