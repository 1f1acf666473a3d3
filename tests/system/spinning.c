/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that calls kernels and sleeps in between, next to one that spins for work, like the
 * workers of a library.  By its own clocks and files of /proc, it prints the time of each: "truth:
 * NAME NANOSECONDS".
 *
 *     spinning yield CALLS    the other gives its processor up all the time
 *     spinning pause CALLS    it does not
 *     spinning alone CALLS    there is none
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gemm.h"

enum { SIZE = 160, SLEEP_NS = 10000000 };

static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
static atomic_bool is_over;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns: how long this thread wanted a processor and had none. */
static uint64_t read_delay(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    unsigned long long ran, delay = 0;

    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &ran, &delay) != 2)
        delay = 0;
    fclose(file);
    return delay;
}

static void tell(const char *of, const char *what, uint64_t ns)
{
    printf("truth: %s_%s_ns %llu\n", of, what, (unsigned long long)ns);
}

/* It allocates, so that it has a row of its own. */
static void *spin(void *way)
{
    bool yields = strcmp(way, "yield") == 0;
    void *volatile block = malloc(1000);

    free(block);
    while (!atomic_load(&is_over))
        if (yields)
            sched_yield();
    tell("worker", "cpu", read_clock(CLOCK_THREAD_CPUTIME_ID));
    tell("worker", "delay", read_delay());
    return NULL;
}

static void call_and_sleep(int calls)
{
    const struct timespec pause = {0, SLEEP_NS};

    for (int i = 0; i < calls; i++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE, b,
                    SIZE, 0, c, SIZE);
        nanosleep(&pause, NULL);
    }
}

int main(int argc, char **argv)
{
    char *way = argc > 1 ? argv[1] : (char[]){"yield"};
    int calls = argc > 2 ? atoi(argv[2]) : 100;
    bool is_alone = strcmp(way, "alone") == 0;
    uint64_t start_ns, cpu_ns, delay_ns;
    pthread_t worker;

    if (!is_alone)
        pthread_create(&worker, NULL, spin, way);
    call_and_sleep(2);
    start_ns = read_clock(CLOCK_MONOTONIC);
    cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
    delay_ns = read_delay();
    call_and_sleep(calls);
    tell("main", "wall", read_clock(CLOCK_MONOTONIC) - start_ns);
    tell("main", "cpu", read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
    tell("main", "delay", read_delay() - delay_ns);
    tell("all", "delay", read_delay());
    atomic_store(&is_over, true);
    if (!is_alone)
        pthread_join(worker, NULL);
    return 0;
}
