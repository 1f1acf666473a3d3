/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well samples show where processor time went.
 *
 * Decision: doc/decisions/sampled-time.
 */
#include "cpu/cpu_errors.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_sort.h"
#include "cpu/cpu_split.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

/* A share that is farther off than this, and beyond chance, is in step.  Clocks of kernels and
 * threads agree better than that. */
static const double least_step = 0.03;

/* The chance to call runs in step when they are not. */
static const double wrong_alarms = 0.01;

/* A kernel that is worth comparing has this many samples by its clock. */
static const double least_expected = 10;

/* ---- runs of equal neighbours ---- */

/* A row's samples outside of kernels that are recorded one by one. */
struct row_runs {
    double runs, count, ns;
    double squares; /* the sum of squares of the samples' times */
};

struct runs {
    struct row_runs *rows;
    uint32_t *last; /* by thread: the row of its last sample, or SESSION_NONE */
    double ns;      /* the time represented by all samples, and the sum of squares */
    double squares;
};

/* Returns: the time that a tick represents. */
static double tick_ns(const struct cpu_time *time, const struct session_tick *tick)
{
    const struct session_sample *sample = session_sample_at(time->session, tick->sample);

    return time->sample_ns[tick->sample] * tick->periods / (double)sample->periods;
}

static void count_tick(struct runs *runs, const struct cpu_time *time,
                       const struct session_tick *tick)
{
    uint32_t thread = session_sample_at(time->session, tick->sample)->thread;
    uint32_t row = time->sample_row[tick->sample];
    double ns = tick_ns(time, tick);

    runs->ns += ns;
    runs->squares += ns * ns;
    runs->rows[row].count++;
    runs->rows[row].ns += ns;
    runs->rows[row].squares += ns * ns;
    if (thread == SESSION_NONE || runs->last[thread] != row)
        runs->rows[row].runs++;
    if (thread != SESSION_NONE)
        runs->last[thread] = row;
}

static void forget_neighbours(struct runs *runs, const struct session *session)
{
    memset(runs->last, 0xff, session->threads.count * sizeof *runs->last);
}

static void count_runs(struct runs *runs, const struct cpu_time *time, const uint32_t *kernels)
{
    const struct session *session = time->session;
    const struct session_tick *tick = session->ticks.items;

    forget_neighbours(runs, session);
    for (size_t i = 0; i < session->ticks.count; i++) {
        if (session->sampling.ticks_of > 1 && i % SESSION_TICKS_STRETCH == 0)
            forget_neighbours(runs, session);
        if (kernels[tick[i].sample] == SESSION_NONE)
            count_tick(runs, time, &tick[i]);
    }
}

static void make_runs(struct runs *runs, const struct cpu_time *time)
{
    *runs = (struct runs){
        .rows = pool_get_zeros(time->rows.count + 1, sizeof *runs->rows),
        .last = pool_get_zeros(time->session->threads.count + 1, sizeof *runs->last),
    };
}

/* Samples of different weights count as fewer samples of equal weight: L. Kish, Survey Sampling
 * (1965), 11.2C.  A row with heavy samples has fewer: its sum is a compound Poisson process, whose
 * variance is the sum of squares. */
static struct cpu_sort weigh(const struct runs *runs, const struct row_runs *of)
{
    double share = of->ns / runs->ns;
    double count = fmin(runs->ns * runs->ns / runs->squares,
                        of->ns * of->ns / of->squares / share);

    return (struct cpu_sort){share * count, count, of->runs / of->count * share * count};
}

static void set_interval(struct cpu_row *row, const struct runs *runs, const struct row_runs *of,
                         double outside_ns, double confidence)
{
    double sampled_ns = row->self_ns - row->clocked_ns;

    row->self = (struct statistics_interval){row->self_ns, row->self_ns};
    if (!(of->ns > 0))
        return;
    const struct cpu_sort sort = weigh(runs, of);
    struct statistics_interval share = cpu_sort_interval(&sort, confidence);
    row->self.low = row->clocked_ns + fmin(sampled_ns, share.low * outside_ns);
    row->self.high = row->clocked_ns + fmax(sampled_ns, share.high * outside_ns);
}

