/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Addresses that threads wait for: of semaphores, condition variables and futexes.
 *
 * A counter serves all addresses with the same hash.  So it may report a waiting thread where none
 * waits, which costs a useless record; it never misses one.  A wait left by a jump stays counted.
 *
 * The table lies in memory that a fork wipes, and is mapped at the first wait.
 *
 * Budget of awaited_is: two loads, a multiplication and two comparisons.
 * Decision: doc/decisions/wakes.
 */
#ifndef CALL_AWAITED_H
#define CALL_AWAITED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/hash.h"

enum { AWAITED_BITS = 10 };

struct awaited {
    atomic_uint count;      /* number of waiting threads */
    _Atomic uint64_t since; /* when the last of them started, in ticks */
};

extern _Atomic(struct awaited *) awaited_table HIDDEN; /* NULL before the first wait */

static ALWAYS_INLINE struct awaited *awaited_at(struct awaited *table, uint64_t address)
{
    return &table[address * HASH_FACTOR >> (64 - AWAITED_BITS)];
}

/* May a thread wait for the address? */
static ALWAYS_INLINE bool awaited_is(uint64_t address)
{
    struct awaited *table = atomic_load_explicit(&awaited_table, memory_order_relaxed);

    return UNLIKELY(table) &&
           atomic_load_explicit(&awaited_at(table, address)->count, memory_order_relaxed) != 0;
}

/* May a thread have waited for at least `ticks`?  With several threads the time is unknown. */
bool awaited_is_long(uint64_t address, uint64_t now, uint64_t ticks);

/* This thread is about to wait, since `now`.  Returns: whether it is counted. */
bool awaited_begin(uint64_t address, uint64_t now);

/* This thread no longer waits. */
void awaited_end(uint64_t address);

/* A member of a row of room.h. */
void awaited_leave(void);

#endif
