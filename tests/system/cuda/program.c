/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of CUDA: a loop of copies and two kernels on two streams, with a call that waits, and
 * memory that is kept.  `program STEPS` prints what it asked for, as words and numbers.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

struct dim3 {
    unsigned x, y, z;
};

int cudaMalloc(void **place, size_t size);
int cudaMallocAsync(void **place, size_t size, void *stream);
int cudaMallocHost(void **place, size_t size);
int cudaMallocPitch(void **place, size_t *pitch, size_t width, size_t height);
int cudaFree(void *place);
int cudaFreeAsync(void *place, void *stream);
int cudaFreeHost(void *place);
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared, void *stream);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int cudaMemsetAsync(void *place, int value, size_t size, void *stream);
int cudaStreamCreate(void **stream);
int cudaStreamSynchronize(void *stream);
int cudaDeviceSynchronize(void);

enum { TO_DEVICE = 1, TO_HOST = 2, MIB = 1 << 20, SMALL = 7, LARGE = 2000, KEPT = 3 };

static const char add[] = "_Z3addPfPKfi", scale[] = "scale_kernel";

static void launch(const char *kernel, unsigned blocks, void *stream)
{
    struct dim3 grid = {blocks, 1, 1}, block = {256, 1, 1};

    if (cudaLaunchKernel(kernel, grid, block, NULL, 0, stream) != 0)
        abort();
}

static void step(void *device, void *host, void *const streams[2])
{
    void *work;

    cudaMallocAsync(&work, 2 * MIB, streams[0]);
    cudaMemcpyAsync(device, host, MIB, TO_DEVICE, streams[0]);
    launch(add, SMALL, streams[0]);
    launch(scale, LARGE, streams[1]);
    cudaMemsetAsync(work, 0, MIB, streams[1]);
    cudaStreamSynchronize(streams[1]); /* waits */
    cudaMemcpy(host, device, 4, TO_HOST);
    cudaFreeAsync(work, streams[0]);
}

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 20;
    void *device, *host, *streams[2], *kept[KEPT], *pitched;
    size_t pitch;
    struct dim3 none = {0, 0, 0};

    cudaStreamCreate(&streams[0]);
    cudaStreamCreate(&streams[1]);
    if (cudaMalloc(&device, 64 * MIB) != 0 || cudaMallocHost(&host, MIB) != 0)
        return 1;
    memset(host, 0, MIB);
    for (int i = 0; i < KEPT; i++)
        cudaMalloc(&kept[i], MIB);
    cudaMallocPitch(&pitched, &pitch, 1000, 10);
    cudaFree(pitched);
    if (cudaMalloc(&pitched, (size_t)1 << 50) == 0 ||
        cudaLaunchKernel(add, none, none, NULL, 0, NULL) == 0)
        return 1; /* refused */
    for (int i = 0; i < steps; i++)
        step(device, host, streams);
    cudaDeviceSynchronize();
    cudaFree(device);
    cudaFreeHost(host);
    printf("kernel %s calls %d ns %d\n", add, steps, steps * SMALL * NS_A_BLOCK);
    printf("kernel %s calls %d ns %ld\n", scale, steps, (long)steps * LARGE * NS_A_BLOCK);
    printf("copies to device %d bytes %ld to host %d bytes %d\n", steps, (long)steps * MIB, steps,
           4 * steps);
    printf("fills %d bytes %ld\n", steps, (long)steps * MIB);
    printf("peak %d kept %d\n", (64 + KEPT + 2) * MIB, KEPT * MIB);
    return 0;
}
