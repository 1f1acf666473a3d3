/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof bench: run commands again and again, in turn.  Report how long they take, which is faster,
 * how they grow and where a sweep bends.
 */
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/noise.h"
#include "bench/report.h"
#include "cmd/bench_parts.h"
#include "cmd/bench_runner.h"
#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "cmd/page_file.h"
#include "launch/execute.h"
#include "machine/conditions.h"

enum { SIGNALLED = 128 };

/* Processors that we, and so the programs, may use. */
static double count_processors(void)
{
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : (double)NAN;
}

static void find_noise(const struct results *results, const struct conditions *conditions,
                       double load, struct text_list *warnings)
{
    const char *governor = conditions->values[TRACE_CONDITION_GOVERNOR];
    const char *turbo = conditions->values[TRACE_CONDITION_TURBO];
    const struct noise_machine machine = {.load = load,
                                          .processors = count_processors(),
                                          .governor = governor[0] ? governor : NULL,
                                          .turbo = turbo[0] ? turbo : NULL};

    noise_find(results, &machine, warnings);
}

static void add_scaling(struct bench_report *report, const struct plan_command *command)
{
    const struct results *results = report->results;
    const struct sample *sample = results->samples->items;
    struct scaling *scaling = array_add(&report->scalings);

    scaling_init(scaling, command->label);
    for (size_t i = 0; i < results->samples->count; i++) {
        const struct plan_point *point = array_at(&results->plan->points, sample[i].point);
        const struct parameter_value *value = plan_value(point, report->swept);

        if (point->command == command && value && sample_counts(&sample[i]))
            scaling_add_run(scaling, parameter_number(value->text), &sample[i].run,
                            results_time(&results->options, &sample[i]));
    }
    scaling_fit(scaling, results->options.confidence);
}

static void add_sweeps(struct bench_report *report)
{
    const struct plan *plan = report->results->plan;

    report->swept = plan_swept(plan);
    for (size_t i = 0; report->swept && i < plan->commands.count; i++) {
        const struct plan_command *command = array_at(&plan->commands, i);
        struct bench_sweep *sweep = array_add(&report->sweeps);

        bench_sweep_init(sweep, report->results, command, report->swept, &report->limits);
        add_scaling(report, command);
    }
}

static enum status arrange_and_render(struct bench *bench, struct bench_report *report,
                                      struct diagnostic *diagnostic)
{
    static const struct analysis analysis = {.name = "bench"};
    enum status status;

    bench_report_points(report);
    status =
        cmd_arrange(document_main_table(&report->document), &analysis, &bench->shared, diagnostic);
    if (status)
        return status;
    bench_report_rest(report);
    status = cmd_render_document(&report->document, &bench->shared, diagnostic);
    return status ? status
                  : page_file_write(&report->document, "tprof bench", bench->page,
                                    bench->shared.may_overwrite, diagnostic);
}

/* Gives the path where --keep puts the traces.  NULL: nothing is kept. */
static const char *kept_path(const struct bench *bench, char path[PATH_MAX])
{
    if (!bench->keep || snprintf(path, PATH_MAX, "%s/%s", bench->keep, BENCH_KEPT) >= PATH_MAX)
        return NULL;
    return path;
}

static enum status keep_results(const struct bench *bench, const struct bench_report *report,
                                struct diagnostic *diagnostic)
{
    struct cmd_options options = bench->shared;
    char path[PATH_MAX];

    options.renderer = &renderer_json;
    options.output = kept_path(bench, path);
    return options.output ? cmd_render_document(&report->document, &options, diagnostic)
                          : STATUS_OK;
}

static enum status report_results(struct bench *bench, const struct results *results,
                                  const struct text_list *warnings, bool is_interrupted,
                                  struct diagnostic *diagnostic)
{
    struct bench_report report;
    enum status status;

    bench_report_init(&report, results);
    report.warnings = warnings;
    report.limits = bench->limits;
    report.seed = bench->seed;
    report.is_interrupted = is_interrupted;
    add_sweeps(&report);
    status = arrange_and_render(bench, &report, diagnostic);
    if (!status)
        status = keep_results(bench, &report, diagnostic);
    bench_report_fini(&report);
    return status;
}

/* A misspelled --sort, --filter or --output must not waste the runs: the report is made once
 * without any run, before. */
static enum status rehearse(struct bench *bench, struct diagnostic *diagnostic)
{
    static const struct analysis analysis = {.name = "bench"};
    const struct array samples = {.item_size = sizeof(struct sample)};
    struct results results;
    struct bench_report report;
    char kept[PATH_MAX];
    enum status status;

