/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a program once.  Signals arrive through a descriptor, so one poll waits for the end of
 * the program, its output, the clock and the user.
 */
#include "launch/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/launch.h"

static const int64_t grace_ns = 2000000000; /* from SIGTERM to SIGKILL */

static sigset_t signals_before;

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static sigset_t signals_watched(void)
{
    static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaddset(&set, watched[i]);
    return set;
}

void execute_start(void)
{
    sigset_t set = signals_watched();

    signal(SIGCHLD, SIG_DFL); /* ignored ones leave nothing to wait for */
    sigprocmask(SIG_BLOCK, &set, &signals_before);
}

/* Signals since the last run are dropped, as the command ends anyway. */
void execute_stop(void)
{
    const struct timespec now = {0};
    sigset_t set = signals_watched();

    while (sigtimedwait(&set, NULL, &now) > 0)
        continue;
    sigprocmask(SIG_SETMASK, &signals_before, NULL);
}

enum { READ, WRITE };

struct pipes {
    int output[2]; /* -1 where there is none */
    int errors[2];
};

struct start {
    const struct execution *execution;
    const struct pipes *pipes;
    int64_t time_ns;
};

static void redirect(int descriptor, int target)
{
    int null = descriptor < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;

    dup2(descriptor < 0 ? null : descriptor, target);
    if (null >= 0)
        close(null);
}

static void prepare_child(void *of)
{
    const struct start *start = of;
    const struct execution *execution = start->execution;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    redirect(-1, STDIN_FILENO);
    redirect(execution->shows_output && !execution->keeps_output ? STDERR_FILENO
                                                                 : start->pipes->output[WRITE],
             STDOUT_FILENO);
    if (!execution->shows_output)
        redirect(start->pipes->errors[WRITE], STDERR_FILENO);
    if (execution->shim) {
        launch_preload(execution->shim);
        setenv("TPROF_OUTPUT", execution->trace, 1);
        setenv("TPROF_ALLOC", "nostack", 0); /* no table of a benchmark shows places of
                                                allocations */
        setenv("TPROF_QUIET", "yes", 1);
    }
    sigprocmask(SIG_SETMASK, &signals_before, NULL);
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void close_pipes(struct pipes *pipes)
{
    for (int i = 0; i < 2; i++) {
        close_end(&pipes->output[i]);
        close_end(&pipes->errors[i]);
    }
}

/* Our end must not block: children of the program may keep the other end open. */
static bool open_pipe(int *ends)
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    return fcntl(ends[READ], F_SETFL, O_NONBLOCK) == 0;
}

static bool open_pipes(struct pipes *pipes, const struct execution *execution)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}};
    if ((!execution->keeps_output || open_pipe(pipes->output)) &&
        (execution->shows_output || open_pipe(pipes->errors)))
        return true;
    close_pipes(pipes);
    return false;
}

/* The end of a long text is kept, because it has the last match, or the last words of a failure. */
static void keep_end(struct text *text, size_t most)
{
    struct text end;

    if (text->size <= 2 * most)
        return;
    text_init(&end);
    text_append_bytes(&end, text->bytes + text->size - most, most);
    text_fini(text);
    *text = end;
}

static void show_bytes(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, size);

        if (written <= 0)
            return;
        bytes += written;
        size -= (size_t)written;
    }
}

/* Read all bytes that are in a pipe. */
static void drain(int *end, struct text *text, size_t most, bool is_shown)
{
    char bytes[16384];
    ssize_t count;

    if (*end < 0)
        return;
    while ((count = read(*end, bytes, sizeof bytes)) > 0) {
        text_append_bytes(text, bytes, (size_t)count);
        keep_end(text, most);
        if (is_shown)
            show_bytes(bytes, (size_t)count);
    }
    if (count == 0)
        close_end(end);
}

struct watch {
    const struct execution *execution;
    struct execution_result *result;
    struct pipes *pipes;
    struct sample *sample;
    int signals;
    int64_t start_ns;
    int64_t kill_ns; /* SIGKILL time after SIGTERM; 0: no SIGTERM yet */
    bool is_killed;
    bool has_ended;
};

static void end_program(struct watch *watch, enum sample_end end, int code)
{
    if (watch->kill_ns != 0)
        return;
    watch->sample->end = end;
    watch->sample->code = code;
    watch->kill_ns = now_ns() + grace_ns;
    kill(-watch->result->pid, SIGTERM);
}

static double time_ns(const struct timeval *time)
{
    return 1e9 * (double)time->tv_sec + 1e3 * (double)time->tv_usec;
}

