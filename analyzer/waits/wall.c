/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads and wall time.
 */
#include "waits/wall.h"

#include <math.h>

#include "document/table.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/texts.h"
#include "waits/concurrency.h"

/* Self time in the kernels of each thread, our own cost taken out with the groups'. */
static const struct session_thread *find_busiest(const struct session *session, size_t *count)
{
    const struct session_thread *busiest = NULL;

    *count = 0;
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (thread->kernel_ns == 0)
            continue;
        (*count)++;
        if (!busiest || thread->kernel_ns > busiest->kernel_ns)
            busiest = thread;
    }
    return busiest;
}

static void find_at_once(struct wall *wall, const struct session *session,
                         const struct session_thread *busiest)
{
    struct concurrency concurrency;

    wall->at_once = 1;
    if (wall->kernel_threads <= 1)
        return;
    concurrency_init(&concurrency, session);
    /* If unknown, the others are assumed to be inside whenever the busiest thread is. */
    wall->at_once = concurrency.is_whole && concurrency.any_ns > 0
                        ? concurrency.mean
                        : concurrency_kernel_ns(session) / (double)busiest->kernel_ns;
}

/* tprof's own cost delays the recording thread, by its share of the records.  Calls cost processor
 * time, which takes longer if others have the processor, too.  The rest was measured by the clock,
 * including the waiting. */
static double own_cost_ns(const struct session *session, const struct session_thread *thread,
                          double processor)
{
    const struct session_overhead *overhead = &session->overhead;
    double short_ns = fmax(0, (double)overhead->total_ns - overhead->slow_ns);
    double cost_ns = overhead->slow_ns + short_ns / processor, records = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        records += (double)session_thread_at(session, i)->records;
    if (!thread || records <= 0)
        return cost_ns;
    return cost_ns * (double)thread->records / records;
}

/* Processor time, and the time waiting for a processor, of a thread that calls kernels.  If a
 * thread's delay is unknown, its missing time inside of kernels counts, because kernels are
 * assumed not to wait. */
static double wanted_ns(const struct session_thread *thread, double cpu_ns)
{
    if (thread->delay_ns != SESSION_UNKNOWN)
        return cpu_ns + (double)thread->delay_ns;
    return fmax(cpu_ns, (double)thread->kernel_ns);
}

static const uint64_t least_periods = 100;

/* A killed process has no clock of its threads at their ends, but samples.
 * Returns: the processor time of a thread; 0: unknown. */
static double find_cpu_ns(const struct session *session, size_t thread)
{
    uint64_t periods = 0;

    if (session_thread_at(session, thread)->cpu_ns != SESSION_UNKNOWN)
        return (double)session_thread_at(session, thread)->cpu_ns;
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        periods += sample->thread == thread ? sample->periods : 0;
    }
    return periods >= least_periods ? (double)(periods * session->sampling.period_ns) : 0;
}

/* Threads that are more than the processors delay one another.  Others had no more than this
 * process left. */
static double others_most_ns(const struct session *session)
{
    const struct session_process *process = &session->process;
    const struct trace_reading *last = &process->last;

    if (!process->has_last || last->user_ns == SESSION_UNKNOWN || process->cpu_count == 0 ||
        process->cpu_count == SESSION_UNKNOWN)
        return (double)INFINITY;
    return fmax(0, (double)process->cpu_count * (double)process->wall_ns - (double)last->user_ns -
                       (double)last->system_ns);
}

static double find_processor(const struct session *session)
{
    double cpu_ns = 0, all_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);
        double own_ns = thread->kernel_ns > 0 ? find_cpu_ns(session, i) : 0;

        if (own_ns == 0)
            continue;
        cpu_ns += own_ns;
        all_ns += wanted_ns(thread, own_ns);
    }
    return cpu_ns > 0 ? cpu_ns / fmin(all_ns, cpu_ns + others_most_ns(session)) : 1;
}

/* tprof's cost inside of kernels, as for blocks that they allocate, is still part of their time; so
 * the subtraction leaves room for the kernels. */
static double without_own_cost(const struct session *session, const struct session_thread *busiest,
                               double processor)
{
    double wall_ns = (double)session->process.wall_ns;
    double inside_ns = busiest ? fmin((double)busiest->kernel_ns, wall_ns) : 0;

    return fmax(inside_ns, wall_ns - own_cost_ns(session, busiest, processor));
}

void wall_init(struct wall *wall, const struct session *session)
{
    const struct session_thread *busiest = find_busiest(session, &wall->kernel_threads);

    wall->processor = find_processor(session);
    wall->ns = without_own_cost(session, busiest, wall->processor);
    find_at_once(wall, session, busiest);
}

double wall_of_threads(const struct wall *wall, double thread_ns)
{
    return thread_ns / wall->at_once;
}

void wall_say_whole(struct table *table, const struct session *session)
{
    table_say(table, waits_whole_text, said_time((double)session->process.wall_ns));
}
