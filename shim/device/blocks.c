/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of blocks.  Runs in the program's calls that obtain or release memory of a device,
 * which take microseconds; so it takes a lock.
 */
#include "device/blocks.h"

#include <errno.h>
#include <stddef.h>

#include "chain/callchain.h"
#include "device/state.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/memory.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/lane.h"

enum { BITS = 17, PLACES = 1 << BITS, BLOCKS_MAX = PLACES / 2, PLACE_SHIFT = 56 };

struct block_row {
    const void *handle; /* NULL: free */
    const void *parent;
    uint64_t number; /* 0: it has no record */
    uint64_t bytes;
    uint32_t device;
    uint32_t place;
    uint32_t references;
};

/* In memory that a fork wipes: a child must not use its parent's blocks. */
static struct table {
    unsigned count;
    struct block_row rows[PLACES];
} * table;

bool blocks_init(void)
{
    if (!table)
        table = memory_map_wiped(sizeof *table);
    return table != NULL;
}

static unsigned home_of(const void *handle)
{
    return (unsigned)(((uintptr_t)handle * HASH_FACTOR) >> (64 - BITS));
}

/* Returns: the row of a handle, or the free one where it belongs. */
static struct block_row *find_row(const void *handle)
{
    unsigned at = home_of(handle);

    while (table->rows[at].handle && table->rows[at].handle != handle)
        at = (at + 1) % PLACES;
    return &table->rows[at];
}

/* Move the rows behind a removed one, so that no search ends at its place (Knuth 6.4, R). */
static void remove_row(struct block_row *row)
{
    unsigned hole = (unsigned)(row - table->rows), at = hole;

    table->count--;
    for (;;) {
        table->rows[hole] = (struct block_row){0};
        for (;;) {
            unsigned home;

            at = (at + 1) % PLACES;
            if (!table->rows[at].handle)
                return;
            home = home_of(table->rows[at].handle);
            if ((at - home) % PLACES >= (at - hole) % PLACES)
                break;
        }
        table->rows[hole] = table->rows[at];
        hole = at;
    }
}

/* The numbers of a device's memory at a place; NULL when rows have run out. */
static struct device_memory_row *find_numbers(uint32_t device, uint32_t place)
{
    struct device_memory_row *rows = device_state->memory;
    unsigned count = device_state->memory_rows;

    for (unsigned i = 0; i < count; i++)
        if (rows[i].fact.device == device && rows[i].fact.place == place)
            return &rows[i];
    if (count == DEVICE_MEMORY_ROWS)
        return NULL;
    rows[count].fact.device = device;
    rows[count].fact.place = place;
    device_state->memory_rows++;
    return &rows[count];
}

/* A killed program leaves the numbers in its trace. */
static void publish(struct device_memory_row *numbers)
{
    if (numbers->written)
        *numbers->written = numbers->fact;
}

static void count_obtained(const struct block_row *row, uint64_t now)
{
    struct device_memory_row *numbers = find_numbers(row->device, row->place);
    struct trace_device_memory *fact = numbers ? &numbers->fact : NULL;

    if (!fact)
        return;
    fact->allocations++;
    fact->allocated_bytes += row->bytes;
    fact->live_bytes += row->bytes;
    if (fact->live_bytes > fact->peak_bytes) {
        fact->peak_bytes = fact->live_bytes;
        fact->peak_ticks = now;
    }
    publish(numbers);
}

static void count_returned(const struct block_row *row)
{
    struct device_memory_row *numbers = find_numbers(row->device, row->place);

    if (!numbers)
        return;
    numbers->fact.frees++;
    numbers->fact.live_bytes -= row->bytes;
    publish(numbers);
}

static void count_forgotten(const struct device_block *block)
{
    struct device_memory_row *numbers = find_numbers(block->device, block->place);

    if (!numbers)
        return;
    numbers->fact.forgotten++;
    publish(numbers);
}