    if (destination_check(bench->shared.output, bench->shared.may_overwrite, diagnostic))
        return diagnostic->status;
    if (bench->page && destination_check(bench->page, bench->shared.may_overwrite, diagnostic))
        return diagnostic->status;
    if (kept_path(bench, kept) && destination_check(kept, bench->shared.may_overwrite, diagnostic))
        return diagnostic->status;
    results_init(&results, &bench->plan, &samples, &bench->results);
    bench_report_init(&report, &results);
    bench_report_points(&report);
    status =
        cmd_arrange(document_main_table(&report.document), &analysis, &bench->shared, diagnostic);
    bench_report_fini(&report);
    results_fini(&results);
    return status;
}

struct ran {
    struct array samples; /* of struct sample */
    struct conditions conditions;
    double load; /* load before the first run */
};

static const struct sample *find_interrupted(const struct ran *ran)
{
    const struct sample *last =
        ran->samples.count > 0 ? array_at(&ran->samples, ran->samples.count - 1) : NULL;

    return last && last->end == SAMPLE_INTERRUPTED ? last : NULL;
}

static enum status run_plan(struct bench *bench, struct ran *ran, struct diagnostic *diagnostic)
{
    struct bench_runner runner = {.shows_output = bench->shows_output};
    const struct schedule_runner how = {.of = &runner,
                                        .run = bench_runner_run,
                                        .show = bench_runner_show,
                                        .seed = bench->seed,
                                        .runs_least =
                                            results_runs_needed(&bench->plan, &bench->results),
                                        .ignores_failures = bench->ignores_failures};
    enum status status = bench_runner_init(&runner, &bench->plan, bench->keep, diagnostic);

    conditions_read(&ran->conditions, "");
    if (getloadavg(&ran->load, 1) != 1)
        ran->load = (double)NAN;
    if (status)
        return status;
    execute_start();
    status = schedule_run(&bench->plan, &how, &ran->samples, diagnostic);
    execute_stop();
    bench_runner_fini(&runner);
    return status;
}

static enum status conclude(struct bench *bench, const struct ran *ran, struct cmd_outcome *outcome)
{
    const struct sample *interrupted = find_interrupted(ran);
    struct results results;
    struct text_list warnings;
    enum status status;

    results_init(&results, &bench->plan, &ran->samples, &bench->results);
    text_list_init(&warnings);
    if (interrupted)
        text_list_add(&warnings,
                      "The benchmark was interrupted. These are the results until then.");
    find_noise(&results, &ran->conditions, ran->load, &warnings);
    status = report_results(bench, &results, &warnings, interrupted != NULL, &outcome->diagnostic);
    if (!status)
        status = bench_export(bench, &results, &outcome->diagnostic);
    text_list_fini(&warnings);
    results_fini(&results);
    if (!status && interrupted)
        outcome->exit_code = SIGNALLED + interrupted->code;
    return status;
}

static enum status run_bench(struct bench *bench, struct cmd_outcome *outcome)
{
    struct ran ran = {.load = (double)NAN};
    struct sample *sample;
    enum status status;

    array_init(&ran.samples, sizeof(struct sample));
    bench->results.confidence = bench->shared.analysis.confidence;
    status = run_plan(bench, &ran, &outcome->diagnostic);
    if (!status)
        status = conclude(bench, &ran, outcome);
    sample = ran.samples.items;
    for (size_t i = 0; i < ran.samples.count; i++)
        sample_fini(&sample[i]);
    array_fini(&ran.samples);
    return status;
}

static void init(struct bench *bench)
{
    *bench = (struct bench){.results = {.choice = REFERENCE_FIRST},
                            .limits = {(double)NAN, (double)NAN},
                            .runs = (double)NAN,
                            .warmup = (double)NAN,
                            .seed = (uint64_t)time(NULL)};
    array_init(&bench->parameters, sizeof(const char *));
    array_init(&bench->metrics, sizeof(const char *));
    array_init(&bench->labels, sizeof(const char *));
    array_init(&bench->commands, sizeof(const char *));
    plan_init(&bench->plan);
}

static void fini(struct bench *bench)
{
    plan_fini(&bench->plan);
    array_fini(&bench->parameters);
    array_fini(&bench->metrics);
    array_fini(&bench->labels);
    array_fini(&bench->commands);
}

enum status cmd_bench(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct bench bench;
    int place = 0;
    enum status status;

    init(&bench);
    status = bench_parse(&bench, argc, argv, &outcome->diagnostic);
    while (place < argc && strcmp(argv[place], "--") != 0)
        place++;
    if (!status && bench.shared.is_help) {
        bench_print_help();
        status = render_finish(stdout, &outcome->diagnostic);
    } else if (!status) {
        status = bench_make_plan(&bench, argv + place, &outcome->diagnostic);
        if (!status)
            status = bench_check_export(&bench, &outcome->diagnostic);
        if (!status)
            status = rehearse(&bench, &outcome->diagnostic);
        if (!status)
            status = run_bench(&bench, outcome);
    }
    fini(&bench);
    return status;
}
