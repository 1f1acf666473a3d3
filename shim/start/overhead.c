/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures the cost of recording, on a scratch lane that is no part of the trace.  A measurement is
 * the mean of many empty probes, not their minimum, because the program pays the mean.  The median
 * of some means is used: an interrupt within a few microseconds would make one mean ten times as
 * high.
 *
 * Decision: doc/decisions/budget-slots.
 */
#include "start/overhead.h"

#include <string.h>

#include "call/entry.h"
#include "call/probe.h"
#include "chain/lane_chain.h"
#include "chain/tree.h"
#include "interpose/alloc.h"
#include "interpose/region.h"
#include "platform/clock.h"
#include "platform/median.h"
#include "platform/memory.h"
#include "record/process.h"
#include "record/region_clock.h"
#include "record/settings.h"
#include "record/stages.h"
#include "unwind/rules.h"

enum { ROUNDS = 32, BATCHES = 5, EVENTS_SIZE = 16384 };

/* A lane with its chunks in one piece of memory. */
struct scratch {
    struct lane lane;
    struct lane_balance balance;
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
    scratch->chain.mixed.is_left_out = true;
}

static void open_scratch(struct scratch *scratch)
{
    struct lane *lane = &scratch->lane;

    lane->state = LANE_READY;
    lane->balance = &scratch->balance;
    lane->index = scratch->index;
    lane->index_mask = LANE_INDEX_FIRST - 1;
    lane->tables[0] = scratch->cells;
    lane->open = (struct trace_open *)((struct trace_chunk *)scratch->cells + 1);
    lane->table_count = 1;
    lane->cell_count = 1;
    lane->chunk = &scratch->chunk;
    lane->cursor = scratch->words;
    lane->limit = scratch->words + EVENTS_SIZE / TRACE_WORD_SIZE;
    if (settings_takes_chains() && rules_init())
        open_chains(scratch);
    lane->events_each = UINT64_MAX;
    lane_open(lane, 0, clock_read());
    lane->deadline = UINT64_MAX;
    lane->border_ticks = UINT64_MAX;
    lane->sample_distance = UINT64_MAX;
    lane->time = clock_read();
    region_clock_stop(lane);
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
    const struct probe_call call = {binding, binding->id, (uintptr_t)CALLER(), 3, shape};

    struct probe probe CLEANUP(probe_leave);

    PROBE_ENTER(probe, call, 3, (int64_t)m, (int64_t)n, (int64_t)k);
    return ((word(*)(word, word, word))binding->target)(m, n, k);
}

static uint64_t per_round(uint64_t ticks)
{
    return ticks * TRACE_OVERHEAD_SCALE / ROUNDS;
}

/* Code that runs ROUNDS times between two reads of the clock. */
typedef void (*batch)(void *context);

static uint64_t ticks_of(batch run, void *context)
{
    uint64_t start = clock_read_ordered();

    run(context);
    return clock_read_ordered() - start;
}

static void run_bare(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++)
        empty_kernel(1, 1, 1);
}

/* The cost of a round of `run` beyond a round of `bare`.  `counter`, which may be NULL, counts
 * ticks; `counted` is a round's addition to it. */
static uint64_t cost_beyond(batch bare, batch run, void *context, const uint64_t *counter,
                            uint64_t *counted)
{
    uint64_t costs[BATCHES], counts[BATCHES];

    run(context); /* code and memory are warm in a program that has calls worth counting */
    for (int i = 0; i < BATCHES; i++) {
        uint64_t without = bare ? ticks_of(bare, context) : 0;
        uint64_t before = counter ? *counter : 0;
        uint64_t with = ticks_of(run, context);

        costs[i] = per_round(with > without ? with - without : 0);
        counts[i] = per_round(counter ? *counter - before : 0);
    }
    if (counted)
        *counted = median_of(counts, BATCHES);
    return median_of(costs, BATCHES);
}

/* A way to call a kernel. */
struct way {
    word (*call)(word, word, word);
};

static void run_calls(void *context)
{
    const struct way *way = context;

    for (int i = 0; i < ROUNDS; i++)
        way->call(1, 1, 1);
}

/* The cost of a way to call beyond the bare call, and the part of it that the slot's time
 * contains. */
static void measure_calls(const struct trace_slot *slot, word (*call)(word, word, word),
                          uint64_t *cost, uint64_t *inner)
{
    struct way way = {call};

    *cost = cost_beyond(run_bare, run_calls, &way, &slot->ticks, inner);
}

static struct binding scratch_binding = {.target = (void *)empty_kernel, .id = 1, .owns = true};

static __attribute__((noinline)) word call_compiled(word m, word n, word k)
{
    return wrapped_kernel(&scratch_binding, m, n, k);
}

