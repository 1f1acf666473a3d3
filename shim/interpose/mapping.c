/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmap, munmap and mremap, exported: the mappings that a program makes itself, besides its heap.
 * The allocator's own mappings do not come here, because libc calls itself by another name.
 *
 * A new mapping gets the time after the real call, and a removed one the time before it: if another
 * thread gets the same place at once, the two records are in the right order.  Both records are
 * written after the call, because a failed call changes nothing.  mremap does both, and so has two
 * records.
 *
 * Budget: one record of some words, beside a system call.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>

#include "chain/callchain.h"
#include "interpose/yielding.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "platform/range.h"
#include "record/extended.h"
#include "record/resident.h"
#include "record/stages.h"

enum {
    PROTECTION_SHIFT = 32,
    MAP_WORDS = 4,
    UNMAP_WORDS = 2,
    REMAP_WORDS = 5,
    REMAP_BEGIN_WORDS = 2
};

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

/* The last word becomes the call chain. */
static void write_now(struct lane *lane, enum trace_extended_type type, uint64_t *words,
                      unsigned count, const struct unwind_state *caller)
{
    if (lane->chain)
        words[count - 1] = callchain_take(lane, *caller);
    extended_write(lane, clock_read(), type, words, count);
}

static void record_map(uint64_t words[MAP_WORDS], const struct unwind_state *caller)
{
    int saved_errno = errno;
    struct lane *lane = stages_alloc_mode() == STAGES_ALLOC_NOTHING ? NULL : lane_enter();

    if (!lane)
        return;
    write_now(lane, TRACE_EXTENDED_MAP, words, MAP_WORDS, caller);
    lane_leave(lane);
    errno = saved_errno;
}

/* A call that removes memory.  Its record has the time before the call, because others may map
 * there before the call returns; it is written after the call. */
struct taking {
    struct lane *lane;
    uint64_t start; /* 0: it is not recorded */
    uintptr_t wait_frame;
};

/* The reader takes the records of a lane in order, so no record written in between may have a later
 * time: samples get the time of the start, and waits have no record. */
static struct taking begin_taking(void)
{
    struct taking taking = {NULL, 0, 0};

    if (stages_alloc_mode() == STAGES_ALLOC_NOTHING)
        return taking;
    taking.lane = lane_ready();
    if (!taking.lane)
        return taking;
    taking.start = clock_read();
    taking.wait_frame = taking.lane->wait_frame;
    taking.lane->unmap_ticks = taking.start;
    taking.lane->wait_frame = UINTPTR_MAX;
    return taking;
}

static void end_taking(const struct taking *taking)
{
    if (taking->start == 0 || taking->lane != lane_self)
        return;
    taking->lane->unmap_ticks = 0;
    taking->lane->wait_frame = taking->wait_frame;
}

static void record_unmap(const uint64_t words[UNMAP_WORDS], uint64_t ticks)
{
    int saved_errno = errno;
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    extended_write(lane, ticks, TRACE_EXTENDED_UNMAP, words, UNMAP_WORDS);
    lane_leave(lane);
    errno = saved_errno;
}

static ALWAYS_INLINE void *map(void *address, size_t length, int protection, int flags,
                               int descriptor, off_t offset)
{
    const struct unwind_state caller = unwind_caller();
    uint64_t words[MAP_WORDS] = {0, length,
                                 (uint64_t)(uint32_t)protection << PROTECTION_SHIFT |
                                     (uint32_t)flags};
    void *mapped;

    if (flags & MAP_FIXED)
        yield_place(address, length);
    mapped = next.mmap(address, length, protection, flags, descriptor, offset);
    if (mapped == MAP_FAILED)
        return mapped;
    range_note_foreign((uintptr_t)mapped, length);
    if (flags & MAP_NORESERVE)
        resident_note_unreserved((uintptr_t)mapped, length);
    words[0] = (uintptr_t)mapped;
    record_map(words, &caller);
    return mapped;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int descriptor,
                  off_t offset)
{
    return map(address, length, protection, flags, descriptor, offset);
}

/* With 64-bit offsets the two are one function. */
EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int descriptor,
                    off64_t offset)
{
    return map(address, length, protection, flags, descriptor, offset);
}

EXPORT int munmap(void *address, size_t length)
{
    const uint64_t words[UNMAP_WORDS] = {(uintptr_t)address, length};
    struct taking taking;
    int result;

    if (yield_around(address, length))
        return yield_unmap(address, length);
    taking = begin_taking();
    resident_forget_unreserved((uintptr_t)address, length);
    result = next.munmap(address, length);
    if (result == 0 && taking.start != 0)
        record_unmap(words, taking.start);
    end_taking(&taking);
    return result;
}

/* If the memory moves, all of the old memory is removed; otherwise only the tail that it loses.  In
 * their lane, nothing comes between the two records. */
static void record_remap(uint64_t words[REMAP_WORDS], uint64_t start,
                         const struct unwind_state *caller)
{
    uint64_t kept = words[2] == words[0] ? words[3] : 0;
    int saved_errno = errno;
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    if (words[1] > kept) {
        const uint64_t gone[REMAP_BEGIN_WORDS] = {words[0] + kept, words[1] - kept};

        extended_write(lane, start, TRACE_EXTENDED_REMAP_BEGIN, gone, REMAP_BEGIN_WORDS);
    }
    write_now(lane, TRACE_EXTENDED_REMAP, words, REMAP_WORDS, caller);
    lane_leave(lane);
    errno = saved_errno;
}

EXPORT void *mremap(void *old, size_t old_length, size_t length, int flags, ...)
{
    const struct unwind_state caller = unwind_caller();
    size_t leaving = flags & MREMAP_DONTUNMAP ? 0 : old_length;
    uint64_t words[REMAP_WORDS] = {(uintptr_t)old, leaving, 0, length};
    struct taking taking;
    void *place, *mapped;
    va_list more;

    va_start(more, flags);
    place = va_arg(more, void *);
    va_end(more);
    if (yield_around(old, old_length)) {
        errno = EFAULT;
        return MAP_FAILED;
    }
    if (flags & MREMAP_FIXED)
        yield_place(place, length);
    taking = begin_taking();
    mapped = next.mremap(old, old_length, length, flags, place);
    words[2] = (uintptr_t)mapped;
    if (mapped != MAP_FAILED && taking.start != 0)
        record_remap(words, taking.start, &caller);
    end_taking(&taking);
    return mapped;
}
