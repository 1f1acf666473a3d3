/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers of the calls that obtain memory, ask for commands, or wait; and the tables of all
 * functions.
 *
 * Budget of a command: that of streams.h, and whether a reading of the devices is due.
 */
#include "cuda/cuda.h"

#include <stddef.h>

#include "cuda/cuda_parts.h"
#include "device/device.h"
#include "device/streams_table.h"
#include "spec/trace.h"

enum {
#define CALL(name, arguments, action, what, size, rows, stream, wait) ROW_##name,
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER
    ROWS
};

static const struct streams_row rows_of_calls[ROWS] = {
#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    STREAMS_ROW(cuda_real, name, arguments, action, what, size, rows, stream, wait)
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER
};

struct cuda_real cuda_real;

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    STREAMS_WRAPPER(cuda_streams, &rows_of_calls[ROW_##name], name, arguments)
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    {#name, (void *)call_##name, &cuda_real.name},
#define OTHER(name, wrapper) {#name, (void *)(wrapper), &cuda_real.name},
static const struct library_entry runtime_entries[] = {
#include "cuda/cuda_runtime.def"
};
static const struct library_entry driver_entries[] = {
#include "cuda/cuda_driver.def"
};
#undef CALL
#undef OTHER

const struct library cuda_runtime_library = {.title = "CUDA's runtime",
                                             .init = device_init,
                                             .entries = runtime_entries,
                                             .count =
                                                 sizeof runtime_entries / sizeof *runtime_entries};
const struct library cuda_driver_library = {.title = "CUDA's driver",
                                            .sign = "cuDeviceGetName",
                                            .init = device_init,
                                            .entries = driver_entries,
                                            .count =
                                                sizeof driver_entries / sizeof *driver_entries};
