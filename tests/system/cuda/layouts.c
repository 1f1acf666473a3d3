/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares what shim/cuda/cuda_api.h says with NVIDIA's headers.  It is only compiled.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <stddef.h>

#include "cuda/cuda_api.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
#define FIELD(ours, field, theirs, name)                                                           \
    _Static_assert(offsetof(ours, field) == offsetof(theirs, name) &&                              \
                       sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->name),                  \
                   #ours "." #field)

SAME(CUDA_SUCCEEDED, cudaSuccess);
SAME(CUDA_SUCCEEDED, CUDA_SUCCESS);
SAME(STREAMS_HOST_TO_DEVICE, cudaMemcpyHostToDevice);
SAME(STREAMS_DEVICE_TO_HOST, cudaMemcpyDeviceToHost);
SAME(STREAMS_DEVICE_TO_DEVICE, cudaMemcpyDeviceToDevice);
SAME(CUDA_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(CUDA_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CUDA_IS_INTEGRATED, CU_DEVICE_ATTRIBUTE_INTEGRATED);
SAME(CUDA_ADDRESS_PER_THREAD, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
SAME(CUPTI_SUCCEEDED, CUPTI_SUCCESS);
SAME(CUPTI_NO_MORE, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(CUPTI_KIND_COPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(CUPTI_KIND_FILL, CUPTI_ACTIVITY_KIND_MEMSET);
SAME(CUPTI_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(CUPTI_PAGEABLE, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE);
SAME(CUPTI_DRIVER_API, CUPTI_CB_DOMAIN_DRIVER_API);
SAME(CUPTI_ENTER, CUPTI_API_ENTER);
SAME(CUPTI_EXIT, CUPTI_API_EXIT);
SAME(CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
SAME(sizeof(struct streams_dimensions), sizeof(dim3));
SAME(16, sizeof(CUuuid)); /* DEVICE_UUID_SIZE */

FIELD(struct streams_launch, grid, cudaLaunchConfig_t, gridDim);
FIELD(struct streams_launch, block, cudaLaunchConfig_t, blockDim);
FIELD(struct streams_launch, stream, cudaLaunchConfig_t, stream);
_Static_assert(offsetof(struct streams_launch, stream) == offsetof(CUlaunchConfig, hStream),
               "stream");
_Static_assert(offsetof(struct streams_launch, block) == offsetof(CUlaunchConfig, blockDimX),
               "block");

#define KERNEL(theirs)                                                                             \
    FIELD(struct cupti_kernel, kind, theirs, kind);                                                \
    FIELD(struct cupti_kernel, start, theirs, start);                                              \
    FIELD(struct cupti_kernel, end, theirs, end);                                                  \
    FIELD(struct cupti_kernel, device, theirs, deviceId);                                          \
    FIELD(struct cupti_kernel, stream, theirs, streamId);                                          \
    FIELD(struct cupti_kernel, correlation, theirs, correlationId);                                \
    FIELD(struct cupti_kernel, name, theirs, name);                                                \
    FIELD(struct cupti_kernel, queued, theirs, queued);                                            \
    FIELD(struct cupti_kernel, submitted, theirs, submitted)

#define COPY(theirs)                                                                               \
    FIELD(struct cupti_copy, kind, theirs, kind);                                                  \
    FIELD(struct cupti_copy, copy_kind, theirs, copyKind);                                         \
    FIELD(struct cupti_copy, from, theirs, srcKind);                                               \
    FIELD(struct cupti_copy, to, theirs, dstKind);                                                 \
    FIELD(struct cupti_copy, bytes, theirs, bytes);                                                \
    FIELD(struct cupti_copy, start, theirs, start);                                                \
    FIELD(struct cupti_copy, end, theirs, end);                                                    \
    FIELD(struct cupti_copy, correlation, theirs, correlationId)

#define FILL(theirs)                                                                               \
    FIELD(struct cupti_fill, kind, theirs, kind);                                                  \
    FIELD(struct cupti_fill, bytes, theirs, bytes);                                                \
    FIELD(struct cupti_fill, start, theirs, start);                                                \
    FIELD(struct cupti_fill, end, theirs, end);                                                    \
    FIELD(struct cupti_fill, correlation, theirs, correlationId)

KERNEL(CUpti_ActivityKernel4);
KERNEL(CUpti_ActivityKernel8);
COPY(CUpti_ActivityMemcpy);
COPY(CUpti_ActivityMemcpy5);
FILL(CUpti_ActivityMemset);
FILL(CUpti_ActivityMemset4);
#if CUPTI_API_VERSION >= 28 /* CUDA 12.9 */
KERNEL(CUpti_ActivityKernel9);
#endif
#if CUPTI_API_VERSION >= 130500
KERNEL(CUpti_ActivityKernel11);
KERNEL(CUpti_ActivityKernel12);
KERNEL(CUpti_ActivityKernel13);
COPY(CUpti_ActivityMemcpy7);
FILL(CUpti_ActivityMemset5);
#endif

FIELD(struct cupti_call, site, CUpti_CallbackData, callbackSite);
FIELD(struct cupti_call, parameters, CUpti_CallbackData, functionParams);
FIELD(struct cupti_call, symbol, CUpti_CallbackData, symbolName);
FIELD(struct cupti_call, correlation, CUpti_CallbackData, correlationId);

SAME(216, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async);
SAME(277, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2);
SAME(279, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2);
SAME(281, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2);
SAME(306, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync);
SAME(307, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
SAME(442, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
SAME(477, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
SAME(514, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
SAME(652, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
