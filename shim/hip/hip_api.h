/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the shim knows of HIP beside device/streams.h: numbers.  tests/system/hip/layouts.c compares
 * all of it with AMD's headers, where they are.
 *
 * Source: hip_runtime_api.h of HIP 5.2 and 6.3.
 */
#ifndef HIP_HIP_API_H
#define HIP_HIP_API_H

/* A status. */
enum { HIP_SUCCEEDED = 0 };

/* hipDeviceAttribute_t. */
enum { HIP_CLOCK_KHZ = 5, HIP_MULTIPROCESSORS = 63, HIP_IS_INTEGRATED = 16 };

#endif
