/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the shim knows of NVIDIA's libraries: numbers, and the parts of structures that it reads.
 * What HIP shares stands in device/streams.h.
 * tests/system/cuda/layouts.c compares all of it with NVIDIA's headers, where they are.
 *
 * Source: cuda.h, cuda_runtime_api.h and cupti_activity.h of CUDA 11.8, 12.9 and 13.5.  CUPTI's
 * records only ever grew at their ends.
 */
#ifndef CUDA_CUDA_API_H
#define CUDA_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

#include "device/streams.h"

/* A status. */
enum { CUDA_SUCCEEDED = 0 };

/* CUdevice_attribute. */
enum { CUDA_CLOCK_KHZ = 13, CUDA_MULTIPROCESSORS = 16, CUDA_IS_INTEGRATED = 18 };

/* Flags of cuGetProcAddress. */
enum { CUDA_ADDRESS_PER_THREAD = 2 };

/* CUPTI: status, kinds of records, domains and sites of call-backs. */
enum {
    CUPTI_SUCCEEDED = 0,
    CUPTI_NO_MORE = 12,
    CUPTI_KIND_COPY = 1,
    CUPTI_KIND_FILL = 2,
    CUPTI_KIND_KERNEL = 10, /* CONCURRENT_KERNEL: kernels stay concurrent */
    CUPTI_PAGEABLE = 1,     /* memory of the host that is not pinned */
    CUPTI_DRIVER_API = 1,
    CUPTI_ENTER = 0,
    CUPTI_EXIT = 1,
    CUPTI_FLUSH_FORCED = 1
};

/* The beginning of CUpti_ActivityKernel4 to CUpti_ActivityKernel13. */
struct cupti_kernel {
    uint32_t kind;
    uint8_t cache;
    uint8_t shared_memory;
    uint16_t registers;
    uint32_t cache_requested;
    uint32_t cache_executed;
    uint64_t start;
    uint64_t end;
    uint64_t completed;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    struct streams_dimensions grid;
    struct streams_dimensions block;
    int32_t static_shared;
    int32_t dynamic_shared;
    uint32_t local_a_thread;
    uint32_t local;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued;    /* 0 unless latency time stamps were asked for */
    uint64_t submitted; /* the same */
};

/* The beginning of CUpti_ActivityMemcpy to CUpti_ActivityMemcpy7. */
struct cupti_copy {
    uint32_t kind;
    uint8_t copy_kind;
    uint8_t from;
    uint8_t to;
    uint8_t flags;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint32_t correlation;
};

/* The beginning of CUpti_ActivityMemset to CUpti_ActivityMemset5. */
struct cupti_fill {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint32_t correlation;
};

/* CUpti_CallbackData. */
struct cupti_call {
    uint32_t site;
    const char *function;
    const void *parameters;
    void *result;
    const char *symbol;
    void *context;
    uint32_t context_id;
    uint64_t *data;
    uint32_t correlation;
};

#endif
