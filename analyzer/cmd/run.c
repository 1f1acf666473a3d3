/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof run: start a program with the shim preloaded, wait for it, print where its trace is, and
 * return its status.
 *
 * Flags are the rows of options.def; each sets its environment variable.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/advice.h"
#include "cmd/cmd.h"
#include "launch/counters.h"
#include "launch/ending.h"
#include "launch/launch.h"
#include "launch/package.h"
#include "launch/run_output.h"
#include "launch/run_values.h"
#include "launch/target.h"
#include "launch/workers.h"
#include "machine/meters.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"
#include "platform/quote.h"
#include "record/settings.h"

enum { FAILED = 125, CANNOT_EXECUTE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

struct run_options {
    bool is_help;
    bool wants_counters;
    bool is_exact;
    bool names_output;
    bool may_overwrite;
};

static const char *const variables[] = {
#define OPTION(field, variable, flag, type, standard, argument, help) variable,
#include "spec/options.def"
#undef OPTION
};

static const char *const standards[] = {
#define OPTION(field, variable, flag, type, standard, argument, help) standard,
#include "spec/options.def"
#undef OPTION
};

enum { SETTINGS = sizeof variables / sizeof *variables };

static enum status read_setting(const struct option_value *value, struct diagnostic *diagnostic);
static enum status read_counters(const struct option_value *value, struct diagnostic *diagnostic);
static enum status read_exact(const struct option_value *value, struct diagnostic *diagnostic);

/* The settings, then the options of tprof run itself. */
static const struct option_row rows[] = {
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    OPTION_ROW(struct run_options, names_output, read_setting, 0,                                  \
               SETTING_##field == SETTING_OUTPUT ? 'o' : 0, flag, argument, NULL, NULL, help),
#include "spec/options.def"
#undef OPTION
#define OPTION(field, ...) OPTION_ROW(struct run_options, field, __VA_ARGS__),
#include "cmd/run_options.def"
#undef OPTION
};

static enum status read_setting(const struct option_value *value, struct diagnostic *diagnostic)
{
    size_t setting = (size_t)(value->row - rows);
    char expected[256];

    if (!run_value_check(variables[setting], value->text, expected, sizeof expected))
        return diagnostic_set(diagnostic, STATUS_IO, "run: --%s %.40s: %s", value->row->name,
                              value->text, expected);
    setenv(variables[setting], value->text, 1);
    *(bool *)value->field |= setting == SETTING_OUTPUT;
    return STATUS_OK;
}

static enum status read_counters(const struct option_value *value, struct diagnostic *diagnostic)
{
    bool *wants_counters = value->field;

    *wants_counters = strcmp(value->text, "auto") == 0;
    if (*wants_counters || strcmp(value->text, "no") == 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO, "run: --counters: expected auto or no");
}

static enum status read_exact(const struct option_value *value, struct diagnostic *diagnostic)
{
    setenv(variables[SETTING_OVERHEAD], "none", 1);
    setenv(variables[SETTING_DISK], "none", 1);
    return option_yes(value, diagnostic);
}

static void print_row(const struct option_row *row, const char *standard)
{
    char head[32] = "";

    if (row->letter)
        snprintf(head, sizeof head, "-%c, ", row->letter);
    printf("  %s--%s%s%s%s%s%s\n", head, row->name, row->argument ? " " : "",
           row->argument ? row->argument : "", standard[0] ? " (" : "", standard,
           standard[0] ? ")" : "");
    help_print_row(stdout, "     ", 6, row->help);
}

static void print_help(void)
{
    printf("Usage: tprof run [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
           "Run a program under the shim and return its own status.\n\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].help[0])
            print_row(&rows[i], i < SETTINGS                       ? standards[i]
                                : rows[i].read == read_counters ? "auto"
                                                                  : "");
    putchar('\n');
    help_print_row(stdout, "", 0,
                   "The same without tprof run: LD_PRELOAD=libtprof.so and TPROF_... in the "
                   "environment.");
}

static enum status fail(struct cmd_outcome *outcome, int exit_code, const char *what,
                        const char *why)
{
    outcome->exit_code = exit_code;
    return diagnostic_set(&outcome->diagnostic, STATUS_IO, "run: %.200s: %s", what, why);
}

/* Paths below the current folder are shortened to relative ones. */
static const char *find_from_here(const char *path)
{
    char folder[PATH_MAX];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    bool is_below = length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';

    return is_below ? path + length + 1 : path;
}

static enum status parse(struct run_options *options, int argc, char **argv,
                         struct cmd_outcome *outcome)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"run", &set, 1, true};
    enum status status;

    *options = (struct run_options){.wants_counters = true};
    status = options_parse(&asked, argc, argv, &outcome->diagnostic);
    if (status)
        outcome->exit_code = FAILED;
    if (!status && !options->is_help && optind == argc)
        return fail(outcome, FAILED, "no command was given", "tprof run [OPTIONS] [--] COMMAND");
    return status;
}

/* Checked before the run, so that no run is wasted and no trace is lost. */
static enum status check_output(const struct run_options *options, const char *program,
                                struct cmd_outcome *outcome)
{
    const char *output = find_from_here(getenv(settings_variable(SETTING_OUTPUT)));
    char why[200];

