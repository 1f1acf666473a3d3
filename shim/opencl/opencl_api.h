/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of OpenCL that the shim uses, in its own words.
 *
 * Source: Khronos, The OpenCL Specification 3.0.14, and the numbers of OpenCL-Headers.
 */
#ifndef OPENCL_OPENCL_API_H
#define OPENCL_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

typedef void *cl_object; /* any handle */

enum { CL_SUCCESS = 0, CL_PROFILING_INFO_NOT_AVAILABLE = -7, CL_INVALID_VALUE = -30 };

enum {
    CL_COMPLETE = 0, /* a status below is that of a command that failed */
    CL_QUEUE_OUT_OF_ORDER = 1,
    CL_QUEUE_PROFILING = 2,
    CL_QUEUE_ON_DEVICE = 4,

    CL_PLATFORM_VERSION = 0x0901,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100c,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_PROFILING_TIMER_RESOLUTION = 0x1025,
    CL_DEVICE_NAME = 0x102b,
    CL_DEVICE_VENDOR = 0x102c,
    CL_DRIVER_VERSION = 0x102d,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_DEVICE_UUID_KHR = 0x106a,

    CL_DEVICE_TYPE_CPU = 2,
    CL_DEVICE_TYPE_GPU = 4,
    CL_DEVICE_TYPE_ACCELERATOR = 8,

    CL_CONTEXT_DEVICES = 0x1081,
    CL_QUEUE_CONTEXT = 0x1090,
    CL_QUEUE_DEVICE = 0x1091,
    CL_QUEUE_PROPERTIES = 0x1093,
    CL_QUEUE_PROPERTIES_ARRAY = 0x1098,

    CL_MEM_USE_HOST_PTR = 8,
    CL_MEM_ALLOC_HOST_PTR = 16,
    CL_MEM_SIZE = 0x1102,
    CL_MEM_CONTEXT = 0x1106,
    CL_IMAGE_ELEMENT_SIZE = 0x1111,

    CL_KERNEL_FUNCTION_NAME = 0x1190,
    CL_EVENT_COMMAND_QUEUE = 0x11d0,
    CL_EVENT_REFERENCE_COUNT = 0x11d2,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,

    CL_PROFILING_COMMAND_QUEUED = 0x1280,
    CL_PROFILING_COMMAND_SUBMIT = 0x1281,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283
};

/* All functions that tell properties of an object. */
typedef int32_t (*cl_info)(cl_object object, uint32_t name, size_t size, void *value,
                           size_t *value_size);

/* The part of cl_image_desc up to the buffer that an image is made from. */
struct cl_image_description {
    uint32_t type;
    size_t width, height, depth, array_size, row_pitch, slice_pitch;
    uint32_t mip_levels, samples;
    cl_object memory;
};

_Static_assert(offsetof(struct cl_image_description, memory) == 64, "as in cl.h");

#endif
