/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this folder share.
 */
#ifndef HIP_HIP_PARTS_H
#define HIP_HIP_PARTS_H

#include <stdint.h>

#include "device/streams.h"
#include "platform/attributes.h"

/* The real functions; NULL in a library that lacks one, or that is not there. */
struct hip_real {
#define CALL(name, arguments, action, what, size, rows, stream, wait) void *name;
#define OTHER(name, wrapper) void *name;
#include "hip/hip.def"
#undef CALL
#undef OTHER
};

extern struct hip_real hip_real HIDDEN;
extern const struct streams hip_streams HIDDEN;

/* The wrappers of functions that ask for no command. */
int32_t hip_stream_create(void **stream);
int32_t hip_stream_create_with_flags(void **stream, uint32_t flags);
int32_t hip_stream_create_with_priority(void **stream, uint32_t flags, int32_t priority);
int32_t hip_stream_create_with_mask(void **stream, uint32_t size, const uint32_t *mask);
int32_t hip_get_address(const char *name, void **function, int32_t version, uint64_t flags,
                        void *status);

#endif
