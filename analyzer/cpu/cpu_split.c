/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of each thread: in kernels and outside.
 *
 * A kernel's clock is elapsed time.  While its thread had no processor, the kernel had none either,
 * but when is unknown.  These gaps are assumed proportional to the time, unless samples contradict.
 *
 * Decision: doc/decisions/sampled-time.
 */
#include "cpu/cpu_split.h"

#include <math.h>

#include "base/pool.h"
#include "cpu/cpu_sort.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "spec/trace.h"

/* Closer bounds, by the thread's processor time, count as one. */
static const double close_bounds = 0.02;

/* Confidence at which samples overrule clocks. */
static const double sure = 0.99;

enum { LEAST_SAMPLES = 30 };

/* Ten periods of 4 ms: from there on a thread's own samples split its time. */
static const double long_ns = 4e7;

static void count_samples(struct cpu_split *split, const struct session *session,
                          const uint32_t *kernels)
{
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->thread == SESSION_NONE)
            continue;
        struct cpu_thread *thread = &split->threads[sample->thread];
        if (kernels && kernels[i] != SESSION_NONE) {
            thread->kernel_periods += sample->periods;
            thread->kernel_count += sample->count;
        } else {
            thread->outside_periods += sample->periods;
            thread->outside_count += sample->count;
        }
    }
}

static double known_or_zero(uint64_t ns)
{
    return ns == SESSION_UNKNOWN ? 0 : (double)ns;
}

/* Processor time in kernels: at most all of their time, at least that less all of the thread's time
 * without a processor.  On a shared processor kernels lose time in proportion. */
struct guess {
    double least, proportional, most;
};

static struct guess guess_kernels(const struct session_thread *thread, double cpu_ns)
{
    double lived_ns = thread->last_ns > thread->first_ns
                          ? (double)(thread->last_ns - thread->first_ns)
                          : 0;
    double off_ns = fmax(0, lived_ns - cpu_ns), elapsed_ns = (double)thread->kernel_ns;
    double wanted_ns = cpu_ns + known_or_zero(thread->delay_ns);
    double most = fmin(cpu_ns, elapsed_ns), least = fmin(most, fmax(0, elapsed_ns - off_ns));
    double proportional = wanted_ns > 0 ? elapsed_ns * cpu_ns / wanted_ns : 0;

    return (struct guess){least, fmin(most, fmax(least, proportional)), most};
}

static double within(double value, double low, double high)
{
    return fmin(high, fmax(low, value));
}

/* A kernel that waits for other threads yields its processor, and loses more time than others.
 * Then the samples deviate from the proportion, beyond chance. */
static double choose_kernels(const struct cpu_thread *thread, struct guess guess)
{
    double count = (double)(thread->kernel_count + thread->outside_count);
    double periods = (double)(thread->kernel_periods + thread->outside_periods);
    const struct cpu_sort sort = {(double)thread->kernel_periods / periods * count, count,
                                  (double)NAN};
    struct statistics_interval share;

    if (thread->is_clocked || count < LEAST_SAMPLES)
        return guess.proportional;
    share = cpu_sort_interval(&sort, sure);
    if (guess.proportional >= share.low * thread->cpu_ns &&
        guess.proportional <= share.high * thread->cpu_ns)
        return guess.proportional;
    return within(sort.count / count * thread->cpu_ns, guess.least, guess.most);
}

static void split_thread(const struct session *session, const struct session_thread *of,
                         struct cpu_thread *thread)
{
    uint64_t periods = thread->kernel_periods + thread->outside_periods;
    struct guess guess;

