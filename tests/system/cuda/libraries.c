/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libcublasLt, libnccl and libcufft in one: descriptors, communicators and plans
 * with the libraries' own numbers, and calls that ask the device for one kernel of 100 us each.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { BLOCKS = 100, THREADS = 256 };

/* ---- cuBLASLt -------------------------------------------------------------- */

struct layout {
    uint64_t rows, columns;
    int64_t ld;
    uint32_t type;
    int32_t batch;
};

struct operation {
    int32_t transposed[2];
};

int cublasLtMatrixLayoutCreate(struct layout **layout, int type, uint64_t rows, uint64_t columns,
                               int64_t ld)
{
    *layout = malloc(sizeof **layout);
    **layout = (struct layout){rows, columns, ld, (uint32_t)type, 1};
    return 0;
}

int cublasLtMatrixLayoutDestroy(struct layout *layout)
{
    free(layout);
    return 0;
}

int cublasLtMatrixLayoutSetAttribute(struct layout *layout, int what, const void *value,
                                     size_t size)
{
    if (what != 5 || size != 4)
        return 7;
    memcpy(&layout->batch, value, size);
    return 0;
}

static int give(const void *value, size_t is, void *answer, size_t size, size_t *written)
{
    if (size < is)
        return 7;
    memcpy(answer, value, is);
    *written = is;
    return 0;
}

int cublasLtMatrixLayoutGetAttribute(const struct layout *layout, int what, void *answer,
                                     size_t size, size_t *written)
{
    switch (what) {
    case 0: return give(&layout->type, 4, answer, size, written);
    case 2: return give(&layout->rows, 8, answer, size, written);
    case 3: return give(&layout->columns, 8, answer, size, written);
    case 5: return give(&layout->batch, 4, answer, size, written);
    default: return 7;
    }
}

int cublasLtMatmulDescCreate(struct operation **operation, int compute, int scale)
{
    (void)compute, (void)scale;
    *operation = calloc(1, sizeof **operation);
    return 0;
}

int cublasLtMatmulDescSetAttribute(struct operation *operation, int what, const void *value,
                                   size_t size)
{
    if (what < 3 || what > 4 || size != 4)
        return 7;
    memcpy(&operation->transposed[what - 3], value, size);
    return 0;
}

int cublasLtMatmulDescGetAttribute(const struct operation *operation, int what, void *answer,
                                   size_t size, size_t *written)
{
    return what < 3 || what > 4 ? 7
                                : give(&operation->transposed[what - 3], 4, answer, size, written);
}

/* Its last arguments tell whether all of them were passed on. */
int cublasLtMatmul(void *handle, struct operation *operation, const void *alpha, const void *a,
                   struct layout *layout_a, const void *b, struct layout *layout_b,
                   const void *beta, const void *c, struct layout *layout_c, void *d,
                   struct layout *layout_d, const void *algorithm, void *workspace, size_t size,
                   void *stream)
{
    (void)handle, (void)operation, (void)alpha, (void)a, (void)layout_a, (void)b, (void)layout_b;
    (void)beta, (void)c, (void)layout_c, (void)d, (void)layout_d, (void)algorithm, (void)workspace;
    return size == 4096 ? device_launch("cutlass_lt_gemm", BLOCKS, THREADS, stream) : 7;
}

/* ---- NCCL ------------------------------------------------------------------ */

struct communicator {
    int ranks;
};

int ncclCommInitAll(struct communicator **communicator, int ranks, const int *devices)
{
    (void)devices;
    *communicator = malloc(sizeof **communicator);
    (*communicator)->ranks = ranks;
    return 0;
}

int ncclCommCount(const struct communicator *communicator, int *ranks)
{
    *ranks = communicator->ranks;
    return 0;
}

int ncclAllReduce(const void *send, void *receive, size_t count, int type, int operation,
                  struct communicator *communicator, void *stream)
{
    (void)send, (void)receive, (void)count, (void)type, (void)operation, (void)communicator;
    return device_launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", BLOCKS, THREADS, stream);
}

int ncclBroadcast(const void *send, void *receive, size_t count, int type, int root,
                  struct communicator *communicator, void *stream)
{
    (void)send, (void)receive, (void)count, (void)type, (void)root, (void)communicator;
    return device_launch("ncclDevKernel_Broadcast_RING_LL", BLOCKS, THREADS, stream);
}

int ncclSend(const void *send, size_t count, int type, int peer, struct communicator *communicator,
             void *stream)
{
    (void)send, (void)count, (void)type, (void)peer, (void)communicator;
    return device_launch("ncclDevKernel_SendRecv", BLOCKS, THREADS, stream);
}

/* ---- cuFFT: the first plan is 0 --------------------------------------------- */

static int plans;

int cufftPlan1d(int *plan, int nx, int type, int batch)
{
    (void)nx, (void)type, (void)batch;
    *plan = plans++;
    return 0;
}

int cufftCreate(int *plan)
{
    *plan = plans++;
    return 0;
}

int cufftXtMakePlanMany(int plan, int rank, long long *n, long long *inembed, long long istride,
                        long long idist, int input, long long *onembed, long long ostride,
                        long long odist, int output, long long batch, size_t *size, int compute)
{
    (void)plan, (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)input;
    (void)onembed, (void)ostride, (void)odist, (void)output, (void)batch;
    *size = 0;
    return compute == 4 ? 0 : 7;
}

int cufftExecC2C(int plan, void *in, void *out, int direction)
{
    (void)plan, (void)in, (void)out, (void)direction;
    return device_launch("vector_fft", BLOCKS, THREADS, NULL);
}

int cufftXtExec(int plan, void *in, void *out, int direction)
{
    (void)plan, (void)in, (void)out, (void)direction;
    return device_launch("regular_fft", BLOCKS, THREADS, NULL);
}

int cufftDestroy(int plan)
{
    (void)plan;
    return 0;
}
