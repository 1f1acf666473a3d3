/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof bench: run commands again and again, in turn, and say how long they take,
 * which is faster, how they grow and where a sweep bends.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "bench/metric.h"
#include "bench/report.h"
#include "bench/suite.h"
#include "cmd/bench_runner.h"
#include "cmd/cmd.h"
#include "cmd/execute.h"
#include "cmd/own_options.h"
#include "machine/conditions.h"
#include "runs/baseline.h"

enum option_id {
#define BENCH_OPTION(id, name, argument, help) OPTION_##id,
#include "cmd/bench_options.def"
#undef BENCH_OPTION
    OPTIONS
};

static const struct own_option rows[] = {
#define BENCH_OPTION(id, name, argument, help) {name, argument, help},
#include "cmd/bench_options.def"
#undef BENCH_OPTION
};

enum { SIGNALLED = 128 };

struct bench {
    struct cmd_options shared;
    struct plan plan;
    struct results_options results;
    struct bench_sweep_limits limits;
    struct array parameters; /* of const char *: as they were given, for every command */
    struct array metrics;    /* the same */
    struct array labels;     /* the same, one a command */
    struct array commands;   /* of const char *: those for the shell */
    const char *suite;
    const char *items;
    const char *batches;
    const char *prepare;
    const char *keep;
    const char *export;
    double runs;   /* NAN: not given */
    double warmup; /* the same */
    uint64_t timeout_ns;
    uint64_t seed;
    bool is_plain;
    bool ignores_failures;
    bool shows_output;
};

/* ---- reading options ----------------------------------------------------------------- */

static enum status keep_text(struct array *texts, const char *text, struct diagnostic *diagnostic)
{
    const char **place = array_add(texts);

    if (!place)
        return diagnostic_set_out_of_memory(diagnostic);
    *place = text;
    return STATUS_OK;
}

static enum status read_whole(enum option_id id, const char *text, double least, double *number,
                              struct diagnostic *diagnostic)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > 1000000 || (double)value < least)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --%s %.40s: expected a whole number from %g to 1000000",
                              rows[id].name, text, least);
    *number = (double)value;
    return STATUS_OK;
}

static enum status read_seed(const char *text, uint64_t *seed, struct diagnostic *diagnostic)
{
    char *end;

    *seed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --seed %.40s: expected a whole number", text);
    return STATUS_OK;
}

static enum status read_measure(struct results_options *options, const char *text,
                                struct diagnostic *diagnostic)
{
    static const char *const words[] = {
        [MEASURE_WALL] = "wall", [MEASURE_CPU] = "cpu", [MEASURE_KERNELS] = "kernels"};

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            options->measure = (enum measure)i;
            return STATUS_OK;
        }
    if (strncmp(text, "region=", 7) != 0 || text[7] == '\0')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --measure %.60s: expected wall, cpu, kernels or region=PATH",
                              text);
    options->measure = MEASURE_REGION;
    options->region = text + 7;
    return STATUS_OK;
}

static void read_reference(struct results_options *options, const char *text)
{
    options->reference = text;
    options->choice = strcmp(text, "first") == 0     ? REFERENCE_FIRST
                      : strcmp(text, "fastest") == 0 ? REFERENCE_FASTEST
                                                     : REFERENCE_NAMED;
}

static enum status read_memory(double *bytes, const char *text, struct diagnostic *diagnostic)
{
    uint64_t size = 0;
    enum status status = units_parse_size(text, &size, diagnostic);

    *bytes = (double)size;
    return status;
}

static enum status read_latency(double *ns, const char *text, struct diagnostic *diagnostic)
{
    uint64_t duration = 0;
    enum status status = units_parse_duration(text, &duration, diagnostic);

