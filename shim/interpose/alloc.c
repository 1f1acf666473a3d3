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
 * Budget: one clock read, one record of 8 or 16 bytes, three additions; for a
 * block obtained its call chain as well.
 *
 * Decision: doc/decisions/allocation-records.
 */
#include "interpose/alloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "chain/callchain.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/samples.h"
#include "record/stages.h"

#define RECORDING HOT __attribute__((noinline))

static ALWAYS_INLINE uint64_t first_word(enum trace_event_kind kind, uint64_t delta,
                                         const void *address)
{
    return (uint64_t)kind | delta << TRACE_KIND_BITS |
           ((uintptr_t)address >> TRACE_ALLOC_ADDRESS_SHIFT)
               << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
}

/* A block, and the chain of the call that obtained it. */
struct block {
    const void *address;
    size_t size;
    uint32_t chain; /* 0: none */
};

/* A size beyond 64 GiB takes another word. */
static COLD void write_large_record(struct lane *lane, uint64_t now, enum trace_event_kind kind,
                                    struct block block)
{
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, 3, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (!has_room)
        return;
    lane->cursor[0] = first_word(kind, delta, block.address);
    lane->cursor[1] = TRACE_SIZE_LARGE | (uint64_t)block.chain << TRACE_SIZE_BITS;
    lane->cursor[2] = block.size;
    lane_commit(lane, 3);
}

static ALWAYS_INLINE void write_obtained(struct lane *lane, uint64_t now,
                                         enum trace_event_kind kind, struct block block)
{
    bool has_room;
    uint64_t delta;

    if (UNLIKELY(block.size >= TRACE_SIZE_LARGE)) {
        write_large_record(lane, now, kind, block);
        return;
    }
    delta = lane_reserve(lane, now, 2, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);
    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0] = first_word(kind, delta, block.address);
    lane->cursor[1] = block.size | (uint64_t)block.chain << TRACE_SIZE_BITS;
    lane_commit(lane, 2);
}

/* For a known block the address is enough. */
static ALWAYS_INLINE void write_known(struct lane *lane, uint64_t now, enum trace_event_kind kind,
                                      const void *address)
{
    bool has_room;
    uint64_t delta =
        lane_reserve(lane, now, 1, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT, &has_room);

    if (UNLIKELY(!has_room))
        return;
    lane->cursor[0] = first_word(kind, delta, address);
    lane_commit(lane, 1);
}

static ALWAYS_INLINE void record_block(struct lane *lane, enum trace_event_kind kind,
                                       struct block block)
{
    uint64_t now = clock_read();

    write_obtained(lane, now, kind, block);
    lane_check_deadline(lane, now);
}

/* Returns: a time after the look-up. */
static COLD uint64_t look_up_first(struct lane *lane, uint64_t now)
{
    lane_look_up(lane, now);
    return clock_read();
}

/* A free is recorded while the block is still there.  A reading that is due is taken before the
 * record, while the block is both live and resident. */
static ALWAYS_INLINE void record_known(struct lane *lane, enum trace_event_kind kind,
                                       const void *address)
{
    uint64_t now = clock_read();

    if (UNLIKELY(now >= lane->deadline))
        now = look_up_first(lane, now);
    write_known(lane, now, kind, address);
}

/* The chain is taken before the clock is read, so that all of our work falls into the next
 * difference of times. */
static ALWAYS_INLINE uint32_t chain_of(struct lane *lane, struct unwind_state caller)
{
    return lane->chain ? callchain_take(lane, caller) : 0;
}

void alloc_write_pair(struct lane *lane, const void *address, size_t size)
{
    record_block(lane, TRACE_EVENT_MALLOC,
                 (struct block){address, size, chain_of(lane, unwind_caller())});
    record_known(lane, TRACE_EVENT_FREE, address);
}

static COLD bool remember_sample(const void *address)
{
    if (samples_remember((uintptr_t)address))
        return true;
    atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_samples, 1);
    return false;
}

/* Is this block one of the sampled ones? */
static bool takes_sample(struct lane *lane, const void *address, size_t size)
{
    return UNLIKELY(samples_hit(lane, size)) && remember_sample(address);
}

/* Sample or count.  The deadline is checked even where nothing is recorded, since any thread may
 * have to take a reading.
 * Returns: whether there is a record of it. */
