/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The malloc family, exported: it interposes in every object of the process.
 *
 * A free is recorded before the real free, and an allocation after the real one.  In between, no
 * other thread can be given the address, so the records of an address are in order by time, even
 * from different threads.  Nothing is written into the program's blocks.  reallocarray and strdup
 * need no wrapper: libc calls realloc and malloc by name, so they come here.
 *
 * Budget: one clock read, one record of 8 or 16 bytes, three additions; for an obtained block also
 * its call chain.
 *
 * Decision: doc/decisions/allocation-records.
 */
#include "interpose/alloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "chain/callchain.h"
#include "interpose/alloc_parts.h"
#include "platform/next.h"
#include "record/live_heap.h"
#include "record/samples.h"
#include "record/stages.h"
#include "record/deferral.h"

#define RECORDING HOT __attribute__((noinline))

static ALWAYS_INLINE bool is_alone(enum stages_alloc mode)
{
    return mode == STAGES_ALLOC_ALONE || mode == STAGES_ALLOC_CHAINS;
}

void alloc_write_pair(struct lane *lane, const void *address, size_t size)
{
    live_heap_add(lane, (int64_t)size);
    alloc_record_block(lane,
                       (struct origin){TRACE_EVENT_MALLOC, alloc_chain_of(lane, unwind_caller())},
                       (struct block){address, size});
    live_heap_add(lane, -(int64_t)size);
    alloc_record_known(lane, TRACE_EVENT_FREE, address);
}

static void write_deferred(struct lane *lane, const struct deferred_block *block)
{
    int64_t usable = live_heap_usable_size ? (int64_t)block->usable : 0;

    if (block->is_freed) {
        lane->node->frees++;
        alloc_write_known(lane, clock_read(), TRACE_EVENT_FREE, block->address);
    } else {
        lane->node->allocations++;
        lane->node->allocated_bytes += block->size;
        alloc_write_obtained(lane, clock_read(), (struct origin){.kind = TRACE_EVENT_MALLOC},
                             (struct block){block->address, block->size});
    }
    live_heap_add(lane, block->is_freed ? -usable : usable);
}

void alloc_end_deferral(struct lane *lane)
{
    if (lane->number == 1)
        deferral_write(lane, write_deferred);
}

/* Recording may be deferred at the first block of a child, or the first free; the two halves of a
 * realloc go together. */
static COLD struct lane *enter_to_obtain_slowly(struct block block)
{
    return deferral_begin() && deferral_obtain(block.address, block.size) ? NULL
                                                                          : lane_enter_slowly();
}

static COLD struct lane *enter_to_give_back_slowly(const void *address)
{
    return deferral_begin() && deferral_give_back(address) ? NULL : lane_enter_slowly();
}

static ALWAYS_INLINE struct lane *enter_to_obtain(struct block block)
{
    struct lane *lane = lane_self;

    return lane_try_to_enter(lane) ? lane : enter_to_obtain_slowly(block);
}

static ALWAYS_INLINE struct lane *enter_to_give_back(const void *address)
{
    struct lane *lane = lane_self;

    return lane_try_to_enter(lane) ? lane : enter_to_give_back_slowly(address);
}

static COLD void record_failed(void)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    lane->node->failed_allocations++;
    lane_leave(lane);
}

/* The lane must be entered first: the first block of a process starts its recording there, and only
 * then is the allocator's function for sizes known. */
static ALWAYS_INLINE void count_obtained(struct lane *lane, struct block block, size_t returned)
{
    lane->node->allocations++;
    lane->node->allocated_bytes += block.size;
    live_heap_add(lane, (int64_t)(live_heap_new_size(block.address) - returned));
}

/* No chain is taken but of a drawn block. */
static ALWAYS_INLINE void record_sparsely(enum trace_event_kind kind, struct block block,
                                          struct unwind_state caller)
{
    struct lane *lane = enter_to_obtain(block);

    if (UNLIKELY(!lane))
        return;
    count_obtained(lane, block, 0);
    if (is_alone(stages_alloc_mode()) && LIKELY(!samples_hit(lane, block.size)))
        alloc_record_block(lane, (struct origin){.kind = kind}, block);
    else
        alloc_record_part(lane, kind, block, caller);
    lane_leave(lane);
}

/* Every block has its chain.  The chain of a drawn block is timed in this code, because it runs for
 * all blocks. */
static ALWAYS_INLINE void record_whole(struct lane *lane, enum trace_event_kind kind,
                                       struct block block, struct unwind_state caller)
{
    struct origin origin = {.kind = kind};

    if (UNLIKELY(samples_hit(lane, block.size)))
        alloc_begin_drawn(lane);
    origin.chain = alloc_chain_of(lane, caller);
    if (UNLIKELY(samples_has_hit(lane)))
        alloc_end_drawn(lane, origin, block);
    else
        alloc_record_block(lane, origin, block);
}