    thread->cpu_ns = of->cpu_ns != SESSION_UNKNOWN
                         ? (double)of->cpu_ns + (double)of->born_ns
                         : (double)periods * (double)session->sampling.period_ns;
    if (of->cpu_ns == SESSION_UNKNOWN && periods == 0)
        thread->cpu_ns = (double)of->kernel_ns;
    guess = guess_kernels(of, thread->cpu_ns);
    thread->is_clocked = guess.most - guess.least <= close_bounds * thread->cpu_ns;
    thread->kernel_ns = choose_kernels(thread, guess);
    if (of->kernel_ns > 0)
        thread->kernel_part = thread->kernel_ns / (double)of->kernel_ns;
    thread->outside_ns = thread->cpu_ns - thread->kernel_ns;
    if (thread->outside_periods > 0)
        thread->period_ns = thread->outside_ns / (double)thread->outside_periods;
}

static double process_ns(const struct trace_reading *reading)
{
    if (reading->user_ns == SESSION_UNKNOWN || reading->system_ns == SESSION_UNKNOWN)
        return 0;
    return (double)reading->user_ns + (double)reading->system_ns;
}

/* At the ends of a window, the process's clock is between two readings: a tenth of a second apart,
 * unless TPROF_INTERVAL sets another interval. */
static const double borders_ns = 2e8;

static bool is_doubtful(const struct session *session, double silent_ns)
{
    return session->window.is_cut && silent_ns < borders_ns;
}

static void sum_up(struct cpu_split *split, const struct session *session)
{
    for (size_t i = 0; i < session->threads.count; i++)
        split->threads_ns += split->threads[i].cpu_ns;
    split->before_ns = process_ns(&session->process.first);
    split->cpu_ns = process_ns(&session->process.last);
    split->before_ns = fmin(split->before_ns, fmax(0, split->cpu_ns - split->threads_ns));
    split->silent_ns = fmax(0, split->cpu_ns - split->before_ns - split->threads_ns);
    if (is_doubtful(session, split->silent_ns))
        split->silent_ns = 0;
    split->cpu_ns = split->before_ns + split->threads_ns + split->silent_ns;
}

static bool is_short(const struct cpu_thread *thread)
{
    return thread->outside_ns >= TRACE_SAMPLING_FIRST_NS && thread->outside_ns < long_ns;
}

/* Threads that live for a few periods have one sample or none, by chance.  All their samples
 * together stand for all their time, and for the time of similar threads without a record. */
static void pool(struct cpu_split *split, const struct session *session)
{
    double ns = 0, periods = 0, silent_ns;

    for (size_t i = 0; i < session->threads.count; i++)
        if (is_short(&split->threads[i])) {
            ns += split->threads[i].outside_ns;
            periods += (double)split->threads[i].outside_periods;
        }
    if (periods == 0)
        return;
    silent_ns = within(periods * (double)session->sampling.period_ns - ns, 0, split->silent_ns);
    split->silent_ns -= silent_ns;
    split->pooled_ns = ns + silent_ns;
    for (size_t i = 0; i < session->threads.count; i++)
        if (is_short(&split->threads[i]))
            split->threads[i].period_ns = split->pooled_ns / periods;
}

static void sum_short(struct cpu_split *split, const struct session *session)
{
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct cpu_thread *thread = &split->threads[i];

        if (thread->outside_periods == 0 && !(split->pooled_ns > 0 && is_short(thread)))
            split->short_ns += thread->outside_ns;
    }
}

void cpu_split_init(struct cpu_split *split, const struct session *session, const uint32_t *kernels,
                    bool pools)
{
    *split = (struct cpu_split){0};
    split->threads = pool_get_zeros(session->threads.count + 1, sizeof *split->threads);
    count_samples(split, session, kernels);
    for (size_t i = 0; i < session->threads.count; i++)
        split_thread(session, session_thread_at(session, i), &split->threads[i]);
    sum_up(split, session);
    if (pools)
        pool(split, session);
    sum_short(split, session);
}

void cpu_split_find_process(const struct session *session, double *ns)
{
    struct cpu_split split;
    bool is_known = session->process.last.user_ns != SESSION_UNKNOWN || session->sampling.count > 0;

    cpu_split_init(&split, session, NULL, false);
    *ns = is_known ? split.cpu_ns : (double)NAN;
}
