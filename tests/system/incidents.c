/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Incidents among quiet work.
 *
 *     incidents step COUNT   short steps, some of 250 ms
 *     incidents heap         a heap of 40 MiB for a moment
 *     incidents signal       raises SIGUSR2, and takes a snapshot
 *     incidents kill NUMBER  a slow step; then kills itself, later with each number
 *     incidents none         nothing
 *
 * It prints how many steps were slow.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tprof.h"

enum { BLOCKS = 1, BIG = 40 << 20 };

void *volatile block, *volatile big; /* not static, so that no call is optimized away */

static void nap(long us)
{
    struct timespec span = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

    nanosleep(&span, NULL);
}

static void step(long us)
{
    tprof_region_begin("step");
    for (int i = 0; i < BLOCKS; i++) {
        block = malloc(100);
        free(block);
    }
    if (us > 0)
        nap(us);
    tprof_region_end("step");
}

/* Work of so many ms. */
static void work(long ms)
{
    for (long i = 0; i < 2 * ms; i++) {
        step(300);
        step(0);
    }
}

static void work_steps(int slow)
{
    tprof_region_begin("train");
    work(300);
    for (int i = 0; i < slow; i++) {
        step(250000);
        work(i == 0 ? 100 : 20);
    }
    work(4000);
    tprof_region_end("train");
    printf("slow %d\n", slow);
}

static void work_heap(void)
{
    work(100);
    big = malloc(BIG);
    memset(big, 1, BIG);
    work(50);
    free(big);
    work(100);
}

static void work_signal(void)
{
    work(100);
    raise(SIGUSR2);
    work(100);
    tprof_snapshot("asked");
    work(100);
}

static void work_killed(int number)
{
    tprof_region_begin("train");
    for (int i = 0; i < 200; i++)
        step(50);
    step(120000);
    for (int i = 0; i < number * 2000; i++)
        step(0);
    kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "none";
    int number = argc > 2 ? atoi(argv[2]) : 0;

    if (strcmp(what, "step") == 0)
        work_steps(number);
    else if (strcmp(what, "heap") == 0)
        work_heap();
    else if (strcmp(what, "signal") == 0)
        work_signal();
    else if (strcmp(what, "kill") == 0)
        work_killed(number);
    else
        puts("nothing");
    return 0;
}
