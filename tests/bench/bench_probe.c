/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of recording, against a reference measured in the same run.
 *
 *     LD_PRELOAD=libtprof.so ./bench_probe      costs with the shim
 *     ./bench_probe                             costs without it
 *
 * Each subject is timed in short rounds that alternate with those of its reference; the median
 * round is printed.  Compare ratios: nanoseconds of different machines are not comparable.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench_kernel.h"
#include "tprof.h"

enum { ROUNDS = 301, CALLS = 2000 };

/* The two reads that bracket a kernel: its end waits for the work before it. */
#if defined(__x86_64__)
#include <x86intrin.h>
static inline uint64_t read_start(void)
{
    return __rdtsc();
}
static inline uint64_t read_end(void)
{
    _mm_lfence();
    return __rdtsc();
}
#else
static inline uint64_t read_start(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
static inline uint64_t read_end(void)
{
    uint64_t ticks;
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}
#endif

static float a[32 * 32], b[32 * 32], c[32 * 32];
static volatile uint64_t sink;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void bare_call(void)
{
    for (int i = 0; i < CALLS; i++)
        bench_plain(101, 111, 111, 32, 32, 32, 1, a, 32, b, 32, 0, c, 32);
}

static void call_and_two_reads(void)
{
    for (int i = 0; i < CALLS; i++) {
        uint64_t start = read_start();

        bench_plain(101, 111, 111, 32, 32, 32, 1, a, 32, b, 32, 0, c, 32);
        sink = read_end() - start;
    }
}

static void wrapped_call(void)
{
    for (int i = 0; i < CALLS; i++)
        cblas_sgemm(101, 111, 111, 32, 32, 32, 1, a, 32, b, 32, 0, c, 32);
}

static void annotated_call(void)
{
    for (int i = 0; i < CALLS; i++)
        bench_annotated(101, 111, 111, 32, 32, 32, 1, a, 32, b, 32, 0, c, 32);
}

static void counted_call(void)
{
    static const double x[1];

    for (int i = 0; i < CALLS; i++)
        cblas_ddot(1, x, 1, x, 1);
}

static void two_reads(void)
{
    for (int i = 0; i < CALLS; i++) {
        uint64_t start = read_start();

        sink = read_start() - start;
    }
}

static void region_pair(void)
{
    for (int i = 0; i < CALLS; i++) {
        tprof_region_begin("bench");
        tprof_region_end("bench");
    }
}

static void nothing(void)
{
    for (int i = 0; i < CALLS; i++)
        __asm__ volatile("" : : : "memory");
}

static void allocation_pair(void)
{
    for (int i = 0; i < CALLS; i++) {
        void *block = malloc(64);

        __asm__ volatile("" : : "r"(block) : "memory");
        free(block);
    }
}

struct subject {
    const char *name;
    void (*run)(void);
    double rounds_ns[ROUNDS]; /* for one call */
};

static struct subject subjects[] = {
    {.name = "bare call", .run = bare_call},
    {.name = "call and two clock reads", .run = call_and_two_reads},
    {.name = "wrapped call", .run = wrapped_call},
    {.name = "two clock reads", .run = two_reads},
    {.name = "region pair", .run = region_pair},
    {.name = "empty loop", .run = nothing},
    {.name = "malloc and free", .run = allocation_pair},
    {.name = "annotated call", .run = annotated_call},
    {.name = "counted call", .run = counted_call},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static int compare(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;

    return (l > r) - (l < r);
}

static double median(struct subject *subject)
{
    qsort(subject->rounds_ns, ROUNDS, sizeof *subject->rounds_ns, compare);
    return subject->rounds_ns[ROUNDS / 2];
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < SUBJECTS; i++) {
            uint64_t start = now_ns();

            subjects[i].run();
            subjects[i].rounds_ns[round] = (double)(now_ns() - start) / CALLS;
        }
    for (int i = 0; i < SUBJECTS; i++)
        printf("%-26s %7.2f ns\n", subjects[i].name, median(&subjects[i]));
    printf("%-26s %7.3f of call and two clock reads\n", "wrapped call",
           median(&subjects[2]) / median(&subjects[1]));
    printf("%-26s %7.3f of call and two clock reads\n", "annotated call",
           median(&subjects[7]) / median(&subjects[1]));
    printf("%-26s %7.3f of two clock reads\n", "region pair",
           median(&subjects[4]) / median(&subjects[3]));
    return 0;
}