void cpu_errors_fill(struct cpu_time *time, const uint32_t *kernels, double confidence)
{
    struct cpu_row *row = time->rows.items;
    double outside_ns = 0;
    struct runs runs;

    make_runs(&runs, time);
    count_runs(&runs, time, kernels);
    for (size_t i = 0; i < time->session->samples.count; i++)
        outside_ns += kernels[i] == SESSION_NONE ? time->sample_ns[i] : 0;
    for (size_t i = 0; i < time->rows.count; i++)
        set_interval(&row[i], &runs, &runs.rows[i], outside_ns, confidence);
}

/* ---- the test of the samples ---- */

/* By binding. */
struct compared {
    double clock_ns;
    double count; /* number of samples */
    double runs;
};

static void add_clocks(struct compared *compared, const struct cpu_time *time,
                       const struct cpu_split *split)
{
    const struct session *session = time->session;

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (split->threads[slot->thread].is_clocked)
            compared[slot->binding].clock_ns +=
                (double)slot->self_ns * split->threads[slot->thread].kernel_part;
    }
}

/* Uses threads whose clocks show the time of kernels.  Returns: the number of samples. */
static double add_samples(struct compared *compared, const struct session *session,
                          const struct cpu_split *split, const uint32_t *kernels, uint32_t *last)
{
    const struct session_tick *tick = session->ticks.items;
    double count = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        last[i] = SESSION_NONE;
    for (size_t i = 0; i < session->ticks.count; i++) {
        uint32_t thread = session_sample_at(session, tick[i].sample)->thread;
        uint32_t kernel = kernels[tick[i].sample];

        if (thread == SESSION_NONE || !split->threads[thread].is_clocked)
            continue;
        count += tick[i].periods;
        if (kernel != SESSION_NONE) {
            compared[kernel].count += tick[i].periods;
            compared[kernel].runs += last[thread] != kernel;
        }
        last[thread] = kernel;
    }
    return count;
}

/* Returns: the processor time of these threads. */
static double sampled_threads_ns(const struct session *session, const struct cpu_split *split)
{
    double ns = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct cpu_thread *thread = &split->threads[i];

        if (thread->is_clocked && thread->kernel_periods + thread->outside_periods > 0)
            ns += thread->cpu_ns;
    }
    return ns;
}

static void judge(struct cpu_check *check)
{
    double off = check->sample_share - check->clock_share;

    check->is_in_step = fabs(off) > least_step && (check->clock_share < check->interval.low ||
                                                   check->clock_share > check->interval.high);
}

/* The more kernels there are, the farther the farthest is off by chance: Bonferroni. */
static void find_farthest(struct cpu_time *time, const struct compared *compared, double ns,
                          double count)
{
    const struct session *session = time->session;
    struct cpu_check *check = &time->check;
    const struct compared *farthest = NULL;

    for (size_t i = 0; i < session->bindings.count; i++) {
        double clock_share = compared[i].clock_ns / ns, share = compared[i].count / count;

        if (!(clock_share * count >= least_expected))
            continue;
        check->kernels++;
        if (farthest && fabs(share - clock_share) <= fabs(check->sample_share - check->clock_share))
            continue;
        farthest = &compared[i];
        check->name = session_binding_at(session, i)->symbol;
        check->clock_share = clock_share;
        check->sample_share = share;
    }
    if (!farthest)
        return;
    const struct cpu_sort sort = {farthest->count, count, farthest->runs};
    check->interval = cpu_sort_interval(&sort, 1 - wrong_alarms / (double)check->kernels);
    judge(check);
}

void cpu_check_fill(struct cpu_time *time, const struct cpu_split *split, const uint32_t *kernels)
{
    const struct session *session = time->session;
    struct compared *compared = pool_get_zeros(session->bindings.count + 1, sizeof *compared);
    uint32_t *last = pool_get_zeros(session->threads.count + 1, sizeof *last);

    if (session->ticks.count > 0) {
        add_clocks(compared, time, split);
        double count = add_samples(compared, session, split, kernels, last);
        find_farthest(time, compared, sampled_threads_ns(session, split), count);
    }
}
