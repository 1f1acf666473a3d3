/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libcublas.so.13: a product asks the device for one kernel, by no function that
 * another library could see.
 */
#include <stddef.h>

#include "device.h"

int cublasSgemm_v2(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                   const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                   int ldc)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
    (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
    return device_launch("ampere_sgemm_128x64_nn", (unsigned)(m / 16 * n / 16), 256, NULL);
}

/* Its last argument tells whether all of them were passed on. */
int cublasStrmm_v2(void *handle, int side, int lower, int trans, int diag, int m, int n,
                   const float *alpha, const float *a, int lda, const float *b, int ldb, float *c,
                   int ldc)
{
    (void)handle, (void)side, (void)lower, (void)trans, (void)diag, (void)alpha, (void)a;
    (void)lda, (void)b, (void)ldb, (void)c;
    return ldc == 77 ? device_launch("trmm_kernel", (unsigned)(m / 16 * n / 16), 256, NULL) : 1;
}

int cublasDgemm_v2_64(void *handle, int transa, int transb, long m, long n, long k,
                      const double *alpha, const double *a, long lda, const double *b, long ldb,
                      const double *beta, double *c, long ldc)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
    (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
    return device_launch("ampere_dgemm_64x64_nn", (unsigned)(m / 16 * n / 16), 256, NULL);
}

int cublasGemmStridedBatchedEx(void *handle, int transa, int transb, int m, int n, int k,
                               const void *alpha, const void *a, int type_a, int lda,
                               long long stride_a, const void *b, int type_b, int ldb,
                               long long stride_b, const void *beta, void *c, int type_c, int ldc,
                               long long stride_c, int batch, int compute, int algorithm)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)type_a;
    (void)lda, (void)stride_a, (void)b, (void)type_b, (void)ldb, (void)stride_b, (void)beta;
    (void)c, (void)type_c, (void)ldc, (void)stride_c, (void)compute, (void)algorithm;
    return device_launch("cutlass_bf16_gemm", (unsigned)(m / 16 * n / 16 * batch), 256, NULL);
}
