/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes way for a program that changes memory at our addresses.
 *
 * Budget: a comparison beside a system call.
 */
#ifndef INTERPOSE_YIELDING_H
#define INTERPOSE_YIELDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/range.h"

REALIGNED bool yield_slowly(uintptr_t address, size_t length, bool gives_place);

/* The program is about to map over this memory: the shim's part of it is unmapped, and recording
 * ends. */
static ALWAYS_INLINE void yield_place(const void *address, size_t length)
{
    if (UNLIKELY(range_reaches((uintptr_t)address, length)))
        yield_slowly((uintptr_t)address, length, true);
}

/* The program treats this memory as its own.  Returns: whether some of it belongs to the shim;
 * recording has then ended, and the call must leave that part out. */
static ALWAYS_INLINE bool yield_around(const void *address, size_t length)
{
    return UNLIKELY(range_reaches((uintptr_t)address, length)) &&
           yield_slowly((uintptr_t)address, length, false);
}

/* Unmap all of this memory but ours.  Returns: as munmap(2). */
COLD int yield_unmap(void *address, size_t length);

#endif
