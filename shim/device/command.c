/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells and records of commands.  Runs in calls of the program; command.h has the budget.
 */
#include "device/command.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "call/probe.h"
#include "chain/callchain.h"
#include "device/state.h"
#include "python/sites.h"
#include "record/extended.h"
#include "record/lane.h"
#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/tally.h"

enum { FLAGS_SHIFT = 56 };

/* The first words of a cell. */
struct key {
    uint64_t what;
    uint64_t node;
    uint64_t site;
    uint64_t name;
};

_Static_assert(offsetof(struct trace_command, what) == 4 &&
                   offsetof(struct trace_command, flags) == 6 &&
                   offsetof(struct trace_command, node) == 8 &&
                   offsetof(struct trace_command, queue) == 12 &&
                   offsetof(struct trace_command, site) == 16 &&
                   offsetof(struct trace_command, name) == 24 &&
                   offsetof(struct trace_command, slot) == 28,
               "the cell of a command begins like its key");

/* A library that computes on a device is a kernel of the catalog: its call has these commands. */
static uint32_t find_slot(const struct lane *lane)
{
    const struct probe *probe;

    if (LIKELY(lane->frame_depth == 0))
        return 0;
    probe = lane->frames[lane->frame_depth - 1].owner;
    return probe->slot_number;
}

static struct key key_of(const struct lane *lane, const struct device_command *command,
                         uintptr_t site)
{
    const uint64_t flags = command->flags & (TRACE_COMMAND_BLOCKS | TRACE_COMMAND_PINNED);

    return (struct key){
        TRACE_CELL_COMMAND | (uint64_t)command->what << 32 | flags << 48,
        lane->node_index | (uint64_t)command->queue << 32,
        site,
        command->name | (uint64_t)find_slot(lane) << 32,
    };
}

static ALWAYS_INLINE bool is_of(const struct trace_command *cell, const struct key *key)
{
    typedef uint64_t MAY_ALIAS any_word;
    const any_word *words = (const any_word *)cell;

    return ((words[0] ^ key->what) | (words[1] ^ key->node) | (words[2] ^ key->site) |
            (words[3] ^ key->name)) == 0;
}

static COLD struct lane_place add_cell(struct lane *lane, const struct key *key, uint64_t hash)
{
    struct lane_place place = {0};
    struct trace_command *cell;

    lane_keep();
    place.cell = lane_add_cell(lane, hash, &place.number);
    if (!place.cell)
        return (struct lane_place){0};
    cell = &place.cell->command;
    cell->what = (uint16_t)(key->what >> 32);
    cell->flags = (uint16_t)(key->what >> 48);
    cell->node = (uint32_t)key->node;
    cell->queue = (uint32_t)(key->node >> 32);
    cell->site = key->site;
    cell->name = (uint32_t)key->name;
    cell->slot = (uint32_t)(key->name >> 32);
    cell->min_ns = UINT64_MAX;
    tally_publish(place.cell, TRACE_CELL_COMMAND);
    return place;
}

static struct lane_place find_cell(struct lane *lane, const struct key *key)
{
    uint64_t hash = tally_hash_command(key->what, key->node, key->site, key->name);
    uint32_t at = (uint32_t)hash & lane->index_mask;

    for (; lane->index[at].cell; at = (at + 1) & lane->index_mask)
        if (LIKELY(is_of(&lane->index[at].cell->command, key)))
            return lane->index[at];
    return add_cell(lane, key, hash);
}

static void count_call(struct trace_command *cell, const struct device_command *command,
                       bool is_asked)
{
    cell->host_ticks += command->end - command->start;
    if (!is_asked) {
        cell->refused++;
        return;
    }
    cell->calls++;
    cell->bytes += command->bytes;
    cell->work += command->work;
}

/* Returns: the number of the command; 0: it has no record. */
static uint64_t write_record(struct lane *lane, const struct lane_place *place,
                             const struct device_command *command,
                             const struct unwind_state *caller)
{
    uint64_t words[5] = {
        (uint64_t)place->number << TRACE_CHAIN_BITS | (uint64_t)command->flags << FLAGS_SHIFT,
        atomic_fetch_add_explicit(&device_state->commands, 1, memory_order_relaxed) + 1,
        command->end - command->start,
        command->bytes,
        command->work,
    };

    if (lane->chain)
        words[0] |= callchain_take(lane, *caller);
    extended_write(lane, command->end, TRACE_EXTENDED_COMMAND, words, 5);
    return words[1];
}

static struct device_asked record(struct lane *lane, struct device_command *command,
                                  const struct unwind_state *caller, bool is_asked)
{
    const struct key key = key_of(lane, command, sites_of(caller->pc));
    const struct lane_place place = find_cell(lane, &key);
    struct device_asked asked = {0};

    if (!place.cell) {
        lane->thread_node->lost_records++;
        return asked;
    }
    asked.cell = &place.cell->command;
    asked.bytes = command->bytes;
    count_call(asked.cell, command, is_asked);
    if (is_asked && asked.cell->calls <= lane->events_each)
        asked.number = write_record(lane, &place, command, caller);
    if (!is_asked)
        asked.cell = NULL;
    return asked;
}

struct device_asked command_end(struct device_command *command, const struct unwind_state *caller,
                                bool is_asked)
{
    int saved_errno = errno;
    struct device_asked asked = {0};
    struct lane *lane;

    command->end = clock_read();
    lane = lane_enter();
    if (lane) {
        asked = record(lane, command, caller, is_asked);
        lane_check_deadline(lane, command->end);
        lane_leave(lane);
    }
    errno = saved_errno;
    return asked;
}

static void add(uint64_t *to, uint64_t value)
{
    atomic_fetch_add_explicit((_Atomic uint64_t *)to, value, memory_order_relaxed);
}

/* A clock that steps back makes no time of centuries. */
static uint64_t between(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

/* Another thread may time a command of this cell at the same moment. */
static void count_times(struct trace_command *cell, const struct device_times *times,
                        uint64_t bytes)
{
    uint64_t run_ns = between(times->started_ns, times->ended_ns);

    if (times->has_failed) {
        add(&cell->failed, 1);
        return;
    }
    add(&cell->timed, 1);
    add(&cell->run_ns, run_ns);
    add(&cell->wait_ns, between(times->queued_ns, times->started_ns));
    add(&cell->timed_bytes, bytes);
    if (run_ns < cell->min_ns)
        cell->min_ns = run_ns;
    if (run_ns > cell->max_ns)
        cell->max_ns = run_ns;
}

void command_time(const struct device_asked *asked, const struct device_times *times)
{
    int saved_errno = errno;
    const uint64_t flags = (times->has_failed ? TRACE_TIMES_FAILED : 0) |
                           (times->is_pageable ? TRACE_TIMES_PAGEABLE : 0);
    const uint64_t words[5] = {
        asked->number | flags << FLAGS_SHIFT,
        times->queued_ns,
        between(times->queued_ns, times->submitted_ns),
        between(times->submitted_ns, times->started_ns),
        between(times->started_ns, times->ended_ns),
    };
    struct lane *lane;

    if (!asked->cell)
        return;
    count_times(asked->cell, times, asked->bytes);
    lane = asked->number != 0 ? lane_enter() : NULL;
    if (lane) {
        extended_write(lane, clock_read(), TRACE_EXTENDED_COMMAND_TIMES, words, 5);
        lane_leave(lane);
    }
    errno = saved_errno;
}
