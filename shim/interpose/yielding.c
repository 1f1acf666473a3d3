/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No program knows the shim's addresses, so a program that changes memory there does so by
 * accident, or after reading /proc/self/maps.  The program goes on as without the shim, and its
 * recording ends.
 *
 * Threads may be anywhere, with addresses of the shim in their registers.  So the shim's memory
 * stays if it can: a call that would unmap or protect it changes only the rest, and returns the
 * result that it would give without the shim's memory.  Only a mapping over the shim's memory
 * replaces it.
 *
 * The calls that are exported only for this are here, too.  brk(2) cannot reach the shim's memory:
 * the heap ends at the next mapping, and is terabytes away.
 */
#include "interpose/yielding.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "platform/memory.h"
#include "platform/next.h"
#include "record/process.h"
#include "record/process_end.h"
#include "sampler/cpu_timers.h"

static void give_up(uintptr_t address, size_t length)
{
    struct memory_piece ours = memory_find(address, length);

    for (; ours.size != 0; ours = memory_find(address, length))
        memory_unmap((void *)ours.start, ours.size);
}

/* The child of a vfork may not end its parent's recording: it is about to leave. */
bool yield_slowly(uintptr_t address, size_t length, bool gives_place)
{
    int saved_errno = errno;
    bool is_ours = memory_find(address, length).size != 0;

    if (is_ours && !process_is_borrowed()) {
        cpu_timers_end(TRACE_SAMPLING_YIELDED);
        process_yield();
        if (gives_place) {
            process_leave_memory();
            give_up(address, length);
        }
    }
    errno = saved_errno;
    return is_ours;
}

int yield_unmap(void *address, size_t length)
{
    uintptr_t at = (uintptr_t)address, end = at + length;
    int result = 0;

    while (result == 0 && at < end) {
        struct memory_piece ours = memory_find(at, end - at);
        uintptr_t stop = ours.size != 0 ? ours.start : end;

        if (stop > at)
            result = next.munmap((void *)at, stop - at);
        at = stop + ours.size;
    }
    return result;
}

/* As in Linux: up to the first place where nothing is mapped, which is ENOMEM. */
static size_t length_before_ours(void *address, size_t length)
{
    uintptr_t start = memory_find((uintptr_t)address, length).start;

    return start > (uintptr_t)address ? start - (uintptr_t)address : 0;
}

static int lack_memory(void)
{
    errno = ENOMEM;
    return -1;
}

EXPORT int mprotect(void *address, size_t length, int protection)
{
    if (!yield_around(address, length))
        return next.mprotect(address, length, protection);
    length = length_before_ours(address, length);
    if (length > 0 && next.mprotect(address, length, protection) != 0)
        return -1;
    return lack_memory();
}

EXPORT int pkey_mprotect(void *address, size_t length, int protection, int key)
{
    if (!yield_around(address, length))
        return next.pkey_mprotect(address, length, protection, key);
    length = length_before_ours(address, length);
    if (length > 0 && next.pkey_mprotect(address, length, protection, key) != 0)
        return -1;
    return lack_memory();
}

static REALIGNED size_t size_of_segment(int segment)
{
    struct shmid_ds status;

    return shmctl(segment, IPC_STAT, &status) == 0 ? status.shm_segsz : 0;
}

/* Without SHM_REMAP, the kernel refuses a place that is in use. */
EXPORT void *shmat(int segment, const void *address, int flags)
{
    int saved_errno = errno;

    if (flags & SHM_REMAP)
        yield_place(address, size_of_segment(segment));
    errno = saved_errno;
    return next.shmat(segment, address, flags);
}
