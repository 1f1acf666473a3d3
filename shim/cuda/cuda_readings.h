/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of the devices that a program of CUDA uses, from NVML (libnvidia-ml.so.1).
 */
#ifndef CUDA_CUDA_READINGS_H
#define CUDA_CUDA_READINGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "record/lane.h"

enum cuda_readings_state {
    CUDA_READINGS_DUE, /* the next call of CUDA takes a reading */
    CUDA_READINGS_IDLE,
    CUDA_READINGS_BUSY,
    CUDA_READINGS_OFF
};

extern atomic_int cuda_readings_state HIDDEN;

/* Take a reading that is due.  Keeps errno. */
COLD void cuda_readings_take(void);

/* A call of CUDA has ended, and no lock of the shim or of the program's libraries is held.
 * Budget: a load and a comparison. */
static ALWAYS_INLINE void cuda_readings_look(void)
{
    if (UNLIKELY(atomic_load_explicit(&cuda_readings_state, memory_order_relaxed) ==
                 CUDA_READINGS_DUE))
        cuda_readings_take();
}

/* A row of room.h: when the interval of readings has passed, the next one is due. */
uint64_t cuda_readings_look_up(struct lane *lane, uint64_t now);

/* A row of fact_writers: enum trace_device_readings. */
bool cuda_readings_write_state(unsigned *written);

#endif