/* The mode is valid only once the lane is entered: before, a forked child sees its parent's.
 * `returned`: usable bytes of a block that this one replaces.
 * Returns: whether the block has a record. */
static ALWAYS_INLINE bool record_obtained(enum trace_event_kind kind, struct block block,
                                          size_t returned, struct unwind_state caller)
{
    struct lane *lane = enter_to_obtain(block);
    bool is_recorded = true;

    if (UNLIKELY(!lane))
        return false;
    count_obtained(lane, block, returned);
    if (LIKELY(stages_alloc_mode() == STAGES_ALLOC_EVENTS))
        record_whole(lane, kind, block, caller);
    else
        is_recorded = alloc_record_part(lane, kind, block, caller);
    lane_leave(lane);
    return is_recorded;
}

static ALWAYS_INLINE bool write_returned(struct lane *lane, enum trace_event_kind kind,
                                         const void *address)
{
    if (UNLIKELY(stages_return_mode() != STAGES_RETURNS_RECORDED))
        return alloc_record_sparse_return(lane, kind, address);
    alloc_record_known(lane, kind, address);
    return true;
}

/* `usable`: bytes that the heap loses.  It loses them last: a reading that is due is taken while
 * the block is both live and resident.  Returns: whether the free has a record. */
static ALWAYS_INLINE bool record_returned(enum trace_event_kind kind, const void *address,
                                          size_t usable)
{
    struct lane *lane = kind == TRACE_EVENT_FREE ? enter_to_give_back(address) : lane_enter();
    bool is_recorded;

    if (UNLIKELY(!lane))
        return false;
    lane->node->frees++;
    is_recorded = write_returned(lane, kind, address);
    live_heap_add(lane, -(int64_t)usable);
    lane_leave(lane);
    return is_recorded;
}

/* ---- blocks that pass --------------------------------------------------------------- */

/* If only drawn blocks have records, most calls are just counted.  Calls that need more are
 * detected before anything is counted, and take the usual path.  So the path of the others has no
 * call, and saves no register for one.  The lane stays READY: a signal handler finds each counter
 * before or after its addition.  The mode was loaded before, and a lane that is READY had it then.
 *
 * The way to a point ends after 64 KiB at the latest.  So the usual path, which adds the balance to
 * the heap and looks whether a deadline has passed, comes soon. */

/* Returns: whether the block was counted, so that nothing remains to do. */
static ALWAYS_INLINE bool pass_obtained(const void *block, size_t size)
{
    struct lane *lane = lane_self;
    size_t head;

    if (UNLIKELY(!block || !lane_is_ready(lane)))
        return false;
    head = live_heap_head(block);
    if (UNLIKELY(!live_heap_may_pass(head) || !samples_try_to_pass(lane, size)))
        return false;
    passed_obtain(lane, size, live_heap_size_by(head));
    return true;
}

/* A thread that only frees blocks comes here. */
static COLD void settle(void)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    live_heap_note(lane);
    lane_check_deadline(lane, clock_read());
    lane_leave(lane);
}

/* The same for a freed block. */
static ALWAYS_INLINE bool pass_returned(const void *block)
{
    struct lane *lane = lane_self;
    size_t head;

    if (UNLIKELY(!block || !lane_is_ready(lane) || samples_may_have((uintptr_t)block)))
        return false;
    head = live_heap_head(block);
    if (UNLIKELY(!live_heap_may_pass(head)))
        return false;
    if (passed_give_back(lane, live_heap_size_by(head)))
        settle();
    return true;
}

/* ---- blocks that fail --------------------------------------------------------------- */

/* realloc returned nothing and left the old block alone, if there was one. */
static COLD void record_restored(const void *address, bool is_recorded)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    lane->node->failed_allocations++;
    lane->node->frees -= address != NULL;
    if (is_recorded)
        alloc_record_known(lane, alloc_restoring_kind(address), address);
    lane_leave(lane);
}

/* realloc freed a block, and no record names another block instead.  This ends its release; without
 * it the reader would count the block as live.  The free itself was counted before.  `usable`:
 * bytes that the heap loses. */
static COLD void record_released(const void *address, size_t usable, bool is_recorded)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    live_heap_add(lane, -(int64_t)usable);
    if (is_recorded)
        alloc_record_known(lane, TRACE_EVENT_FREE, address);
    lane_leave(lane);
}

/* ---- the functions -------------------------------------------------------------------- */

/* A function is entered by a jump from the exported one, so that its caller is the program's
 * frame. */
static ALWAYS_INLINE bool records_nothing(void)
{
    return UNLIKELY(stages_alloc_mode() == STAGES_ALLOC_NOTHING);
}