    *ns = (double)duration;
    return status;
}

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    struct bench *bench = of;

    switch ((enum option_id)row) {
    case OPTION_PARAMETER: return keep_text(&bench->parameters, text, diagnostic);
    case OPTION_COMMAND: return keep_text(&bench->commands, text, diagnostic);
    case OPTION_LABEL: return keep_text(&bench->labels, text, diagnostic);
    case OPTION_METRIC: return keep_text(&bench->metrics, text, diagnostic);
    case OPTION_SUITE: bench->suite = text; break;
    case OPTION_RUNS: return read_whole(OPTION_RUNS, text, 1, &bench->runs, diagnostic);
    case OPTION_WARMUP: return read_whole(OPTION_WARMUP, text, 0, &bench->warmup, diagnostic);
    case OPTION_PLAIN: bench->is_plain = true; break;
    case OPTION_MEASURE: return read_measure(&bench->results, text, diagnostic);
    case OPTION_ITEMS: bench->items = text; break;
    case OPTION_BATCHES: bench->batches = text; break;
    case OPTION_PREPARE: bench->prepare = text; break;
    case OPTION_REFERENCE: read_reference(&bench->results, text); break;
    case OPTION_MEMORY_LIMIT: return read_memory(&bench->limits.memory_bytes, text, diagnostic);
    case OPTION_LATENCY_LIMIT: return read_latency(&bench->limits.latency_ns, text, diagnostic);
    case OPTION_TIMEOUT: return units_parse_duration(text, &bench->timeout_ns, diagnostic);
    case OPTION_IGNORE: bench->ignores_failures = true; break;
    case OPTION_SHOW: bench->shows_output = true; break;
    case OPTION_KEEP: bench->keep = text; break;
    case OPTION_EXPORT: bench->export = text; break;
    case OPTION_SEED: return read_seed(text, &bench->seed, diagnostic);
    case OPTIONS: break;
    }
    return STATUS_OK;
}

/* -L is --parameter; what stands after -- belongs to the commands. */
static enum status spell_out(int argc, char **argv, char ***spelled, struct diagnostic *diagnostic)
{
    static char parameter[] = "--parameter";
    char **words = calloc((size_t)argc * 2 + 1, sizeof *words);
    int count = 0;

    *spelled = words;
    if (!words)
        return diagnostic_set_out_of_memory(diagnostic);
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool is_short = i > 0 && strncmp(argv[i], "-L", 2) == 0;

        words[count++] = is_short ? parameter : argv[i];
        if (is_short && argv[i][2] != '\0')
            words[count++] = argv[i] + 2;
    }
    return STATUS_OK;
}

static int count_words(char **words)
{
    int count = 0;

    while (words[count])
        count++;
    return count;
}

static const struct own_options *own_options(struct bench *bench)
{
    static struct own_options own = {"bench", rows, OPTIONS, read_option, NULL};

    own.of = bench;
    return &own;
}

static enum status parse(struct bench *bench, int argc, char **argv, struct diagnostic *diagnostic)
{
    struct own_rest rest = {0, NULL};
    char **spelled;
    enum status status = spell_out(argc, argv, &spelled, diagnostic);

    if (!status)
        status =
            own_options_take(own_options(bench), count_words(spelled), spelled, &rest, diagnostic);
    if (!status)
        status = cmd_parse(&bench->shared, rest.count, rest.words, diagnostic);
    if (!status && bench->shared.trace)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "bench: '%.60s' is not expected here; a command stands after --",
                                bench->shared.trace);
    own_rest_free(&rest);
    free(spelled);
    return status;
}

/* ---- commands --------------------------------------------------------------------------- */

static enum status add_parameters(const struct bench *bench, struct plan_command *command,
                                  struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < bench->parameters.count && !status; i++) {
        struct parameter read, *place;

        status = parameter_read(&read, *(const char **)array_at(&bench->parameters, i), diagnostic);
        if (status)
            break;
        place = array_add(&command->parameters);
        if (!place) {
            parameter_fini(&read);
            return diagnostic_set_out_of_memory(diagnostic);
        }
        *place = read;
    }
    return status;
}

static enum status add_metrics(const struct bench *bench, struct plan_command *command,
                               struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < bench->metrics.count && !status; i++) {
        struct metric read, *place;

        status = metric_read(&read, *(const char **)array_at(&bench->metrics, i), diagnostic);
        if (status)
            break;
        place = array_add(&command->metrics);
        if (!place) {
            metric_fini(&read);
            return diagnostic_set_out_of_memory(diagnostic);
        }
        *place = read;
    }
    return status;
}

/* What the options say overrides what a suite's file says. */
static enum status apply_options(const struct bench *bench, struct plan_command *command,
                                 struct diagnostic *diagnostic)
{
    enum status status = add_parameters(bench, command, diagnostic);

