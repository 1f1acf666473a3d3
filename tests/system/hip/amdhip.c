/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libamdhip64.so.6, with the functions' own prototypes: memory is the host's, and
 * commands are done at once.  The address of a kernel is its name; a function of a module has one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hip.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, DEVICES = 2 };

static int current;
static unsigned long stream_count = 3; /* below it are streams that are no objects */

/* What the device did, to be compared by the program. */
struct hip_done hip_done;

int hipGetDevice(int *device)
{
    *device = current;
    return SUCCESS;
}

int hipSetDevice(int device)
{
    if (device < 0 || device >= DEVICES)
        return INVALID_VALUE;
    current = device;
    return SUCCESS;
}

int hipDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Stand-in MI %d", device);
    return SUCCESS;
}

int hipDeviceTotalMem(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return SUCCESS;
}

int hipDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 63 ? 304 : attribute == 5 ? 2100000 : 0;
    return SUCCESS;
}

int hipDeviceGetUuid(char uuid[16], int device)
{
    char text[17];

    snprintf(text, sizeof text, "%016x", 0x5a000 + device);
    memcpy(uuid, text, 16);
    return SUCCESS;
}

int hipDriverGetVersion(int *version)
{
    *version = 60342134;
    return SUCCESS;
}

/* ---- memory ---------------------------------------------------------------- */

static int obtain(void **place, size_t size)
{
    if (size > (size_t)1 << 40)
        return OUT_OF_MEMORY;
    *place = size ? malloc(size) : NULL;
    return SUCCESS;
}

int hipMalloc(void **place, size_t size)
{
    return obtain(place, size);
}

int hipMallocAsync(void **place, size_t size, void *stream)
{
    (void)stream;
    return obtain(place, size);
}

int hipMallocManaged(void **place, size_t size, unsigned flags)
{
    (void)flags;
    return obtain(place, size);
}

int hipHostMalloc(void **place, size_t size, unsigned flags)
{
    (void)flags;
    return obtain(place, size);
}

int hipMallocPitch(void **place, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 255) / 256 * 256;
    return obtain(place, *pitch * height);
}

int hipFree(void *place)
{
    free(place);
    return SUCCESS;
}

int hipFreeAsync(void *place, void *stream)
{
    (void)stream;
    return hipFree(place);
}

int hipHostFree(void *place)
{
    return hipFree(place);
}

/* ---- commands -------------------------------------------------------------- */

const char *hipKernelNameRefByPtr(const void *function, void *stream)
{
    (void)stream;
    return function;
}

const char *hipKernelNameRef(const struct hip_function *function)
{
    return function->name;
}

static int launch(uint64_t threads)
{
    if (threads == 0)
        return INVALID_VALUE;
    hip_done.kernels++;
    hip_done.threads += threads;
    return SUCCESS;
}

static uint64_t product(struct dim3 grid, struct dim3 block)
{
    return (uint64_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
}

int hipLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                    size_t shared, void *stream)
{
    (void)function, (void)arguments, (void)shared, (void)stream;
    return launch(product(grid, block));
}

/* Its last arguments are on the stack, so they tell whether all of it was passed on. */
int hipExtLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                       size_t shared, void *stream, void *start, void *stop, int flags)
{
    (void)function, (void)arguments, (void)shared, (void)stream;
    hip_done.last_words += start == (void *)11 && stop == (void *)12 && flags == 13;
    return launch(product(grid, block));
}

int hipModuleLaunchKernel(const struct hip_function *function, unsigned x, unsigned y, unsigned z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **arguments, void **extra)
{
    (void)function, (void)shared, (void)stream, (void)arguments, (void)extra;
    return launch((uint64_t)x * y * z * block_x * block_y * block_z);
}

int hipExtModuleLaunchKernel(const struct hip_function *function, uint32_t threads_x,
                             uint32_t threads_y, uint32_t threads_z, uint32_t block_x,
                             uint32_t block_y, uint32_t block_z, size_t shared, void *stream,
                             void **arguments, void **extra, void *start, void *stop,
                             uint32_t flags)
{
    (void)function, (void)block_x, (void)block_y, (void)block_z, (void)shared, (void)stream;
    (void)arguments, (void)extra;
    hip_done.last_words += start == (void *)11 && stop == (void *)12 && flags == 13;
    return launch((uint64_t)threads_x * threads_y * threads_z);
}

int hipGraphLaunch(void *graph, void *stream)
{
    (void)graph, (void)stream;
    hip_done.graphs++;
    return SUCCESS;
}

int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream)
{
    (void)kind, (void)stream;
    memcpy(to, from, size);
    return SUCCESS;
}

int hipMemcpy(void *to, const void *from, size_t size, int kind)
{
    return hipMemcpyAsync(to, from, size, kind, NULL);
}

int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, void *stream)
{
    return hipMemcpyAsync(to, from, size, kind, stream);
}

int hipMemcpyDtoHAsync(void *to, void *from, size_t size, void *stream)
{
    return hipMemcpyAsync(to, from, size, 2, stream);
}

int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                size_t height, int kind)
{
    (void)kind;
    for (size_t i = 0; i < height; i++)
        memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
    return SUCCESS;
}

int hipMemset(void *place, int value, size_t size)
{
    memset(place, value, size);
    return SUCCESS;
}

int hipMemsetD32Async(void *place, int value, size_t count, void *stream)
{
    (void)stream;
    for (size_t i = 0; i < count; i++)
        ((int *)place)[i] = value;
    return SUCCESS;
}

/* ---- streams and waits ----------------------------------------------------- */

int hipStreamCreate(void **stream)
{
    *stream = (void *)(stream_count++ << 8);
    return SUCCESS;
}

int hipStreamCreateWithFlags(void **stream, unsigned flags)
{
    (void)flags;
    return hipStreamCreate(stream);
}

static int wait_a_little(void)
{
    const struct timespec time = {.tv_nsec = 300000};

    nanosleep(&time, NULL);
    return SUCCESS;
}

int hipStreamSynchronize(void *stream)
{
    (void)stream;
    return wait_a_little();
}

int hipEventSynchronize(void *event)
{
    (void)event;
    return wait_a_little();
}

int hipDeviceSynchronize(void)
{
    return wait_a_little();
}

int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, void *status)
{
    (void)version, (void)flags, (void)status;
    *function = strcmp(name, "hipModuleLaunchKernel") == 0 ? (void *)hipModuleLaunchKernel : NULL;
    return *function ? SUCCESS : INVALID_VALUE;
}
