/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the bound of a kernel's calls.
 *
 * Decision: doc/decisions/roofs.
 */
#include "kernels/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "kernels/kernel_precision.h"
#include "kernels/traffic.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* A call is short below 10 us (XProf, pyperf) or ten times the cost of recording it; below 60 % of
 * the roof (Nsight Compute) neither limit explains it. */
static const double short_call_ns = 10000, short_costs = 10, near_roof = 0.6;

/* Above 105 % of a limit a figure is wrong, not good: clocks and calibrations
 * agree to some percent. */
static const double valid_fraction = 1.05;

const char *judge_bound_name(enum judge_bound bound)
{
    static const char *const names[] = {NULL, "compute", "memory", "latency"};

    return names[bound];
}

bool judge_is_impossible(double fraction)
{
    return fraction > valid_fraction;
}

void judge_append_invalid(struct text *text, const struct judgement *judgement)
{
    bool is_peak = judgement->peak_fraction > judgement->bandwidth_fraction ||
                   isnan(judgement->bandwidth_fraction);

    if (is_peak)
        say(text, invalid_peak_text, said_flop_rate(judgement->flops_per_second),
            said_share(judgement->peak_fraction));
    else
        say(text, invalid_bandwidth_text, said_byte_rate(judgement->bytes_per_second),
            said_share(judgement->bandwidth_fraction));
    say(text, invalid_causes_text, said_words(is_peak ? "FLOPs" : "bytes"));
}

void judge_note_invalid(struct table *table, const struct group *group,
                        const struct judgement *judgement)
{
    struct text reason;

    text_init(&reason);
    judge_append_invalid(&reason, judgement);
    table_say(table, invalid_text, said_words(group_name(group)), said_words(group->shape),
              said_words(reason.bytes));
}

void judge_note_more_invalid(struct table *table, size_t count)
{
    if (count <= JUDGE_INVALID_NOTES)
        return;
    table_say(table, invalid_more_text, said_count(count - JUDGE_INVALID_NOTES));
}

static void note_groups(struct table *table, const struct groups *groups, const struct judge *judge)
{
    size_t invalid = 0;

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        struct judgement judgement = judge_group(judge, group);

        if (judgement.is_invalid && invalid++ < JUDGE_INVALID_NOTES)
            judge_note_invalid(table, group, &judgement);
    }
    judge_note_more_invalid(table, invalid);
}

/* A row of several kernels has no precision of its own, and one that is possible may hold
 * calls that are not: so each kernel and shape is judged. */
void judge_note_impossible(struct table *table, const struct session *session,
                           const struct analysis_options *options)
{
    struct judge judge = judge_init(session, options);
    struct analysis_options own = *options;
    struct groups groups;

    if (!options->machine)
        return;
    own.by = ANALYSIS_BY_SHAPE;
    groups_init(&groups, session, &own);
    note_groups(table, &groups, &judge);
}

/* Processor time outside of kernels of the threads that call kernels.  Inside a kernel a thread
 * computes; outside it need not. */
static double outside_ns(const struct session *session, double *inside_ns)
{
    double outside = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);
        double lived = (double)(thread->last_ns - thread->first_ns);

        if (thread->kernel_ns == 0)
            continue;
        if (thread->cpu_ns != SESSION_UNKNOWN)
            lived = fmin(lived, (double)thread->cpu_ns);
        *inside_ns += (double)thread->kernel_ns;
        outside += fmax(0, lived - (double)thread->kernel_ns);
    }
    return outside;
}

/* Processor time of other threads is assumed to be the work of a library's own threads inside the
 * calls. */
static double estimate_threads(const struct session *session)
{
    const struct session_process *process = &session->process;
    double cpu_ns = (double)process->last.user_ns + (double)process->last.system_ns;
    double inside = 0, outside = outside_ns(session, &inside);

    if (process->last.user_ns == SESSION_UNKNOWN)
        return 1;
    return inside > 0 ? round((cpu_ns - outside) / inside) : 1;
}

static const double least_work = 0.25; /* of the caller's time in kernels */

/* Samples of one thread inside kernels, by the thread whose call it is. */
struct inside {
    uint64_t own;
    uint64_t others;
};

static uint64_t add_samples(struct inside *threads, const struct session *session)
{
    uint64_t own = 0;

    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);

        if (sample->slot == SESSION_NONE || sample->thread >= session->threads.count)
            continue;
        if (sample->flags & SESSION_SAMPLE_WORKER)
            threads[sample->thread].others += sample->periods;
        else {
            threads[sample->thread].own += sample->periods;
            own += sample->periods;
        }
    }
    return own;
}

/* Returns: threads that did a good part of the only calling thread's work; 0 with several. */
static unsigned count_workers(const struct session *session)
{
    struct inside *threads = pool_get_zeros(session->threads.count + 1, sizeof *threads);
    uint64_t own = add_samples(threads, session);
    unsigned callers = 0, workers = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        callers += session_thread_at(session, i)->kernel_ns > 0;
        workers += threads[i].others > 0 && (double)threads[i].others >= least_work * (double)own;
    }
    return callers == 1 ? workers : 0;
}

