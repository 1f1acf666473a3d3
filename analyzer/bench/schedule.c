/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds of a benchmark.
 */
#include "bench/schedule.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The progress of a point while the benchmark runs. */
struct turn {
    unsigned warmups;
    unsigned runs;
    unsigned timeouts;
    double sum_ns; /* time of all its runs, warm-up included */
};

struct schedule {
    const struct plan *plan;
    const struct schedule_runner *runner;
    struct array *samples;
    struct turn *turns; /* one for each point */
    size_t *order;
    gsl_rng *random;
    unsigned round;
    bool is_interrupted;
};

static const struct plan_point *point_at(const struct schedule *schedule, size_t index)
{
    return array_at(&schedule->plan->points, index);
}

static double mean_ns(const struct turn *turn)
{
    unsigned count = turn->warmups + turn->runs + turn->timeouts;

    return count > 0 ? turn->sum_ns / count : (double)NAN;
}

static unsigned runs_for_time(double mean)
{
    double for_time;

    if (isnan(mean) || mean <= 0)
        return SCHEDULE_LEAST;
    if (mean * SCHEDULE_LEAST > SCHEDULE_MOST_NS)
        return (unsigned)fmax(SCHEDULE_SLOW, floor(SCHEDULE_MOST_NS / mean));
    for_time = ceil(SCHEDULE_LEAST_NS / mean);
    return (unsigned)fmax(SCHEDULE_LEAST, fmin(SCHEDULE_MOST, for_time));
}

/* How many runs a point needs, judged by its runs so far. */
static unsigned runs_needed(const struct schedule *schedule, size_t index)
{
    unsigned stated = point_at(schedule, index)->command->runs, for_time;

    if (stated != PLAN_ENOUGH)
        return stated;
    for_time = runs_for_time(mean_ns(&schedule->turns[index]));
    return for_time > schedule->runner->runs_least ? for_time : schedule->runner->runs_least;
}

static bool needs_warmup(const struct schedule *schedule, size_t index)
{
    return schedule->turns[index].warmups < point_at(schedule, index)->command->warmup;
}

static bool needs_run(const struct schedule *schedule, size_t index)
{
    const struct turn *turn = &schedule->turns[index];

    return turn->runs + turn->timeouts < runs_needed(schedule, index);
}

/* The remaining runs of a point. */
static unsigned runs_left(const struct schedule *schedule, size_t index)
{
    const struct turn *turn = &schedule->turns[index];
    unsigned needed = runs_needed(schedule, index), had = turn->runs + turn->timeouts;
    unsigned warm = point_at(schedule, index)->command->warmup;

    return (warm > turn->warmups ? warm - turn->warmups : 0) + (needed > had ? needed - had : 0);
}

static void show(const struct schedule *schedule, const struct plan_point *point)
{
    size_t begun = schedule->samples->count; /* the one that runs next among them */
    struct schedule_progress progress = {.point = point, .done = point ? begun - 1 : begun};

    if (!schedule->runner->show)
        return;
    progress.whole = progress.done;
    for (size_t i = 0; i < schedule->plan->points.count; i++) {
        unsigned left = runs_left(schedule, i);

        progress.whole += left;
        progress.ran_ns += schedule->turns[i].sum_ns;
        progress.left_ns += left > 0 ? left * mean_ns(&schedule->turns[i]) : 0;
    }
    schedule->runner->show(schedule->runner->of, &progress);
}

static void count(struct turn *turn, const struct sample *sample)
{
    if (!isnan(sample->wall_ns))
        turn->sum_ns += sample->wall_ns;
    if (sample->is_warmup)
        turn->warmups++;
    else if (sample_counts(sample))
        turn->runs++;
    else
        turn->timeouts++;
}

static enum status refuse(const struct plan_point *point, const struct sample *sample,
                          struct diagnostic *diagnostic)
{
    if (sample->end == SAMPLE_TIMED_OUT)
        return diagnostic_set(diagnostic, STATUS_POLICY_FAILED,
                              "bench: '%.100s' did not end in time and was ended; "
                              "--ignore-failure continues after failures",
                              point->label);
    return diagnostic_set(
        diagnostic, STATUS_POLICY_FAILED,
        "bench: '%.100s' %s %d%s%s%s; --ignore-failure continues after failures, and "
        "--show-output shows the output",
        point->label, sample->end == SAMPLE_FAILED ? "ended with status" : "was ended by signal",
        sample->code, sample->words[0] ? " and said '" : "", sample->words,
        sample->words[0] ? "'" : "");
}

static enum status run_point(struct schedule *schedule, size_t index, bool is_warmup,
                             struct diagnostic *diagnostic)
{
    const struct plan_point *point = point_at(schedule, index);
    struct sample *sample = array_add(schedule->samples);
    enum status status;

    sample_init(sample, index);
    sample->is_warmup = is_warmup;
    sample->round = schedule->round;
    show(schedule, point);
    status = schedule->runner->run(schedule->runner->of, point, sample, diagnostic);
    if (status)
        return status;
    schedule->is_interrupted = sample->end == SAMPLE_INTERRUPTED;
    count(&schedule->turns[index], sample);
    if (sample->end != SAMPLE_DONE && !schedule->is_interrupted &&
        !schedule->runner->ignores_failures)
        return refuse(point, sample, diagnostic);
    return STATUS_OK;
}

/* Returns: whether anyone needed it. */
static bool run_round(struct schedule *schedule, bool is_warmup, enum status *status,
                      struct diagnostic *diagnostic)
{
    size_t count = 0;

    for (size_t i = 0; i < schedule->plan->points.count; i++)
        if (is_warmup ? needs_warmup(schedule, i) : needs_run(schedule, i))
            schedule->order[count++] = i;
    if (count > 1)
        gsl_ran_shuffle(schedule->random, schedule->order, count, sizeof *schedule->order);
    for (size_t i = 0; i < count && !*status && !schedule->is_interrupted; i++)
        *status = run_point(schedule, schedule->order[i], is_warmup, diagnostic);
    schedule->round++;
    return count > 0 && !*status && !schedule->is_interrupted;
}

static enum status run_rounds(struct schedule *schedule, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    while (run_round(schedule, true, &status, diagnostic))
        continue;
    schedule->round = 0;
    while (!status && !schedule->is_interrupted && run_round(schedule, false, &status, diagnostic))
        continue;
    show(schedule, NULL);
    return status;
}

enum status schedule_run(const struct plan *plan, const struct schedule_runner *runner,
                         struct array *samples, struct diagnostic *diagnostic)
{
    struct schedule schedule = {.plan = plan, .runner = runner, .samples = samples};
    enum status status;

    schedule.turns = memory_get_zeros(plan->points.count + 1, sizeof *schedule.turns);
    schedule.order = memory_get_zeros(plan->points.count + 1, sizeof *schedule.order);
    schedule.random = memory_have(gsl_rng_alloc(gsl_rng_mt19937));
    gsl_rng_set(schedule.random, (unsigned long)runner->seed);
    status = run_rounds(&schedule, diagnostic);
    gsl_rng_free(schedule.random);
    free(schedule.turns);
    free(schedule.order);
    return status;
}