static void tell_end(struct sample *sample, int status)
{
    if (sample->end != SAMPLE_DONE)
        return; /* ignored: our own signal */
    sample->end = WIFSIGNALED(status)        ? SAMPLE_SIGNALLED
                  : WEXITSTATUS(status) == 0 ? SAMPLE_DONE
                                             : SAMPLE_FAILED;
    sample->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void reap(struct watch *watch)
{
    struct sample *sample = watch->sample;
    struct rusage usage;
    int status;

    if (wait4(watch->result->pid, &status, WNOHANG, &usage) != watch->result->pid)
        return;
    sample->wall_ns = (double)(now_ns() - watch->start_ns);
    sample->user_ns = time_ns(&usage.ru_utime);
    sample->system_ns = time_ns(&usage.ru_stime);
    sample->peak_rss_bytes = 1024 * (double)usage.ru_maxrss;
    watch->has_ended = true;
    tell_end(sample, status);
}

static void take_signals(struct watch *watch)
{
    struct signalfd_siginfo signal;

    while (read(watch->signals, &signal, sizeof signal) == (ssize_t)sizeof signal)
        if (signal.ssi_signo == SIGCHLD)
            reap(watch);
        else
            end_program(watch, SAMPLE_INTERRUPTED, (int)signal.ssi_signo);
}

/* Returns: milliseconds until the next action; -1: for ever. */
static int time_left(const struct watch *watch)
{
    int64_t until = watch->kill_ns;
    int64_t left;

    if (watch->is_killed)
        return -1;
    if (until == 0 && watch->execution->timeout_ns > 0)
        until = watch->start_ns + (int64_t)watch->execution->timeout_ns;
    if (until == 0)
        return -1;
    left = (until - now_ns()) / 1000000 + 1;
    return left < 0 ? 0 : left > 1000000 ? 1000000 : (int)left;
}

static void check_time(struct watch *watch)
{
    int64_t now = now_ns();
    uint64_t limit = watch->execution->timeout_ns;

    if (watch->kill_ns == 0 && limit > 0 && now - watch->start_ns >= (int64_t)limit)
        end_program(watch, SAMPLE_TIMED_OUT, 0);
    if (watch->kill_ns != 0 && now >= watch->kill_ns && !watch->is_killed) {
        watch->is_killed = true;
        kill(-watch->result->pid, SIGKILL);
    }
}

static void drain_all(struct watch *watch)
{
    drain(&watch->pipes->output[READ], &watch->result->output, EXECUTE_KEEP,
          watch->execution->shows_output);
    drain(&watch->pipes->errors[READ], &watch->result->errors, EXECUTE_KEEP_ERRORS, false);
}

static void wait_for_end(struct watch *watch)
{
    while (!watch->has_ended) {
        struct pollfd waited[] = {{watch->signals, POLLIN, 0},
                                  {watch->pipes->output[READ], POLLIN, 0},
                                  {watch->pipes->errors[READ], POLLIN, 0}};

        poll(waited, sizeof waited / sizeof *waited, time_left(watch));
        take_signals(watch);
        check_time(watch);
        drain_all(watch);
    }
    if (watch->kill_ns != 0) /* the processes that the program leaves behind */
        kill(-watch->result->pid, SIGKILL);
}

static void note_start(pid_t child, void *of)
{
    struct start *start = of;

    setpgid(child, child); /* both processes call this, so the order does not matter */
    start->time_ns = now_ns();
}

static enum status refuse(const struct execution *execution, int error,
                          struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, error == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                          "bench: %.200s: %s", execution->words[0], strerror(error));
}

static enum status start_program(struct watch *watch, struct diagnostic *diagnostic)
{
    struct start start = {.execution = watch->execution, .pipes = watch->pipes};
    const struct launch_hooks hooks = {
        .prepare = prepare_child, .release = note_start, .of = &start};
    union { /* execvp takes char *, and changes nothing */
        const char *const *words;
        char **argv;
    } words = {watch->execution->words};
    int error;

    /* Our memory counts in the program's peak, as its process was a copy of ours before the
     * exec. */
    malloc_trim(0);
    error = launch_start(words.argv, &watch->result->pid, &hooks);
    watch->start_ns = start.time_ns;
    close_end(&watch->pipes->output[WRITE]);
    close_end(&watch->pipes->errors[WRITE]);
    return error != 0 ? refuse(watch->execution, error, diagnostic) : STATUS_OK;
}

enum status execute_program(const struct execution *execution, struct sample *sample,
                            struct execution_result *result, struct diagnostic *diagnostic)
{
    const sigset_t watched = signals_watched();
    struct pipes pipes;
    struct watch watch = {
        .execution = execution, .result = result, .pipes = &pipes, .sample = sample};
    enum status status;

    text_init(&result->output);
    text_init(&result->errors);
    if (!open_pipes(&pipes, execution))
        return refuse(execution, errno, diagnostic);
    watch.signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    status = start_program(&watch, diagnostic);
    if (!status)
        wait_for_end(&watch);
    close(watch.signals);
    close_pipes(&pipes);
    return status;
}

void execution_result_fini(struct execution_result *result)
{
    text_fini(&result->output);
    text_fini(&result->errors);
}
