/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code objects that were on a chain, each copied once: its name, its file, and the table of its
 * lines.
 *
 * The address of a code object identifies it during its lifetime.  CPython frees an object by the
 * tp_dealloc of its type, which passes through here, so a new object at the same address is not
 * confused with the old one.  Objects of equal content count as one, such as those of a file that
 * runs again.
 *
 * Safety: any thread, also in a signal handler; a new code object takes the process lock.
 * Budget: one load for a known code object; some 2 us for a new one.
 *
 * Decision: doc/decisions/python-frames.
 */
#ifndef PYTHON_CODES_H
#define PYTHON_CODES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "python/frames.h"
#include "spec/trace.h"

enum {
    CODES_MAX = 65536,
    CODES_PLACES = 65536, /* a power of 2 */
    CODES_PLACE_SHIFT = 64 - 16,
    CODES_ID_BITS = 20,
    CODES_ALIGN_SHIFT = 4 /* addresses of 48 bits, in steps of 16 bytes */
};

/* A cache from addresses to ids: an address and its id in one word. */
extern _Atomic uint64_t *codes_places HIDDEN;

/* How many addresses that were known have lost their meaning, and 1. */
extern atomic_uint codes_gone HIDDEN;

static ALWAYS_INLINE _Atomic uint64_t *codes_place(uintptr_t code)
{
    return &codes_places[((uint64_t)code * HASH_FACTOR) >> CODES_PLACE_SHIFT];
}

static ALWAYS_INLINE uint64_t codes_key(uintptr_t code)
{
    return (uint64_t)code >> CODES_ALIGN_SHIFT << CODES_ID_BITS;
}

/* Take memory, and replace the dealloc of this type.  Returns: false when refused. */
bool codes_begin(uintptr_t type);

/* Add a code object that has no place yet.  Returns: its id; 0 when it could not be read or stored,
 * which is counted. */
COLD uint32_t codes_add(struct python_view *view, uintptr_t code);

/* Find the id of a code object.  Returns: as codes_add. */
static ALWAYS_INLINE uint32_t codes_find(struct python_view *view, uintptr_t code)
{
    uint64_t known = atomic_load_explicit(codes_place(code), memory_order_relaxed);

    if (LIKELY((known ^ codes_key(code)) >> CODES_ID_BITS == 0))
        return (uint32_t)known & ((1u << CODES_ID_BITS) - 1);
    return codes_add(view, code);
}

/* Give the record of a code. */
const struct trace_code *codes_record(uint32_t id);

/* Does this one only pass calls on? */
bool codes_pass_on(uint32_t id);

/* Rows of fact_writers. */
bool codes_write_facts(unsigned *written);
bool codes_write_refused(unsigned *written);

#endif
