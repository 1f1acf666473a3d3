/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at the present cost of recording.
 *
 * Decision: doc/decisions/budgets-as-accounts.
 */
#include "record/budget_look.h"

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/fixed.h"
#include "record/budget.h"
#include "record/expense.h"
#include "record/live_heap.h"
#include "record/process.h"
#include "record/samples.h"
#include "record/settings.h"
#include "record/stages.h"
#include "record/stages_change.h"

enum {
    SECOND_NS = 1000000000,
    MILLION = 1000000,
    UNSEEN_PARTS = 5, /* one part in this many of the budget is for unseen costs, as in caches */
    CREDIT_MS = 240,  /* processor time at the start: 9.6 ms of recording at 5 % */
    CHILD_CREDIT_MS = 60, /* the same for a recorded process's child: a job may have many */
    LOOK_PARTS = 256,     /* looking takes at most one in this many parts of the time */
    SOON_SECONDS = 60,    /* a later look was set before the counter was reset */
    DRAWN_NS = 2000,      /* cost of a drawn block beyond its chain, when all are cold */
    BLOCK_BYTES = 16,     /* size of the record of an obtained block */
    RETURN_BYTES = 8,     /* size of the record of its free */
    TIMED = 2,            /* times as much, with the TIME record that may precede a record */
    DRAWN_BYTES = 64,     /* size of a drawn block's record, its free, and the times before both */
    KERNEL_BYTES = 16,    /* size of a call's record */
    REGION_BYTES = 32,    /* size of the records of a region's start and end */
    READING_BYTES = 224,  /* size of a reading and the records after it */
    EXTENDED_BYTES = 40   /* size of other records, such as a mapping */
};

