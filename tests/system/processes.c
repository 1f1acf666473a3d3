/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways to start a process and ways to end one.  Each makes CALLS products before and as many after,
 * and prints their number.
 *
 * usage: processes VERB [ARGUMENT]
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gemm.h"

enum { CALLS = 5, STATUS = 42 };

static char *const true_arguments[] = {(char *)"true", NULL};
static const char *argument; /* argument of the verb */

static void say(int calls)
{
    printf("truth: gemm_calls %d\n", calls);
    fflush(stdout);
}

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

/* ---- starting others ------------------------------------------------------ */

static void wait_well(pid_t child)
{
    int status;

    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        give_up("processes: the child");
}

static int run_vfork(void)
{
    pid_t child;

    gemm_call(CALLS);
    child = vfork();
    if (child == 0) {
        execv("/bin/true", true_arguments);
        _exit(127);
    }
    wait_well(child);
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

/* The child of vfork finds nothing to run. */
static int run_vfork_failing(void)
{
    int status;
    pid_t child;

    gemm_call(CALLS);
    child = vfork();
    if (child == 0) {
        execv("/nowhere/at/all", true_arguments);
        _exit(9);
    }
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 9)
        give_up("processes: the child");
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

/* The place of errno does not exist, as in the sandbox of Chromium. */
static int exit_without_tls(void *unused)
{
    (void)unused;
    execv("/nowhere/at/all", true_arguments);
    _exit(9);
}

static int run_clone(void)
{
    static char stack[1 << 16] __attribute__((aligned(64)));
    static char tls[1 << 16] __attribute__((aligned(64)));
    int status;
    pid_t child;

    gemm_call(CALLS);
    child = clone(exit_without_tls, stack + sizeof stack,
                  CLONE_VM | CLONE_VFORK | CLONE_SETTLS | SIGCHLD, NULL, NULL, tls + sizeof tls / 2,
                  NULL);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 9)
        give_up("processes: the child");
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

static int run_spawn(void)
{
    pid_t child = -1;
    char *const none[] = {NULL};

    gemm_call(CALLS);
    if (posix_spawn(&child, "/bin/true", NULL, NULL, true_arguments, none) != 0)
        give_up("processes: posix_spawn");
    wait_well(child);
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

static int run_system(void)
{
    gemm_call(CALLS);
    if (system("exit 3") >> 8 != 3)
        give_up("processes: system");
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

static int run_exec_failing(void)
{
    gemm_call(CALLS);
    if (execv("/nowhere/at/all", true_arguments) != -1 || errno != ENOENT)
        give_up("processes: execv");
    gemm_call(CALLS);
    say(2 * CALLS);
    return 0;
}

static int run_exec(void)
{
    char *arguments[] = {(char *)argument, (char *)"calls", NULL};

    gemm_call(CALLS);
    execv(argument, arguments);
    give_up("processes: execv");
}

static int run_calls(void)
{
    gemm_call(CALLS);
    say(CALLS);
    return 0;
}

/* A child of a program with threads; one of them allocates all the time. */
static void *allocate(void *unused)
{
    for (;;) {
        void *volatile block = malloc(100);

        free(block);
    }
    return unused;
}

static int run_fork_in_threads(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, allocate, NULL);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();

        if (child == 0) {
            void *volatile block = malloc(100);

            free(block);
            gemm_call(CALLS);
            _exit(0);
        }
        wait_well(child);
    }
    gemm_call(CALLS);
    say(CALLS);
    return 0;
}

/* ---- ending --------------------------------------------------------------- */

static int run_exit(void)
{
    gemm_call(CALLS);
    say(CALLS);
    exit(STATUS);
}

static int run_quit(void)
{
    gemm_call(CALLS);
    say(CALLS);
    _exit(STATUS);
}

static int run_quick(void)
{
    gemm_call(CALLS);
    say(CALLS);
    quick_exit(STATUS);
}

static int run_signal(void)
{
    gemm_call(CALLS);
    say(CALLS);
    raise(atoi(argument));
    return 0;
}

static int run_abort(void)
{
    gemm_call(CALLS);
    say(CALLS);
    abort();
}

static void *exit_elsewhere(void *unused)
{
    gemm_call(CALLS);
    say(CALLS);
    exit(STATUS);
    return unused;
}

/* exit by one thread while another allocates. */
static int run_exit_in_thread(void)
{
    pthread_t allocating, leaving;

    pthread_create(&allocating, NULL, allocate, NULL);
    pthread_create(&leaving, NULL, exit_elsewhere, NULL);
    pthread_join(leaving, NULL);
    return 0;
}

static void at_the_end(void)
{
    void *volatile block = malloc(100);

    free(block);
    gemm_call(CALLS);
    say(CALLS);
}

static int run_at_exit(void)
{
    atexit(at_the_end);
    return STATUS;
}

/* ---- which ---------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(void);
} verbs[] = {
    {"vfork", run_vfork},
    {"vfork-failing", run_vfork_failing},
    {"clone", run_clone},
    {"spawn", run_spawn},
    {"system", run_system},
    {"exec-failing", run_exec_failing},
    {"exec", run_exec},
    {"calls", run_calls},
    {"fork-in-threads", run_fork_in_threads},
    {"exit", run_exit},
    {"quit", run_quit},
    {"quick", run_quick},
    {"signal", run_signal},
    {"abort", run_abort},
    {"exit-in-thread", run_exit_in_thread},
    {"at-exit", run_at_exit},
};

int main(int argument_count, char **arguments)
{
    argument = argument_count > 2 ? arguments[2] : "";
    for (size_t i = 0; argument_count > 1 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, arguments[1]) == 0)
            return verbs[i].run();
    return 2;
}