/* Uses the last stub, which would be bound last, and frees it. */
static void measure_entry(struct trace_slot *slot, struct trace_overhead *overhead)
{
    static const struct plan_step steps[] = {
        {PLAN_TAKE, 0, CATALOG_INT32, false, 0},
        {PLAN_TAKE, 1, CATALOG_INT32, false, 0},
        {PLAN_TAKE, 2, CATALOG_INT32, false, 0},
    };
    static const struct plan plan = {steps, sizeof steps / sizeof *steps, 3, 3, false, false,
                                     false};
    static const struct symbol symbol = {.name = "scratch", .owns = true, .plan = &plan};
    struct binding *binding = &entry_bindings[ENTRY_STUBS - 1];
    struct wrapper_pool *pool = &wrapper_pools[wrapper_stubs];

    *binding = (struct binding){.target = (void *)empty_kernel,
                                .id = 2,
                                .owns = true,
                                .symbol = &symbol,
                                .reals = BINDING_IS_PLAIN};
    measure_calls(slot, (word(*)(word, word, word))wrapper_entry(pool, ENTRY_STUBS - 1),
                  &overhead->entry, &overhead->entry_inner);
    *binding = (struct binding){0};
}

static void run_counted(void *context)
{
    static const int64_t shape[TALLY_WORDS(3)] = {1, 1, 1};
    struct lane *lane = context;
    const struct probe_call call = {&scratch_binding, scratch_binding.id,
                                    lane->recent[1].cell->slot.site, 3, shape};

    lane->untimed_left = ROUNDS;
    for (int i = 0; i < ROUNDS; i++) {
        probe_count(&call);
        empty_kernel(1, 1, 1);
    }
}

static void run_left_out(void *context)
{
    struct lane *lane = context;
    struct way way = {call_compiled};

    lane->sampled_ticks = UINT64_MAX;
    lane->specials |= LANE_OVER_BUDGET;
    lane->untimed_left = ROUNDS;
    run_calls(&way);
    lane->specials &= (uint16_t)~LANE_OVER_BUDGET;
}

static void measure_kernels(struct scratch *scratch, struct trace_overhead *overhead)
{
    /* Cell 1 is the thread's node; each way of calling makes the next cell. */
    measure_calls(&scratch->cells[2].slot, call_compiled, &overhead->kernel,
                  &overhead->kernel_inner);
    rewind_scratch(scratch);
    overhead->counted = cost_beyond(run_bare, run_counted, &scratch->lane, NULL, NULL);
    if (settings.overhead_ppm > 0)
        overhead->left_out = cost_beyond(run_bare, run_left_out, &scratch->lane, NULL, NULL);
    measure_entry(&scratch->cells[3].slot, overhead);
}

static const char region_label[] = "scratch";

static void run_regions(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        region_begin(region_label);
        region_end(region_label);
    }
}

/* A free list, like the fast path of an allocator: records overlap with its loads and stores as
 * with the real one's.  Back to back, records would seem half as expensive again. */
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

/* Records a pair. */
typedef void (*pair_writer)(struct lane *lane, const void *address, size_t size);

struct pairs {
    struct free_block *list;
    struct lane *lane;
    pair_writer write;
};

static void run_bare_pairs(void *context)
{
    struct pairs *pairs = context;

    for (int i = 0; i < ROUNDS; i++)
        give(&pairs->list, take(&pairs->list));
}

static void run_pairs(void *context)
{
    struct pairs *pairs = context;

    for (int i = 0; i < ROUNDS; i++) {
        struct free_block *block = take(&pairs->list);

        pairs->write(pairs->lane, block, sizeof *block);
        give(&pairs->list, block);
    }
}

static uint64_t measure_pair(struct scratch *scratch, pair_writer write)
{
    struct free_block blocks[2] = {{&blocks[1]}, {NULL}};
    struct pairs pairs = {blocks, &scratch->lane, write};

    rewind_scratch(scratch);
    return cost_beyond(run_bare_pairs, run_pairs, &pairs, NULL, NULL) / 2;
}

/* A pair without a record still looks into the table of drawn blocks. */
static void measure_blocks(struct scratch *scratch, struct process_prices *costs)
{
    costs->overhead.allocation = measure_pair(scratch, alloc_write_pair);
    costs->sparse_cost = measure_pair(scratch, alloc_write_sparse_pair);
    if (stages_throw_points())
        costs->undrawn_cost = measure_pair(scratch, alloc_pass_pair);
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

/* The scratch lane replaces the thread's own during the measurement. */
static struct process_prices measure(void)
{
    struct process_prices costs = {.is_known = true};
    struct scratch *scratch = memory_map(sizeof *scratch);
    struct lane *own = lane_self;

    if (!scratch)
        return costs;
    open_scratch(scratch);
    lane_self = &scratch->lane;
    measure_kernels(scratch, &costs.overhead);
    rewind_scratch(scratch);
    region_remember(&scratch->lane, region_label, 1);
    costs.overhead.region = cost_beyond(NULL, run_regions, NULL, NULL, NULL);
    measure_blocks(scratch, &costs);
    costs.overhead.resolution = smallest_step();
    lane_self = own;
    memory_unmap(scratch, sizeof *scratch);
    return costs;
}

void overhead_keep(void)
{
    if (!process_prices.is_known)
        process_prices = measure();
    process_tell_prices();
}
