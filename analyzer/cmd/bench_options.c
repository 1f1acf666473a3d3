/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request to tprof bench: options, commands, and the resulting plan.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/metric.h"
#include "bench/suite.h"
#include "cmd/bench_parts.h"
#include "options/readers.h"

/* double: a whole number; the row's "most" is the least. */
static enum status read_whole(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char *text = value->text;
    double least = value->row->most;
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number > 1000000 ||
        (double)number < least)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --%s %.40s: expected a whole number from %g to 1000000",
                              value->row->name, text, least);
    *(double *)value->field = (double)number;
    return STATUS_OK;
}

static enum status read_seed(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char *text = value->text;
    char *end;

    *(uint64_t *)value->field = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench --seed %.40s: expected a whole number", text);
    return STATUS_OK;
}

static enum status read_measure(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct results_options *options = value->field;
    const char *text = value->text;

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

static enum status read_reference(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    results_choose_reference(value->field, value->text);
    return STATUS_OK;
}

static enum status read_memory(const struct option_value *value, struct diagnostic *diagnostic)
{
    uint64_t size = 0;
    enum status status = units_parse_size(value->text, &size, diagnostic);

    *(double *)value->field = (double)size;
    return status;
}

static enum status read_latency(const struct option_value *value, struct diagnostic *diagnostic)
{
    uint64_t duration = 0;
    enum status status = units_parse_duration(value->text, &duration, diagnostic);

    *(double *)value->field = (double)duration;
    return status;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct bench, field, __VA_ARGS__),
#include "cmd/bench_options.def"
#undef OPTION
};

/* The words after the first -- belong to the commands. */
static int count_own(int argc, char **argv)
{
    int count = 0;

    while (count < argc && strcmp(argv[count], "--") != 0)
        count++;
    return count;
}

enum status bench_parse(struct bench *bench, int argc, char **argv, struct diagnostic *diagnostic)
{
    const struct option_set own = {rows, sizeof rows / sizeof *rows, bench};
    enum status status =
        cmd_parse(&bench->shared, &own, count_own(argc, argv), argv, diagnostic);

    if (!status && bench->shared.trace)
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "bench: '%.60s' is not expected here; a command stands after --",
                                bench->shared.trace);
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

/* The options override the suite's file. */
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

/* Only recording finds kernels and regions. */
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

void bench_print_help(void)
{
    const struct option_set own = {rows, sizeof rows / sizeof *rows, NULL};

    cmd_print_help("bench", "[OPTIONS] -- COMMAND [ARGUMENT...] [-- COMMAND ...]",
                   "Run commands repeatedly, in turn, and compare them.", &own);
}