    command->is_plain = command->is_plain || bench->is_plain;
    if (bench->prepare)
        command->prepare = bench->prepare;
    if (bench->items)
        command->items = bench->items;
    if (bench->batches)
        command->batches = bench->batches;
    if (!isnan(bench->runs))
        command->runs = (unsigned)bench->runs;
    if (!isnan(bench->warmup))
        command->warmup = (unsigned)bench->warmup;
    if (bench->timeout_ns > 0)
        command->timeout_ns = bench->timeout_ns;
    return status ? status : add_metrics(bench, command, diagnostic);
}

static enum status add_words(struct bench *bench, char **words, struct diagnostic *diagnostic)
{
    struct plan_command *command = NULL;
    enum status status = STATUS_OK;

    for (; *words && !status; words++) {
        if (strcmp(*words, "--") == 0) {
            command = plan_add_command(&bench->plan);
            status = command ? STATUS_OK : STATUS_OUT_OF_MEMORY;
        } else {
            status = plan_add_word(&bench->plan, command, *words);
        }
    }
    return status ? diagnostic_set_out_of_memory(diagnostic) : STATUS_OK;
}

static enum status add_shell_commands(struct bench *bench, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < bench->commands.count && !status; i++) {
        struct plan_command *command = plan_add_command(&bench->plan);
        const char *string = *(const char **)array_at(&bench->commands, i);

        if (!command || plan_add_word(&bench->plan, command, string))
            status = diagnostic_set_out_of_memory(diagnostic);
        else
            command->is_shell = true;
    }
    return status;
}

static enum status set_labels(struct bench *bench, struct diagnostic *diagnostic)
{
    struct plan_command *command = bench->plan.commands.items;

    if (bench->labels.count > bench->plan.commands.count)
        return diagnostic_set(diagnostic, STATUS_USAGE, "bench: %zu times --label for %zu commands",
                              bench->labels.count, bench->plan.commands.count);
    for (size_t i = 0; i < bench->labels.count; i++)
        command[i].label = *(const char **)array_at(&bench->labels, i);
    return STATUS_OK;
}

/* Kernels and regions are what recording finds. */
static enum status check_measure(const struct bench *bench, struct diagnostic *diagnostic)
{
    const struct plan_command *command = bench->plan.commands.items;
    enum measure measure = bench->results.measure;

    for (size_t i = 0; i < bench->plan.commands.count; i++)
        if (command[i].is_plain && (measure == MEASURE_KERNELS || measure == MEASURE_REGION))
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "bench --measure: a plain run knows neither kernels nor regions");
    return STATUS_OK;
}

/* `words` begin with the first --, or there are none. */
static enum status make_plan(struct bench *bench, char **words, struct diagnostic *diagnostic)
{
    enum status status = add_words(bench, words, diagnostic);

    if (!status)
        status = add_shell_commands(bench, diagnostic);
    if (!status && bench->suite)
        status = suite_read(&bench->plan, bench->suite, diagnostic);
    if (!status)
        status = set_labels(bench, diagnostic);
    for (size_t i = 0; i < bench->plan.commands.count && !status; i++)
        status = apply_options(bench, array_at(&bench->plan.commands, i), diagnostic);
    if (!status && bench->plan.commands.count == 0)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "bench: no command was given: tprof bench [OPTIONS] -- COMMAND "
                                "[ARGUMENT...]");
    if (!status)
        status = plan_expand(&bench->plan, diagnostic);
    if (!status)
        status = check_measure(bench, diagnostic);
    return status ? status : results_check(&bench->plan, &bench->results, diagnostic);
}

/* ---- the report ------------------------------------------------------------------------ */

/* Processors that we, and so the programs, may use. */
static double count_processors(void)
{
    cpu_set_t allowed;

    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : (double)NAN;
}

static enum status find_noise(const struct results *results, const struct conditions *conditions,
                              double load, struct text_list *warnings)
{
    const char *governor = conditions->values[TRACE_CONDITION_GOVERNOR];
    const char *turbo = conditions->values[TRACE_CONDITION_TURBO];
    const struct noise_machine machine = {.load = load,
                                          .processors = count_processors(),
                                          .governor = governor[0] ? governor : NULL,
                                          .turbo = turbo[0] ? turbo : NULL};

    return noise_find(results, &machine, warnings);
}

