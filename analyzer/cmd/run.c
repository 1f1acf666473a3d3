/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof run: start a program with the shim preloaded, wait for it, say where
 * its trace is, and return its own status.
 *
 * Flags are the rows of options.def; each sets its environment variable.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/launch.h"
#include "cmd/target.h"
#include "config.h"
#include "spec/trace.h"

enum { FAILED = 125, CANNOT_EXECUTE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

struct row {
    const char *variable;
    const char *flag;
    const char *argument;
    const char *standard;
    const char *help;
};

static const struct row rows[] = {
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    {variable, flag, argument, standard, help},
#include "spec/options.def"
#undef OPTION
};

enum { ROWS = sizeof rows / sizeof *rows, FIRST = 256 };

static void print_help(void)
{
    printf("Usage: tprof run [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
           "Run a program under the shim and return its own status.\n\n");
    for (size_t i = 0; i < ROWS; i++) {
        printf("  --%s %s%s%s%s\n", rows[i].flag, rows[i].argument, rows[i].standard[0] ? " (" : "",
               rows[i].standard, rows[i].standard[0] ? ")" : "");
        printf("      %s\n", rows[i].help);
    }
    printf(
        "\nThe same without tprof run: LD_PRELOAD=libtprof.so and TPROF_... in the environment.\n");
}

static enum status fail(struct cmd_outcome *outcome, int exit_code, const char *what,
                        const char *why)
{
    outcome->exit_code = exit_code;
    return diagnostic_set(&outcome->diagnostic, STATUS_IO, "run: %.200s: %s", what, why);
}

/* ---- options ----------------------------------------------------------- */

static enum status parse(int argc, char **argv, bool *is_help, struct cmd_outcome *outcome)
{
    struct option names[ROWS + 2] = {{0}};
    int letter;

    for (size_t i = 0; i < ROWS; i++)
        names[i] = (struct option){rows[i].flag, required_argument, NULL, FIRST + (int)i};
    names[ROWS] = (struct option){"help", no_argument, NULL, 'h'};
    *is_help = false;
    optind = 1;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, "+:o:h", names, NULL)) != -1) {
        if (letter == 'h')
            *is_help = true;
        else if (letter == 'o')
            setenv("TPROF_OUTPUT", optarg, 1);
        else if (letter >= FIRST)
            setenv(rows[letter - FIRST].variable, optarg, 1);
        else
            return fail(outcome, FAILED, argv[optind - 1],
                        letter == ':' ? "a value is missing after this option"
                                      : "there is no such option; tprof run --help lists them");
    }
    if (!*is_help && optind == argc)
        return fail(outcome, FAILED, "no command was given", "tprof run [OPTIONS] [--] COMMAND");
    return STATUS_OK;
}

/* ---- the program ------------------------------------------------------- */

/* ---- the trace --------------------------------------------------------- */

/* Only the parent learns of a signal: it writes it into the child's trace. */
static bool store_wait_status(const char *path, pid_t child, int status)
{
    struct {
        uint32_t waited;
        int32_t wait_status;
    } waited = {1, status};
    struct trace_header header;
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    bool is_its_own;

    _Static_assert(offsetof(struct trace_header, wait_status) ==
                       offsetof(struct trace_header, waited) + sizeof waited.waited,
                   "they stand together");

    if (descriptor < 0)
        return false;
    is_its_own = pread(descriptor, &header, sizeof header, 0) == (ssize_t)sizeof header &&
                 memcmp(header.magic, TRACE_MAGIC, sizeof header.magic) == 0 &&
                 header.pid == (uint32_t)child && header.version == TRACE_VERSION;
    if (is_its_own)
        is_its_own = pwrite(descriptor, &waited, sizeof waited,
                            (off_t)offsetof(struct trace_header, waited)) == (ssize_t)sizeof waited;
    close(descriptor);
    return is_its_own;
}

/* The pattern of TPROF_OUTPUT with everything that varies as a star. */
static void output_pattern(char *pattern, size_t size)
{
    const char *output = getenv("TPROF_OUTPUT");
    size_t used = 0;

    if (!output || !output[0])
        output = "%e.%p.tprof";
    for (; *output && used + 3 < size; output++) {
        if (*output == '%' && output[1] != '\0') {
            pattern[used++] = output[1] == '%' ? '%' : '*';
            output++;
        } else {
            pattern[used++] = *output;
        }
    }
    pattern[used++] = '*';
    pattern[used] = '\0';
}

static bool close_trace(pid_t child, int status)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool has_trace = false;

    output_pattern(pattern, sizeof pattern);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            has_trace |= store_wait_status(found.gl_pathv[i], child, status);
    globfree(&found);
    return has_trace;
}

static void explain_no_trace(const char *program, const struct target *target)
{
    if (target->must_run_alone)
        fprintf(stderr, "tprof: %s was not recorded: %s, so it ran without the shim\n", program,
                target->obstacle);
    else if (target->obstacle)
        fprintf(stderr, "tprof: %s was not recorded: %s, so nothing can be preloaded into it\n",
                program, target->obstacle);
    else
        fprintf(stderr, "tprof: no trace of %s was found where TPROF_OUTPUT says\n", program);
}

static enum status supervise(char **argv, const struct target *target, struct cmd_outcome *outcome)
{
    pid_t child = -1;
    int error = launch_start(argv, &child, NULL);
    int status;

    if (error != 0)
        return fail(outcome, error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE, argv[0],
                    strerror(error));
    status = launch_wait(child);
    if (!close_trace(child, status))
        explain_no_trace(argv[0], target);
    outcome->exit_code = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
    return STATUS_OK;
}

enum status cmd_run(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct target target = {NULL, false};
    char program[PATH_MAX];
    char shim[PATH_MAX];
    bool is_help;
    enum status status = parse(argc, argv, &is_help, outcome);

    if (status)
        return status;
    if (is_help) {
        print_help();
        return STATUS_OK;
    }
    if (!launch_find_shim(shim, sizeof shim))
        return fail(outcome, FAILED, "libtprof.so", "not found beside tprof nor in " LIBDIR);
    if (launch_find_program(argv[optind], program, sizeof program))
        target = target_examine(program);
    if (!target.must_run_alone)
        launch_preload(shim);
    return supervise(argv + optind, &target, outcome);
}