static __attribute__((noinline)) bool obtained_otherwise(struct lane *lane,
                                                         enum trace_event_kind kind,
                                                         struct block block,
                                                         struct unwind_state caller)
{
    enum stages_alloc mode = stages_alloc_mode();

    if (mode == STAGES_ALLOC_COUNTS) {
        lane_check_deadline(lane, clock_read());
    } else if (mode == STAGES_ALLOC_DRAWN && takes_sample(lane, block.address, block.size)) {
        block.chain = chain_of(lane, caller);
        record_block(lane, kind, block);
        return true;
    }
    return false;
}

/* Returns: whether there is a record of it. */
static __attribute__((noinline)) bool returned_otherwise(struct lane *lane,
                                                         enum trace_event_kind kind,
                                                         const void *address)
{
    enum stages_alloc mode = stages_alloc_mode();
    bool is_sample = mode == STAGES_ALLOC_DRAWN && samples_forget((uintptr_t)address);

    if (is_sample)
        record_known(lane, kind, address);
    else if (mode == STAGES_ALLOC_COUNTS)
        lane_check_deadline(lane, clock_read());
    return is_sample;
}

static ALWAYS_INLINE bool is_of_events(enum stages_alloc mode)
{
    return LIKELY(mode <= STAGES_ALLOC_EVENTS);
}

static ALWAYS_INLINE void count_obtained(struct lane *lane, size_t size)
{
    lane->node->allocations++;
    lane->node->allocated_bytes += size;
}

/* Every event is recorded, and no chain is asked for. */
static ALWAYS_INLINE void record_obtained_alone(enum trace_event_kind kind, const void *address,
                                                size_t size)
{
    struct lane *lane = lane_enter();

    if (UNLIKELY(!lane))
        return;
    if (LIKELY(address != NULL)) {
        count_obtained(lane, size);
        record_block(lane, kind, (struct block){.address = address, .size = size});
    } else {
        lane->node->failed_allocations++;
    }
    lane_leave(lane);
}

/* Returns: whether there is a record of it. */
static ALWAYS_INLINE bool record_obtained(enum trace_event_kind kind, const void *address,
                                          size_t size, struct unwind_state caller)
{
    enum stages_alloc mode = stages_alloc_mode();
    struct lane *lane = lane_enter();
    bool is_recorded = true;

    if (UNLIKELY(!lane))
        return false;
    if (UNLIKELY(!address)) {
        lane->node->failed_allocations++;
        lane_leave(lane);
        return false;
    }
    count_obtained(lane, size);
    if (is_of_events(mode))
        record_block(lane, kind, (struct block){address, size, chain_of(lane, caller)});
    else
        is_recorded = obtained_otherwise(lane, kind,
                                         (struct block){.address = address, .size = size}, caller);
    lane_leave(lane);
    return is_recorded;
}

/* Returns: whether there is a record of it. */
static ALWAYS_INLINE bool record_returned(enum trace_event_kind kind, const void *address)
{
    enum stages_alloc mode = stages_alloc_mode();
    bool is_recorded = true;
    struct lane *lane;

    if (UNLIKELY(!address))
        return false;
    lane = lane_enter();
    if (UNLIKELY(!lane))
        return false;
    lane->node->frees++;
    if (is_of_events(mode))
        record_known(lane, kind, address);
    else
        is_recorded = returned_otherwise(lane, kind, address);
    lane_leave(lane);
    return is_recorded;
}

/* Returns: the record of a block that is there again. */
static enum trace_event_kind restoring_kind(const void *address)
{
    bool is_sample = stages_alloc_mode() != STAGES_ALLOC_DRAWN || remember_sample(address);

    return is_sample ? TRACE_EVENT_RESTORE : TRACE_EVENT_FREE;
}

/* realloc gave nothing and left the old block alone, if there was one. */
static COLD void record_restored(const void *address, bool is_recorded)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    lane->node->failed_allocations++;
    lane->node->frees -= address != NULL;
    if (is_recorded)
        record_known(lane, restoring_kind(address), address);
    lane_leave(lane);
}

/* realloc freed a block, and no record names another in its place.  This ends its release; without
 * it the reader would count the block as live.  The free itself was counted before. */
static COLD void record_released(const void *address)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    record_known(lane, TRACE_EVENT_FREE, address);
    lane_leave(lane);
}

