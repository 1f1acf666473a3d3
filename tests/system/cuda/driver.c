/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stand-in for libcuda.so.1, below libcudart.so.13 of this folder: what a device is, and the
 * functions that a program gets by their names.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { SUCCESS = 0, NOT_FOUND = 500 };

int cuDeviceGet(int *device, int ordinal)
{
    const char *first = getenv("CUDA_VISIBLE_DEVICES");

    *device = ordinal + (first ? atoi(first) : 0);
    return SUCCESS;
}

int cuCtxGetDevice(int *device)
{
    *device = 0;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Stand-in %d", device);
    return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 16 ? 132 : attribute == 13 ? 1980000 : 0;
    return SUCCESS;
}

int cuDeviceGetUuid(unsigned char uuid[16], int device)
{
    memset(uuid, 0x10 + device, 16);
    return SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    *version = 13050;
    return SUCCESS;
}

int cuMemAlloc_v2(void **place, size_t size)
{
    *place = malloc(size);
    return SUCCESS;
}

int cuMemFree_v2(void *place)
{
    free(place);
    return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, void *stream,
                   void **arguments, void **extra)
{
    (void)shared, (void)arguments, (void)extra;
    return device_launch(function, x * y * z, block_x * block_y * block_z, stream);
}

int cuFuncGetName(const char **name, void *function)
{
    *name = function;
    return SUCCESS;
}

int cuCtxSynchronize(void)
{
    int cudaDeviceSynchronize(void);

    return cudaDeviceSynchronize();
}

/* The names are without versions. */
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                        void *status)
{
    static const struct {
        const char *name;
        void *function;
    } known[] = {{"cuMemAlloc", (void *)cuMemAlloc_v2},
                 {"cuMemFree", (void *)cuMemFree_v2},
                 {"cuLaunchKernel", (void *)cuLaunchKernel},
                 {"cuCtxSynchronize", (void *)cuCtxSynchronize}};

    (void)version, (void)flags, (void)status;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *function = known[i].function;
            return SUCCESS;
        }
    return NOT_FOUND;
}