    if (!run_output_can_be_written(program)) {
        snprintf(why, sizeof why, "cannot write there: %s; nothing was run", strerror(errno));
        return fail(outcome, FAILED, output, why);
    }
    if (options->names_output && !options->may_overwrite && run_output_is_taken(program))
        return fail(outcome, FAILED, output, "it exists; -f overwrites it; nothing was run");
    return STATUS_OK;
}

/* Some programs cannot report their trace: a killed one, one that leaves by a system call that the
 * shim does not see, and one that closes its standard error, as sleep does. */
static void tell_trace(const char *program, int status, const struct ending_trace *trace)
{
    const char *path = find_from_here(trace->path);
    char word[PATH_MAX];

    quote_path(path, word, sizeof word);
    if (WIFSIGNALED(status))
        fprintf(stderr,
                "tprof: %s was killed by signal %d (%s); what it did before is recorded in %s",
                program, WTERMSIG(status), strsignal(WTERMSIG(status)), path);
    else if (!trace->is_over)
        fprintf(stderr,
                "tprof: %s left without passing through exit, as Go programs do; what it did "
                "before is recorded in %s",
                program, path);
    else
        fprintf(stderr, "tprof: recorded in %s", path);
    fprintf(stderr, "; read it with: %s report %s\n", package_command(), word);
}

/* Signals that a program's own fault raises. */
static bool is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT || signal == SIGTRAP || signal == SIGSYS;
}

/* The trace is made with the first kernel, region or second thread, with many allocations, or
 * with one after the first second. */
static void tell_early_end(const char *program, int signal, uint64_t elapsed_ns)
{
    fprintf(stderr, "tprof: %s %s (signal %d, %s) %s; nothing was recorded\n", program,
            is_crash(signal) ? "crashed" : "was ended", signal, strsignal(signal),
            elapsed_ns < 1000000000 ? "within the first second"
                                    : "before there was anything to record");
}

static void explain_no_trace(const char *program, const struct target *target,
                             const struct launched *launched, uint64_t elapsed_ns)
{
    int status = launched->status;

    if (target->must_run_alone)
        fprintf(stderr, "tprof: %s was not recorded: %s, so it ran without the shim\n", program,
                target->obstacle);
    else if (target->obstacle)
        fprintf(stderr, "tprof: %s was not recorded: %s, so nothing can be preloaded into it\n",
                program, target->obstacle);
    else if (WIFSIGNALED(status))
        tell_early_end(program, WTERMSIG(status), elapsed_ns);
    else
        fprintf(
            stderr,
            "tprof: %s left no trace: it cleared LD_PRELOAD, as env -i does, could not write "
            "where --output says, or left early without passing through exit, as Go programs do\n",
            program);
}

/* Observations of the program from outside.  Counting starts with the exec. */
struct observation {
    bool wants_counters;
    struct counters counters;
    struct conditions conditions;
    struct meters *meters;
    struct array before; /* traces that were there */
    struct timespec start;
    struct timespec realtime; /* at the start */
    uint64_t elapsed_ns;
};

/* The child waits for this, and is not yet the program. */
static void release(pid_t child, void *of)
{
    struct counters_system system = counters_this_system();
    struct observation *observation = of;

    ending_note_before(child, &observation->before);
    conditions_read(&observation->conditions, "");
    if (observation->wants_counters) {
        counters_open(&observation->counters, child, &system);
        observation->meters = meters_start("");
    } else {
        counters_refuse(&observation->counters, "not asked for: --counters=no");
    }
    clock_gettime(CLOCK_REALTIME, &observation->realtime);
    clock_gettime(CLOCK_MONOTONIC, &observation->start);
}

