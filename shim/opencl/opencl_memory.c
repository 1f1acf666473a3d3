/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers, images, pipes and shared virtual memory.
 *
 * An object lives until the program has released it as often as it retained it.  The library may
 * keep it a little longer, until its commands have ended.
 */
#include "opencl/opencl_parts.h"

#include "device/blocks.h"
#include "device/command.h"
#include "device/device.h"
#include "spec/trace.h"
#include "unwind/machine.h"

static uint32_t place_of(uint64_t flags)
{
    if (flags & CL_MEM_USE_HOST_PTR)
        return TRACE_DEVICE_PLACE_PROGRAM;
    return flags & CL_MEM_ALLOC_HOST_PTR ? TRACE_DEVICE_PLACE_HOST : TRACE_DEVICE_PLACE_DEVICE;
}

static uint64_t size_of(cl_object memory)
{
    size_t size = 0;

    opencl_ask(opencl_real.clGetMemObjectInfo, memory, CL_MEM_SIZE, sizeof size, &size);
    return size;
}

/* Returns: the object. */
static cl_object note(cl_object memory, cl_object context, uint64_t flags,
                      const struct unwind_state *caller)
{
    if (memory) {
        const struct device_block block = {.handle = memory,
                                           .device = opencl_context_device(context),
                                           .place = place_of(flags),
                                           .bytes = size_of(memory)};

        blocks_obtain(&block, caller);
    }
    return memory;
}

static cl_object note_part(cl_object memory, cl_object whole, const struct unwind_state *caller)
{
    cl_object context = NULL;

    opencl_ask(opencl_real.clGetMemObjectInfo, whole, CL_MEM_CONTEXT, sizeof context, &context);
    if (memory) {
        const struct device_block block = {
            .handle = memory, .device = opencl_context_device(context), .parent = whole};

        blocks_obtain(&block, caller);
    }
    return memory;
}

cl_object opencl_create_buffer(cl_object context, uint64_t flags, size_t size, void *pointer,
                               int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, size_t, void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateBuffer;

    return note(real(context, flags, size, pointer, error), context, flags, &caller);
}

cl_object opencl_create_buffer_with_properties(cl_object context, const uint64_t *properties,
                                               uint64_t flags, size_t size, void *pointer,
                                               int32_t *error)
{
    typedef cl_object (*maker)(cl_object, const uint64_t *, uint64_t, size_t, void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateBufferWithProperties;

    return note(real(context, properties, flags, size, pointer, error), context, flags, &caller);
}

cl_object opencl_create_sub_buffer(cl_object buffer, uint64_t flags, uint32_t type,
                                   const void *info, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, uint32_t, const void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateSubBuffer;

    return note_part(real(buffer, flags, type, info, error), buffer, &caller);
}

/* An image may be a view of a buffer, or of another image. */
static cl_object note_image(cl_object image, cl_object context, uint64_t flags,
                            const struct cl_image_description *description,
                            const struct unwind_state *caller)
{
    if (image && description && description->memory)
        return note_part(image, description->memory, caller);
    return note(image, context, flags, caller);
}

cl_object opencl_create_image(cl_object context, uint64_t flags, const void *format,
                              const struct cl_image_description *description, void *pointer,
                              int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, const void *, const void *, void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateImage;
    cl_object image = real(context, flags, format, description, pointer, error);

    return note_image(image, context, flags, description, &caller);
}

cl_object opencl_create_image_with_properties(cl_object context, const uint64_t *properties,
                                              uint64_t flags, const void *format,
                                              const struct cl_image_description *description,
                                              void *pointer, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, const uint64_t *, uint64_t, const void *, const void *,
                               void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateImageWithProperties;
    cl_object image = real(context, properties, flags, format, description, pointer, error);

    return note_image(image, context, flags, description, &caller);
}

cl_object opencl_create_image_2d(cl_object context, uint64_t flags, const void *format,
                                 size_t width, size_t height, size_t pitch, void *pointer,
                                 int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, const void *, size_t, size_t, size_t, void *,
                               int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateImage2D;

    return note(real(context, flags, format, width, height, pitch, pointer, error), context, flags,
                &caller);
}

cl_object opencl_create_image_3d(cl_object context, uint64_t flags, const void *format,
                                 size_t width, size_t height, size_t depth, size_t row_pitch,
                                 size_t slice_pitch, void *pointer, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, const void *, size_t, size_t, size_t, size_t,
                               size_t, void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreateImage3D;
    cl_object image =
        real(context, flags, format, width, height, depth, row_pitch, slice_pitch, pointer, error);

    return note(image, context, flags, &caller);
}

cl_object opencl_create_pipe(cl_object context, uint64_t flags, uint32_t packet, uint32_t count,
                             const void *properties, int32_t *error)
{
    typedef cl_object (*maker)(cl_object, uint64_t, uint32_t, uint32_t, const void *, int32_t *);
    const struct unwind_state caller = unwind_caller();
    maker real = (maker)opencl_real.clCreatePipe;

    return note(real(context, flags, packet, count, properties, error), context, flags, &caller);
}

int32_t opencl_retain_memory(cl_object memory)
{
    int32_t result = ((int32_t(*)(cl_object))opencl_real.clRetainMemObject)(memory);

    if (result == CL_SUCCESS)
        blocks_retain(memory);
    return result;
}

/* The handle may be another thread's right after its release; an unknown one is no harm. */
int32_t opencl_release_memory(cl_object memory)
{
    blocks_release(memory);
    return ((int32_t(*)(cl_object))opencl_real.clReleaseMemObject)(memory);
}

void *opencl_svm_alloc(cl_object context, uint64_t flags, size_t size, uint32_t alignment)
{
    typedef void *(*maker)(cl_object, uint64_t, size_t, uint32_t);
    const struct unwind_state caller = unwind_caller();
    void *memory = ((maker)opencl_real.clSVMAlloc)(context, flags, size, alignment);

    if (memory) {
        const struct device_block block = {.handle = memory,
                                           .device = opencl_context_device(context),
                                           .place = TRACE_DEVICE_PLACE_SHARED,
                                           .bytes = size};

        blocks_obtain(&block, &caller);
    }
    return memory;
}

void opencl_svm_free(cl_object context, void *pointer)
{
    blocks_release(pointer);
    ((void (*)(cl_object, void *))opencl_real.clSVMFree)(context, pointer);
}

/* With a function of its own, the program frees the memory itself. */
int32_t opencl_enqueue_svm_free(cl_object queue, uint32_t count, void **pointers, void *callback,
                                void *argument, uint32_t events, const cl_object *list,
                                cl_object *event)
{
    typedef int32_t (*freer)(cl_object, uint32_t, void **, void *, void *, uint32_t,
                             const cl_object *, cl_object *);
    freer real = (freer)opencl_real.clEnqueueSVMFree;

    for (uint32_t i = 0; pointers && !callback && i < count; i++)
        blocks_release(pointers[i]);
    return real(queue, count, pointers, callback, argument, events, list, event);
}
