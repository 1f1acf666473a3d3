/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A known number of known kernel calls, for the programs of the system tests.
 */
#ifndef TESTS_SYSTEM_GEMM_H
#define TESTS_SYSTEM_GEMM_H

#include <cblas.h>

enum { GEMM_SIDE = 8 };

/* Safety: from any thread, on a small stack. */
static inline void gemm_call(int count)
{
    float left[GEMM_SIDE * GEMM_SIDE] = {1}, right[GEMM_SIDE * GEMM_SIDE] = {1};
    float sum[GEMM_SIDE * GEMM_SIDE];

    for (int i = 0; i < count; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, GEMM_SIDE, GEMM_SIDE, GEMM_SIDE,
                    1.0f, left, GEMM_SIDE, right, GEMM_SIDE, 0.0f, sum, GEMM_SIDE);
}

#endif
