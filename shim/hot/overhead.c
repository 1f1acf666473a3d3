/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring the cost of recording, on a scratch lane that is no part of the
 * trace.  The mean of many empty probes, not their minimum: it is the mean
 * that the program pays.
 */
#include "hot/overhead.h"

#include <string.h>

#include "cold/memory.h"
#include "cold/settings.h"
#include "hot/alloc.h"
#include "hot/entry.h"
#include "hot/probe.h"
#include "hot/region.h"
#include "unwind/rules.h"

enum { ROUNDS = 128, EVENTS_SIZE = 16384 };

/* A lane with its chunks in one piece of memory. */
struct scratch {
    struct lane lane;
    struct lane_place index[LANE_INDEX_FIRST];
    union trace_cell cells[TRACE_TALLY_CELLS];
    struct trace_chunk chunk;
    uint64_t words[EVENTS_SIZE / TRACE_WORD_SIZE];
    struct lane_chain chain;
    struct lane_calls calls;
    uint32_t calls_index[LANE_CALLS_FIRST];
    struct trace_call stack[TRACE_STACK_CALLS];
};

static void open_chains(struct scratch *scratch)
{
    struct lane_calls *calls = &scratch->calls;

    calls->index = scratch->calls_index;
    calls->index_mask = LANE_CALLS_FIRST - 1;
    calls->tables[0] = scratch->stack;
    calls->table_count = 1;
    calls->next = sizeof(struct trace_chunk) / sizeof(struct trace_call);
    scratch->lane.calls = calls;
    scratch->lane.chain = &scratch->chain;
}

static void open_scratch(struct scratch *scratch)
{
    struct lane *lane = &scratch->lane;

    lane->state = LANE_READY;
    lane->index = scratch->index;
    lane->index_mask = LANE_INDEX_FIRST - 1;
    lane->tables[0] = scratch->cells;
    lane->table_count = 1;
    lane->cell_count = 1;
    lane->chunk = &scratch->chunk;
    lane->cursor = scratch->words;
    lane->limit = scratch->words + EVENTS_SIZE / TRACE_WORD_SIZE;
    if (settings_takes_chains() && rules_init())
        open_chains(scratch);
    lane_open(lane, 0, clock_read());
    lane->deadline = UINT64_MAX;
    lane->events_each = UINT64_MAX;
    lane->border_ticks = UINT64_MAX;
    lane->time = clock_read();
    lane->cpu_read_ticks = clock_read();
}

static void rewind_scratch(struct scratch *scratch)
{
    scratch->lane.cursor = scratch->words;
}

static __attribute__((noinline)) word empty_kernel(word m, word n, word k)
{
    __asm__ volatile("" : : "r"(m), "r"(n), "r"(k));
    return 0;
}

static __attribute__((noinline)) word wrapped_kernel(struct binding *binding, word m, word n,
                                                     word k)
{
    const int64_t shape[TALLY_WORDS(3)] = {(int64_t)m, (int64_t)n, (int64_t)k};
    const struct probe_call call = {binding, (uintptr_t)CALLER(), 3, shape};

    if (UNLIKELY(probe_is_over_budget()) && probe_count_short(&call))
        return ((word(*)(word, word, word))binding->target)(m, n, k);
    struct probe probe CLEANUP(probe_leave);
    probe_enter(&probe, &call);
    return ((word(*)(word, word, word))binding->target)(m, n, k);
}

static uint64_t per_round(uint64_t ticks)
{
    return ticks * TRACE_OVERHEAD_SCALE / ROUNDS;
}

static uint64_t run_bare(void)
{
    uint64_t start = clock_read_ordered();

    for (int i = 0; i < ROUNDS; i++)
        empty_kernel(1, 1, 1);
    return clock_read_ordered() - start;
}

/* Of a way to call: what it costs beyond the bare call, and what of that the
 * slot has. */
static void measure_calls(struct trace_slot *slot, word (*call)(word, word, word), uint64_t *cost,
                          uint64_t *inner)
{
    uint64_t start, bare, wrapped;

    /* Code and memory are warm in a program that has calls worth counting. */
    for (int i = 0; i < ROUNDS; i++)
        call(1, 1, 1);
    slot->ticks = 0;
    bare = run_bare();
    start = clock_read_ordered();
    for (int i = 0; i < ROUNDS; i++)
        call(1, 1, 1);
    wrapped = clock_read_ordered() - start;
    *cost = per_round(wrapped > bare ? wrapped - bare : 0);
    *inner = per_round(slot->ticks);
}

static struct binding scratch_binding = {.target = (void *)empty_kernel, .id = 1, .owns = true};

static __attribute__((noinline)) word call_compiled(word m, word n, word k)
{
    return wrapped_kernel(&scratch_binding, m, n, k);
}

