/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this folder share.
 */
#ifndef OPENCL_OPENCL_PARTS_H
#define OPENCL_OPENCL_PARTS_H

#include <stdbool.h>

#include "opencl/opencl_api.h"
#include "platform/attributes.h"

/* The real functions; NULL in a library that lacks one. */
struct opencl_real {
#define COMMAND(name, arguments, kind, blocking, bytes, at, image, event, wait) void *name;
#define OTHER(name, wrapper) void *name;
#include "opencl/opencl.def"
#undef COMMAND
#undef OTHER
};

extern struct opencl_real opencl_real HIDDEN;

/* Ask an object for a property of this size.  Returns: whether the library answered. */
bool opencl_ask(void *info, cl_object object, uint32_t name, size_t size, void *value);

/* Give the id of a queue, and learn it if it was not seen being made.  Returns: 0 when unknown. */
uint32_t opencl_queue_id(cl_object queue);

/* Give the id of a device, and of the first device of a context. */
uint32_t opencl_device_id(cl_object device);
uint32_t opencl_context_device(cl_object context);

/* Look at commands that may have ended, after a wait. */
void opencl_settle(void);

/* Give the string id of a kernel's name.  Returns: 0 when it has none. */
uint32_t opencl_kernel_name(cl_object kernel);

/* The wrappers of functions that put no command in a queue. */
int32_t opencl_enqueue_svm_free(cl_object queue, uint32_t count, void **pointers, void *callback,
                                void *argument, uint32_t events, const cl_object *list,
                                cl_object *event);
int32_t opencl_finish(cl_object queue);
int32_t opencl_wait_for_events(uint32_t count, const cl_object *list);
cl_object opencl_create_queue(cl_object context, cl_object device, uint64_t properties,
                              int32_t *error);
cl_object opencl_create_queue_with_properties(cl_object context, cl_object device,
                                              const uint64_t *properties, int32_t *error);
int32_t opencl_release_queue(cl_object queue);
int32_t opencl_get_queue_info(cl_object queue, uint32_t name, size_t size, void *value,
                              size_t *value_size);
int32_t opencl_set_queue_property(cl_object queue, uint64_t properties, uint32_t enable,
                                  uint64_t *old);
int32_t opencl_get_profiling_info(cl_object event, uint32_t name, size_t size, void *value,
                                  size_t *value_size);
int32_t opencl_get_event_info(cl_object event, uint32_t name, size_t size, void *value,
                              size_t *value_size);
cl_object opencl_create_buffer(cl_object context, uint64_t flags, size_t size, void *pointer,
                               int32_t *error);
cl_object opencl_create_buffer_with_properties(cl_object context, const uint64_t *properties,
                                               uint64_t flags, size_t size, void *pointer,
                                               int32_t *error);
cl_object opencl_create_sub_buffer(cl_object buffer, uint64_t flags, uint32_t type,
                                   const void *info, int32_t *error);
cl_object opencl_create_image(cl_object context, uint64_t flags, const void *format,
                              const struct cl_image_description *description, void *pointer,
                              int32_t *error);
cl_object opencl_create_image_with_properties(cl_object context, const uint64_t *properties,
                                              uint64_t flags, const void *format,
                                              const struct cl_image_description *description,
                                              void *pointer, int32_t *error);
cl_object opencl_create_image_2d(cl_object context, uint64_t flags, const void *format,
                                 size_t width, size_t height, size_t pitch, void *pointer,
                                 int32_t *error);
cl_object opencl_create_image_3d(cl_object context, uint64_t flags, const void *format,
                                 size_t width, size_t height, size_t depth, size_t row_pitch,
                                 size_t slice_pitch, void *pointer, int32_t *error);
cl_object opencl_create_pipe(cl_object context, uint64_t flags, uint32_t packet, uint32_t count,
                             const void *properties, int32_t *error);
int32_t opencl_retain_memory(cl_object memory);
int32_t opencl_release_memory(cl_object memory);
void *opencl_svm_alloc(cl_object context, uint64_t flags, size_t size, uint32_t alignment);
void opencl_svm_free(cl_object context, void *pointer);
cl_object opencl_create_program(cl_object context, uint32_t count, const char **texts,
                                const size_t *sizes, int32_t *error);
int32_t opencl_build_program(cl_object program, uint32_t count, const cl_object *devices,
                             const char *options, void *callback, void *argument);
int32_t opencl_compile_program(cl_object program, uint32_t count, const cl_object *devices,
                               const char *options, uint32_t headers, const cl_object *programs,
                               const char **names, void *callback, void *argument);
cl_object opencl_link_program(cl_object context, uint32_t count, const cl_object *devices,
                              const char *options, uint32_t parts, const cl_object *programs,
                              void *callback, void *argument, int32_t *error);
cl_object opencl_create_kernel(cl_object program, const char *name, int32_t *error);
int32_t opencl_create_kernels(cl_object program, uint32_t count, cl_object *kernels,
                              uint32_t *made);
cl_object opencl_clone_kernel(cl_object kernel, int32_t *error);
void *opencl_get_extension(const char *name);
void *opencl_get_extension_of_platform(cl_object platform, const char *name);

#endif
