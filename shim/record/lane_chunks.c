/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claiming chunks for a lane, for its records and for its cells.
 *
 * Runs at the first record of a thread, and when a chunk is full.  The lane is BUSY, so that
 * nothing here can record; errno and the vector registers are kept.
 */
#include "record/lane_chunks.h"

#include "platform/clock.h"
#include "platform/memory.h"
#include "record/budget.h"
#include "record/call_draws.h"
#include "record/lane_budget.h"
#include "record/process.h"
#include "record/process_keep.h"
#include "record/settings.h"
#include "record/slow.h"
#include "record/tally_key.h"

enum {
    RETRY_NS = 100000000, /* until a refused chunk is claimed again */
    STEP_BACK_NS = 1000000000,
    TIME_WORDS = 2,       /* words of a TIME record, which any record may need before it */
    CHUNK_FIRST = FILE_UNIT,
    CHUNK_LARGEST = 8 * FILE_UNIT,
    CHUNKS_IN_CAPACITY = 16,
    CHUNKS_IN_LEFT = 1024
};

bool lane_may_claim(const struct lane *lane, uint64_t now)
{
    return now >= lane->retry_ticks && !process_is_sandboxed();
}

void lane_note_claim(struct lane *lane, bool is_claimed, uint64_t now)
{
    lane->retry_ticks = is_claimed ? 0 : now + clock_ticks_of(RETRY_NS);
}

static void set_event_chunk(struct lane *lane, struct trace_chunk *chunk)
{
    lane->chunk = chunk;
    lane->cursor = (uint64_t *)(chunk + 1);
    lane->limit = (uint64_t *)((char *)chunk + chunk->size);
    lane->time = chunk->clock.ticks;
    lane->event_bytes = chunk->size;
}

static bool claim_tallies(struct lane *lane)
{
    struct trace_chunk *tallies = NULL;

    if (lane->number == 1)
        tallies = file_image_tallies(&process->file);
    else if (process_keep())
        tallies =
            file_claim(&process->file, TRACE_TALLIES, lane->number, 0, TRACE_TALLY_CHUNK_SIZE);
    if (!tallies)
        return false;
    lane->tables[0] = (union trace_cell *)tallies;
    lane->open = (struct trace_open *)(tallies + 1);
    lane->table_count = 1;
    lane->cell_count = 1;
    return true;
}

static bool claim_events(struct lane *lane)
{
    struct trace_chunk *events =
        lane->number == 1 ? file_image_events(&process->file)
                          : file_claim_events(&process->file, lane->number, 0, CHUNK_FIRST);

    if (events)
        set_event_chunk(lane, events);
    return events != NULL;
}

bool lane_claim_first(struct lane *lane)
{
    return (lane->table_count > 0 || claim_tallies(lane)) && claim_events(lane);
}