static RECORDING void *malloc_recorded(size_t size)
{
    void *block;

    callchain_near(unwind_caller());
    block = next.malloc(size);
    if (LIKELY(block != NULL))
        record_obtained(TRACE_EVENT_MALLOC, (struct block){block, size}, 0, unwind_caller());
    else
        record_failed();
    return block;
}

/* Without a chain fewer registers are needed, so fewer are saved. */
static RECORDING void *malloc_recorded_sparsely(size_t size)
{
    void *block = next.malloc(size);

    if (LIKELY(block != NULL))
        record_sparsely(TRACE_EVENT_MALLOC, (struct block){block, size}, unwind_caller());
    else
        record_failed();
    return block;
}

static RECORDING void *finish_obtained(enum trace_event_kind kind, void *block, size_t size,
                                       struct unwind_state caller)
{
    if (LIKELY(block != NULL))
        record_obtained(kind, (struct block){block, size}, 0, caller);
    else
        record_failed();
    return block;
}

static RECORDING void *finish(void *block, size_t size)
{
    return finish_obtained(TRACE_EVENT_MALLOC, block, size, unwind_caller());
}

/* It needs no frame: what does is done behind a jump. */
static RECORDING void *malloc_passed(size_t size)
{
    void *block = next.malloc(size);

    return LIKELY(pass_obtained(block, size)) ? block : finish(block, size);
}

static RECORDING void *malloc_counted(size_t size)
{
    return finish_obtained(TRACE_EVENT_MALLOC, next.malloc(size), size, unwind_caller());
}

static void *malloc_deferred(size_t size)
{
    void *block = next.malloc(size);

    return block && deferral_obtain(block, size) ? block : finish(block, size);
}

static void *malloc_real(size_t size)
{
    return next.malloc(size);
}

EXPORT HOT void *malloc(size_t size)
{
    return atomic_load_explicit(&stages_ways.obtain, memory_order_relaxed)(size);
}

static RECORDING void *calloc_recorded(size_t count, size_t size)
{
    void *block;

    callchain_near(unwind_caller());
    block = next.calloc(count, size);
    if (LIKELY(block != NULL))
        record_obtained(TRACE_EVENT_CALLOC, (struct block){block, count * size}, 0,
                        unwind_caller());
    else
        record_failed();
    return block;
}

static RECORDING void *calloc_recorded_sparsely(size_t count, size_t size)
{
    void *block = next.calloc(count, size);

    if (LIKELY(block != NULL))
        record_sparsely(TRACE_EVENT_CALLOC, (struct block){block, count * size}, unwind_caller());
    else
        record_failed();
    return block;
}

static RECORDING void *finish_zeroed(void *block, size_t size)
{
    return finish_obtained(TRACE_EVENT_CALLOC, block, size, unwind_caller());
}

static RECORDING void *calloc_passed(size_t count, size_t size)
{
    void *block = next.calloc(count, size);

    return LIKELY(pass_obtained(block, count * size)) ? block : finish_zeroed(block, count * size);
}

static RECORDING void *calloc_counted(size_t count, size_t size)
{
    return finish_obtained(TRACE_EVENT_CALLOC, next.calloc(count, size), count * size,
                           unwind_caller());
}

static void *calloc_deferred(size_t count, size_t size)
{
    void *block = next.calloc(count, size);

    return block && deferral_obtain(block, count * size) ? block
                                                         : finish_zeroed(block, count * size);
}

static void *calloc_real(size_t count, size_t size)
{
    return next.calloc(count, size);
}

EXPORT HOT void *calloc(size_t count, size_t size)
{
    return atomic_load_explicit(&stages_ways.obtain_zeroed, memory_order_relaxed)(count, size);
}

/* realloc(block, 0) frees the block and may return NULL; that is no failure. */
static COLD void *give_nothing(const void *old, size_t size, size_t usable, bool is_recorded)
{
    if (size == 0)
        record_released(old, usable, is_recorded);
    else
        record_restored(old, is_recorded);
    return NULL;
}

static RECORDING void *realloc_recorded(void *old, size_t size)
{
    size_t usable = old ? live_heap_size(old) : 0;
    bool is_recorded = old && record_returned(TRACE_EVENT_RELEASE, old, 0);
    bool is_replaced;
    void *block;

    callchain_near(unwind_caller());
    block = next.realloc(old, size);
    if (UNLIKELY(!block))
        return give_nothing(old, size, usable, is_recorded);
    is_replaced =
        record_obtained(TRACE_EVENT_REALLOC, (struct block){block, size}, usable, unwind_caller());
    if (UNLIKELY(is_recorded && !is_replaced))
        record_released(old, 0, is_recorded);
    return block;
}

