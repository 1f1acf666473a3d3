/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of descriptors, such as files and sockets, with numbers in the trace.
 *
 * A name is looked up at the first call with a descriptor.  A program may close and reuse a
 * descriptor unnoticed, for example inside libc, so timed calls compare the inode with that of the
 * look-up.
 *
 * All data is in memory that a fork wipes, like the names in the trace.
 *
 * Budget of waited_number: one comparison and two loads.
 */
#ifndef CALL_WAITED_H
#define CALL_WAITED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

enum { WAITED_DESCRIPTORS = 4096 };

/* A descriptor at its look-up. */
struct waited_descriptor {
    atomic_uint number; /* number of its name; 0: unknown */
    unsigned device;
    uint64_t inode;
};

struct waited {
    struct waited_descriptor descriptors[WAITED_DESCRIPTORS];
};

extern struct waited *waited_table HIDDEN; /* NULL before the first look-up */

/* Returns: the number of a descriptor's name; 0: not looked up. */
static ALWAYS_INLINE uint32_t waited_number(uint64_t descriptor)
{
    struct waited *table = waited_table;

    if (UNLIKELY(!table || descriptor >= WAITED_DESCRIPTORS))
        return 0;
    return atomic_load_explicit(&table->descriptors[descriptor].number, memory_order_relaxed);
}

/* Find the number of a descriptor's name, and check whether a known name is still right.  The lane
 * is BUSY.  Takes the process lock for a new name; up to four system calls.
 * Returns: 0 when there is no room, or when the descriptor does not exist. */
REALIGNED uint32_t waited_find(uint64_t descriptor);

/* Is this the number of a socket? */
bool waited_is_socket(uint32_t number);

/* The descriptor is about to be closed or reused. */
void waited_forget(uint64_t descriptor);

/* A member of a row of room.h. */
void waited_leave(void);

/* A row of fact_writers. */
bool waited_write_facts(unsigned *written);

#endif
