/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this folder share.
 */
#ifndef CUDA_CUDA_PARTS_H
#define CUDA_CUDA_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/cuda_api.h"
#include "device/streams.h"
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

extern const struct streams cuda_streams HIDDEN;

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
