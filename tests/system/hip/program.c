/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of HIP: a loop of copies, fills and kernels on two streams, with calls that wait, and
 * memory that is kept.  `program STEPS` prints what it asked for, and what arrived.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip.h"

enum { TO_DEVICE = 1, TO_HOST = 2, MIB = 1 << 20, SMALL = 7, LARGE = 2000, KEPT = 3 };

static const char add[] = "_Z3addPfPKfi", scale[] = "scale_kernel", timed[] = "timed_kernel";
static const struct hip_function module_function = {"module_kernel"};
static const struct hip_function threads_function = {"threads_kernel"};

typedef int (*module_launcher)(const struct hip_function *, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, void *, void **, void **);
static module_launcher launch_module;

static void launch(const char *kernel, unsigned blocks, void *stream)
{
    struct dim3 grid = {blocks, 1, 1}, block = {256, 1, 1};

    if (hipLaunchKernel(kernel, grid, block, NULL, 0, stream) != 0)
        abort();
}

static void launch_others(void *stream)
{
    struct dim3 grid = {3, 2, 1}, block = {8, 4, 2};

    hipExtLaunchKernel(timed, grid, block, NULL, 0, stream, (void *)11, (void *)12, 13);
    launch_module(&module_function, 2, 3, 1, 4, 5, 6, 0, stream, NULL, NULL);
    hipExtModuleLaunchKernel(&threads_function, 1024, 2, 1, 256, 1, 1, 0, stream, NULL, NULL,
                             (void *)11, (void *)12, 13);
    hipGraphLaunch((void *)4096, stream);
}

static void step(void *device, void *host, void *const streams[2])
{
    void *work;

    hipMallocAsync(&work, 2 * MIB, streams[0]);
    hipMemcpyAsync(device, host, MIB, TO_DEVICE, streams[0]);
    launch(add, SMALL, streams[0]);
    launch(scale, LARGE, streams[1]);
    launch_others(streams[1]);
    hipMemsetD32Async(work, 0, MIB / 4, streams[1]);
    hipStreamSynchronize(streams[1]); /* waits */
    hipMemcpy(host, device, 4, TO_HOST);
    hipMemcpyWithStream(host, device, 8, TO_HOST, streams[0]);
    hipMemcpyDtoHAsync(host, device, 16, streams[0]);
    hipMemcpy2D(host, 1024, device, 1024, 100, 5, TO_HOST);
    hipFreeAsync(work, streams[0]);
}

int main(int count, char **arguments)
{
    int steps = count > 1 ? atoi(arguments[1]) : 20;
    void *device, *host, *shared, *streams[2], *kept[KEPT], *pitched;
    size_t pitch;
    struct dim3 none = {0, 0, 0};

    hipStreamCreate(&streams[0]);
    hipStreamCreateWithFlags(&streams[1], 1);
    if (hipMalloc(&device, 64 * MIB) != 0 || hipHostMalloc(&host, MIB, 0) != 0 ||
        hipMallocManaged(&shared, MIB, 1) != 0 ||
        hipGetProcAddress("hipModuleLaunchKernel", (void **)&launch_module, 60300, 0, NULL) != 0)
        return 1;
    memset(host, 0, MIB);
    for (int i = 0; i < KEPT; i++)
        hipMalloc(&kept[i], MIB);
    hipMallocPitch(&pitched, &pitch, 1000, 10);
    hipFree(pitched);
    if (hipMalloc(&pitched, (size_t)1 << 50) == 0 ||
        hipLaunchKernel(add, none, none, NULL, 0, NULL) == 0)
        return 1; /* refused */
    for (int i = 0; i < steps; i++)
        step(device, host, streams);
    hipDeviceSynchronize();
    hipFree(device);
    hipFree(shared);
    hipHostFree(host);
    printf("kernels %lu threads %lu graphs %lu, whole calls %lu\n", hip_done.kernels,
           hip_done.threads, hip_done.graphs, hip_done.last_words);
    return 0;
}