static void observation_end(struct observation *observation)
{
    struct meter_value values[METERS];
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    observation->elapsed_ns =
        (uint64_t)((now.tv_sec - observation->start.tv_sec) * (int64_t)1000000000 + now.tv_nsec -
                   observation->start.tv_nsec);
    counters_read(&observation->counters);
    if (!observation->wants_counters)
        return;
    meters_stop(observation->meters, values);
    counters_take_meters(&observation->counters, values, observation->elapsed_ns);
}

/* Programs that start another one in an environment without LD_PRELOAD, or elsewhere. */
static const struct {
    const char *program;
    const char *why;
} starters[] = {
    {"sudo", "clears the environment"},
    {"doas", "clears the environment"},
    {"su", "clears the environment"},
    {"pkexec", "clears the environment"},
    {"runuser", "clears the environment"},
    {"docker", "starts it in a container"},
    {"podman", "starts it in a container"},
    {"ssh", "starts it on another machine"},
    {"systemd-run", "has it started by systemd"},
};

static void tell_starter(const char *program)
{
    const char *name = text_base_name(program);

    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (strcmp(name, starters[i].program) == 0)
            fprintf(stderr,
                    "tprof: what %s starts is not recorded, because it %s; record it there: "
                    "%s ... %s run -- PROGRAM\n",
                    name, starters[i].why, name, package_command());
}

static void tell_end(char **argv, const struct target *target, const struct launched *launched,
                     const struct observation *observation)
{
    const struct ending ending = {launched->status, &observation->counters,
                                  &observation->conditions, &observation->before};
    struct ending_trace trace;

    if (!ending_store(launched->child, &ending, &trace))
        explain_no_trace(argv[0], target, launched, observation->elapsed_ns);
    else if ((WIFSIGNALED(launched->status) || !trace.is_over || trace.is_untold) &&
             !run_value_is_quiet())
        tell_trace(argv[0], launched->status, &trace);
    if (!run_value_is_quiet())
        tell_starter(argv[0]);
}

static void tell_workers(const struct observation *observation)
{
    const struct timespec *since = &observation->realtime;
    struct text line;

    text_init(&line);
    workers_settle((uint64_t)since->tv_sec * 1000000000 + (uint64_t)since->tv_nsec, &line);
    if (line.size > 0 && !run_value_is_quiet())
        fprintf(stderr, "tprof: %s\n", line.bytes);
    text_fini(&line);
}

/* A script that is not on the path, or no program, is started otherwise. */
static enum status fail_to_start(struct cmd_outcome *outcome, const char *program, int error)
{
    struct text why;

    text_init(&why);
    text_append(&why, strerror(error));
    text_append(&why, "; start it as ");
    if (error == EINVAL || error == ENOEXEC || !advice_append_start(&why, program)) {
        text_clear(&why);
        text_append(&why, strerror(error));
    }
    if (error == ENOEXEC)
        text_append(&why, "; the file is damaged, or of another processor");
    (void)fail(outcome, error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE, program, why.bytes);
    text_fini(&why);
    return STATUS_IO;
}

static enum status supervise(char **argv, const struct target *target, bool wants_counters,
                             struct cmd_outcome *outcome)
{
    struct launched launched = {-1, 0};
    struct observation observation = {.wants_counters = wants_counters};
    const struct launch_hooks hooks = {.release = release, .of = &observation};
    int error = launch_and_wait(argv, &hooks, &launched);
    int status = launched.status;

    observation_end(&observation);
    if (error == 0) {
        tell_end(argv, target, &launched, &observation);
        tell_workers(&observation);
    }
    array_fini(&observation.before);
    if (error != 0)
        return fail_to_start(outcome, argv[0], error);
    outcome->exit_code = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
    return STATUS_OK;
}

enum status cmd_run(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct target target = {NULL, false, NULL};
    struct run_options options;
    char program[PATH_MAX];
    char shim[PATH_MAX];
    const char *obstacle;
    enum status status = parse(&options, argc, argv, outcome);

    memory_set_exit_status(FAILED);
    if (status)
        return status;
    if (options.is_help) {
        print_help();
        return STATUS_OK;
    }
    obstacle = launch_find_shim(shim, sizeof shim);
    if (obstacle)
        return fail(outcome, FAILED, "libtprof.so", obstacle);
    if (launch_find_program(argv[optind], program, sizeof program))
        target = target_examine(program);
    if (!target.must_run_alone)
        launch_preload(shim);
    run_values_pin_paths();
    status = check_output(&options, argv[optind], outcome);
    return status ? status : supervise(argv + optind, &target, options.wants_counters, outcome);
}
