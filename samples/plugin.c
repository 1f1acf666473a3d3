/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin that brings a BLAS of its own, as some Python wheels do.  Compiled
 * twice: plugin b multiplies its products by 2, so that a call which reaches
 * the wrong library shows in the result.  plugin_run calls cblas_sgemm
 * through the PLT, where a profiler may stand in between.
 */
#include "plugin.h"

#include <cblas.h>

enum { SIDE = 16 };

static uint64_t calls;

/* Row-major, neither factor transposed: all that plugin_run asks for. */
void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE left_transpose,
                 CBLAS_TRANSPOSE right_transpose, int m, int n, int k, float alpha,
                 const float *left, int left_stride, const float *right, int right_stride,
                 float beta, float *sum, int sum_stride)
{
    (void)layout;
    (void)left_transpose;
    (void)right_transpose;
    calls++;
    for (int i = 0; i < m * n; i++) {
        int row = i / n, column = i % n;
        float total = 0.0f;

        for (int j = 0; j < k; j++)
            total += left[row * left_stride + j] * right[j * right_stride + column];
        float *place = &sum[row * sum_stride + column];
        *place = PLUGIN_FACTOR * alpha * total + beta * *place;
    }
}

struct plugin_report plugin_run(unsigned count)
{
    static float left[SIDE * SIDE], right[SIDE * SIDE], sum[SIDE * SIDE];

    for (int i = 0; i < SIDE * SIDE; i++)
        left[i] = right[i] = 1.0f;
    for (unsigned i = 0; i < count; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1.0f, left, SIDE,
                    right, SIDE, 0.0f, sum, SIDE);
    return (struct plugin_report){calls, sum[0]};
}