static enum status add_scaling(struct bench_report *report, const struct plan_command *command)
{
    const struct results *results = report->results;
    const struct sample *sample = results->samples->items;
    struct scaling *scaling = array_add(&report->scalings);
    enum status status = scaling ? scaling_init(scaling, command->label) : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < results->samples->count && !status; i++) {
        const struct plan_point *point = array_at(&results->plan->points, sample[i].point);
        const struct parameter_value *value = plan_value(point, report->swept);

        if (point->command == command && value && sample_counts(&sample[i]))
            status = scaling_add_run(scaling, parameter_number(value->text), &sample[i].run,
                                     results_time(&results->options, &sample[i]));
    }
    return status ? status : scaling_fit(scaling, results->options.confidence);
}

static enum status add_sweeps(struct bench_report *report)
{
    const struct plan *plan = report->results->plan;
    enum status status = STATUS_OK;

    report->swept = plan_swept(plan);
    for (size_t i = 0; report->swept && i < plan->commands.count && !status; i++) {
        const struct plan_command *command = array_at(&plan->commands, i);
        struct bench_sweep *sweep = array_add(&report->sweeps);

        status = sweep ? bench_sweep_init(sweep, report->results, command, report->swept,
                                          &report->limits)
                       : STATUS_OUT_OF_MEMORY;
        if (!status)
            status = add_scaling(report, command);
    }
    return status;
}

static enum status arrange_and_render(struct bench *bench, struct bench_report *report,
                                      struct diagnostic *diagnostic)
{
    static const struct analysis analysis = {.name = "bench"};
    enum status status;

    if (bench_report_points(report))
        return diagnostic_set_out_of_memory(diagnostic);
    status =
        cmd_arrange(document_main_table(&report->document), &analysis, &bench->shared, diagnostic);
    if (status)
        return status;
    if (bench_report_rest(report))
        return diagnostic_set_out_of_memory(diagnostic);
    return cmd_render_document(&report->document, &bench->shared, diagnostic);
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
    status = add_sweeps(&report) ? diagnostic_set_out_of_memory(diagnostic)
                                 : arrange_and_render(bench, &report, diagnostic);
    bench_report_fini(&report);
    return status;
}

/* A slip in --sort, --filter or --output must not cost the runs: the report is made once
 * without any. */
static enum status rehearse(struct bench *bench, struct diagnostic *diagnostic)
{
    static const struct analysis analysis = {.name = "bench"};
    const struct array samples = {.item_size = sizeof(struct sample)};
    struct results results;
    struct bench_report report;
    enum status status;

    if (bench->shared.output && !bench->shared.may_overwrite &&
        access(bench->shared.output, F_OK) == 0)
        return diagnostic_set(diagnostic, STATUS_IO, "%.200s exists; -f overwrites it",
                              bench->shared.output);
    status = results_init(&results, &bench->plan, &samples, &bench->results);
    bench_report_init(&report, &results);
    if (!status)
        status = bench_report_points(&report);
    status = status ? diagnostic_set_out_of_memory(diagnostic)
                    : cmd_arrange(document_main_table(&report.document), &analysis, &bench->shared,
                                  diagnostic);
    bench_report_fini(&report);
    results_fini(&results);
    return status;
}

/* ---- runs for other commands ---------------------------------------------------------------- */

/* Shape: the parameters of a point, and its command as {command}. */
static enum status name_export(const struct bench *bench, const struct plan_point *point,
                               struct text *name)
{
    struct array values;
    struct parameter_value *place;

    array_init(&values, sizeof(struct parameter_value));
    for (size_t i = 0; i <= point->values.count; i++) {
        place = array_add(&values);
        if (!place)
            break;
        *place = i < point->values.count
                     ? *(struct parameter_value *)array_at(&point->values, i)
                     : (struct parameter_value){"command", point->command->label, NULL};
    }
    parameter_substitute(name, bench->export, &values);
    array_fini(&values);
    return place ? text_status(name) : STATUS_OUT_OF_MEMORY;
}

/* Before anything runs: no two points in one file, and no file that is there. */
static enum status check_export(const struct bench *bench, struct diagnostic *diagnostic)
{
    const struct plan_point *point = bench->plan.points.items;
    enum status status = STATUS_OK;
    struct text name, other;