/* The smallest number of threads that was set for a library; 0 when none was. */
static unsigned read_environment(const struct session_process *process)
{
    static const char *const names[] = {
        "OPENBLAS_NUM_THREADS=", "OMP_NUM_THREADS=", "MKL_NUM_THREADS=", "BLIS_NUM_THREADS="};
    unsigned least = 0;

    for (size_t i = 0; i < text_list_count(&process->environment); i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            const char *variable = text_list_at(&process->environment, i);
            unsigned long number;

            if (strncmp(variable, names[j], strlen(names[j])) != 0)
                continue;
            number = strtoul(variable + strlen(names[j]), NULL, 10);
            if (number > 0 && number < UINT32_MAX && (least == 0 || number < least))
                least = (unsigned)number;
        }
    return least;
}

static unsigned within(double threads, const struct session_process *process)
{
    if (process->cpu_count != SESSION_UNKNOWN)
        threads = fmin(threads, (double)process->cpu_count);
    return threads > 1 ? (unsigned)threads : 1;
}

/* The user's setting for the library is more reliable than processor time, which is too short if
 * processes wait for one another. */
static void choose_threads(struct judge *judge, const struct session *session,
                           const struct analysis_options *options)
{
    unsigned set = read_environment(&session->process);

    judge->set_threads = options->call_threads ? options->call_threads : set;
    judge->threads_from = options->call_threads ? JUDGE_FROM_OPTION
                          : set                 ? JUDGE_FROM_ENVIRONMENT
                                                : JUDGE_FROM_TIME;
    judge->workers = count_workers(session);
    switch (judge->threads_from) {
    case JUDGE_FROM_OPTION: judge->threads = options->call_threads; return;
    case JUDGE_FROM_ENVIRONMENT: judge->threads = within(set, &session->process); return;
    case JUDGE_FROM_TIME:
        judge->threads =
            within(fmax(estimate_threads(session), 1 + judge->workers), &session->process);
        return;
    }
}

struct judge judge_init(const struct session *session, const struct analysis_options *options)
{
    double cost_ns = session->overhead.kernel_ns + session->overhead.resolution_ns;
    struct judge judge = {.machine = options->machine,
                          .short_ns = fmax(short_call_ns, short_costs * cost_ns)};

    choose_threads(&judge, session, options);
    return judge;
}

double judge_peak(const struct machine *machine, enum machine_precision precision, unsigned threads)
{
    if (precision < MACHINE_PRECISIONS)
        return machine_peak(machine, precision, threads);
    return fmax(machine_peak(machine, MACHINE_F32, threads),
                machine_peak(machine, MACHINE_F64, threads));
}

static double quotient(long double dividend, long double divisor)
{
    return divisor > 0 ? (double)(dividend / divisor) : (double)NAN;
}

/* If there are only first calls, these decide whether calls are short. */
static enum judge_bound find_bound(const struct judge *judge, const struct judgement *row,
                                   const struct group *group)
{
    double call_ns =
        isnan(row->call_ns) ? quotient(group->owning_ns, group->owning_calls) : row->call_ns;

    if (isnan(row->roof_fraction) || row->is_invalid)
        return JUDGE_UNKNOWN;
    if (call_ns < judge->short_ns && row->roof_fraction < near_roof)
        return JUDGE_LATENCY;
    return row->intensity >= machine_ridge(&row->roof) ? JUDGE_COMPUTE : JUDGE_MEMORY;
}

static enum judge_lack find_lack(const struct judgement *row, const struct group *group)
{
    if (isfinite(row->least_ns) || row->is_invalid)
        return JUDGE_LACKS_NOTHING;
    if (row->lacks_loop)
        return JUDGE_LACKS_LOOP;
    if (isnan(row->call_bytes) || isnan((double)group->flops))
        return JUDGE_LACKS_WORK;
    return isnan(row->roof.peak) ? JUDGE_LACKS_PEAK : JUDGE_LACKS_BANDWIDTH;
}

void judge_append_lack(struct text *text, enum judge_lack lack, enum machine_precision precision)
{
    switch (lack) {
    case JUDGE_LACKS_WORK: say_part(text, lacks_work_text); return;
    case JUDGE_LACKS_PEAK:
        if (precision < MACHINE_PRECISIONS)
            say_part(text, lacks_peak_text, said_words(machine_precision_name(precision)));
        else
            say_part(text, lacks_peaks_text);
        return;
    case JUDGE_LACKS_BANDWIDTH: say_part(text, lacks_bandwidth_text); return;
    case JUDGE_LACKS_LOOP: say_part(text, lacks_loop_text); return;
    case JUDGE_LACKS_NOTHING:
    case JUDGE_LACKS: return;
    }
}

