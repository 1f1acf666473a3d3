/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the shim knows of NVML: numbers and structures.  tests/system/cuda/nvml_layouts.c compares
 * all of it with NVIDIA's header, where it is.
 *
 * Source: nvml.h of CUDA 11.8, 12.9 and 13.5.
 */
#ifndef CUDA_NVML_API_H
#define CUDA_NVML_API_H

#include <stdint.h>

/* Statuses. */
enum { NVML_SUCCEEDED = 0, NVML_NO_FUNCTION = 13, NVML_NOT_LISTED = 6 };

/* nvmlClockType_t, nvmlTemperatureSensors_t, nvmlTemperatureThresholds_t. */
enum {
    NVML_OF_MULTIPROCESSORS = 1,
    NVML_OF_MEMORY = 2,
    NVML_OF_GPU = 0,
    NVML_WHERE_IT_SLOWS_DOWN = 1
};

enum { NVML_VERSION_TEXT = 80 };

/* A number that the driver does not know. */
static const uint64_t nvml_unknown = UINT64_MAX;

/* nvmlUtilization_t */
struct nvml_utilisation {
    uint32_t gpu;
    uint32_t memory;
};

/* nvmlMemory_t */
struct nvml_memory {
    uint64_t total;
    uint64_t free;
    uint64_t used;
};

/* nvmlProcessInfo_t of the third version */
struct nvml_process {
    uint32_t pid;
    uint64_t used;
    uint32_t instance;
    uint32_t compute_instance;
};

#endif
