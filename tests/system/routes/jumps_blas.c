/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "blas.h"

void (*jumps_hook)(void);

static int calls;

void cblas_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
                 float alpha, const float *left, int left_stride, const float *right,
                 int right_stride, float beta, float *sum, int sum_stride)
{
    (void)layout, (void)left_transpose, (void)right_transpose, (void)m, (void)n, (void)k;
    (void)alpha, (void)left, (void)left_stride, (void)right, (void)right_stride, (void)beta;
    calls++;
    if (jumps_hook)
        jumps_hook();
    sum[0] = (float)sum_stride;
}

int blas_calls(void)
{
    return calls;
}