/* The mean of a call uses the calls after the first ones; rates use all calls. */
static void find_rates(struct judgement *row, const struct group *group)
{
    row->call_ns = quotient(fmaxl(0, (long double)group->owning_ns - group->owning_warmup_ns),
                            (long double)group->owning_calls - group->owning_warmup_calls);
    row->call_bytes = quotient(group->bytes, group->owning_calls);
    row->flops_per_second = quotient(group->executed_flops * 1e9L, group->owning_ns);
    row->bytes_per_second = quotient(group->bytes * 1e9L, group->owning_ns);
    row->intensity = quotient(group->executed_flops, group->bytes);
    if (group->is_on_device) /* the roofs are the host's */
        row->flops_per_second = row->bytes_per_second = row->call_bytes = (double)NAN;
}

/* Returns: the next level before a level that was measured; the level itself if there is none. */
static enum machine_level find_nearer(const struct judge *judge, enum machine_level level)
{
    for (int nearer = (int)level - 1; nearer >= MACHINE_L1; nearer--)
        if (isfinite(machine_bandwidth(judge->machine, (enum machine_level)nearer, judge->threads)))
            return (enum machine_level)nearer;
    return level;
}

/* Bandwidth falls as operands grow.  A bandwidth measured over more bytes than a call has does not
 * limit the call; the bandwidth of the next level does. */
static enum machine_level find_level(const struct judge *judge, const struct judgement *row)
{
    enum machine_level level = row->roof.level;
    bool is_below = row->call_bytes < machine_working_set(judge->machine, level);
    bool is_faster = judge_is_impossible(row->bytes_per_second / row->roof.bandwidth);

    return is_below && is_faster ? find_nearer(judge, level) : level;
}

/* A kernel without a matching loop is judged by the fastest loop, unless the kernel is faster. */
static void find_roof(const struct judge *judge, struct judgement *row, const struct group *group)
{
    const struct machine *machine = judge->machine;
    struct traffic_asked asked = {.kernel = group->kernel,
                                  .threads = judge->threads,
                                  .bytes_per_second = row->bytes_per_second};
    double *bandwidth = &row->roof.bandwidth;
    bool has_loop;

    row->roof = machine_find_roof(machine, MACHINE_F32, row->call_bytes, judge->threads);
    row->roof.peak = judge_peak(machine, row->precision, judge->threads);
    asked.level = row->roof.level;
    traffic_find_bandwidth(&asked, machine, bandwidth);
    asked.level = row->roof.level = find_level(judge, row);
    has_loop = traffic_find_bandwidth(&asked, machine, bandwidth);
    row->lacks_loop = !has_loop && row->bytes_per_second > *bandwidth;
    if (row->lacks_loop)
        *bandwidth = (double)NAN;
}

static void find_limits(const struct judge *judge, struct judgement *row, const struct group *group)
{
    const struct machine *machine = judge->machine;

    find_roof(judge, row, group);
    row->bandwidth_fraction = row->bytes_per_second / row->roof.bandwidth;
    row->stream_fraction =
        row->bytes_per_second / machine_triad(machine, MACHINE_DRAM, judge->threads);
    row->attainable_flops_per_second = machine_attainable(&row->roof, row->intensity);
    row->least_ns = 1e9 * machine_least_seconds(&row->roof, group->executed_flops, group->bytes);
    row->roof_fraction = quotient(row->least_ns, group->owning_ns);
    row->wasted_ns = fmax(0, (double)group->owning_ns - row->least_ns);
    if (isnan(row->least_ns))
        row->wasted_ns = (double)NAN;
    row->is_invalid |= judge_is_impossible(row->bandwidth_fraction);
}

/* A roof needs the bytes of a call; the peak does not. */
static void find_peak_share(const struct judge *judge, struct judgement *row)
{
    row->peak_fraction =
        row->flops_per_second / judge_peak(judge->machine, row->precision, judge->threads);
    row->is_invalid = judge_is_impossible(row->peak_fraction);
}

struct judgement judge_group(const struct judge *judge, const struct group *group)
{
    const double unknown = (double)NAN;
    struct judgement row = {.precision = kernel_precision_of(group),
                            .roof = {unknown, unknown, MACHINE_LEVELS},
                            .attainable_flops_per_second = unknown,
                            .peak_fraction = unknown,
                            .bandwidth_fraction = unknown,
                            .stream_fraction = unknown,
                            .roof_fraction = unknown,
                            .least_ns = unknown,
                            .wasted_ns = unknown};

    find_rates(&row, group);
    if (judge->machine && group->owning_calls > 0)
        find_peak_share(judge, &row);
    if (judge->machine && group->owning_calls > 0 && isfinite(row.call_bytes))
        find_limits(judge, &row, group);
    if (judge->machine && group->owning_calls > 0)
        row.lack = find_lack(&row, group);
    row.bound = find_bound(judge, &row, group);
    return row;
}
