/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of devices: who asked for it, how much lives, and how much lived at most.
 *
 * A block has a handle of its library: an address on the device, or an object.  It counts its
 * references, and lives until the last one is gone.  A part of another block has no bytes of its
 * own, and keeps the other alive.  Live bytes and peaks are kept in the trace itself, so they are
 * exact even if records are lost.
 *
 * Safety: any thread; not while a signal handler interrupts a record.
 */
#ifndef DEVICE_BLOCKS_H
#define DEVICE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"
#include "unwind/rule.h"

struct device_block {
    const void *handle;
    uint32_t device;
    uint32_t place; /* enum trace_device_place */
    uint64_t bytes;
    const void *parent; /* the block that this one is a part of; NULL: none */
};

bool blocks_init(void);

/* A block was obtained; it has one reference. */
void blocks_obtain(const struct device_block *block, const struct unwind_state *caller);

/* It has one more, or one less.  An unknown handle is left alone. */
void blocks_retain(const void *handle);
void blocks_release(const void *handle);

/* A row of fact_writers. */
bool blocks_write_facts(unsigned *written);

#endif
