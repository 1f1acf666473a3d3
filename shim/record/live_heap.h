/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of all live blocks in usable sizes: exact in every stage of recording.
 *
 * A block counts with its usable size, because the allocator still knows that size at the free.
 * Each lane has a balance: bytes obtained less bytes freed by its thread.  A balance beyond 32 KiB
 * in either direction moves to the sum of the process, and the peak is noted there.  Blocks that
 * pass move after 64 KiB (record/passed.h).  So the peak is right within 100 KiB a thread, and the
 * sum of all balances is right to the byte.  Balances outlive a fork: a child's heap starts as its
 * parent's.
 *
 * Nothing is counted without a budget, or if the allocator does not know sizes.  glibc's allocator
 * stores the size of a block in the word before it, and its own free reads that first.  Once the
 * word was right for some new blocks, the shim reads it instead of calling.  A pair of calls then
 * takes 40 instructions less, and a wild pointer ends a broken program just as without the shim.
 *
 *   operation                 owner of the lane   other threads   under the process lock
 *   live_heap_size, _cost     yes                 yes
 *   live_heap_new_size        yes                 yes
 *   live_heap_timed_size      yes                 yes
 *   live_heap_add, _within    BUSY                never
 *   live_heap_note, _write    BUSY                never
 *   live_heap_end             yes                 yes
 *   live_heap_has_grown       yes                 yes             yes
 *   live_heap_start, _give    never               never           yes
 *
 * Budget of live_heap_size: two loads and two comparisons, or a call of malloc_usable_size; of
 * live_heap_add: two additions and one comparison.
 */
#ifndef RECORD_LIVE_HEAP_H
#define RECORD_LIVE_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "record/lane.h"

enum { LIVE_HEAP_STEP = 32768 };

/* NULL: nothing is counted. */
extern size_t (*live_heap_usable_size)(void *block) HIDDEN;

/* Whether the size of a block is in the word before it. */
extern atomic_bool live_heap_is_before HIDDEN;

/* Start to count in a process whose trace has a header.  A forked child starts with the heap of its
 * parent. */
void live_heap_start(void);

/* Give a lane its balance.  Returns: false when memory is refused. */
bool live_heap_give(struct lane *lane);

/* The same as live_heap_size, for a drawn block that represents `count`: the cost of the question
 * is noted once its code is in the cache. */
size_t live_heap_timed_size(const void *block, uint64_t count);

/* The cost of asking for a size.  Units and result as of mean_cost_read. */
uint64_t live_heap_cost(void);

/* Ask for the size of a new block, and check whether the word before it has the size. */
COLD size_t live_heap_learn(const void *block);

/* Add the lane's balance, and the blocks that have passed, to the sum. */
COLD void live_heap_flush(struct lane *lane);

/* The same, and write the size of the heap if it has changed much: the threads that take readings
 * may wait for long after it. */
COLD void live_heap_note(struct lane *lane);
/* Returns: the usable bytes that the lane's threads have obtained and not freed, with a constant
 * unknown part; INT64_MIN: nothing is counted.  The caller is the lane's thread. */
int64_t live_heap_of(const struct lane *lane);

/* Has the heap grown so far that the trace is worth a file?  Small commands, such as sort, take a
 * large block at once and end soon. */
bool live_heap_has_grown(void);

/* Write the present size of the heap. */
void live_heap_write(struct lane *lane);

/* Note the size of the heap at the end in the header. */
void live_heap_end(void);

/* glibc's word before a block: the size of its chunk, with flags in the last three bits.  One flag
 * says that the block has its own mapping; such a block has more words before it.
 * Source: struct malloc_chunk of malloc/malloc.c. */
enum { LIVE_HEAP_FLAGS = 7, LIVE_HEAP_IS_MAPPED = 2 };

static ALWAYS_INLINE size_t live_heap_head(const void *block)
{
    size_t head;

    __builtin_memcpy(&head, (const char *)block - sizeof head, sizeof head);
    return head;
}

static ALWAYS_INLINE size_t live_heap_size_by(size_t head)
{
    return (head & ~(size_t)LIVE_HEAP_FLAGS) - sizeof head;
}

/* Has a block no mapping of its own, and less than 2 GiB? */
static ALWAYS_INLINE bool live_heap_may_pass(size_t head)
{
    return LIKELY((head & ~(size_t)(INT32_MAX - LIVE_HEAP_IS_MAPPED)) == 0);
}

/* Ask whether the size is in the word before the block.  If so, `head` gets it. */
static ALWAYS_INLINE bool live_heap_find_before(const void *block, size_t *head)
{
    if (UNLIKELY(!atomic_load_explicit(&live_heap_is_before, memory_order_relaxed)))
        return false;
    *head = live_heap_head(block);
    return LIKELY((*head & LIVE_HEAP_IS_MAPPED) == 0);
}

/* Returns: the usable bytes of a block; 0 when they are not counted.  The block must not be
 * NULL. */
static ALWAYS_INLINE size_t live_heap_size(const void *block)
{
    size_t head;

    if (LIKELY(live_heap_find_before(block, &head)))
        return live_heap_size_by(head);
    return live_heap_usable_size != NULL ? live_heap_usable_size((void *)block) : 0;
}

/* The same for a block that was just obtained. */
static ALWAYS_INLINE size_t live_heap_new_size(const void *block)
{
    size_t head;

    if (LIKELY(live_heap_find_before(block, &head)))
        return live_heap_size_by(head);
    return live_heap_usable_size != NULL ? live_heap_learn(block) : 0;
}

static ALWAYS_INLINE bool live_heap_is_within(int64_t balance)
{
    return LIKELY((uint64_t)(balance + LIVE_HEAP_STEP) <= 2 * LIVE_HEAP_STEP);
}

/* Add bytes that the thread obtained, or subtract bytes that it freed. */
static ALWAYS_INLINE void live_heap_add(struct lane *lane, int64_t bytes)
{
    int64_t balance = atomic_load_explicit(&lane->balance->bytes, memory_order_relaxed) + bytes;

    atomic_store_explicit(&lane->balance->bytes, balance, memory_order_relaxed);
    if (UNLIKELY(!live_heap_is_within(balance)))
        live_heap_note(lane);
}

#endif
