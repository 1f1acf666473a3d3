/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of devices by the lines that asked for it.
 */
#ifndef DEVICES_BLOCK_ROWS_H
#define DEVICES_BLOCK_ROWS_H

#include "analysis/analysis.h"
#include "base/array.h"
#include "spec/trace.h"

struct session;

struct block_row {
    const char *place; /* the line of the program's own code; first member: rows differ by it */
    const char *device;
    const char *where; /* key of device_places.def */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t peak_bytes; /* live at the peak of the device */
    uint64_t peak_blocks;
    uint64_t end_bytes; /* never given back */
    uint64_t end_blocks;
};

/* Do blocks at this place take memory of the device? */
bool block_rows_are_in(const struct session *session, uint32_t device,
                       enum trace_device_place place);

/* The live bytes of a device's memory at their peak. */
uint64_t block_rows_peak(const struct session *session, uint32_t device, uint64_t *time_ns);

/* The most bytes that a device's memory held.  With memory at one place only, it is exact even if
 * records are lost.  Returns: 0 when no memory was asked for. */
uint64_t block_rows_most(const struct session *session, uint32_t device);

/* Fill an array of struct block_row, which is not initialized, in the pool in use. */
void block_rows_fill(struct array *rows, const struct session *session, places_finder find);

#endif