static uint64_t lesser(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* Chunks grow with use; each is a small part of the room in a budget or a capacity. */
static uint64_t next_chunk_size(const struct lane *lane)
{
    uint64_t size = lesser(2 * lane->event_bytes, CHUNK_LARGEST);

    size = lesser(size, settings.capacity_bytes != 0 ? settings.capacity_bytes / CHUNKS_IN_CAPACITY
                                                     : budget_bytes_left() / CHUNKS_IN_LEFT);
    return size > CHUNK_FIRST ? size / FILE_UNIT * FILE_UNIT : CHUNK_FIRST;
}

/* The chain of a lost record would be useless. */
static void rest_chains(struct lane *lane)
{
    if (!lane->chain)
        return;
    lane->idle_chain = lane->chain;
    lane->idle_calls = lane->calls;
    lane->chain = NULL;
    lane->calls = NULL;
}

static void resume_chains(struct lane *lane)
{
    if (!lane->idle_chain)
        return;
    lane->chain = lane->idle_chain;
    lane->calls = lane->idle_calls;
    lane->idle_chain = NULL;
    lane->idle_calls = NULL;
}

static void go_on_in(struct lane *lane, struct trace_chunk *chunk, uint64_t now)
{
    lane_budget_judge(lane, now);
    call_draws_adopt(lane);
    lane->full_bytes += lane->chunk->used - sizeof *lane->chunk;
    file_release_events(&process->file, lane->chunk);
    lane->sequence++;
    set_event_chunk(lane, chunk);
    resume_chains(lane);
}

/* If the budget has no more room for events, it still has room for tallies. */
static bool open_next_chunk(struct lane *lane, uint64_t now)
{
    struct trace_chunk *chunk = NULL;
    uint64_t size;
    bool is_in_budget;

    if (!lane_may_claim(lane, now))
        return false;
    lock_take(&process->lock);
    size = next_chunk_size(lane);
    is_in_budget = file_is_in_budget(&process->file, TRACE_EVENTS, size);
    if (process_keep())
        chunk = file_claim_events(&process->file, lane->number, lane->sequence + 1, size);
    if (chunk)
        go_on_in(lane, chunk, now);
    else if (process->file.is_cut)
        process_cut();
    budget_note_claim(lane);
    lock_release(&process->lock);
    lane->retry_events_ticks = chunk ? 0 : now + clock_ticks_of(RETRY_NS);
    lane_note_claim(lane, chunk != NULL || !is_in_budget, now);
    if (!chunk)
        rest_chains(lane);
    return chunk != NULL;
}

/* A counter that restarts when a machine resumes leaves deadlines far ahead. */
static void note_step_back(struct lane *lane, uint64_t now)
{
    if (now < lane->time && lane->time - now > clock_ticks_of(STEP_BACK_NS))
        lane->deadline = lane->retry_ticks = lane->retry_events_ticks = 0;
}

static void write_time(struct lane *lane, uint64_t now)
{
    note_step_back(lane, now);
    lane->cursor[0] = TRACE_EVENT_TIME;
    lane->cursor[1] = now;
    lane->time = now;
    lane_commit(lane, TIME_WORDS);
}

bool lane_has_room(const struct lane *lane, unsigned words)
{
    return lane->cursor + TIME_WORDS + words <= lane->limit;
}

/* A trace that can no longer grow costs two comparisons a record: the kernel is not asked before
 * the next try is due. */
static bool make_room(struct lane *lane, uint64_t now, unsigned words)
{
    struct slow slow;
    bool has_room = lane_has_room(lane, words);

    if (has_room || now < lane->retry_events_ticks || now < lane->retry_ticks)
        return has_room;
    slow_begin(&slow);
    has_room = open_next_chunk(lane, now);
    slow_end(&slow);
    return has_room;
}

bool lane_make_room(struct lane *lane, uint64_t now, unsigned words, unsigned delta_bits,
                    unsigned shift)
{
    if (!make_room(lane, now, words)) {
        lane->thread_node->lost_records++;
        return false;
    }
    if (now < lane->time || ((now - lane->time) >> shift) >> delta_bits != 0)
        write_time(lane, now);
    return true;
}

static void index_insert(struct lane *lane, uint64_t hash, struct lane_place place)
{
    uint32_t at = (uint32_t)hash & lane->index_mask;

    while (lane->index[at].cell)
        at = (at + 1) & lane->index_mask;
    lane->index[at] = place;
}

/* Twice the index, filled from the old one. */
static bool grow_index(struct lane *lane)
{
    struct lane_place *old = lane->index;
    uint32_t old_count = lane->index_mask + 1;
    struct lane_place *bigger = memory_map_wiped(2 * (size_t)old_count * sizeof *bigger);

    if (!bigger)
        return false;
    memory_fill(bigger, 2 * (size_t)old_count * sizeof *bigger);
    lane->index = bigger;
    lane->index_mask = 2 * old_count - 1;
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].cell)
            index_insert(lane, tally_hash_cell(old[i].cell), old[i]);
    if (old_count > LANE_INDEX_FIRST)
        memory_unmap(old, old_count * sizeof *old);
    return true;
}

static bool add_table(struct lane *lane)
{
    struct trace_chunk *chunk;

    if (!process_keep())
        return false;
    chunk = file_claim(&process->file, TRACE_TALLIES, lane->number, lane->table_count,
                       TRACE_TALLY_CHUNK_SIZE);
    if (!chunk)
        return false;
    lane->tables[lane->table_count++] = (union trace_cell *)chunk;
    lane->cell_count++; /* its first cell is its head */
    return true;
}

/* A thread that does not own the lane yet holds the process lock; the lane's owner does not. */
static bool add_table_locked(struct lane *lane)
{
    bool is_held = lane != lane_self;
    uint64_t now = clock_read();
    bool is_added;

    if (lane->table_count == LANE_TABLES_MAX || !lane_may_claim(lane, now))
        return false;
    if (!is_held)
        lock_take(&process->lock);
    is_added = add_table(lane);
    if (!is_held)
        lock_release(&process->lock);
    lane_note_claim(lane, is_added, now);
    return is_added;
}

static bool is_table_full(const struct lane *lane)
{
    return lane->cell_count == lane->table_count * TRACE_TALLY_CELLS;
}

static bool is_index_full(const struct lane *lane)
{
    return 2 * lane->cell_count > lane->index_mask;
}

static COLD bool make_cell_room(struct lane *lane)
{
    struct slow slow;
    bool has_room = true;

    if (is_table_full(lane) && clock_read() < lane->retry_ticks)
        return false;
    slow_begin(&slow);
    if (is_table_full(lane))
        has_room = add_table_locked(lane);
    if (has_room && is_index_full(lane))
        has_room = grow_index(lane);
    slow_end(&slow);
    return has_room;
}

union trace_cell *lane_add_cell(struct lane *lane, uint64_t hash, uint32_t *number)
{
    struct trace_chunk *table;

    if ((is_table_full(lane) || is_index_full(lane)) && !make_cell_room(lane))
        return NULL;
    *number = lane->cell_count++;
    index_insert(lane, hash, (struct lane_place){lane_cell(lane, *number), *number});
    table = (struct trace_chunk *)lane->tables[*number / TRACE_TALLY_CELLS];
    table->used = (*number % TRACE_TALLY_CELLS + 1) * sizeof(union trace_cell);
    return lane_cell(lane, *number);
}
