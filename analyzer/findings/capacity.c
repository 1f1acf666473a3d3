/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time that a program needs, and how much it can have.
 *
 * Decision: doc/decisions/ceilings.
 */
#include "findings/capacity.h"

#include <math.h>
#include <stdlib.h>

#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/concurrency.h"

/* Sums over threads, as far as their clocks were read. */
struct sums {
    double all_ns;     /* processor time of the process; NAN */
    double seen_ns;    /* processor time of the recorded threads */
    double callers_ns; /* processor time of the threads that call kernels */
    double inside_ns;  /* the part of it that may be inside kernels */
};

static void add_thread(struct sums *sums, const struct session_thread *thread)
{
    if (thread->cpu_ns == SESSION_UNKNOWN) {
        sums->seen_ns = (double)NAN;
        return;
    }
    sums->seen_ns += (double)thread->cpu_ns;
    sums->inside_ns += fmin((double)thread->cpu_ns, (double)thread->kernel_ns);
    sums->callers_ns += thread->kernel_ns > 0 ? (double)thread->cpu_ns : 0;
}

static struct sums sum_up(const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    struct sums sums = {.all_ns = (double)NAN};

    if (session->process.has_last && last->user_ns != SESSION_UNKNOWN)
        sums.all_ns = (double)last->user_ns + (double)last->system_ns;
    for (size_t i = 0; i < session->threads.count; i++)
        add_thread(&sums, session_thread_at(session, i));
    return sums;
}

/* Processor time of threads that may belong to a library.  A library's threads need not record
 * anything.  Threads of OpenMP may record, and are no others if the program is said to have
 * several. */
static double library_ns(const struct sums *sums, const struct judge *judge)
{
    double ns = sums->all_ns - (judge->set_threads > 1 ? sums->callers_ns : sums->seen_ns);

    return ns > 0 && judge->set_threads != 1 ? ns : 0;
}

double capacity_threads_of_call(const struct session *session, const struct judge *judge)
{
    struct sums sums = sum_up(session);

    if (judge->set_threads <= 1 || !(sums.inside_ns > 0))
        return 1;
    return fmin(judge->set_threads, 1 + round(library_ns(&sums, judge) / sums.inside_ns));
}

static double find_allowed(const struct session_process *process)
{
    const char *quota = process->conditions[TRACE_CONDITION_QUOTA];
    double allowed = process->cpu_count == SESSION_UNKNOWN || process->cpu_count == 0
                         ? (double)NAN
                         : (double)process->cpu_count;
    double granted = quota ? strtod(quota, NULL) : 0;

    return granted > 0 ? fmin(granted, allowed) : allowed;
}

/* The capacity that other programs leave, and at least the capacity that was used. */
static double find_left(double allowed, double share, double used)
{
    return isnan(allowed) ? allowed : fmin(allowed, fmax(allowed * share, used));
}

/* A library's threads may spin after its call has returned.  They compute for a call only while the
 * call lasts, and only on the existing processors. */
static double spun_ns(const struct sums *sums, const struct judge *judge, double room_ns)
{
    return fmax(0, library_ns(sums, judge) - fmax(0, room_ns - sums->inside_ns));
}

static double kernel_wall_ns(const struct session *session, const struct wall *wall)
{
    return fmin(wall->ns, wall_of_threads(wall, concurrency_kernel_ns(session)));
}

struct capacity capacity_find(const struct session *session, const struct wall *wall,
                              const struct judge *judge)
{
    struct sums sums = sum_up(session);
    double allowed = find_allowed(&session->process);
    double room_ns = allowed * kernel_wall_ns(session, wall);
    double own_ns = (double)session->overhead.total_ns;
    double threads = fmax((double)judge->threads, capacity_threads_of_call(session, judge));
    double spun = spun_ns(&sums, judge, room_ns);

    return (struct capacity){
        .needed_ns = sums.all_ns - fmin(own_ns, sums.all_ns) - spun,
        .spun_ns = spun,
        .left = find_left(allowed, wall->processor, sums.all_ns / wall->ns),
        .in_kernels = wall->at_once * threads * wall->processor,
    };
}

void capacity_note_spinning(struct capacity *capacity, double spun_ns)
{
    if (!(spun_ns > capacity->spun_ns))
        return;
    capacity->needed_ns -= spun_ns - capacity->spun_ns;
    capacity->spun_ns = spun_ns;
}

double capacity_least_ns(const struct capacity *capacity, double saved_ns)
{
    double least_ns = (capacity->needed_ns - saved_ns) / capacity->left;

    return least_ns > 0 ? least_ns : 0;
}
