/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products with descriptors, collectives, and transforms, 10 of each.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 10, F32 = 0, C32 = 4, BF16 = 14, TRANSPOSED = 3, BATCH = 5, NCCL_F32 = 7 };

int cublasLtMatrixLayoutCreate(void **, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutDestroy(void *);
int cublasLtMatrixLayoutSetAttribute(void *, int, const void *, size_t);
int cublasLtMatmulDescCreate(void **, int, int);
int cublasLtMatmulDescSetAttribute(void *, int, const void *, size_t);
int cublasLtMatmul(void *, void *, const void *, const void *, void *, const void *, void *,
                   const void *, const void *, void *, void *, void *, const void *, void *, size_t,
                   void *);
int ncclCommInitAll(void **, int, const int *);
int ncclAllReduce(const void *, void *, size_t, int, int, void *, void *);
int ncclBroadcast(const void *, void *, size_t, int, int, void *, void *);
int ncclSend(const void *, size_t, int, int, void *, void *);
int cufftPlan1d(int *, int, int, int);
int cufftCreate(int *);
int cufftXtMakePlanMany(int, int, long long *, long long *, long long, long long, int, long long *,
                        long long, long long, int, long long, size_t *, int);
int cufftExecC2C(int, void *, void *, int);
int cufftXtExec(int, void *, void *, int);
int cufftDestroy(int);
int cudaMalloc(void **, size_t);
int cudaDeviceSynchronize(void);

static int status;

/* The descriptors of a call are its own, as PyTorch makes them. */
static void multiply(uint64_t m, uint64_t n, uint64_t k, int32_t batch)
{
    const int32_t yes = 1;
    void *operation, *a, *b, *d;

    cublasLtMatmulDescCreate(&operation, 68, F32);
    cublasLtMatmulDescSetAttribute(operation, TRANSPOSED, &yes, sizeof yes);
    cublasLtMatrixLayoutCreate(&a, BF16, k, m, 1);
    cublasLtMatrixLayoutCreate(&b, BF16, k, n, 1);
    cublasLtMatrixLayoutCreate(&d, BF16, m, n, 1);
    cublasLtMatrixLayoutSetAttribute(a, BATCH, &batch, sizeof batch);
    cublasLtMatrixLayoutSetAttribute(b, BATCH, &batch, sizeof batch);
    cublasLtMatrixLayoutSetAttribute(d, BATCH, &batch, sizeof batch);
    status |= cublasLtMatmul(NULL, operation, NULL, NULL, a, NULL, b, NULL, NULL, d, NULL, d, NULL,
                             NULL, 4096, NULL);
    cublasLtMatrixLayoutDestroy(a);
    cublasLtMatrixLayoutDestroy(b);
    cublasLtMatrixLayoutDestroy(d);
}

int main(void)
{
    long long sizes[2] = {32, 64};
    int one, two;
    void *place, *communicator;
    size_t size;

    cudaMalloc(&place, 1024);
    ncclCommInitAll(&communicator, 8, NULL);
    cufftPlan1d(&one, 1024, 0x29, 3);
    cufftCreate(&two);
    status |= cufftXtMakePlanMany(two, 2, sizes, NULL, 1, 1, F32, NULL, 1, 1, C32, 5, &size, C32);
    for (int i = 0; i < ROUNDS; i++) {
        multiply(512, 256, 128, 1);
        multiply(64, 32, 16, 8);
        status |= ncclAllReduce(place, place, 1000, NCCL_F32, 0, communicator, NULL);
        status |= ncclBroadcast(place, place, 500, 9, 2, communicator, NULL);
        status |= ncclSend(place, 100, 8, 3, communicator, NULL);
        status |= cufftExecC2C(one, place, place, 1);
        status |= cufftXtExec(two, place, place, 1);
    }
    status |= cudaDeviceSynchronize();
    cufftDestroy(one);
    printf("status %d, first plan %d\n", status, one);
    return 0;
}
