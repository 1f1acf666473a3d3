/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing a lane's tree of calls: chunks, and the index that finds a call below its parent.
 */
#include "chain/tree.h"

#include <string.h>

#include "chain/lane_chain.h"
#include "chain/walk_clock.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "record/budget.h"
#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/process_keep.h"
#include "record/settings.h"
#include "record/slow.h"
#include "unwind/rules.h"

_Static_assert((int)LANE_ENTRY_BITS <= (int)GUESS_CALL_BITS &&
                   LANE_CHAIN_FRAMES <= 1 << GUESS_FRAME_BITS,
               "a guess has room for all calls of a tree and all frames of a chain");

static void set_stack_chunk(struct lane_calls *calls, struct trace_chunk *chunk)
{
    calls->tables[calls->table_count++] = (struct trace_call *)chunk;
    calls->next =
        chunk->sequence * TRACE_STACK_CALLS + (uint32_t)(sizeof *chunk / sizeof(struct trace_call));
}

static void open_chains(struct lane *lane)
{
    struct lane_calls *calls = memory_keep_wiped(sizeof *calls);
    struct lane_chain *chain = memory_keep_wiped(sizeof *chain);
    uint32_t *index = memory_keep_wiped(LANE_CALLS_FIRST * sizeof *index);
    struct trace_chunk *chunk =
        lane->number == 1
            ? file_image_stacks(&process->file)
            : file_claim(&process->file, TRACE_STACKS, lane->number, 0, TRACE_STACK_CHUNK_SIZE);

    if (!calls || !chain || !index || !chunk || !rules_init())
        return;
    calls->index = index;
    calls->index_mask = LANE_CALLS_FIRST - 1;
    set_stack_chunk(calls, chunk);
    lane_chain_forget(chain);
    chain->epoch = atomic_load_explicit(&rules_epoch, memory_order_acquire); /* no cached rules */
    walk_clock_init(chain);
    if (settings_takes_chains()) {
        lane->calls = calls;
        lane->chain = chain;
    } else {
        lane->sample_calls = calls;
        lane->sample_chain = chain;
    }
}

void tree_open(struct lane *lane)
{
    if ((settings_takes_chains() || settings.samples) &&
        (lane->number == 1 || budget_has_room_for_stacks()))
        open_chains(lane);
}

static void insert_call(struct lane_calls *calls, uint64_t hash, uint32_t number)
{
    uint32_t at = (uint32_t)(hash >> 32) & calls->index_mask;

    while (calls->index[at] != 0)
        at = (at + 1) & calls->index_mask;
    calls->index[at] = tree_entry_tag(hash) << LANE_ENTRY_BITS | (number - tree_first_call(calls));
    calls->indexed++;
}

/* Twice the index, filled from the tree. */
static bool grow_calls_index(struct lane_calls *calls)
{
    uint32_t old_count = calls->index_mask + 1;
    uint32_t *old = calls->index;
    uint32_t *bigger = memory_map_wiped(2 * (size_t)old_count * sizeof *bigger);

    if (!bigger)
        return false;
    memory_fill(bigger, 2 * (size_t)old_count * sizeof *bigger);
    calls->index = bigger;
    calls->index_mask = 2 * old_count - 1;
    calls->indexed = 0;
    for (uint32_t i = 0; i < old_count; i++) {
        uint32_t number = tree_entry_number(calls, old[i]);

        if (old[i] != 0)
            insert_call(calls, tree_hash(tree_call(calls, number)), number);
    }
    if (old_count > LANE_CALLS_FIRST)
        memory_unmap(old, old_count * sizeof *old);
    return true;
}

/* Chains beyond the budget are no reason to wait with other chunks. */
static bool add_stack_chunk(struct lane *lane)
{
    struct lane_calls *calls = lane->calls;
    struct trace_chunk *chunk = NULL;
    uint64_t now = clock_read();
    bool is_in_budget;

    if (calls->table_count == LANE_STACK_TABLES || calls->next >> TRACE_CELL_BITS != 0 ||
        !lane_may_claim(lane, now))
        return false;
    lock_take(&process->lock);
    is_in_budget = budget_has_room_for_stacks();
    if (is_in_budget && process_keep())
        chunk = file_claim(&process->file, TRACE_STACKS, lane->number,
                           calls->first_table + calls->table_count, TRACE_STACK_CHUNK_SIZE);
    lock_release(&process->lock);
    lane_note_claim(lane, chunk != NULL || !is_in_budget, now);
    if (chunk)
        set_stack_chunk(calls, chunk);
    return chunk != NULL;
}

static bool has_room_in_chunk(const struct lane_calls *calls)
{
    return calls->next < (calls->first_table + calls->table_count) * TRACE_STACK_CALLS;
}

static bool has_room_in_index(const struct lane_calls *calls)
{
    return 4 * (uint64_t)calls->indexed <= 3 * (uint64_t)calls->index_mask;
}

/* A lane with so many calls that they fill a chunk uses its caches all over. */
static void fill_caches(struct lane *lane)
{
    if (lane->calls->table_count == 1 && lane->calls->first_table == 0)
        memory_fill(lane->chain, sizeof *lane->chain);
}

static REALIGNED bool make_room_for_call(struct lane *lane)
{
    struct lane_calls *calls = lane->calls;
    struct slow slow;
    bool has_room;

    if (!has_room_in_chunk(calls) && clock_read() < lane->retry_ticks)
        return false;
    slow_begin(&slow);
    fill_caches(lane);
    has_room = (has_room_in_chunk(calls) || add_stack_chunk(lane)) &&
               (has_room_in_index(calls) || grow_calls_index(calls));
    slow_end(&slow);
    return has_room;
}

/* The last chunk continues; the calls of the old tree stay in the trace. */
void tree_begin(struct lane *lane)
{
    struct lane_calls *calls = lane->calls;
    struct slow slow;
    uint32_t last = calls->table_count - 1;

    slow_begin(&slow);
    for (uint32_t i = 0; i < last; i++)
        file_unmap(&process->file, (struct trace_chunk *)calls->tables[i]);
    calls->tables[0] = calls->tables[last];
    calls->first_table += last;
    calls->table_count = 1;
    memset(calls->index, 0, (calls->index_mask + 1) * sizeof *calls->index);
    calls->indexed = 0;
    memset(lane->chain->joins, 0, sizeof lane->chain->joins);
    successors_clear(&lane->chain->successors);
    mixed_forget(&lane->chain->mixed);
    lane_chain_forget(lane->chain);
    slow_end(&slow);
}

uint32_t tree_add_call(struct lane *lane, const struct trace_call *call, uint64_t hash)
{
    struct lane_calls *calls = lane->calls;
    struct trace_chunk *chunk;
    uint32_t number;

    if (UNLIKELY(!has_room_in_chunk(calls) || !has_room_in_index(calls)) &&
        !make_room_for_call(lane)) {
        atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_chains, 1);
        return 0;
    }
    number = calls->next++;
    *tree_call(calls, number) = *call;
    insert_call(calls, hash, number);
    chunk = (struct trace_chunk *)calls->tables[number / TRACE_STACK_CALLS - calls->first_table];
    atomic_store_explicit((_Atomic uint64_t *)&chunk->used,
                          (number % TRACE_STACK_CALLS + 1) * sizeof *call, memory_order_release);
    return number;
}
