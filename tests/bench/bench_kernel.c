/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The empty kernel of bench_probe.
 */
#include "bench_kernel.h"

#define UNUSED                                                                                     \
    (void)order, (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)alpha, (void)a,      \
        (void)lda, (void)b, (void)ldb, (void)beta, (void)c, (void)ldc

void cblas_sgemm(BENCH_PARAMETERS)
{
    UNUSED;
}

void bench_annotated(BENCH_PARAMETERS)
{
    UNUSED;
}

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    (void)n, (void)x, (void)incx, (void)y, (void)incy;
    return 0;
}

void bench_plain(BENCH_PARAMETERS)
{
    UNUSED;
}