static void write_obtained(struct lane *lane, struct block_row *row,
                           const struct unwind_state *caller, uint64_t now)
{
    uint64_t words[3] = {(uint64_t)row->device << TRACE_CHAIN_BITS | (uint64_t)row->place
                                                                         << PLACE_SHIFT,
                         atomic_fetch_add(&device_state->blocks, 1) + 1, row->bytes};

    row->number = words[1];
    if (lane->chain)
        words[0] |= callchain_take(lane, *caller);
    extended_write(lane, now, TRACE_EXTENDED_DEVICE_ALLOC, words, 3);
}

/* The last reference is gone: the block ends, and with it one of the block that it is a part of. */
static void release(struct lane *lane, const void *handle, uint64_t now)
{
    while (handle) {
        struct block_row *row = find_row(handle);

        if (!row->handle || --row->references > 0)
            return;
        if (row->number != 0) {
            extended_write(lane, now, TRACE_EXTENDED_DEVICE_FREE, &row->number, 1);
            count_returned(row);
        }
        handle = row->parent;
        remove_row(row);
    }
}

static void obtain(struct lane *lane, const struct device_block *block,
                   const struct unwind_state *caller, uint64_t now)
{
    struct block_row *row = find_row(block->handle);

    /* Its release was not seen: the library gave the handle to another block. */
    if (row->handle) {
        row->references = 1;
        release(lane, block->handle, now);
        row = find_row(block->handle);
    }
    if (table->count == BLOCKS_MAX) {
        count_forgotten(block);
        return;
    }
    table->count++;
    *row = (struct block_row){.handle = block->handle,
                              .parent = block->parent,
                              .bytes = block->bytes,
                              .device = block->device,
                              .place = block->place,
                              .references = 1};
    if (block->parent) {
        struct block_row *parent = find_row(block->parent);

        parent->references += parent->handle != NULL;
    } else {
        write_obtained(lane, row, caller, now);
        count_obtained(row, now);
    }
}

/* Returns: the lane, BUSY, with the lock held; NULL when nothing is recorded. */
static struct lane *enter(void)
{
    struct lane *lane = device_state ? lane_enter() : NULL;

    if (!lane)
        return NULL;
    lane_keep();
    lock_take(&device_state->lock);
    return lane;
}

static void leave(struct lane *lane)
{
    lock_release(&device_state->lock);
    lane_leave(lane);
}

static bool has_new_numbers(void)
{
    unsigned count = device_state->memory_rows;

    return count > 0 && !device_state->memory[count - 1].written;
}

void blocks_obtain(const struct device_block *block, const struct unwind_state *caller)
{
    int saved_errno = errno;
    struct lane *lane = block->device != 0 && block->handle ? enter() : NULL;

    if (!lane)
        return;
    obtain(lane, block, caller, clock_read());
    lock_release(&device_state->lock);
    if (has_new_numbers())
        facts_flush_now();
    lane_leave(lane);
    errno = saved_errno;
}

void blocks_retain(const void *handle)
{
    int saved_errno = errno;
    struct lane *lane = enter();

    if (!lane)
        return;
    struct block_row *row = find_row(handle);
    row->references += row->handle != NULL;
    leave(lane);
    errno = saved_errno;
}

void blocks_release(const void *handle)
{
    int saved_errno = errno;
    struct lane *lane = handle ? enter() : NULL;

    if (!lane)
        return;
    release(lane, handle, clock_read());
    leave(lane);
    errno = saved_errno;
}

/* Under the process lock: the numbers may change meanwhile, and are then written by `publish`. */
static bool write_numbers(unsigned index)
{
    struct device_memory_row *row = &device_state->memory[index];

    row->written = facts_write(TRACE_FACT_DEVICE_MEMORY, &row->fact, sizeof row->fact, NULL, 0);
    return row->written;
}

bool blocks_write_facts(unsigned *written)
{
    return !device_state || facts_write_list(written, device_state->memory_rows, write_numbers);
}
