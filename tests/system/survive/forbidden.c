/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: forbidden prctl|number alone|twice|again|refused|inside|threads|child|executes.  Forbids
 * itself the processor's counter (PR_SET_TSC), by prctl or by its number, and goes on working.
 * Twice: it does so again.  Again: it allows itself the counter after some work.  Refused: the
 * kernel knows no such mode.  Inside: while a region and a call of a library are open.  Threads:
 * two are already working, and two start afterwards.  Child: a forked one works, too.  Executes: it
 * restarts by exec with the counter forbidden.
 *
 * Prints the allocations, the calls of the kernel, and how long it slept; no libc's clock may be
 * read.  77: the machine cannot forbid the counter.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "routes/blas.h"
#include "survive.h"

enum { BLOCKS = 20000, CALLS = 1000, THREADS = 2, NAP_NS = 200000000, CANNOT = 77 };

void call_back(void (*function)(void)); /* in callback.c */

static const char *way;
static atomic_uint calls;
static atomic_bool is_forbidden;

static void sum(void)
{
    static const float ones[4] = {1, 1, 1, 1};
    float result[4] = {0};

    cblas_sgemm(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, result, 2);
    calls++;
}

static void work(void)
{
    tprof_region_begin("work");
    for (int i = 0; i < BLOCKS; i++)
        survive_churn(1 + (size_t)i % 999);
    for (int i = 0; i < CALLS; i++)
        sum();
    tprof_region_end("work");
}

static int set_counter(unsigned long mode)
{
    if (strcmp(way, "number") == 0)
        return (int)syscall(SYS_prctl, PR_SET_TSC, mode, 0, 0, 0);
    return prctl(PR_SET_TSC, mode, 0, 0, 0);
}

static void forbid(void)
{
    int mode = 0;

    if (set_counter(PR_TSC_SIGSEGV) != 0 || prctl(PR_GET_TSC, &mode, 0, 0, 0) != 0)
        _exit(CANNOT);
    if (mode != PR_TSC_SIGSEGV)
        survive_give_up("the counter is still there");
    is_forbidden = true;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* nanosleep() of libc reads no clock. */
static void nap(void)
{
    const struct timespec span = {0, NAP_NS};
    uint64_t start;

    tprof_region_begin("nap");
    start = now_ns();
    nanosleep(&span, NULL);
    survive_say("nap_ns", now_ns() - start);
    tprof_region_end("nap");
}

static void alone(void)
{
    work();
    forbid();
    work();
    nap();
}

static void twice(void)
{
    forbid();
    alone();
}

static void again(void)
{
    alone();
    set_counter(PR_TSC_ENABLE);
    work();
}

static void refused(void)
{
    work();
    if (set_counter(1000) == 0)
        survive_give_up("the kernel knows the mode");
    work();
    nap();
}

static void forbid_in_call(void)
{
    tprof_region_begin("work");
    survive_churn(100);
    forbid();
    survive_churn(100);
    tprof_region_end("work");
    call_back(work);
}

static void inside(void)
{
    work();
    call_back(forbid_in_call);
    work();
    nap();
}

static void *work_along(void *unused)
{
    work();
    while (!is_forbidden)
        sum();
    work();
    return unused;
}

static void *work_behind(void *unused)
{
    work();
    return unused;
}

static void start(pthread_t *threads, void *(*routine)(void *))
{
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, routine, NULL) != 0)
            survive_give_up("no thread");
}

static void threads(void)
{
    pthread_t all[2 * THREADS];

    start(all, work_along);
    work();
    forbid();
    start(all + THREADS, work_behind);
    work();
    for (int i = 0; i < 2 * THREADS; i++)
        pthread_join(all[i], NULL);
    nap();
}

static void child(void)
{
    int status;

    forbid();
    if (fork() == 0) {
        work();
        nap();
        _exit(3);
    }
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
        survive_give_up("the child came to no good end");
    work();
    nap();
}

static void executes(void)
{
    forbid();
    execl("/proc/self/exe", "forbidden", way, "alone", NULL);
    survive_give_up("exec");
}

int main(int count, char **arguments)
{
    static const struct survive_verb verbs[] = {
        {"alone", alone},     {"twice", twice},     {"again", again}, {"refused", refused},
        {"inside", inside},   {"threads", threads}, {"child", child}, {"executes", executes},
    };
    int status = 2;

    if (count == 3) {
        way = arguments[1];
        status = survive_run(verbs, sizeof verbs / sizeof *verbs, arguments[2]);
        survive_say("calls", calls);
    }
    return status;
}
