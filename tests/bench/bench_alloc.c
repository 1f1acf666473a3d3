/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_alloc: the time of a pair of malloc and free, in nanoseconds.
 *
 *     bench_alloc CASE THREADS PAIRS
 *
 *     flat      from three frames deep, mixed small sizes
 *     deep      from 20 frames deep
 *     changing  the same, another path every 16 pairs
 *
 * Prints the nanoseconds that one pair took, by the slowest thread.  memory.sh
 * runs it with and without profilers in turn and subtracts.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 17, PAIRS_A_PATH = 16, SIZES = 16, THREADS_MAX = 64 };

#define NOINLINE __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

static const size_t sizes[SIZES] = {16,  24,  32,  48, 64, 80, 96, 128,
                                    160, 192, 256, 24, 40, 56, 72, 100};

static void *volatile last;
static long pairs;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static NOINLINE void run_pair(long i)
{
    void *block = malloc(sizes[i % SIZES]);

    last = block;
    free(block);
    KEEP_FRAME();
}

static NOINLINE void run_pairs(long first)
{
    for (long i = 0; i < PAIRS_A_PATH; i++)
        run_pair(first + i);
}

/* The bits of `path` choose where each frame calls the next. */
static NOINLINE void descend(int depth, unsigned path)
{
    if (depth == 0)
        run_pairs((long)path);
    else if (path >> depth & 1)
        descend(depth - 1, path);
    else
        descend(depth - 1, path);
    KEEP_FRAME();
}

static void run_flat(void)
{
    for (long i = 0; i < pairs; i++)
        run_pair(i);
}

static void run_deep(void)
{
    for (long i = 0; i < pairs / PAIRS_A_PATH; i++)
        descend(DEPTH, 0);
}

static void run_changing(void)
{
    for (long i = 0; i < pairs / PAIRS_A_PATH; i++)
        descend(DEPTH, (unsigned)i * 2654435761u >> 8);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"flat", run_flat}, {"deep", run_deep}, {"changing", run_changing}};

static void (*chosen)(void);

static void *run_thread(void *of)
{
    double *time = of;
    double start = now();

    chosen();
    *time = now() - start;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MAX];
    double times[THREADS_MAX];
    double slowest = 0;
    int count = argc == 4 ? atoi(argv[2]) : 0;

    for (size_t i = 0; argc == 4 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            chosen = cases[i].run;
    if (!chosen || count < 1 || count > THREADS_MAX) {
        fprintf(stderr, "usage: bench_alloc flat|deep|changing THREADS PAIRS\n");
        return 2;
    }
    pairs = atol(argv[3]);
    for (int i = 1; i < count; i++)
        pthread_create(&threads[i], NULL, run_thread, &times[i]);
    run_thread(&times[0]);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            pthread_join(threads[i], NULL);
        slowest = times[i] > slowest ? times[i] : slowest;
    }
    printf("%.2f\n", slowest / (double)pairs);
    return 0;
}
