/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of one process, in memory that a fork wipes: for the files of this folder alone.
 */
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/lock.h"
#include "spec/trace.h"

enum { DEVICES_MAX = 64 };

/* The narrowest instant on both clocks of the present window. */
struct device_clock_state {
    _Atomic uint64_t since_ticks; /* when the window began; 0: there was none */
    _Atomic uint64_t width_ticks; /* of the last instant that was written */
};

/* Memory of a device at a place: the numbers, and their copy in the trace. */
struct device_memory_row {
    struct trace_device_memory fact;
    struct trace_device_memory *written; /* NULL: not in the trace yet */
};

enum { DEVICE_MEMORY_ROWS = DEVICES_MAX * TRACE_DEVICE_PLACES };

struct device_state {
    struct lock lock;
    atomic_uint_fast64_t commands; /* numbers given so far */
    atomic_uint_fast64_t blocks;
    struct device_clock_state clocks[DEVICES_MAX + 1];
    unsigned memory_rows;
    struct device_memory_row memory[DEVICE_MEMORY_ROWS];
};

/* NULL before state_init. */
extern struct device_state *device_state;

/* Returns: false when there is no memory. */
bool state_init(void);

#endif