static uint64_t lesser(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static uint64_t ns_of(uint64_t ticks)
{
    return ticks * MILLION / (clock_ticks_of(SECOND_NS) / 1000);
}

/* ---- the price of records ------------------------------------------------------------- */

static uint64_t price(uint64_t count, uint64_t cost)
{
    return count * cost / TRACE_OVERHEAD_SCALE;
}

/* For a cost that was measured in a loop, where all was at hand.  In programs it is half as much
 * again: doc/decisions/told-overhead. */
static uint64_t price_in_place(uint64_t count, uint64_t cost)
{
    return price(count, cost) * 3 / 2;
}

/* Blocks with a byte that a point hit. */
static uint64_t count_drawn(const struct expense *since)
{
    uint64_t distance = stages_distance();
    uint64_t bytes = since->obtained_bytes + since->obtained * SAMPLES_CALL_BYTES;

    return distance == 0 ? 0 : lesser(bytes / distance, since->obtained);
}

/* The cost of a block's record without its chain, or of a call without a record.
 * Units: parts of a tick. */
static uint64_t record_cost(void)
{
    const struct trace_header *header = process->file.header;

    switch (stages_alloc_mode()) {
    case STAGES_ALLOC_EVENTS:
    case STAGES_ALLOC_ALONE:
    case STAGES_ALLOC_CHAINS: return header->sparse_cost;
    case STAGES_ALLOC_DRAWN:
    case STAGES_ALLOC_COUNTS: return header->undrawn_cost;
    case STAGES_ALLOC_NOTHING: break;
    }
    return 0;
}

/* A call that passes has all at hand in programs, too. */
static uint64_t price_of_blocks(uint64_t count, uint64_t cost)
{
    return stages_alloc_mode() <= STAGES_ALLOC_CHAINS ? price_in_place(count, cost)
                                                      : price(count, cost);
}

/* Each call also asks for the usable size of its block.  If the size is read from the word before
 * the block, the measured cost includes it. */
static uint64_t block_cost(void)
{
    bool is_read = atomic_load_explicit(&live_heap_is_before, memory_order_relaxed);

    return record_cost() + (is_read ? 0 : live_heap_cost());
}

/* Two bounds apply.  The chain of a drawn block takes longer than other chains, because its clock
 * waits for earlier work.  The number of walks by itself would leave out unchanged chains.
 * Decision: doc/decisions/told-overhead. */
static uint64_t chain_ticks(const struct expense *since, uint64_t walks)
{
    uint64_t all = price(since->obtained, stages_chain_cost());

    return all > walks ? walks + (all - walks) / 2 : walks;
}

static bool has_all_chains(void)
{
    return stages_alloc_mode() == STAGES_ALLOC_EVENTS;
}

/* While every block has its chain, a drawn one costs little more, as its code and data are in the
 * caches.  Later it costs DRAWN_NS more than its chain did then. */
static uint64_t drawn_ticks(const struct expense *since, const struct budget_last *spent)
{
    uint64_t chain = stages_chain_cost() + clock_ticks_of(DRAWN_NS) * TRACE_OVERHEAD_SCALE;

    return has_all_chains() ? price(count_drawn(since), chain) : spent->drawn;
}

/* Note the cost of blocks while each has its record and chain: that of records, and of typical
 * walks in the proportion of walks so far. */
static void note_exact(uint64_t blocks, uint64_t record_ticks)
{
    struct budget *budget = &process->budget;
    uint64_t walks = atomic_load(&budget->notes.timed_walks);
    uint64_t typical = atomic_load(&budget->notes.typical_walk);

    budget->exact_blocks += blocks;
    budget->exact_ticks += record_ticks;
    if (budget->exact_blocks > 0)
        process->file.header->exact_cost =
            (budget->exact_ticks + walks * typical) * TRACE_OVERHEAD_SCALE / budget->exact_blocks;
}

static void enter_blocks(struct pace_look *look, const struct expense *since,
                         const struct budget_last *spent)
{
    struct trace_header *header = process->file.header;
    uint64_t ticks = price_of_blocks(since->obtained + since->returned, block_cost());
    uint64_t drawn = drawn_ticks(since, spent);
    uint64_t chains = has_all_chains() ? chain_ticks(since, spent->walks) : drawn;

    if (chains < spent->walks)
        chains = spent->walks;
    look->drawn_ns += ns_of(drawn);
    look->records_ns += ns_of(ticks);
    look->cost_ns[PACE_BLOCKS] += ns_of(ticks + chains);
    header->block_ticks += ticks + chains - spent->walks;
    if (has_all_chains())
        note_exact(since->obtained, ticks);
}

/* Slow time has that of readings and walks. */
static uint64_t other_ticks(const struct budget_last *spent)
{
    uint64_t known = spent->readings + spent->walks;

    return spent->slow > known ? spent->slow - known : 0;
}

static void enter_costs(struct pace_look *look, const struct expense *since,
                        const struct budget_last *spent)
{
    const struct trace_overhead *cost = &process->file.header->overhead;

    enter_blocks(look, since, spent);
    look->cost_ns[PACE_KERNELS] +=
        ns_of(price_in_place(since->timed, cost->kernel) +
              price_in_place(since->untimed, cost->counted));
    look->cost_ns[PACE_REGIONS] +=
        ns_of(price_in_place(since->regions, cost->region)) + since->ops * TRACE_OP_NS;
    look->cost_ns[PACE_READINGS] += ns_of(spent->readings);
    look->cost_ns[PACE_OTHERS] += ns_of(other_ticks(spent));
}

/* ---- the room that it took ------------------------------------------------------------ */

static uint64_t draws_of(enum trace_stage stage)
{
    return stages_has_begun(stage) ? stages_value(stage) : 1;
}

static uint64_t bytes_of_blocks(const struct expense *since)
{
    if (stages_alloc_mode() <= STAGES_ALLOC_CHAINS)
        return since->obtained * BLOCK_BYTES + since->returned * RETURN_BYTES;
    return count_drawn(since) * DRAWN_BYTES;
}

static uint64_t take(uint64_t *rest, uint64_t bytes)
{
    uint64_t taken = lesser(*rest, bytes);

    *rest -= taken;
    return taken;
}

/* The slots of calls decide which calls have a record.  So calls get the bytes that the other
 * records leave, in proportion to their numbers, but no more than all of them could have
 * written. */
static void enter_calls(struct pace_look *look, const struct expense *since, uint64_t *rest)
{
    uint64_t kernels = since->timed * KERNEL_BYTES;
    uint64_t regions = (since->regions + since->ops) * REGION_BYTES;
    uint64_t drawn_kernels = kernels / draws_of(TRACE_STAGE_KERNELS);
    uint64_t drawn_regions = regions / draws_of(TRACE_STAGE_REGIONS);
    uint64_t share = fixed_divide(drawn_kernels, drawn_kernels + drawn_regions);

    look->written_bytes[PACE_KERNELS] +=
        take(rest, lesser(kernels * TIMED, fixed_multiply(*rest, share)));
    look->written_bytes[PACE_REGIONS] += take(rest, regions * TIMED);
}

static void enter_bytes(struct pace_look *look, const struct expense *since, uint64_t readings)
{
    uint64_t rest = since->written;
    uint64_t others = since->extended > 2 * readings ? since->extended - 2 * readings : 0;

    look->written_bytes[PACE_READINGS] += take(&rest, readings * READING_BYTES);
    look->written_bytes[PACE_OTHERS] += take(&rest, others * EXTENDED_BYTES);
    look->written_bytes[PACE_BLOCKS] += take(&rest, bytes_of_blocks(since));
    enter_calls(look, since, &rest);
    look->written_bytes[since->obtained > 0 ? PACE_BLOCKS : PACE_OTHERS] += rest;
}

/* ---- a look --------------------------------------------------------------------------- */

static struct budget_last read_sums(const struct budget *budget)
{
    return (struct budget_last){
        .expense = expense_read(),
        .slow = atomic_load((_Atomic uint64_t *)&process->file.header->slow_ticks),
        .walks = atomic_load(&budget->notes.walks),
        .drawn = atomic_load(&budget->notes.drawn),
        .readings = atomic_load(&budget->notes.readings),
        .reading_count = atomic_load(&budget->notes.reading_count),
    };
}

static struct budget_last spent_since(const struct budget_last *now,
                                      const struct budget_last *before)
{
    return (struct budget_last){
        .expense = expense_since(&now->expense, &before->expense),
        .slow = now->slow - before->slow,
        .walks = now->walks - before->walks,
        .drawn = now->drawn - before->drawn,
        .readings = now->readings - before->readings,
        .reading_count = now->reading_count - before->reading_count,
    };
}

/* Under a capacity events use their room again. */
static void enter(struct budget *budget)
{
    struct budget_last now = read_sums(budget);
    struct budget_last spent = spent_since(&now, &budget->last);
    struct pace_look *look = &budget->look;

    budget->last = now;
    look->now_ns = budget_run_ns();
    look->cpu_ns = budget_cpu_ns();
    look->live_bytes = process->file.header->heap_live_bytes;
    enter_costs(look, &spent.expense, &spent);
    if (settings.capacity_bytes == 0)
        enter_bytes(look, &spent.expense, spent.reading_count);
    look->size_bytes = file_bounded_bytes(&process->file);
    look->stack_bytes = process->file.stack_bytes;
}

static unsigned decide(struct budget *budget, struct pace_change changes[PACE_CHANGES_MAX])
{
    unsigned count;

    enter(budget);
    count = pace_decide(&budget->pace, &budget->look, changes);
    if (budget->pace.is_in_force)
        atomic_store(&budget->is_in_force, true);
    return count;
}

static void make(struct lane *lane, const struct pace_change *change)
{
    uint64_t now = clock_read();
    bool is_of_blocks = change->stage == TRACE_STAGE_CHAINS || change->stage == TRACE_STAGE_BLOCKS;

    if (!stages_has_begun(change->stage))
        stages_begin(lane, now, change->stage, change->cause, change->from, change->to);
    else if (is_of_blocks)
        stages_change_distance(lane, now, change->cause, change->to);
    else
        stages_change(lane, now, change->stage, change->cause, change->to);
    if (is_of_blocks)
        process_wake_lanes(); /* they throw their next point again */
}

/* A process decides nothing before its trace is a file, because the price of a record is unknown. A
 * forked child knows its prices. */
static void look(struct lane *lane)
{
    struct pace_change changes[PACE_CHANGES_MAX];
    unsigned count;

    lock_take(&process->lock);
    count = process_prices.is_known ? decide(&process->budget, changes) : 0;
    lock_release(&process->lock);
    for (unsigned i = 0; i < count; i++)
        make(lane, &changes[i]);
}

/* Of the threads that come now, one wins the look.  Adding up takes longer the more slots the
 * program has. */
uint64_t budget_look_up(struct lane *lane, uint64_t now)
{
    struct budget *budget = &process->budget;
    uint64_t due = atomic_load(&budget->due_ticks);
    uint64_t second = clock_ticks_of(SECOND_NS), start, took, interval;

    if (!settings_has_budget())
        return UINT64_MAX;
    if (now < due && due - now < SOON_SECONDS * second)
        return due;
    if (!atomic_compare_exchange_strong(&budget->due_ticks, &due, now + second))
        return now + second;
    start = clock_read(); /* `now` may be long ago: the trace became a file in between */
    look(lane);
    took = LOOK_PARTS * (clock_read() - start);
    interval = clock_ticks_of(pace_interval_ns(&budget->pace));
    due = now + (took > interval ? took : interval);
    atomic_store(&budget->due_ticks, due);
    return due;
}

/* ---- the file ------------------------------------------------------------------------- */

bool budget_begin(void)
{
    const bool has_chains = settings.alloc == SETTINGS_ALLOC_FULL;
    const bool has_blocks = has_chains || settings.alloc == SETTINGS_ALLOC_NOSTACK;
    const struct pace_terms terms = {
        .overhead_ppm = settings.overhead_ppm - settings.overhead_ppm / UNSEEN_PARTS,
        .disk_bytes = settings.disk_bytes,
        .credit_ms = process->is_root ? CREDIT_MS : CHILD_CREDIT_MS,
        .distance = stages_distance(),
        .interval_ns = settings.interval_ns,
        .has_chains = has_chains,
        .has_blocks = has_blocks,
        .is_distance_free = has_blocks,
    };

    pace_start(&process->budget.pace, &terms);
    process->budget.cpu_begin_ns = calls_clock(CLOCK_PROCESS_CPUTIME_ID);
    return true;
}

/* The first look may be due: a budget that is very small is exceeded by then. */
void budget_keep(void)
{
    budget_set_limits();
    atomic_store(&process->budget.due_ticks, 0);
    process_wake_lanes();
}

void budget_end(void)
{
    if (settings_has_budget())
        enter(&process->budget);
}
