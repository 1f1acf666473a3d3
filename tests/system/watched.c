/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program to be watched: what its threads are in lasts as long as the test likes.
 *
 *   watched open            a thread is in qsort, one waits for a lock, one reads from a pipe, and
 *                           the first one does steps, until standard input ends
 *   watched spin S THREADS  so many threads compute for S seconds, in a region "spinning"
 *   watched grow MIB STEPS  obtain and touch so many MiB, STEPS times, 100 ms apart, in "growing";
 *                           hold them for 2 s
 *   watched quiet S         a small step each 50 ms, for S seconds
 *   watched stall           60 steps of 10 ms, then one of 3 s, then 5
 *   watched churn           many threads allocate and do steps, until standard input ends
 *
 * Prints "ready" once it is, and at the end the number of its steps.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tprof.h"

enum { MS = 1000000, MIB = 1 << 20, CHURNERS = 4 };

static atomic_bool is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipe_ends[2];
static unsigned long steps;

static void pass(long ns)
{
    struct timespec time = {ns / 1000000000, ns % 1000000000};

    nanosleep(&time, NULL);
}

static void step(long ns)
{
    tprof_region_begin("step");
    free(malloc(4096));
    pass(ns);
    tprof_region_end("step");
    steps++;
}

/* ---- open ------------------------------------------------------------------------------ */

static int compare_until_over(const void *left, const void *right)
{
    (void)left;
    (void)right;
    while (!atomic_load(&is_over))
        pass(MS);
    return 0;
}

static void *sort(void *unused)
{
    int numbers[2] = {2, 1};

    (void)unused;
    qsort(numbers, 2, sizeof *numbers, compare_until_over);
    return NULL;
}

static void *want_lock(void *unused)
{
    (void)unused;
    free(malloc(100));
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *read_pipe(void *unused)
{
    char byte;

    (void)unused;
    free(malloc(100));
    if (read(pipe_ends[0], &byte, 1) != 1)
        abort();
    return NULL;
}

static void *wait_for_end(void *unused)
{
    char byte;

    (void)unused;
    while (read(STDIN_FILENO, &byte, 1) == 1)
        continue;
    atomic_store(&is_over, true);
    return NULL;
}

static void tell_ready(void)
{
    puts("ready");
    fflush(stdout);
}

static void be_open(void)
{
    pthread_t threads[4];

    if (pipe(pipe_ends) != 0)
        abort();
    pthread_mutex_lock(&lock);
    pthread_create(&threads[0], NULL, sort, NULL);
    pthread_create(&threads[1], NULL, want_lock, NULL);
    pthread_create(&threads[2], NULL, read_pipe, NULL);
    pthread_create(&threads[3], NULL, wait_for_end, NULL);
    pass(100 * MS);
    tell_ready();
    while (!atomic_load(&is_over))
        step(10 * MS);
    pthread_mutex_unlock(&lock);
    if (write(pipe_ends[1], "x", 1) != 1)
        abort();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* ---- churn ----------------------------------------------------------------------------- */

static void *churn(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_over)) {
        tprof_region_begin("churning");
        for (int i = 0; i < 100; i++)
            free(malloc(64 + (size_t)i));
        tprof_region_end("churning");
    }
    return NULL;
}

static void churn_all(void)
{
    pthread_t threads[CHURNERS + 1];

    for (int i = 0; i < CHURNERS; i++)
        pthread_create(&threads[i], NULL, churn, NULL);
    pthread_create(&threads[CHURNERS], NULL, wait_for_end, NULL);
    tell_ready();
    while (!atomic_load(&is_over))
        step(MS);
    for (int i = 0; i <= CHURNERS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- resources ------------------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *spin(void *of)
{
    double until = now_s() + *(const double *)of;
    volatile double sum = 0;

    tprof_region_begin("spinning");
    while (now_s() < until)
        for (int i = 0; i < 10000; i++)
            sum += i;
    tprof_region_end("spinning");
    return NULL;
}

static void spin_all(double seconds, int count)
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);

    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, spin, &seconds);
    for (double until = now_s() + seconds; now_s() < until;)
        step(20 * MS);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void grow(size_t mib, int count)
{
    tprof_region_begin("growing");
    for (int i = 0; i < count; i++) {
        char *kept = malloc(mib * MIB);

        memset(kept, i, mib * MIB);
        steps++;
        pass(100 * MS);
    }
    tprof_region_end("growing");
    pass(2000L * MS);
}

static void be_quiet(double seconds)
{
    for (double until = now_s() + seconds; now_s() < until;)
        step(50 * MS);
}

static void stall(void)
{
    for (int i = 0; i < 60; i++)
        step(10 * MS);
    step(3000L * MS);
    for (int i = 0; i < 5; i++)
        step(10 * MS);
}

static double number(char **argv, int index)
{
    return argv[index] ? strtod(argv[index], NULL) : 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "open") == 0)
        be_open();
    else if (strcmp(what, "churn") == 0)
        churn_all();
    else if (strcmp(what, "spin") == 0 && argc == 4)
        spin_all(number(argv, 2), (int)number(argv, 3));
    else if (strcmp(what, "grow") == 0 && argc == 4)
        grow((size_t)number(argv, 2), (int)number(argv, 3));
    else if (strcmp(what, "quiet") == 0 && argc == 3)
        be_quiet(number(argv, 2));
    else if (strcmp(what, "stall") == 0)
        stall();
    else
        return 2;
    printf("steps %lu\n", steps);
    return 0;
}
