/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a call from Python code: the return address and the place in the innermost Python
 * code, as one number.
 *
 * Safety: any thread, also in a signal handler; nothing waits: if another thread is just adding a
 * place, a new place gets only its return address.
 * Budget: 20 ns for a known place.
 *
 * Decision: doc/decisions/python-frames.
 */
#ifndef PYTHON_SITES_H
#define PYTHON_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "python/frames.h"

/* The key of a place.  The last two are those of trace_site. */
struct sites_key {
    uintptr_t address;
    uint64_t place; /* id of a code object << TRACE_CODE_SHIFT | offset in it */
    uint32_t layer;
    uint32_t line;
};

/* Find or add a place, not in a signal handler.  Returns: its number; 0 when there is no room. */
COLD uint32_t sites_add(const struct sites_key *key);

/* Find the number of a place.  Returns: the return address itself when no Python code is around, or
 * when there is no room. */
HOT uintptr_t sites_find(uintptr_t address);

/* The same where Python's frames are read at all. */
static ALWAYS_INLINE uintptr_t sites_of(uintptr_t address)
{
    return LIKELY(!python_is_read()) ? address : sites_find(address);
}

/* A row of fact_writers. */
bool sites_write_facts(unsigned *written);

#endif
