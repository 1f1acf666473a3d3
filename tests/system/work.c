/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads with products of matrices of their own, and threads that compute something else.
 *
 * usage: work SIDE PART...
 *
 * A PART is a number of products of that order, on a separate thread, or "loop": a thread that
 * computes in plain loops until all products are done.  The truth comes from the threads' clocks:
 * the sum and the longest of those with products, and the whole process; and the wall time of
 * these.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cblas.h>

enum { PARTS = 16 };

struct part {
    pthread_t thread;
    int products; /* 0: a loop */
    double cpu_ms;
};

static int side;
static atomic_bool is_done;

static double read_ms(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void multiply(int products)
{
    size_t count = (size_t)side * (size_t)side;
    double *left = malloc(count * sizeof *left), *right = malloc(count * sizeof *right),
           *sums = malloc(count * sizeof *sums);

    if (!left || !right || !sums)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++)
        left[i] = right[i] = 1;
    for (int i = 0; i < products; i++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, left, side,
                    right, side, 0, sums, side);
    free(left);
    free(right);
    free(sums);
}

static void loop(void)
{
    volatile double sum = 0;

    while (!atomic_load(&is_done))
        for (int i = 0; i < 1000; i++)
            sum = sum + i;
}

static void *run(void *argument)
{
    struct part *part = argument;

    if (part->products > 0)
        multiply(part->products);
    else
        loop();
    part->cpu_ms = read_ms(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

static void join(struct part *parts, int count, bool has_products)
{
    for (int i = 0; i < count; i++)
        if ((parts[i].products > 0) == has_products)
            pthread_join(parts[i].thread, NULL);
}

static void print(const struct part *parts, int count, double wall_ms)
{
    double all_ms = 0, longest_ms = 0;

    for (int i = 0; i < count; i++) {
        if (parts[i].products == 0)
            continue;
        all_ms += parts[i].cpu_ms;
        longest_ms = parts[i].cpu_ms > longest_ms ? parts[i].cpu_ms : longest_ms;
    }
    printf("truth: all_ms %.3f\ntruth: longest_ms %.3f\ntruth: wall_ms %.3f\n"
           "truth: process_ms %.3f\n",
           all_ms, longest_ms, wall_ms, read_ms(CLOCK_PROCESS_CPUTIME_ID));
}

int main(int argc, char **argv)
{
    static struct part parts[PARTS];
    int count = argc - 2;
    double wall_ms = read_ms(CLOCK_MONOTONIC);

    if (count < 1 || count > PARTS) {
        fprintf(stderr, "usage: work SIDE PART...\n");
        return EXIT_FAILURE;
    }
    side = atoi(argv[1]);
    for (int i = 0; i < count; i++) {
        parts[i].products = strcmp(argv[i + 2], "loop") == 0 ? 0 : atoi(argv[i + 2]);
        if (pthread_create(&parts[i].thread, NULL, run, &parts[i]) != 0)
            return EXIT_FAILURE;
    }
    join(parts, count, true);
    wall_ms = read_ms(CLOCK_MONOTONIC) - wall_ms;
    atomic_store(&is_done, true);
    join(parts, count, false);
    print(parts, count, wall_ms);
    return EXIT_SUCCESS;
}
