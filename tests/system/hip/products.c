/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of rocBLAS and of hipBLAS.
 */
#include <stdio.h>

#include "hip.h"

enum { BF16 = 168 };

int rocblas_sgemm(void *, int, int, int, int, int, const float *, const float *, int, const float *,
                  int, const float *, float *, int);
int rocblas_dgemm_64(void *, int, int, int64_t, int64_t, int64_t, const double *, const double *,
                     int64_t, const double *, int64_t, const double *, double *, int64_t);
int rocblas_hgemm_strided_batched(void *, int, int, int, int, int, const void *, const void *, int,
                                  int64_t, const void *, int, int64_t, const void *, void *, int,
                                  int64_t, int);
int rocblas_gemm_strided_batched_ex(void *, int, int, int, int, int, const void *, const void *,
                                    int, int, int64_t, const void *, int, int, int64_t,
                                    const void *, const void *, int, int, int64_t, void *, int, int,
                                    int64_t, int, int, int, int32_t, uint32_t);
int hipblasSgemm(void *, int, int, int, int, int, const float *, const float *, int, const float *,
                 int, const float *, float *, int);

int main(void)
{
    void *place;
    int status = 0;

    hipMalloc(&place, 1024);
    for (int i = 0; i < 30; i++) {
        status |=
            rocblas_sgemm(NULL, 111, 111, 512, 256, 128, NULL, NULL, 1, NULL, 1, NULL, NULL, 1);
        status |=
            rocblas_dgemm_64(NULL, 111, 111, 64, 32, 16, NULL, NULL, 1, NULL, 1, NULL, NULL, 1);
        status |= rocblas_hgemm_strided_batched(NULL, 111, 111, 64, 32, 16, NULL, NULL, 1, 0, NULL,
                                                1, 0, NULL, NULL, 1, 0, 5);
        status |= rocblas_gemm_strided_batched_ex(NULL, 111, 111, 32, 64, 16, NULL, NULL, BF16, 1,
                                                  0, NULL, BF16, 1, 0, NULL, NULL, BF16, 1, 0, NULL,
                                                  BF16, 1, 0, 8, 151, 0, 0, 77);
        status |= hipblasSgemm(NULL, 111, 111, 100, 50, 20, NULL, NULL, 1, NULL, 1, NULL, NULL, 1);
    }
    printf("status %d kernels %lu threads %lu\n", status, hip_done.kernels, hip_done.threads);
    return hipDeviceSynchronize();
}
