/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops of sdot and saxpy calls that are too short to be timed one by one, and the time of each
 * loop by the clocks of the system and of the thread: "truth: KERNEL N CALLS NS CPU_NS".
 *
 *     short_calls row ROUNDS       calls in a row, a loop for each size
 *     short_calls work ROUNDS      the same with other work between any two calls
 *     short_calls bursts ROUNDS    the same, 2000 calls in a row with a long pause after each row
 *     short_calls mixed ROUNDS     all sizes in turn in one loop: N is 0
 */
#include <cblas.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 4000, BURST = 2000 };

static const int sizes[] = {4, 16, 64, 400, LARGEST};

enum { SIZES = sizeof sizes / sizeof *sizes };

static float x[LARGEST], y[LARGEST];
static volatile float sink;

static void dot(int n)
{
    sink = cblas_sdot(n, x, 1, y, 1);
}

static void axpy(int n)
{
    cblas_saxpy(n, 0.5f, x, 1, y, 1);
}

static const struct kernel {
    const char *name;
    void (*call)(int n);
} kernels[] = {{"cblas_sdot", dot}, {"cblas_saxpy", axpy}};

enum { KERNELS = sizeof kernels / sizeof *kernels };

static void work(int rounds)
{
    uint64_t sum = 1;

    for (int i = 0; i < rounds; i++)
        sum = sum * 6364136223846793005u + (uint64_t)i;
    __asm__ volatile("" : : "r"(sum));
}

static void row(const struct kernel *kernel, int n, long calls)
{
    for (long i = 0; i < calls; i++)
        kernel->call(n);
}

static void with_work(const struct kernel *kernel, int n, long calls)
{
    for (long i = 0; i < calls; i++) {
        kernel->call(n);
        work(200);
    }
}

static void bursts(const struct kernel *kernel, int n, long calls)
{
    for (long i = 0; i < calls; i++) {
        kernel->call(n);
        if (i % BURST == 0)
            work(1000000);
    }
}

static void mixed(const struct kernel *kernel, int n, long calls)
{
    (void)n;
    for (long i = 0; i < calls; i++)
        kernel->call(sizes[i % SIZES]);
}

static const struct way {
    const char *name;
    void (*run)(const struct kernel *kernel, int n, long calls);
} ways[] = {{"row", row}, {"work", with_work}, {"bursts", bursts}, {"mixed", mixed}};

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void tell(const struct way *way, const struct kernel *kernel, int n, long calls)
{
    uint64_t start_ns = read_clock(CLOCK_MONOTONIC);
    uint64_t start_cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);

    way->run(kernel, n, calls);
    start_cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID) - start_cpu_ns;
    start_ns = read_clock(CLOCK_MONOTONIC) - start_ns;
    printf("truth: %s %d %ld %llu %llu\n", kernel->name, n, calls, (unsigned long long)start_ns,
           (unsigned long long)start_cpu_ns);
}

static void run(const struct way *way, long rounds)
{
    for (int k = 0; k < KERNELS; k++) {
        for (int i = 0; i < SIZES && way->run != mixed; i++)
            tell(way, &kernels[k], sizes[i], rounds);
        if (way->run == mixed)
            tell(way, &kernels[k], 0, rounds);
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            run(&ways[i], atol(argv[2]));
            return 0;
        }
    fprintf(stderr, "usage: short_calls row|work|bursts|mixed ROUNDS\n");
    return 2;
}
