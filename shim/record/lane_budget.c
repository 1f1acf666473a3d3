/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judges a full chunk by the cost of its records; each kind has its own price.  Called by a lane's
 * thread when it opens the next chunk.
 *
 * Only kernels can be left out and still be counted, so kernels are reduced.  Their budget is the
 * part that records of blocks and regions leave.  If those alone exceed the budget, kernels are
 * judged as if the others did not exist; the analyzer reports the cause.
 */
#include "record/lane_budget.h"

#include "record/budget.h"
#include "record/process.h"
#include "record/settings.h"
#include "spec/event_words.h"

/* The first eighth of a chunk represents all of it: reading the whole chunk took 4 ns a record,
 * half as long as writing it. */
enum { PARTS = 8, MILLION = 1000000 };

struct counts {
    uint64_t of[1 << TRACE_KIND_BITS]; /* by enum trace_event_kind */
};

static struct counts count_records(const struct trace_chunk *chunk)
{
    size_t words = (chunk->used - sizeof *chunk) / TRACE_WORD_SIZE;
    const uint64_t *first = (const uint64_t *)(chunk + 1);
    const uint64_t *record = first;
    uint64_t seen[1 << TRACE_KIND_BITS] = {0};
    struct counts counts = {0};

    while (record < first + words / PARTS) {
        seen[kind_of_record(record)]++;
        record += words_of_kind(kind_of_record(record)) + words_beyond_kind(record);
    }
    for (int kind = 0; kind < 1 << TRACE_KIND_BITS && record > first; kind++)
        counts.of[kind] = seen[kind] * words / (uint64_t)(record - first);
    return counts;
}

static uint64_t ticks_of(uint64_t count, uint64_t cost)
{
    return count * cost / TRACE_OVERHEAD_SCALE;
}

/* The cost of all records but those of kernels.  A region has two. */
static uint64_t ticks_of_others(const struct counts *counts, const struct trace_overhead *cost)
{
    uint64_t blocks = 0;

    for (int kind = TRACE_EVENT_MALLOC; kind <= TRACE_EVENT_RESTORE; kind++)
        blocks += counts->of[kind];
    return ticks_of(blocks, cost->allocation) +
           ticks_of(counts->of[TRACE_EVENT_ENTER] + counts->of[TRACE_EVENT_LEAVE], cost->region) /
               2;
}

static bool kernels_are_over(const struct trace_chunk *chunk, uint64_t budget_ticks)
{
    const struct trace_overhead *cost = &process->file.header->overhead;
    struct counts counts = count_records(chunk);
    uint64_t others = ticks_of_others(&counts, cost);
    uint64_t left = others < budget_ticks ? budget_ticks - others : budget_ticks;

    return ticks_of(counts.of[TRACE_EVENT_KERNEL], cost->kernel) > left;
}

/* The part of some time that recording may take. */
static uint64_t part_of(uint64_t ticks)
{
    if (ticks > UINT64_MAX / MILLION)
        return ticks / MILLION * settings.overhead_ppm;
    return ticks * settings.overhead_ppm / MILLION;
}

/* The budget is for the time since the chunk was opened. */
void lane_budget_judge(struct lane *lane, uint64_t now)
{
    uint64_t kernel = process->file.header->overhead.kernel;

    if (!budget_is_in_force() || lane->specials & LANE_OVER_BUDGET ||
        !kernels_are_over(lane->chunk, part_of(now - lane->chunk->clock.ticks)))
        return;
    lane->sampled_ticks = ticks_of(MILLION, kernel) / settings.overhead_ppm;
    lane->specials |= LANE_OVER_BUDGET;
}
