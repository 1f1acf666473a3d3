/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the wrapper adds to a real kernel: small products, called as the
 * program calls them and called directly, in rounds that alternate.
 * RTLD_NEXT leads past the wrapper, so one process has both.
 *
 *     LD_PRELOAD=libtprof.so ./bench_gemm [ORDER]
 */
#include <cblas.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 2001, CALLS = 1000 };

typedef __typeof__(&cblas_sgemm) gemm;

static int order = 32;
static float *a, *b, *c;

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static float *matrix(void)
{
    size_t count = (size_t)order * (size_t)order;
    float *values = malloc(count * sizeof *values);

    for (size_t i = 0; values && i < count; i++)
        values[i] = (float)(i % 7);
    return values;
}

/* Nanoseconds for one call. */
static double run_round(gemm product)
{
    double start = now_ns();

    for (int i = 0; i < CALLS; i++)
        product(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a, order, b,
                order, 0, c, order);
    return (now_ns() - start) / CALLS;
}

static int compare(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;

    return (l > r) - (l < r);
}

static double median(double *rounds)
{
    qsort(rounds, ROUNDS, sizeof *rounds, compare);
    return rounds[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    static double direct[ROUNDS], called[ROUNDS];
    void *found = dlsym(RTLD_NEXT, "cblas_sgemm");
    gemm real;

    memcpy(&real, &found, sizeof real);
    order = argc > 1 ? atoi(argv[1]) : order;
    a = matrix();
    b = matrix();
    c = matrix();
    if (!a || !b || !c || !real)
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        direct[round] = run_round(real);
        called[round] = run_round(cblas_sgemm);
    }
    printf("sgemm of order %d: direct %.1f ns, called %.1f ns, ratio %.4f\n", order, median(direct),
           median(called), median(called) / median(direct));
    return 0;
}
