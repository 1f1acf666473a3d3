/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of HIP that the stand-ins and their programs use.
 */
#ifndef HIP_H
#define HIP_H

#include <stddef.h>
#include <stdint.h>

struct dim3 {
    unsigned x, y, z;
};

struct hip_function {
    const char *name;
};

/* What the stand-in was asked for. */
extern struct hip_done {
    unsigned long kernels, threads, graphs, last_words;
} hip_done;

int hipGetDevice(int *device);
int hipSetDevice(int device);
int hipDeviceGetName(char *name, int size, int device);
int hipDeviceTotalMem(size_t *bytes, int device);
int hipDeviceGetAttribute(int *value, int attribute, int device);
int hipDeviceGetUuid(char uuid[16], int device);
int hipDriverGetVersion(int *version);
int hipMalloc(void **place, size_t size);
int hipMallocAsync(void **place, size_t size, void *stream);
int hipMallocManaged(void **place, size_t size, unsigned flags);
int hipHostMalloc(void **place, size_t size, unsigned flags);
int hipMallocPitch(void **place, size_t *pitch, size_t width, size_t height);
int hipFree(void *place);
int hipFreeAsync(void *place, void *stream);
int hipHostFree(void *place);
const char *hipKernelNameRefByPtr(const void *function, void *stream);
const char *hipKernelNameRef(const struct hip_function *function);
int hipLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                    size_t shared, void *stream);
int hipExtLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                       size_t shared, void *stream, void *start, void *stop, int flags);
int hipModuleLaunchKernel(const struct hip_function *function, unsigned x, unsigned y, unsigned z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **arguments, void **extra);
int hipExtModuleLaunchKernel(const struct hip_function *function, uint32_t threads_x,
                             uint32_t threads_y, uint32_t threads_z, uint32_t block_x,
                             uint32_t block_y, uint32_t block_z, size_t shared, void *stream,
                             void **arguments, void **extra, void *start, void *stop,
                             uint32_t flags);
int hipGraphLaunch(void *graph, void *stream);
int hipMemcpy(void *to, const void *from, size_t size, int kind);
int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, void *stream);
int hipMemcpyDtoHAsync(void *to, void *from, size_t size, void *stream);
int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                size_t height, int kind);
int hipMemset(void *place, int value, size_t size);
int hipMemsetD32Async(void *place, int value, size_t count, void *stream);
int hipStreamCreate(void **stream);
int hipStreamCreateWithFlags(void **stream, unsigned flags);
int hipStreamSynchronize(void *stream);
int hipEventSynchronize(void *event);
int hipDeviceSynchronize(void);
int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, void *status);

#endif
