/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock of the cold paths.  It lies in memory that a fork wipes, so a
 * child never inherits it taken.  Its holder is interrupted by no signal: a
 * handler that recorded something, or left, would wait for its own thread.
 * Who waits sleeps, so that a holder of lower priority can go on.
 */
#ifndef PLATFORM_LOCK_H
#define PLATFORM_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lock {
    _Atomic uint32_t word; /* a futex; of lock.c */
    uint64_t signals;      /* that its holder had blocked before */
};

/* Take it if it is free. */
bool lock_try(struct lock *lock);

void lock_take(struct lock *lock);

/* Take it unless its holder does not let go in a second: it may have been ended
 * by whoever wants it now. */
bool lock_take_patiently(struct lock *lock);

void lock_release(struct lock *lock);

#endif