/* The last stub, which is given back: it is the last to be bound. */
static void measure_entry(struct trace_slot *slot, struct trace_overhead *overhead)
{
    static const struct plan_step steps[] = {
        {PLAN_TAKE, 0, CATALOG_INT32, false, 0},
        {PLAN_TAKE, 1, CATALOG_INT32, false, 0},
        {PLAN_TAKE, 2, CATALOG_INT32, false, 0},
    };
    static const struct plan plan = {steps, sizeof steps / sizeof *steps, 3, 3, false, false};
    static const struct symbol symbol = {.name = "scratch", .owns = true, .plan = &plan};
    struct binding *binding = &entry_bindings[ENTRY_STUBS - 1];
    struct wrapper_pool *pool = &wrapper_pools[wrapper_stubs];

    *binding =
        (struct binding){.target = (void *)empty_kernel, .id = 2, .owns = true, .symbol = &symbol};
    measure_calls(slot, (word(*)(word, word, word))wrapper_entry(pool, ENTRY_STUBS - 1),
                  &overhead->entry, &overhead->entry_inner);
    *binding = (struct binding){0};
}

static void measure_counted(struct lane *lane, struct trace_overhead *overhead)
{
    static const int64_t shape[TALLY_WORDS(3)] = {1, 1, 1};
    const struct probe_call call = {&scratch_binding, lane->recent[1].cell->slot.site, 3, shape};
    uint64_t bare = run_bare(), start = clock_read_ordered(), counted;

    lane->untimed_left = ROUNDS;
    for (int i = 0; i < ROUNDS; i++) {
        probe_count(&call);
        empty_kernel(1, 1, 1);
    }
    counted = clock_read_ordered() - start;
    overhead->counted = per_round(counted > bare ? counted - bare : 0);
}

static void measure_left_out(struct lane *lane, struct trace_overhead *overhead)
{
    uint64_t bare = run_bare(), start, left_out;

    lane->sampled_ticks = UINT64_MAX;
    lane->untimed_left = ROUNDS;
    start = clock_read_ordered();
    for (int i = 0; i < ROUNDS; i++)
        call_compiled(1, 1, 1);
    left_out = clock_read_ordered() - start;
    lane->sampled_ticks = 0;
    overhead->left_out = per_round(left_out > bare ? left_out - bare : 0);
}

static void measure_kernels(struct scratch *scratch, struct trace_overhead *overhead)
{
    /* Cell 1 is the thread's node; each way of calling makes the next. */
    measure_calls(&scratch->cells[2].slot, call_compiled, &overhead->kernel,
                  &overhead->kernel_inner);
    rewind_scratch(scratch);
    measure_counted(&scratch->lane, overhead);
    if (settings.overhead_ppm > 0)
        measure_left_out(&scratch->lane, overhead);
    measure_entry(&scratch->cells[3].slot, overhead);
}

static void measure_region(struct lane *lane, struct trace_overhead *overhead)
{
    static const char label[] = "scratch";
    uint64_t start;

    region_remember(lane, label, 1);
    region_begin(label); /* makes the node */
    region_end(label);
    start = clock_read_ordered();
    for (int i = 0; i < ROUNDS; i++) {
        region_begin(label);
        region_end(label);
    }
    overhead->region = per_round(clock_read_ordered() - start);
}

/* A free list, which is what an allocator's fast path is: records overlap with
 * its loads and stores as they do with the real one's.  Measured back to back
 * they would seem half as dear again. */
struct free_block {
    struct free_block *next;
};

static __attribute__((noinline)) struct free_block *take(struct free_block **list)
{
    struct free_block *block = *list;

    *list = block->next;
    return block;
}

static __attribute__((noinline)) void give(struct free_block **list, struct free_block *block)
{
    block->next = *list;
    *list = block;
}

static uint64_t run_pairs(struct lane *lane, struct free_block **list)
{
    uint64_t start = clock_read_ordered();

    for (int i = 0; i < ROUNDS; i++) {
        struct free_block *block = take(list);

        if (lane)
            alloc_write_pair(lane, block, sizeof *block);
        give(list, block);
    }
    return clock_read_ordered() - start;
}

static void measure_allocation(struct lane *lane, struct trace_overhead *overhead)
{
    struct free_block blocks[2] = {{&blocks[1]}, {NULL}};
    struct free_block *list = blocks;
    uint64_t bare = run_pairs(NULL, &list);
    uint64_t recorded;

    run_pairs(lane, &list); /* unwinds the chain: from here on it is compared */
    recorded = run_pairs(lane, &list);
    overhead->allocation = per_round(recorded > bare ? recorded - bare : 0) / 2;
}

/* Virtual machines may step their counter by many ticks at once. */
static uint64_t smallest_step(void)
{
    uint64_t smallest = UINT64_MAX;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t before = clock_read_ordered();
        uint64_t after = clock_read_ordered();

        while (after == before)
            after = clock_read_ordered();
        if (after - before < smallest)
            smallest = after - before;
    }
    return smallest * TRACE_OVERHEAD_SCALE;
}

/* The scratch lane takes this thread's place for the time of the measurement. */
struct trace_overhead overhead_measure(void)
{
    struct trace_overhead overhead = {0};
    struct scratch *scratch = memory_map(sizeof *scratch);
    struct lane *own = lane_self;

    if (!scratch)
        return overhead;
    open_scratch(scratch);
    lane_self = &scratch->lane;
    measure_kernels(scratch, &overhead);
    rewind_scratch(scratch);
    measure_region(&scratch->lane, &overhead);
    rewind_scratch(scratch);
    measure_allocation(&scratch->lane, &overhead);
    overhead.resolution = smallest_step();
    lane_self = own;
    memory_unmap(scratch, sizeof *scratch);
    return overhead;
}
