/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The malloc family, exported: it interposes in every object of the process.
 *
 * A free is recorded before the real free and an allocation after the real
 * one: in between, no other thread can be given the address, so the records
 * of an address are in order by time whatever threads wrote them.
 * Nothing is put into the program's blocks.  reallocarray and strdup need no
 * wrapper: libc reaches realloc and malloc by name, so they come here.
 *
 * Budget: one clock read, one record of 16 bytes, three additions.
 */
#include "hot/alloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "hot/next.h"

enum alloc_recording alloc_recording;

static ALWAYS_INLINE uint64_t first_word(enum trace_event_kind kind, uint64_t delta,
                                         const void *address)
{
    return (uint64_t)kind | delta << TRACE_KIND_BITS |
           ((uintptr_t)address >> TRACE_ALLOC_ADDRESS_SHIFT)
               << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
}

/* A size beyond 64 GiB takes a second unit. */
static ALWAYS_INLINE void write_record(struct lane *lane, uint64_t now, enum trace_event_kind kind,
                                       const void *address, size_t size)
{
    unsigned units = UNLIKELY(size >= TRACE_SIZE_LARGE) ? 2 : 1;
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, units, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0].word[0] = first_word(kind, delta, address);
    lane->cursor[0].word[1] = units == 1 ? size : TRACE_SIZE_LARGE;
    if (UNLIKELY(units == 2))
        lane->cursor[1].word[0] = size;
    lane_commit(lane, units);
}

static ALWAYS_INLINE void record(struct lane *lane, enum trace_event_kind kind, const void *address,
                                 size_t size)
{
    uint64_t now = clock_read();

    if (LIKELY(alloc_recording == ALLOC_EVENTS))
        write_record(lane, now, kind, address, size);
    lane_check_deadline(lane, now);
}

void alloc_write(struct lane *lane, enum trace_event_kind kind, const void *address, size_t size)
{
    record(lane, kind, address, size);
}

static ALWAYS_INLINE void record_obtained(enum trace_event_kind kind, const void *address,
                                          size_t size)
{
    struct lane *lane;

    if (UNLIKELY(alloc_recording == ALLOC_NOTHING))
        return;
    lane = lane_enter();
    if (UNLIKELY(!lane))
        return;
    if (LIKELY(address != NULL)) {
        lane->node->allocations++;
        lane->node->allocated_bytes += size;
        record(lane, kind, address, size);
    } else {
        lane->node->failed_allocations++;
    }
    lane_leave(lane);
}

static ALWAYS_INLINE void record_returned(enum trace_event_kind kind, const void *address)
{
    struct lane *lane;

    if (UNLIKELY(alloc_recording == ALLOC_NOTHING || !address))
        return;
    lane = lane_enter();
    if (UNLIKELY(!lane))
        return;
    lane->node->frees++;
    record(lane, kind, address, 0);
    lane_leave(lane);
}

/* realloc gave nothing and left the old block alone. */
static COLD void record_restored(const void *address)
{
    struct lane *lane;

    if (alloc_recording == ALLOC_NOTHING || !address)
        return;
    lane = lane_enter();
    if (!lane)
        return;
    lane->node->frees--;
    lane->node->failed_allocations++;
    record(lane, TRACE_EVENT_RESTORE, address, 0);
    lane_leave(lane);
}

EXPORT void *malloc(size_t size)
{
    void *block = next.malloc(size);

    record_obtained(TRACE_EVENT_MALLOC, block, size);
    return block;
}

EXPORT void *calloc(size_t count, size_t size)
{
    void *block = next.calloc(count, size);

    record_obtained(TRACE_EVENT_CALLOC, block, block ? count * size : 0);
    return block;
}

/* realloc(block, 0) frees the block and may return NULL; that is no failure. */
EXPORT void *realloc(void *old, size_t size)
{
    void *block;

    record_returned(TRACE_EVENT_RELEASE, old);
    block = next.realloc(old, size);
    if (LIKELY(block != NULL))
        record_obtained(TRACE_EVENT_REALLOC, block, size);
    else if (size != 0)
        record_restored(old);
    return block;
}

EXPORT void free(void *block)
{
    record_returned(TRACE_EVENT_FREE, block);
    next.free(block);
}

EXPORT void cfree(void *block);
EXPORT void cfree(void *block)
{
    free(block);
}

EXPORT void free_sized(void *block, size_t size);
EXPORT void free_sized(void *block, size_t size)
{
    (void)size;
    free(block);
}

EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size);
EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size)
{
    (void)alignment;
    (void)size;
    free(block);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    void *block = next.memalign(alignment, size);

    record_obtained(TRACE_EVENT_ALIGNED, block, size);
    return block;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = next.aligned_alloc(alignment, size);

    record_obtained(TRACE_EVENT_ALIGNED, block, size);
    return block;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = next.posix_memalign(block, alignment, size);

    record_obtained(TRACE_EVENT_ALIGNED, error == 0 ? *block : NULL, size);
    return error;
}

EXPORT void *valloc(size_t size)
{
    void *block = next.valloc(size);

    record_obtained(TRACE_EVENT_ALIGNED, block, size);
    return block;
}

EXPORT void *pvalloc(size_t size)
{
    void *block = next.pvalloc(size);

    record_obtained(TRACE_EVENT_ALIGNED, block, size);
    return block;
}
