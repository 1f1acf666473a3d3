/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A futex of three states.  Source: Drepper, Futexes Are Tricky, 2011.  errno is kept: nothing here
 * calls libc's wrappers.
 *
 * Decision: doc/decisions/lock-of-the-cold-paths.
 */
#include "platform/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/calls.h"

enum { FREE, TAKEN, AWAITED };
enum { PATIENCE_S = 1 };

/* A blocked trap would kill the process, and a program may single-step itself. */
enum { TRAP_BIT = 1 << (SIGTRAP - 1) };

static _Atomic uint64_t blocked = ~(uint64_t)TRAP_BIT;

static uint64_t block_signals(void)
{
    return calls_block_signals(atomic_load_explicit(&blocked, memory_order_relaxed));
}

void lock_let_through(int number)
{
    uint64_t through = number == 0 ? 0 : UINT64_C(1) << (number - 1);

    atomic_store(&blocked, ~(through | TRAP_BIT));
}

/* The kernel leaves these two open, whoever blocks them. */
bool lock_is_held_under(const sigset_t *signals)
{
    uint64_t open = UINT64_C(1) << (SIGKILL - 1) | UINT64_C(1) << (SIGSTOP - 1);
    uint64_t mask;

    memcpy(&mask, signals, sizeof mask);
    return mask == (atomic_load(&blocked) & ~open);
}

static bool change(struct lock *lock, uint32_t from, uint32_t to)
{
    return atomic_compare_exchange_strong_explicit(&lock->word, &from, to, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Wait until the word is no longer AWAITED, or `timeout` has passed (NULL: never).
 * Returns: false when it has passed. */
static bool await_change(struct lock *lock, const struct timespec *timeout)
{
    return calls_system(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, AWAITED, timeout, NULL, 0) ==
               0 ||
           errno != ETIMEDOUT;
}

/* The holder's signals stay blocked; any other thread gets its own mask back. */
static bool settle(struct lock *lock, bool is_taken, uint64_t signals)
{
    if (is_taken)
        lock->signals = signals;
    else
        calls_block_signals(signals);
    return is_taken;
}

static bool take(struct lock *lock, const struct timespec *timeout)
{
    uint64_t signals = block_signals();
    int saved_errno = errno;
    bool is_taken = change(lock, FREE, TAKEN);
    bool is_late = false;

    while (!is_taken && !is_late) {
        is_taken = atomic_exchange_explicit(&lock->word, AWAITED, memory_order_acquire) == FREE;
        is_late = !is_taken && !await_change(lock, timeout);
    }
    errno = saved_errno;
    return settle(lock, is_taken, signals);
}

bool lock_try(struct lock *lock)
{
    uint64_t signals = block_signals();

    return settle(lock, change(lock, FREE, TAKEN), signals);
}

void lock_take(struct lock *lock)
{
    take(lock, NULL);
}

bool lock_take_patiently(struct lock *lock)
{
    return take(lock, &(struct timespec){.tv_sec = PATIENCE_S});
}

void lock_release(struct lock *lock)
{
    uint64_t signals = lock->signals;

    if (atomic_exchange_explicit(&lock->word, FREE, memory_order_release) == AWAITED)
        calls_system(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    calls_block_signals(signals);
}
