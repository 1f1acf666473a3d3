/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the thread of the steps, each in its step, by the rows of processor time: by op
 * where ops were recorded.
 */
#include "steps/step_functions.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_sort.h"
#include "cpu/cpu_time.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"

/* Samples of a row of processor time. */
struct counted {
    double samples, steady_samples, runs;
};

struct count {
    const struct step_functions *functions;
    const struct steps *steps;
    struct counted *rows;
    size_t first;       /* step after the warm-up */
    size_t step;        /* the step of the last sample, or the next step */
    uint32_t last;      /* row of the sample before */
    double all, steady; /* samples */
};

/* Ticks come in the order of time, except those of a chunk that was written late.
 * Returns: whether a time is inside a step with a known end; count->step is that step. */
static bool find_step(struct count *count, uint64_t time_ns)
{
    const struct step *step = count->steps->steps.items;
    size_t whole = steps_count_whole(count->steps);

    while (count->step > 0 && (count->step == whole || step[count->step].start_ns > time_ns))
        count->step--;
    while (count->step < whole && step[count->step].end_ns <= time_ns)
        count->step++;
    return count->step < whole && step[count->step].start_ns <= time_ns;
}

/* Kernels and recording have their own parts; a row of ops has both. */
static bool is_rest(const struct cpu_time *time, size_t index)
{
    const struct session_sample *sample = session_sample_at(time->session, index);
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[index]);

    if (row->kind == CPU_OP &&
        (sample->slot != SESSION_NONE || time->call_kernel[sample->call] != SESSION_NONE))
        return false;
    return row->kind != CPU_KERNEL && row->kind != CPU_TPROF && row->kind != CPU_UNNAMED;
}

static void count_tick(struct count *count, const struct session *session,
                       const struct session_tick *tick)
{
    const struct cpu_time *time = &count->functions->time;
    uint32_t row = time->sample_row[tick->sample];
    struct counted *of = &count->rows[row];

    if (session_sample_at(session, tick->sample)->thread != count->steps->thread ||
        !is_rest(time, tick->sample) || !find_step(count, tick->time_ns))
        return;
    of->samples += tick->periods;
    of->runs += row != count->last;
    count->last = row;
    count->all += tick->periods;
    if (count->step < count->first)
        return;
    of->steady_samples += tick->periods;
    count->steady += tick->periods;
}

static void add_function(struct step_functions *functions, const struct count *count, size_t row,
                         double confidence)
{
    const struct counted *of = &count->rows[row];
    const struct cpu_sort sort = {of->samples, count->all, of->runs};
    struct step_function *function = array_add(&functions->rows);

    *function = (struct step_function){
        .row = array_at(&functions->time.rows, row),
        .samples = of->samples,
        .runs = of->runs,
        .share = of->samples / count->all,
        .steady_share = count->steady > 0 ? of->steady_samples / count->steady : (double)NAN,
        .interval = cpu_sort_interval(&sort, confidence),
    };
}

static int compare_functions(const void *left, const void *right)
{
    const struct step_function *a = left, *b = right;

    if (a->share != b->share)
        return a->share < b->share ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

static void list(struct step_functions *functions, const struct count *count, double confidence)
{
    functions->samples = count->all;
    for (size_t i = 0; i < functions->time.rows.count; i++)
        if (count->rows[i].samples > 0)
            add_function(functions, count, i, confidence);
    if (functions->rows.count > 0)
        qsort(functions->rows.items, functions->rows.count, sizeof(struct step_function),
              compare_functions);
}

void step_functions_find(struct step_functions *functions, const struct steps *steps, size_t first,
                         const struct session *session, const struct analysis_options *options)
{
    const struct cpu_time_options how = {session->ops.count > 1 ? CPU_BY_OP : CPU_BY_FUNCTION,
                                         options->confidence, options->find_frames};
    struct count count = {
        .functions = functions, .steps = steps, .first = first, .last = SESSION_NONE};

    cpu_time_init(&functions->time, session, &how);
    functions->samples = 0;
    array_init(&functions->rows, sizeof(struct step_function));
    if (functions->time.unknown)
        return;
    count.rows = pool_get_zeros(functions->time.rows.count + 1, sizeof *count.rows);
    for (size_t i = 0; i < session->ticks.count; i++)
        count_tick(&count, session, array_at(&session->ticks, i));
    list(functions, &count, options->confidence);
}