/* Where nothing is recorded, the real function gets the call directly: programs of which only
 * kernels are recorded allocate as often.  A recording function is jumped to, so that its caller
 * is the program's frame. */
static ALWAYS_INLINE bool records_nothing(void)
{
    return UNLIKELY(stages_alloc_mode() == STAGES_ALLOC_NOTHING);
}

static ALWAYS_INLINE bool records_alone(void)
{
    return stages_alloc_mode() == STAGES_ALLOC_ALONE;
}

/* The usual way takes one comparison. */
static ALWAYS_INLINE bool records_usually(void)
{
    return LIKELY(stages_alloc_mode() == STAGES_ALLOC_EVENTS);
}

static RECORDING void *malloc_recorded(size_t size)
{
    void *block;

    callchain_near(unwind_caller());
    block = next.malloc(size);
    record_obtained(TRACE_EVENT_MALLOC, block, size, unwind_caller());
    return block;
}

/* Without a chain fewer registers are needed, so fewer are saved. */
static RECORDING void *malloc_recorded_alone(size_t size)
{
    void *block = next.malloc(size);

    record_obtained_alone(TRACE_EVENT_MALLOC, block, size);
    return block;
}

EXPORT HOT void *malloc(size_t size)
{
    if (records_usually())
        return malloc_recorded(size);
    if (records_nothing())
        return next.malloc(size);
    return records_alone() ? malloc_recorded_alone(size) : malloc_recorded(size);
}

static RECORDING void *calloc_recorded(size_t count, size_t size)
{
    void *block;

    callchain_near(unwind_caller());
    block = next.calloc(count, size);
    record_obtained(TRACE_EVENT_CALLOC, block, block ? count * size : 0, unwind_caller());
    return block;
}

static RECORDING void *calloc_recorded_alone(size_t count, size_t size)
{
    void *block = next.calloc(count, size);

    record_obtained_alone(TRACE_EVENT_CALLOC, block, block ? count * size : 0);
    return block;
}

EXPORT HOT void *calloc(size_t count, size_t size)
{
    if (records_usually())
        return calloc_recorded(count, size);
    if (records_nothing())
        return next.calloc(count, size);
    return records_alone() ? calloc_recorded_alone(count, size) : calloc_recorded(count, size);
}

/* realloc(block, 0) frees the block and may return NULL; that is no failure. */
static RECORDING void *realloc_recorded(void *old, size_t size)
{
    bool is_recorded = record_returned(TRACE_EVENT_RELEASE, old);
    bool is_replaced = false;
    void *block;

    callchain_near(unwind_caller());
    block = next.realloc(old, size);
    if (LIKELY(block != NULL))
        is_replaced = record_obtained(TRACE_EVENT_REALLOC, block, size, unwind_caller());
    if (UNLIKELY(!block && size != 0))
        record_restored(old, is_recorded);
    else if (UNLIKELY(is_recorded && !is_replaced))
        record_released(old);
    return block;
}

EXPORT HOT void *realloc(void *old, size_t size)
{
    return records_nothing() ? next.realloc(old, size) : realloc_recorded(old, size);
}

static RECORDING void free_recorded(void *block)
{
    record_returned(TRACE_EVENT_FREE, block);
    next.free(block);
}

EXPORT HOT void free(void *block)
{
    if (records_nothing())
        next.free(block);
    else
        free_recorded(block);
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

    if (!records_nothing())
        record_obtained(TRACE_EVENT_ALIGNED, block, size, unwind_caller());
    return block;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = next.aligned_alloc(alignment, size);

    if (!records_nothing())
        record_obtained(TRACE_EVENT_ALIGNED, block, size, unwind_caller());
    return block;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = next.posix_memalign(block, alignment, size);

    if (!records_nothing())
        record_obtained(TRACE_EVENT_ALIGNED, error == 0 ? *block : NULL, size, unwind_caller());
    return error;
}

EXPORT void *valloc(size_t size)
{
    void *block = next.valloc(size);

    if (!records_nothing())
        record_obtained(TRACE_EVENT_ALIGNED, block, size, unwind_caller());
    return block;
}

EXPORT void *pvalloc(size_t size)
{
    void *block = next.pvalloc(size);

    if (!records_nothing())
        record_obtained(TRACE_EVENT_ALIGNED, block, size, unwind_caller());
    return block;
}
