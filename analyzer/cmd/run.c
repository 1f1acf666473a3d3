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
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/counters.h"
#include "cmd/ending.h"
#include "cmd/target.h"
#include "config.h"

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
    printf("  --counters auto|no (auto)\n"
           "      count cycles, cache misses and more by perf_event_open, where the system allows "
           "it\n");
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

static enum status read_counters(const char *text, bool *wants_counters,
                                 struct cmd_outcome *outcome)
{
    *wants_counters = strcmp(text, "auto") == 0;
    if (*wants_counters || strcmp(text, "no") == 0)
        return STATUS_OK;
    return fail(outcome, FAILED, "--counters", "expected auto or no");
}

static enum status parse(int argc, char **argv, bool *is_help, bool *wants_counters,
                         struct cmd_outcome *outcome)
{
    struct option names[ROWS + 3] = {{0}};
    enum status status = STATUS_OK;
    int letter;

    for (size_t i = 0; i < ROWS; i++)
        names[i] = (struct option){rows[i].flag, required_argument, NULL, FIRST + (int)i};
    names[ROWS] = (struct option){"help", no_argument, NULL, 'h'};
    names[ROWS + 1] = (struct option){"counters", required_argument, NULL, 'c'};
    *is_help = false;
    optind = 1;
    opterr = 0;
    while (!status && (letter = getopt_long(argc, argv, "+:o:h", names, NULL)) != -1) {
        if (letter == 'h')
            *is_help = true;
        else if (letter == 'c')
            status = read_counters(optarg, wants_counters, outcome);
        else if (letter == 'o')
            setenv("TPROF_OUTPUT", optarg, 1);
        else if (letter >= FIRST)
            setenv(rows[letter - FIRST].variable, optarg, 1);
        else
            return fail(outcome, FAILED, argv[optind - 1],
                        letter == ':' ? "a value is missing after this option"
                                      : "there is no such option; tprof run --help lists them");
    }
    if (!status && !*is_help && optind == argc)
        return fail(outcome, FAILED, "no command was given", "tprof run [OPTIONS] [--] COMMAND");
    return status;
}

/* ---- the shim ---------------------------------------------------------- */

/* Installed, or beside this program in a build folder. */
static bool find_shim(char *path, size_t size)
{
    static const char *const places[] = {"../shim/.libs/libtprof.so",
                                         "../../shim/.libs/libtprof.so"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        char candidate[2 * PATH_MAX];
        char resolved[PATH_MAX];

        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(slash - self), self, places[i]);
        if (realpath(candidate, resolved) && access(resolved, R_OK) == 0)
            return snprintf(path, size, "%s", resolved) < (int)size;
    }
    return snprintf(path, size, "%s/libtprof.so", LIBDIR) < (int)size && access(path, R_OK) == 0;
}

static void preload(const char *shim)
{
    const char *others = getenv("LD_PRELOAD");
    char value[3 * PATH_MAX];

    snprintf(value, sizeof value, "%s%s%s", shim, others && others[0] ? ":" : "",
             others ? others : "");
    setenv("LD_PRELOAD", value, 1);
}

/* ---- the program ------------------------------------------------------- */

/* The file that execvp would run.  Returns: false when there is none. */
static bool find_program(const char *name, char *path, size_t size)
{
    const char *search = getenv("PATH");

    if (strchr(name, '/'))
        return snprintf(path, size, "%s", name) < (int)size && access(path, F_OK) == 0;
    while (search && *search) {
        size_t length = strcspn(search, ":");

        if (snprintf(path, size, "%.*s/%s", (int)length, search, name) < (int)size &&
            access(path, X_OK) == 0)
            return true;
        search += length + (search[length] == ':');
    }
    return false;
}

static void forward_signals(void (*handler)(int))
{
    static const int forwarded[] = {SIGINT, SIGQUIT};

    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        signal(forwarded[i], handler);
}

/* What parent and child tell one another before the exec. */
struct start_pipes {
    int ready[2];  /* to the child: its counters are open */
    int failed[2]; /* to the parent: why exec failed; exec closes it */
};

static int open_pipes(struct start_pipes *pipes)
{
    if (pipe2(pipes->ready, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(pipes->failed, O_CLOEXEC) == 0)
        return 0;
    close(pipes->ready[0]);
    close(pipes->ready[1]);
    return errno;
}

static void run_child(char **argv, const struct start_pipes *pipes)
{
    char go;
    int error;

    close(pipes->ready[1]);
    if (read(pipes->ready[0], &go, sizeof go) != (ssize_t)sizeof go)
        _exit(FAILED); /* the parent is gone */
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    error = errno;
    if (write(pipes->failed[1], &error, sizeof error) < 0)
        _exit(FAILED);
    _exit(NOT_FOUND);
}

/* Counting starts with the exec.  Returns: why that failed, or 0. */
static int release(pid_t child, const struct start_pipes *pipes, struct counters *counters,
                   bool wants_counters)
{
    struct counters_system system = counters_this_system();
    int error = 0;

    if (wants_counters)
        counters_open(counters, child, &system);
    else
        counters_refuse(counters, "not asked for: --counters=no");
    if (write(pipes->ready[1], "", 1) != 1)
        error = errno;
    close(pipes->failed[1]);
    if (error == 0 && read(pipes->failed[0], &error, sizeof error) == (ssize_t)sizeof error)
        waitpid(child, NULL, 0);
    return error;
}

static int start(char **argv, pid_t *child, struct counters *counters, bool wants_counters)
{
    struct start_pipes pipes;
    int error = open_pipes(&pipes);

    if (error != 0)
        return error;
    *child = fork();
    if (*child == 0)
        run_child(argv, &pipes);
    if (*child > 0) {
        error = release(*child, &pipes, counters, wants_counters);
    } else {
        error = errno;
        close(pipes.failed[1]);
    }
    close(pipes.ready[0]);
    close(pipes.ready[1]);
    close(pipes.failed[0]);
    return error;
}

/* Ctrl-C is for the program; it ends, and so do we. */
static int wait_for(pid_t child)
{
    int status = 0;

    forward_signals(SIG_IGN);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    forward_signals(SIG_DFL);
    return status;
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

static enum status supervise(char **argv, const struct target *target, bool wants_counters,
                             struct cmd_outcome *outcome)
{
    struct counters counters;
    pid_t child = -1;
    int error = start(argv, &child, &counters, wants_counters);
    int status;

    if (error != 0)
        return fail(outcome, error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE, argv[0],
                    strerror(error));
    status = wait_for(child);
    counters_read(&counters);
    if (!ending_store(child, status, &counters))
        explain_no_trace(argv[0], target);
    outcome->exit_code = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
    return STATUS_OK;
}

enum status cmd_run(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct target target = {NULL, false};
    char program[PATH_MAX];
    char shim[PATH_MAX];
    bool is_help, wants_counters = true;
    enum status status = parse(argc, argv, &is_help, &wants_counters, outcome);

    if (status)
        return status;
    if (is_help) {
        print_help();
        return STATUS_OK;
    }
    if (!find_shim(shim, sizeof shim))
        return fail(outcome, FAILED, "libtprof.so", "not found beside tprof nor in " LIBDIR);
    if (find_program(argv[optind], program, sizeof program))
        target = target_examine(program);
    if (!target.must_run_alone)
        preload(shim);
    return supervise(argv + optind, &target, wants_counters, outcome);
}
