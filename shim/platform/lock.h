/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock of the cold paths.  The lock is in memory that a fork wipes, so a child never inherits
 * it taken.  No signal interrupts its holder: a handler that recorded something, or ended the
 * process, would wait for its own thread.  A waiting thread sleeps, so a holder of lower priority
 * can go on.  One signal may be let through: that of a fault which the shim repairs.
 */
#ifndef PLATFORM_LOCK_H
#define PLATFORM_LOCK_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct lock {
    _Atomic uint32_t word; /* a futex; of lock.c */
    uint64_t signals;      /* blocked in its holder before */
};

/* Take the lock if it is free. */
bool lock_try(struct lock *lock);

void lock_take(struct lock *lock);

/* Take the lock, unless its holder keeps it for a second: the thread that wants it may have ended
 * the holder. */
bool lock_take_patiently(struct lock *lock);

void lock_release(struct lock *lock);

/* Ask whether a thread with these signals blocked holds a lock.  libc blocks all signals, or leaves
 * its own open. */
bool lock_is_held_under(const sigset_t *signals);

/* Let one signal through to the holders of locks from now on; 0: none. */
void lock_let_through(int number);

#endif