static RECORDING void *finish_resized(void *block, size_t size)
{
    return finish_obtained(TRACE_EVENT_REALLOC, block, size, unwind_caller());
}

/* May the block be resized without a record of its release?  Fills in its usable size. */
static ALWAYS_INLINE bool may_resize(const void *old, size_t size, size_t *usable)
{
    size_t head;

    *usable = 0;
    if (UNLIKELY(size == 0 || !lane_is_ready(lane_self)))
        return false;
    if (!old)
        return true;
    head = live_heap_head(old);
    *usable = live_heap_size_by(head);
    return LIKELY(live_heap_may_pass(head) && !samples_may_have((uintptr_t)old));
}

static ALWAYS_INLINE void pass_resized(size_t usable)
{
    if (LIKELY(lane_is_ready(lane_self)) && UNLIKELY(passed_give_back(lane_self, usable)))
        settle();
}

/* The old block exists until the real function has returned, and is counted then. */
static RECORDING void *realloc_passed(void *old, size_t size)
{
    size_t usable;
    void *block;

    if (UNLIKELY(!may_resize(old, size, &usable)))
        return realloc_recorded(old, size);
    block = next.realloc(old, size);
    if (LIKELY(block && usable != 0))
        pass_resized(usable);
    return LIKELY(pass_obtained(block, size)) ? block : finish_resized(block, size);
}

/* A block that fails, or is freed by a size of 0, is recorded. */
static void *realloc_deferred(void *old, size_t size)
{
    void *block;

    if (size == 0 || !deferral_goes_on() || (old && !deferral_give_back(old)))
        return realloc_recorded(old, size);
    block = next.realloc(old, size);
    if (!block && old)
        deferral_obtain(old, live_heap_size(old));
    return block && deferral_obtain(block, size) ? block : finish_resized(block, size);
}

static void *realloc_real(void *old, size_t size)
{
    return next.realloc(old, size);
}

EXPORT HOT void *realloc(void *old, size_t size)
{
    return atomic_load_explicit(&stages_ways.resize, memory_order_relaxed)(old, size);
}

static RECORDING void free_recorded(void *block)
{
    if (LIKELY(block != NULL))
        record_returned(TRACE_EVENT_FREE, block, live_heap_size(block));
    next.free(block);
}

static RECORDING void free_passed(void *block)
{
    if (LIKELY(pass_returned(block)))
        next.free(block);
    else
        free_recorded(block);
}

static void free_deferred(void *block)
{
    if (!block || deferral_give_back(block))
        next.free(block);
    else
        free_recorded(block);
}

static void free_real(void *block)
{
    next.free(block);
}

const struct stages_ways stages_each_way[STAGES_WAYS] = {
    [STAGES_WAY_USUAL] = {malloc_recorded, calloc_recorded, realloc_recorded, free_recorded},
    [STAGES_WAY_SPARSE] = {malloc_recorded_sparsely, calloc_recorded_sparsely, realloc_recorded,
                           free_recorded},
    [STAGES_WAY_PASSED] = {malloc_passed, calloc_passed, realloc_passed, free_passed},
    [STAGES_WAY_COUNTED] = {malloc_counted, calloc_counted, realloc_recorded, free_recorded},
    [STAGES_WAY_REAL] = {malloc_real, calloc_real, realloc_real, free_real},
    [STAGES_WAY_DEFERRED] = {malloc_deferred, calloc_deferred, realloc_deferred, free_deferred},
};

struct stages_ways stages_ways = {malloc_recorded, calloc_recorded, realloc_recorded,
                                  free_recorded};

EXPORT HOT void free(void *block)
{
    atomic_load_explicit(&stages_ways.give_back, memory_order_relaxed)(block);
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

static ALWAYS_INLINE void record_aligned(const void *block, size_t size, struct unwind_state caller)
{
    if (LIKELY(block != NULL))
        record_obtained(TRACE_EVENT_ALIGNED, (struct block){block, size}, 0, caller);
    else
        record_failed();
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    void *block = next.memalign(alignment, size);

    if (!records_nothing())
        record_aligned(block, size, unwind_caller());
    return block;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = next.aligned_alloc(alignment, size);

    if (!records_nothing())
        record_aligned(block, size, unwind_caller());
    return block;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = next.posix_memalign(block, alignment, size);

    if (!records_nothing())
        record_aligned(error == 0 ? *block : NULL, size, unwind_caller());
    return error;
}

EXPORT void *valloc(size_t size)
{
    void *block = next.valloc(size);

    if (!records_nothing())
        record_aligned(block, size, unwind_caller());
    return block;
}

EXPORT void *pvalloc(size_t size)
{
    void *block = next.pvalloc(size);

    if (!records_nothing())
        record_aligned(block, size, unwind_caller());
    return block;
}
