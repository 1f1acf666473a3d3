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

/* The child reports why exec failed through a pipe that exec closes. */
static int start(char **argv, pid_t *child)
{
    int pipe_ends[2];
    int error = 0;

    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return errno;
    *child = fork();
    if (*child == 0) {
        signal(SIGPIPE, SIG_DFL);
        execvp(argv[0], argv);
        error = errno;
        if (write(pipe_ends[1], &error, sizeof error) < 0)
            _exit(FAILED);
        _exit(NOT_FOUND);
    }
    if (*child < 0)
        error = errno;
    close(pipe_ends[1]);
    if (*child > 0 && read(pipe_ends[0], &error, sizeof error) == (ssize_t)sizeof error)
        waitpid(*child, NULL, 0);
    close(pipe_ends[0]);
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
    int error = start(argv, &child);
    int status;

    if (error != 0)
        return fail(outcome, error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE, argv[0],
                    strerror(error));
    status = wait_for(child);
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
    if (!find_shim(shim, sizeof shim))
        return fail(outcome, FAILED, "libtprof.so", "not found beside tprof nor in " LIBDIR);
    if (find_program(argv[optind], program, sizeof program))
        target = target_examine(program);
    if (!target.must_run_alone)
        preload(shim);
    return supervise(argv + optind, &target, outcome);
}
