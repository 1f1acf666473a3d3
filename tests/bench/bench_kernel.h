/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An empty kernel in a separate library: under a name of the catalog, under one that bench.kernels
 * annotates, and under an unknown name; and one whose timing is sampled.
 */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#define BENCH_PARAMETERS                                                                           \
    int order, int transa, int transb, int m, int n, int k, float alpha, const void *a, int lda,   \
        const void *b, int ldb, float beta, void *c, int ldc

void cblas_sgemm(BENCH_PARAMETERS);
void bench_annotated(BENCH_PARAMETERS);
void bench_plain(BENCH_PARAMETERS);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

#endif
