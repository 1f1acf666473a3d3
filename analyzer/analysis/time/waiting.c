/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time that passed without processor time is time off the processors: blocked,
 * asleep, or put aside for others.
 */
#include "analysis/time/waiting.h"

#include <math.h>

static double difference(uint64_t before, uint64_t after)
{
    return before == SESSION_UNKNOWN || after == SESSION_UNKNOWN ? (double)NAN
                                                                 : (double)(after - before);
}

static void watch(struct waiting *waiting, const struct session_reading *before,
                  const struct session_reading *after)
{
    const struct trace_reading *from = &before->values, *to = &after->values;
    double passed_ns = (double)(after->time_ns - before->time_ns);
    double off_ns = passed_ns - difference(from->thread_cpu_ns, to->thread_cpu_ns);

    waiting->watched_ns += passed_ns;
    waiting->off_ns += isnan(off_ns) ? off_ns : fmax(off_ns, 0);
    waiting->called_bytes += difference(from->called_bytes, to->called_bytes);
    waiting->disk_bytes += difference(from->read_bytes, to->read_bytes);
    waiting->written_bytes += difference(from->written_bytes, to->written_bytes);
    waiting->voluntary += difference(from->voluntary_switches, to->voluntary_switches);
    waiting->involuntary += difference(from->involuntary_switches, to->involuntary_switches);
    waiting->process_cpu_ns +=
        difference(from->user_ns, to->user_ns) + difference(from->system_ns, to->system_ns);
    waiting->system_ns += difference(from->system_ns, to->system_ns);
    waiting->faults += difference(from->minor_faults, to->minor_faults);
}

/* Who runs more is put aside more often.  A library's threads that spin while this one sleeps are
 * so all the time, as yielding counts too: beside such, no thread is put aside more often than
 * turns fit its processor time, of 0.75 ms, the least of Linux's scheduler. */
static double count_put_aside(const struct waiting *waiting)
{
    const double least_turn_ns = 0.75e6;
    double cpu_ns = waiting->watched_ns - waiting->off_ns;

    if (!(waiting->process_cpu_ns > cpu_ns))
        return waiting->involuntary;
    return fmin(waiting->involuntary * cpu_ns / waiting->process_cpu_ns,
                waiting->process_cpu_ns > 2 * cpu_ns ? cpu_ns / least_turn_ns : (double)INFINITY);
}

/* Without a time given up all of it is others'.  Else it is shared by the number of
 * times, but no more than what turns of two others take: 3 ms each, the base slice of
 * Linux's scheduler from 8 processors on (0.75 ms times 1 + log2 of their number). */
static double estimate_aside_ns(const struct waiting *waiting)
{
    const double turns_ns = 2 * 3e6;
    double put_aside = count_put_aside(waiting);

    if (!(waiting->voluntary > 0))
        return put_aside > 0 ? waiting->off_ns : 0;
    return fmin(waiting->off_ns * put_aside / (waiting->voluntary + put_aside),
                put_aside * turns_ns);
}

/* What a program before an exec waited is in the count, so it must have computed little. */
static bool is_own_delay(const struct session_process *process, const struct session_thread *thread)
{
    const double most_before = 0.05; /* of the thread's processor time */

    return process->main_delay_ns != SESSION_UNKNOWN && thread->id == process->pid &&
           process->wall_ns > 0 && thread->cpu_ns != SESSION_UNKNOWN &&
           (double)process->first.thread_cpu_ns <= most_before * (double)thread->cpu_ns;
}

/* The kernel counts how long the first thread wanted a processor and had none, in all: a part
 * of it as long as the time that was watched. */
static void take_counted(struct waiting *waiting, const struct session *session, uint32_t thread)
{
    const struct session_thread *of = array_at(&session->threads, thread);
    const struct session_process *process = &session->process;

    waiting->is_counted = is_own_delay(process, of);
    if (waiting->is_counted)
        waiting->aside_ns =
            fmin(waiting->off_ns,
                 (double)process->main_delay_ns * waiting->watched_ns / (double)process->wall_ns);
}

struct waiting waiting_find(const struct session *session, uint32_t thread, uint64_t from_ns,
                            uint64_t to_ns)
{
    const struct session_reading *last = NULL;
    struct waiting waiting = {0};

    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = array_at(&session->readings, i);

        if (reading->thread != thread || reading->time_ns < from_ns || reading->time_ns > to_ns)
            continue;
        if (last)
            watch(&waiting, last, reading);
        last = reading;
    }
    waiting.written_bytes -= (double)session->file_bytes;
    waiting.written_bytes = waiting.written_bytes < 0 ? 0 : waiting.written_bytes;
    waiting.aside_ns = estimate_aside_ns(&waiting);
    take_counted(&waiting, session, thread);
    return waiting;
}

/* What is more than the time between kernels was lost within them, and others take a thread's
 * processor within kernels and between them alike. */
struct waiting_shares waiting_split(const struct waiting *waiting, double kernel_share)
{
    double off = waiting->off_ns / waiting->watched_ns;
    double aside = waiting->aside_ns / waiting->watched_ns;
    double within = kernel_share > 0 ? (off - (1 - kernel_share)) / kernel_share : 0;

    if (isnan(off))
        return (struct waiting_shares){off, off};
    aside = fmin(off, fmax(aside, within));
    return (struct waiting_shares){off - aside, aside};
}
