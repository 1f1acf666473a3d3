/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of descriptors, such as files and sockets, with numbers in the trace.
 *
 * A name is looked up at the first call with a descriptor.  A program may close and reuse a
 * descriptor unnoticed, for example inside libc, so timed calls compare the inode with that of the
 * look-up, once a millisecond.
 *
 * Under a budget, a small file is looked up at its ninth call, or at a long one: a name takes some
 * 5 us, and an import of Python reads a thousand files, each twice or three times.  Until then it
 * shares one name with other such files.
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
    atomic_uint number; /* number of its name; 0: unknown, or shared */
    unsigned device;
    uint64_t inode;
    unsigned calls;         /* while it shares a name */
    uint64_t trusted_ticks; /* it is not compared before; 0: it is */
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
 * is BUSY.  Takes the process lock for a new name; up to four system calls.  `is_own`: after a long
 * call, so that a file gets its own name.
 * Returns: 0 when there is no room, or when the descriptor does not exist. */
REALIGNED uint32_t waited_find(uint64_t descriptor, uint64_t now, bool is_own);

/* Is this the number of the name that small files share? */
bool waited_is_shared(uint32_t number);

/* Is this the number of a socket? */
bool waited_is_socket(uint32_t number);

/* The descriptor is about to be closed or reused. */
void waited_forget(uint64_t descriptor);

/* A member of a row of room.h. */
void waited_leave(void);

/* A row of fact_writers. */
bool waited_write_facts(unsigned *written);

#endif