    text_init(&name);
    text_init(&other);
    for (size_t i = 0; bench->export && i < bench->plan.points.count && !status; i++) {
        text_clear(&name);
        if (name_export(bench, &point[i], &name))
            status = diagnostic_set_out_of_memory(diagnostic);
        else if (!bench->shared.may_overwrite && access(name.bytes, F_OK) == 0)
            status = diagnostic_set(diagnostic, STATUS_IO, "%.200s exists; -f overwrites it",
                                    name.bytes);
        else if (i > 0 && strcmp(name.bytes, other.bytes) == 0)
            status = diagnostic_set(diagnostic, STATUS_USAGE,
                                    "bench --export %.100s: '%.60s' and '%.60s' would be one file: "
                                    "put {NAME} of each parameter into it, or {command}",
                                    bench->export, point[i - 1].label, point[i].label);
        text_clear(&other);
        text_append(&other, name.bytes);
    }
    text_fini(&name);
    text_fini(&other);
    return status;
}

/* The side borrows the runs. */
static enum status gather_side(const struct results *results, size_t index, struct run_side *side)
{
    const struct sample *sample = results->samples->items;

    for (size_t i = 0; i < results->samples->count; i++) {
        struct run *run;

        if (sample[i].point != index || !sample_counts(&sample[i]))
            continue;
        run = array_add(&side->runs);
        if (!run)
            return STATUS_OUT_OF_MEMORY;
        *run = sample[i].run;
    }
    return STATUS_OK;
}

static enum status write_file(const char *path, const struct text *text,
                              struct diagnostic *diagnostic)
{
    FILE *file = fopen(path, "we");
    bool is_written = file && fwrite(text->bytes, 1, text->size, file) == text->size;

    if (file && fclose(file) == 0 && is_written)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write %.200s: %s", path, strerror(errno));
}

static enum status export_point(const struct bench *bench, const struct results *results,
                                size_t index, struct diagnostic *diagnostic)
{
    const struct plan_point *point = array_at(&bench->plan.points, index);
    struct run_side side;
    struct text name, text;
    enum status status;

    text_init(&name);
    text_init(&text);
    run_side_init(&side, point->label);
    if (name_export(bench, point, &name) || gather_side(results, index, &side) ||
        baseline_append(&side, &text))
        status = diagnostic_set_out_of_memory(diagnostic);
    else
        status = write_file(name.bytes, &text, diagnostic);
    array_fini(&side.runs);
    text_fini(&name);
    text_fini(&text);
    return status;
}

static enum status export_all(const struct bench *bench, const struct results *results,
                              struct diagnostic *diagnostic)
{
    const struct result *result = results->points.items;
    enum status status = STATUS_OK;

    for (size_t i = 0; bench->export && i < results->points.count && !status; i++)
        if (result[i].time.count > 0)
            status = export_point(bench, results, i, diagnostic);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------- */

struct ran {
    struct array samples; /* of struct sample */
    struct conditions conditions;
    double load; /* before the first run */
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
    enum status status = results_init(&results, &bench->plan, &ran->samples, &bench->results);

    text_list_init(&warnings);
    if (!status && interrupted)
        status = text_list_add(&warnings, "It was interrupted: this is what there was by then.");
    if (!status)
        status = find_noise(&results, &ran->conditions, ran->load, &warnings);
    status = status ? diagnostic_set_out_of_memory(&outcome->diagnostic)
                    : report_results(bench, &results, &warnings, interrupted != NULL,
                                     &outcome->diagnostic);
    if (!status)
        status = export_all(bench, &results, &outcome->diagnostic);
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

static void print_help(struct bench *bench)
{
    cmd_print_help("bench", "[OPTIONS] -- COMMAND [ARGUMENT...] [-- COMMAND ...]",
                   "Run commands again and again, in turn, and compare them.");
    own_options_print(own_options(bench));
}

static enum status bench_init(struct bench *bench)
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
    return plan_init(&bench->plan);
}

static void bench_fini(struct bench *bench)
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
    enum status status = bench_init(&bench) ? diagnostic_set_out_of_memory(&outcome->diagnostic)
                                            : parse(&bench, argc, argv, &outcome->diagnostic);

    while (place < argc && strcmp(argv[place], "--") != 0)
        place++;
    if (!status && bench.shared.is_help) {
        print_help(&bench);
        status = render_finish(stdout, &outcome->diagnostic);
    } else if (!status) {
        status = make_plan(&bench, argv + place, &outcome->diagnostic);
        if (!status)
            status = check_export(&bench, &outcome->diagnostic);
        if (!status)
            status = rehearse(&bench, &outcome->diagnostic);
        if (!status)
            status = run_bench(&bench, outcome);
    }
    bench_fini(&bench);
    return status;
}
