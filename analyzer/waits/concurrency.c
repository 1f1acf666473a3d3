/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over the sweep of all threads.
 */
#include "waits/concurrency.h"

#include <math.h>

#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/sweep.h"

static const double enough_known = 0.95;

/* A thread with less kernel time than this part of the busiest one's is no worker: the main thread
 * of a pool may scale a vector now and then. */
static const double least_work = 0.05;

double concurrency_lived_ns(const struct session_thread *thread)
{
    return thread->last_ns > thread->first_ns ? (double)(thread->last_ns - thread->first_ns) : 0;
}

double concurrency_kernel_ns(const struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    double sum_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        sum_ns += (double)thread[i].kernel_ns;
    return sum_ns;
}

static void make_room(struct array *inside_ns, size_t threads)
{
    while (inside_ns->count <= threads)
        array_add(inside_ns);
}

static void add_spans(struct concurrency *concurrency, const struct session *session)
{
    struct sweep_span span;
    struct sweep sweep;

    sweep_init(&sweep, session);
    while (sweep_next(&sweep, &span)) {
        make_room(&concurrency->inside_ns, span.count);
        *(double *)array_at(&concurrency->inside_ns, span.count) +=
            (double)(span.end_ns - span.start_ns);
    }
}

/* Calls may be lost, overwritten, or counted and not timed. */
static void judge_known(struct concurrency *concurrency, const struct session *session,
                        double thread_ns)
{
    double kernel_ns = concurrency_kernel_ns(session);

    concurrency->known = kernel_ns > 0 ? fmin(1, thread_ns / kernel_ns) : 1;
    concurrency->is_whole = concurrency->known >= enough_known;
}

static void sum_up(struct concurrency *concurrency, const struct session *session)
{
    const double *inside_ns = concurrency->inside_ns.items;
    uint64_t allowed = session->process.cpu_count;
    double thread_ns = 0;

    concurrency->over_ns = allowed == SESSION_UNKNOWN ? (double)NAN : 0;
    for (size_t i = 1; i < concurrency->inside_ns.count; i++) {
        concurrency->any_ns += inside_ns[i];
        thread_ns += (double)i * inside_ns[i];
        if (i > allowed)
            concurrency->over_ns += inside_ns[i];
    }
    concurrency->one_ns = concurrency->inside_ns.count > 1 ? inside_ns[1] : 0;
    concurrency->several_ns = concurrency->any_ns - concurrency->one_ns;
    concurrency->mean = concurrency->any_ns > 0 ? thread_ns / concurrency->any_ns : (double)NAN;
    judge_known(concurrency, session, thread_ns);
}

/* A thread that was preempted inside a kernel had less work than time: if its processor time is
 * less than its time in kernels, the processor time is its work. */
static double work_ns(const struct session_thread *thread)
{
    double kernel_ns = (double)thread->kernel_ns;

    return thread->cpu_ns == SESSION_UNKNOWN ? kernel_ns : fmin(kernel_ns, (double)thread->cpu_ns);
}

static double outside_ns(const struct session_thread *thread)
{
    if (thread->cpu_ns == SESSION_UNKNOWN)
        return 0;
    return fmax(0, (double)thread->cpu_ns - (double)thread->kernel_ns);
}

static double most_work_ns(const struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    double most_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        most_ns = fmax(most_ns, work_ns(&thread[i]));
    return most_ns;
}

struct concurrency_work concurrency_weigh(const struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    struct concurrency_work work = {.most_ns = most_work_ns(session), .imbalance = (double)NAN};
    double sum_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        double own_ns = work_ns(&thread[i]);

        if (own_ns <= 0 || own_ns < least_work * work.most_ns)
            continue;
        work.workers++;
        sum_ns += own_ns;
        work.outside_ns += outside_ns(&thread[i]);
    }
    work.mean_ns = work.workers > 0 ? sum_ns / (double)work.workers : 0;
    if (work.workers > 1)
        work.imbalance = (work.most_ns - work.mean_ns) / work.most_ns;
    return work;
}

void concurrency_init(struct concurrency *concurrency, const struct session *session)
{
    *concurrency = (struct concurrency){.wall_ns = (double)session->process.wall_ns};
    array_init(&concurrency->inside_ns, sizeof(double));
    add_spans(concurrency, session);
    sum_up(concurrency, session);
}

