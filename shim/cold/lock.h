/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock of the cold paths.  It lies in memory that a fork wipes, so a
 * child never inherits it taken; a record that a signal interrupts is
 * refused before it comes here, so a thread never waits for itself.
 */
#ifndef COLD_LOCK_H
#define COLD_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct lock {
    atomic_uint is_taken;
};

/* Take it if it is free. */
static inline bool lock_try(struct lock *lock)
{
    return atomic_exchange_explicit(&lock->is_taken, 1, memory_order_acquire) == 0;
}

static inline void lock_take(struct lock *lock)
{
    while (!lock_try(lock))
        sched_yield();
}

/* Take it unless its holder does not let go: a handler that calls exit() may
 * have interrupted that very holder. */
static inline bool lock_take_patiently(struct lock *lock)
{
    enum { PATIENCE = 10000 };

    for (int i = 0; i < PATIENCE; i++) {
        if (lock_try(lock))
            return true;
        sched_yield();
    }
    return false;
}

static inline void lock_release(struct lock *lock)
{
    atomic_store_explicit(&lock->is_taken, 0, memory_order_release);
}

#endif
