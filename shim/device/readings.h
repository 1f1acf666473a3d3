/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of devices: an adapter has read the numbers of one, and which of them it cannot read.
 */
#ifndef DEVICE_READINGS_H
#define DEVICE_READINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* The numbers of a device at one time, by enum trace_device_number. */
struct device_readings {
    uint64_t values[TRACE_DEVICE_NUMBERS];
    uint64_t most[TRACE_DEVICE_NUMBERS];     /* the largest possible value; 0: unknown */
    uint16_t statuses[TRACE_DEVICE_NUMBERS]; /* 0: the value was read; else the library's own */
};

/* Record the numbers of a device that were read.  The statuses of its first readings go to the
 * trace as facts.
 * Safety: any thread, one at a time; not while a signal handler interrupts a record. */
void readings_write(uint32_t device, const struct device_readings *readings);

/* A row of fact_writers: numbers that could not be read. */
bool readings_write_facts(unsigned *written);

#endif
