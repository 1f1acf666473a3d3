/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tprof bench is asked to do: options, commands, and the plan that follows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "bench/metric.h"
#include "bench/suite.h"
#include "cmd/bench_parts.h"
#include "cmd/own_options.h"

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

static void keep_text(struct array *texts, const char *text)
{
    const char **place = array_add(texts);

    *place = text;
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
    if (measure_find(text, &options->measure) && options->measure != MEASURE_REGION)
        return STATUS_OK;
    if (strncmp(text, "region=", 7) != 0 || text[7] == '\0')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --measure %.60s: expected wall, cpu, kernels or region=PATH",
                              text);
    options->measure = MEASURE_REGION;
    options->region = text + 7;
    return STATUS_OK;
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
    case OPTION_PARAMETER: keep_text(&bench->parameters, text); return STATUS_OK;
    case OPTION_COMMAND: keep_text(&bench->commands, text); return STATUS_OK;
    case OPTION_LABEL: keep_text(&bench->labels, text); return STATUS_OK;
    case OPTION_METRIC: keep_text(&bench->metrics, text); return STATUS_OK;
    case OPTION_SUITE: bench->suite = text; break;
    case OPTION_RUNS: return read_whole(OPTION_RUNS, text, 1, &bench->runs, diagnostic);
    case OPTION_WARMUP: return read_whole(OPTION_WARMUP, text, 0, &bench->warmup, diagnostic);
    case OPTION_PLAIN: bench->is_plain = true; break;
    case OPTION_MEASURE: return read_measure(&bench->results, text, diagnostic);
    case OPTION_ITEMS: bench->items = text; break;
    case OPTION_BATCHES: bench->batches = text; break;
    case OPTION_PREPARE: bench->prepare = text; break;
    case OPTION_REFERENCE: results_choose_reference(&bench->results, text); break;
    case OPTION_MEMORY_LIMIT: return read_memory(&bench->limits.memory_bytes, text, diagnostic);
    case OPTION_LATENCY_LIMIT: return read_latency(&bench->limits.latency_ns, text, diagnostic);
    case OPTION_TIMEOUT: return units_parse_duration(text, &bench->timeout_ns, diagnostic);
    case OPTION_IGNORE: bench->ignores_failures = true; break;
    case OPTION_SHOW: bench->shows_output = true; break;
    case OPTION_KEEP: bench->keep = text; break;
    case OPTION_EXPORT: bench->export = text; break;
    case OPTION_PAGE: bench->page = text; break;
    case OPTION_SEED: return read_seed(text, &bench->seed, diagnostic);
    case OPTIONS: break;
    }
    return STATUS_OK;
}

/* -L is --parameter; what stands after -- belongs to the commands. */
static void spell_out(int argc, char **argv, char ***spelled)
{
    static char parameter[] = "--parameter";
    char **words = memory_get_zeros((size_t)argc * 2 + 1, sizeof *words);
    int count = 0;

    *spelled = words;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool is_short = i > 0 && strncmp(argv[i], "-L", 2) == 0;

        words[count++] = is_short ? parameter : argv[i];
        if (is_short && argv[i][2] != '\0')
            words[count++] = argv[i] + 2;
    }
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

enum status bench_parse(struct bench *bench, int argc, char **argv, struct diagnostic *diagnostic)
{
    struct own_rest rest = {0, NULL};
    char **spelled;
    enum status status;

    spell_out(argc, argv, &spelled);
    status = own_options_take(own_options(bench), count_words(spelled), spelled, &rest, diagnostic);
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

static void add_words(struct bench *bench, char **words)
{
    struct plan_command *command = NULL;

    for (; *words; words++) {
        if (strcmp(*words, "--") == 0)

            command = plan_add_command(&bench->plan);
        else

            plan_add_word(&bench->plan, command, *words);
    }
}

static void add_shell_commands(struct bench *bench)
{
    for (size_t i = 0; i < bench->commands.count; i++) {
        struct plan_command *command = plan_add_command(&bench->plan);
        const char *string = *(const char **)array_at(&bench->commands, i);

        plan_add_word(&bench->plan, command, string);
        command->is_shell = true;
    }
}

static enum status set_labels(struct bench *bench, struct diagnostic *diagnostic)
{
    struct plan_command *command = bench->plan.commands.items;

    if (bench->labels.count > bench->plan.commands.count)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench: %zu times --label for %zu command%s", bench->labels.count,
                              bench->plan.commands.count,
                              units_choose(bench->plan.commands.count, "", "s"));
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

enum status bench_make_plan(struct bench *bench, char **words, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    add_words(bench, words);
    add_shell_commands(bench);
    if (bench->suite)
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

void bench_print_help(struct bench *bench)
{
    cmd_print_help("bench", "[OPTIONS] -- COMMAND [ARGUMENT...] [-- COMMAND ...]",
                   "Run commands repeatedly, in turn, and compare them.");
    own_options_print(own_options(bench));
}
