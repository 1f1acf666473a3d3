/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "blas.h"

#ifndef BLAS_FACTOR
#define BLAS_FACTOR 1
#endif

static int calls;

void cblas_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
                 float alpha, const float *left, int left_stride, const float *right,
                 int right_stride, float beta, float *sum, int sum_stride)
{
    (void)layout;
    (void)left_transpose;
    (void)right_transpose;
    calls++;
    for (int i = 0; i < m * n; i++) {
        float total = 0;

        for (int j = 0; j < k; j++)
            total += left[i / n * left_stride + j] * right[j * right_stride + i % n];
        sum[i / n * sum_stride + i % n] =
            BLAS_FACTOR * alpha * total + beta * sum[i / n * sum_stride + i % n];
    }
}

int blas_calls(void)
{
    return calls;
}
