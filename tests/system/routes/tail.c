/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin that has left the kernel's caller before the kernel starts: the call is in tail
 * position, which is a jump when it is optimized.
 */
#include "blas.h"

static void multiply(int layout, int left_transpose, int right_transpose, int m, int n, int k,
                     float alpha, const float *left, int left_stride, const float *right,
                     int right_stride, float beta, float *sum, int sum_stride)
{
    cblas_sgemm(layout, left_transpose, right_transpose, m, n, k, alpha, left, left_stride, right,
                right_stride, beta, sum, sum_stride);
}

float user_run(int count)
{
    sgemm_function volatile jumping = multiply;

    return blas_run(jumping, count);
}
