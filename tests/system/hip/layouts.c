/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares the numbers of shim/hip/hip_api.h with AMD's header.  It is only compiled.
 */
#include <hip/hip_runtime_api.h>

#include "device/streams.h"
#include "hip/hip_api.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(HIP_SUCCEEDED, hipSuccess);
SAME(HIP_CLOCK_KHZ, hipDeviceAttributeClockRate);
SAME(HIP_MULTIPROCESSORS, hipDeviceAttributeMultiprocessorCount);
SAME(HIP_IS_INTEGRATED, hipDeviceAttributeIntegrated);
SAME(STREAMS_HOST_TO_DEVICE, hipMemcpyHostToDevice);
SAME(STREAMS_DEVICE_TO_HOST, hipMemcpyDeviceToHost);
SAME(STREAMS_DEVICE_TO_DEVICE, hipMemcpyDeviceToDevice);
SAME(sizeof(struct streams_dimensions), sizeof(dim3));
SAME(16, sizeof(hipUUID)); /* DEVICE_UUID_SIZE */
