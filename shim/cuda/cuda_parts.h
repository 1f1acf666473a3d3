/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this folder share.
 */
#ifndef CUDA_CUDA_PARTS_H
#define CUDA_CUDA_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/cuda_api.h"
#include "device/command.h"
#include "platform/attributes.h"

/* The real functions; NULL in a library that lacks one, or that is not there. */
struct cuda_real {
#define CALL(name, arguments, action, what, size, rows, stream, wait) void *name;
#define OTHER(name, wrapper) void *name;
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER
};

extern struct cuda_real cuda_real HIDDEN;

/* How many of our wrappers are running in this thread: an inner one only passes its call on. */
extern _Thread_local unsigned cuda_depth INITIAL_EXEC HIDDEN;

/* Give the id of the device that the thread uses now.  Returns: 0 when it is unknown. */
uint32_t cuda_device_id(void);

/* Give the id of a device by its number. */
uint32_t cuda_device_at(uint32_t ordinal);

/* Give the id of a stream, and learn it if it was not seen being made.  Returns: 0 when unknown. */
uint32_t cuda_queue_id(const void *stream);

/* Give the string id of a kernel's name, by the function of the runtime or of the driver that a
 * launch has.  Returns: 0 when the library does not tell. */
uint32_t cuda_kernel_name(const void *function, void *get_name);

/* The same, where its name is known. */
uint32_t cuda_kernel_named(const void *function, const char *name);

/* Start to take the times of commands, once CUPTI is loaded.
 * Budget: a load and a comparison. */
void cuda_times_look(void);
bool cuda_times_are_had(void);
/* The command of the call that just returned has been recorded. */
void cuda_times_expect(const struct device_asked *asked);
/* A wait has ended: ask for times, if they have not been asked for lately. */
void cuda_times_settle(void);

/* The wrappers of functions that ask for no command. */
int32_t cuda_stream_create(void **stream);
int32_t cuda_stream_create_with_flags(void **stream, uint32_t flags);
int32_t cuda_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority);
int32_t cuda_driver_stream_create(void **stream, uint32_t flags);
int32_t cuda_driver_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority);
int32_t cuda_get_entry(const char *name, void **function, uint64_t flags, void *status);
int32_t cuda_get_entry_by_version(const char *name, void **function, uint32_t version,
                                  uint64_t flags, void *status);
int32_t cuda_get_address(const char *name, void **function, int32_t version, uint64_t flags);
int32_t cuda_get_address_of_version(const char *name, void **function, int32_t version,
                                    uint64_t flags, void *status);

#endif
