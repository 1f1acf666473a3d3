/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners as glibc's mutexes keep them, and as CPython's lock does.
 *
 * Source of the mutexes: glibc, sysdeps/nptl/bits/struct_mutex.h and struct_rwlock.h.
 */
#include "call/wait_owner.h"

#include <pthread.h>

#include "platform/next.h"
#include "python/holder.h"
#include "spec/trace.h"

/* musl has other fields. */
static uint32_t find_glibc(unsigned call, uintptr_t lock)
{
#if defined(__GLIBC__)
    if (!next.gnu_get_libc_version)
        return 0;
    if (call >= TRACE_WAIT_MUTEX_LOCK && call <= TRACE_WAIT_MUTEX_CLOCKLOCK)
        return (uint32_t)((const pthread_mutex_t *)lock)->__data.__owner;
    if (call >= TRACE_WAIT_RWLOCK_RDLOCK && call <= TRACE_WAIT_RWLOCK_TIMEDWRLOCK)
        return (uint32_t)((const pthread_rwlock_t *)lock)->__data.__cur_writer;
#endif
    return 0;
}

/* A thread that released the lock waits, without a time limit, until another thread has it: that
 * wait has no holder. */
uint32_t wait_owner_find(unsigned call, uintptr_t lock)
{
    if (call == TRACE_WAIT_GIL_TIMED || call == TRACE_WAIT_GIL_CLOCKED)
        return python_find_holder(lock);
    return find_glibc(call, lock);
}
