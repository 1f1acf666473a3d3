/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stand-ins for librocblas.so.4 and, with -DHIPBLAS, libhipblas.so.2: a product of rocBLAS launches
 * a kernel of a module, and a product of hipBLAS is one of rocBLAS.
 */
#include <stddef.h>
#include <stdint.h>

#include "hip.h"

int rocblas_sgemm(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                  const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                  int ldc);
int rocblas_gemm_strided_batched_ex(void *handle, int transa, int transb, int m, int n, int k,
                                    const void *alpha, const void *a, int type_a, int lda,
                                    int64_t stride_a, const void *b, int type_b, int ldb,
                                    int64_t stride_b, const void *beta, const void *c, int type_c,
                                    int ldc, int64_t stride_c, void *d, int type_d, int ldd,
                                    int64_t stride_d, int batch, int compute, int algorithm,
                                    int32_t solution, uint32_t flags);

#ifdef HIPBLAS

int hipblasSgemm(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                 const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                 int ldc)
{
    return rocblas_sgemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#else

static int multiply(const struct hip_function *function, uint64_t elements)
{
    return hipExtModuleLaunchKernel(function, (uint32_t)elements, 1, 1, 256, 1, 1, 0, NULL, NULL,
                                    NULL, (void *)11, (void *)12, 13);
}

static const struct hip_function single = {"Cijk_Ailk_Bljk_SB_MT64x64x16"};
static const struct hip_function brain = {"Cijk_Ailk_Bljk_BBS_BH_MT128x128x32"};

int rocblas_sgemm(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                  const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                  int ldc)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
    (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
    return multiply(&single, (uint64_t)m * (uint64_t)n);
}

int rocblas_dgemm_64(void *handle, int transa, int transb, int64_t m, int64_t n, int64_t k,
                     const double *alpha, const double *a, int64_t lda, const double *b,
                     int64_t ldb, const double *beta, double *c, int64_t ldc)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
    (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;
    return multiply(&single, (uint64_t)m * (uint64_t)n);
}

int rocblas_hgemm_strided_batched(void *handle, int transa, int transb, int m, int n, int k,
                                  const void *alpha, const void *a, int lda, int64_t stride_a,
                                  const void *b, int ldb, int64_t stride_b, const void *beta,
                                  void *c, int ldc, int64_t stride_c, int batch)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda;
    (void)stride_a, (void)b, (void)ldb, (void)stride_b, (void)beta, (void)c, (void)ldc;
    (void)stride_c;
    return multiply(&brain, (uint64_t)m * (uint64_t)n * (uint64_t)batch);
}

/* The flags are its last word. */
int rocblas_gemm_strided_batched_ex(void *handle, int transa, int transb, int m, int n, int k,
                                    const void *alpha, const void *a, int type_a, int lda,
                                    int64_t stride_a, const void *b, int type_b, int ldb,
                                    int64_t stride_b, const void *beta, const void *c, int type_c,
                                    int ldc, int64_t stride_c, void *d, int type_d, int ldd,
                                    int64_t stride_d, int batch, int compute, int algorithm,
                                    int32_t solution, uint32_t flags)
{
    (void)handle, (void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)type_a;
    (void)lda, (void)stride_a, (void)b, (void)type_b, (void)ldb, (void)stride_b, (void)beta;
    (void)c, (void)type_c, (void)ldc, (void)stride_c, (void)d, (void)type_d, (void)ldd;
    (void)stride_d, (void)compute, (void)algorithm, (void)solution;
    return flags == 77 ? multiply(&brain, (uint64_t)m * (uint64_t)n * (uint64_t)batch) : 1;
}

#endif
