/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the processor time of a program was in kernels.
 */
#include <math.h>

#include "cpu/cpu_time.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Shares of the CPU time this close are shown as one. */
static const double close_shares = 0.05;

/* Kernel time is wall-clock time: if a thread was preempted or waited, all or none of that time may
 * have been in kernels. */
static void add_bounds(struct coverage *coverage, const struct session_thread *thread)
{
    uint64_t lived_ns = thread->last_ns > thread->first_ns ? thread->last_ns - thread->first_ns : 0;
    uint64_t away_ns = lived_ns > thread->cpu_ns ? lived_ns - thread->cpu_ns : 0;
    uint64_t most_ns = thread->kernel_ns < thread->cpu_ns ? thread->kernel_ns : thread->cpu_ns;
    uint64_t least_ns = thread->kernel_ns > away_ns ? thread->kernel_ns - away_ns : 0;

    coverage->most_kernel_cpu_ns += most_ns;
    coverage->least_kernel_cpu_ns += least_ns < most_ns ? least_ns : most_ns;
}

/* A thread's kernels take its own time; no kernel's time includes the work of other threads for
 * it. */
void coverage_sum_times(struct coverage *coverage)
{
    const struct session *session = coverage->session;
    const struct session_process *process = &session->process;
    uint64_t in_callers = 0;
    bool is_known = process->has_last && process->last.user_ns != SESSION_UNKNOWN &&
                    process->last.system_ns != SESSION_UNKNOWN;

    coverage->placed = coverage->named = (double)NAN;
    coverage->cpu_ns = SESSION_UNKNOWN;
    coverage->silent_cpu_ns = SESSION_UNKNOWN;
    if (is_known)
        coverage->cpu_ns = process->last.user_ns + process->last.system_ns;
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        coverage->kernel_ns += thread->kernel_ns;
        if (thread->kernel_ns == 0)
            continue;
        is_known = is_known && thread->cpu_ns != SESSION_UNKNOWN;
        in_callers += thread->cpu_ns;
        if (thread->cpu_ns != SESSION_UNKNOWN)
            add_bounds(coverage, thread);
        else
            coverage->most_kernel_cpu_ns += thread->kernel_ns;
    }
    if (is_known && coverage->cpu_ns > in_callers)
        coverage->silent_cpu_ns = coverage->cpu_ns - in_callers;
    if (coverage->most_kernel_cpu_ns > coverage->cpu_ns)
        coverage->most_kernel_cpu_ns = coverage->cpu_ns;
}

static double fraction_of_cpu(const struct coverage *coverage, uint64_t ns)
{
    if (coverage->cpu_ns == SESSION_UNKNOWN || coverage->cpu_ns == 0)
        return (double)NAN;
    return fmin(1, (double)ns / (double)coverage->cpu_ns);
}

struct coverage_share coverage_share(const struct coverage *coverage)
{
    return (struct coverage_share){fraction_of_cpu(coverage, coverage->least_kernel_cpu_ns),
                                   fraction_of_cpu(coverage, coverage->most_kernel_cpu_ns)};
}

double coverage_fraction(const struct coverage *coverage)
{
    struct coverage_share share = coverage_share(coverage);

    return share.most - share.least <= close_shares ? share.most : (double)NAN;
}

uint64_t coverage_least_outside_ns(const struct coverage *coverage)
{
    if (coverage->cpu_ns == SESSION_UNKNOWN)
        return SESSION_UNKNOWN;
    return coverage->cpu_ns - coverage->most_kernel_cpu_ns;
}

/* Workers have the other processors for as long as a kernel lasts. */
static double most_of_workers_ns(const struct coverage *coverage, uint64_t threads)
{
    uint64_t processors = coverage->session->process.cpu_count;
    double silent_ns = (double)coverage->silent_cpu_ns;

    if (coverage->silent_cpu_ns == SESSION_UNKNOWN)
        return 0;
    if (threads == 0 || threads > processors)
        threads = processors;
    if (threads == SESSION_UNKNOWN || threads == 0)
        return silent_ns;
    return fmin(silent_ns, (double)coverage->kernel_ns * (double)(threads - 1));
}

double coverage_most_with_workers(const struct coverage *coverage, uint64_t threads)
{
    double most = coverage_share(coverage).most;
    double with = most + most_of_workers_ns(coverage, threads) / (double)coverage->cpu_ns;

    return with > 1 ? 1 : with;
}

void coverage_find_named(struct coverage *coverage, places_finder find)
{
    const struct cpu_time_options options = {CPU_BY_FUNCTION, 0.95, find};
    struct cpu_time time;

    cpu_time_init(&time, coverage->session, &options);
    coverage->placed = time.placed;
    coverage->named = time.named;
}
