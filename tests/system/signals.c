/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals that a program under the shim gets from outside, and its work meanwhile.
 *
 * usage: signals waits COUNT     blocks in read, once for each line of its input
 *        signals raises COUNT    itself, between allocations
 *        signals storm COUNT     a child sends SIGUSR2 while four threads allocate
 *        signals queue COUNT     the same with the real-time signal RTMIN, which is never merged
 *        signals handles COUNT   has a handler of its own, and raises
 *        signals forks COUNT     children that raise, the last of them with no record before
 *        signals vforks COUNT    children in its memory that raise
 *        signals executes COUNT  raises, then becomes another that does
 *        signals alternate COUNT handlers run on a small stack of their own
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "survive.h"

enum {
    BLOCK = 100,
    THREADS = 4,
    GROWTH = 1 << 20,
    PIECES = 64,
    ALTERNATE = 8192,
    PAUSE_NS = 20000
};

static char *program;
static int count;
static atomic_bool is_over;

static void say_live(int number)
{
    char line[100];

    survive_write(line, snprintf(line, sizeof line, "truth: live %d %llu\n", number,
                                 (unsigned long long)number * GROWTH));
}

/* Its blocks stay, so the live heap distinguishes the moments. */
static void grow(void)
{
    for (int i = 0; i < PIECES; i++) {
        char *block = survive_obtain(GROWTH / PIECES);

        memset(block, 1, GROWTH / PIECES);
    }
}

static void raise_or_give_up(int number)
{
    if (kill(getpid(), number) != 0)
        survive_give_up("signals: kill");
}

static void raise_often(void)
{
    for (int i = 1; i <= count; i++) {
        grow();
        say_live(i);
        raise_or_give_up(SIGUSR2);
    }
}

/* ---- one thread ---------------------------------------------------------- */

static void run_waits(void)
{
    char byte;

    for (int i = 1; i <= count; i++) {
        grow();
        say_live(i);
        if (read(STDIN_FILENO, &byte, 1) != 1)
            survive_give_up("signals: read");
    }
}

static volatile sig_atomic_t own_hits;

static void on_own(int unused)
{
    (void)unused;
    own_hits = own_hits + 1;
}

static void run_handles(void)
{
    signal(SIGUSR2, on_own);
    raise_often();
    survive_say("handled", (uint64_t)own_hits);
}

static void run_alternate(void)
{
    static char memory[ALTERNATE];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};

    if (sigaltstack(&stack, NULL) != 0)
        survive_give_up("signals: sigaltstack");
    errno = EDOM;
    raise_often();
    if (errno != EDOM)
        survive_give_up("signals: errno");
}

/* ---- storms -------------------------------------------------------------- */

static void *allocate(void *unused)
{
    tprof_region_begin("work");
    while (!is_over)
        survive_churn(BLOCK);
    tprof_region_end("work");
    return unused;
}

/* With a pause, the signals arrive at separate moments; without it, some arrive together. */
static void send_all(pid_t to, int number)
{
    const union sigval none = {0};
    const struct timespec pause = {0, PAUSE_NS};

    for (int i = 0; i < count; i++) {
        while (sigqueue(to, number, none) != 0)
            if (errno != EAGAIN)
                _exit(EXIT_FAILURE);
        if (i % 2 == 0)
            nanosleep(&pause, NULL);
    }
    _exit(EXIT_SUCCESS);
}

static void wait_well(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            survive_give_up("signals: waitpid");
    if (status != 0)
        survive_give_up("signals: the child");
}

/* This thread waits and takes none: all of them interrupt the allocating threads. */
static void storm(int number)
{
    pthread_t threads[THREADS];
    pid_t parent = getpid(), child;
    sigset_t set;

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, allocate, NULL) != 0)
            survive_give_up("signals: pthread_create");
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    child = fork();
    if (child == 0)
        send_all(parent, number);
    wait_well(child);
    is_over = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void run_storm(void)
{
    storm(SIGUSR2);
}

static void run_queue(void)
{
    storm(SIGRTMIN);
}

/* ---- processes ----------------------------------------------------------- */

static void be_child(bool has_recorded)
{
    if (has_recorded)
        grow();
    raise_or_give_up(SIGUSR2);
    grow();
    exit(EXIT_SUCCESS);
}

static void run_forks(void)
{
    for (int i = 1; i <= count; i++) {
        pid_t child = fork();

        if (child == 0)
            be_child(i < count);
        wait_well(child);
    }
}

static pid_t raise_in_our_memory(void)
{
    pid_t child = vfork();

    if (child == 0) {
        kill(getpid(), SIGUSR2);
        _exit(EXIT_SUCCESS);
    }
    return child;
}

static void run_vforks(void)
{
    for (int i = 0; i < count; i++)
        wait_well(raise_in_our_memory());
    survive_churn(BLOCK);
}

static void run_executes(void)
{
    char number[12], verb[] = "raises";
    char *const arguments[] = {program, verb, number, NULL};

    raise_often();
    snprintf(number, sizeof number, "%d", count);
    execv(program, arguments);
}

/* ---- which --------------------------------------------------------------- */

static const struct survive_verb verbs[] = {
    {"waits", run_waits},   {"raises", raise_often},    {"storm", run_storm},
    {"queue", run_queue},   {"handles", run_handles},   {"forks", run_forks},
    {"vforks", run_vforks}, {"executes", run_executes}, {"alternate", run_alternate},
};

int main(int argument_count, char **arguments)
{
    if (argument_count != 3)
        return 2;
    program = arguments[0];
    count = atoi(arguments[2]);
    return survive_run(verbs, sizeof verbs / sizeof *verbs, arguments[1]);
}
