/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of waiting calls.
 */
#include "model/tallies_parts.h"

#include <string.h>

#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

struct row {
    const char *name;
    enum trace_wait_class class;
    bool has_bytes;
};

enum result {
    RESULT_BYTES,
    RESULT_ITEMS,
    RESULT_CHECKED_ITEMS,
    RESULT_NOTHING,
    RESULT_CLOSES,
    RESULT_OURS,
    RESULT_WAKES
};

static const struct row rows[TRACE_WAIT_CALLS] = {
#define WAIT(call, name, class, object, argument, result, attempt)                                 \
    [TRACE_WAIT_##call] = {name, TRACE_WAIT_CLASS_##class, RESULT_##result <= RESULT_CHECKED_ITEMS},
#include "spec/waits.def"
#undef WAIT
};

/* Untimed calls are like the short ones among the timed calls: a longer one would soon have been
 * timed. */
static uint64_t untimed_ticks(const struct trace_wait *raw)
{
    uint64_t calls = raw->calls > raw->slow_calls ? raw->calls - raw->slow_calls : 0;
    uint64_t ticks = raw->ticks > raw->slow_ticks ? raw->ticks - raw->slow_ticks : 0;

    return calls > 0 ? (uint64_t)((double)ticks / (double)calls * (double)raw->untimed) : 0;
}

/* Returns: the share of processor time in the calls whose processor time was read. */
static double processor_share(const struct tallies *tallies, const struct trace_wait *raw)
{
    double ns = (double)clock_convert_length(tallies->clock, raw->cpu_ticks);

    return ns > (double)raw->cpu_ns ? (double)raw->cpu_ns / ns : 1;
}

static void set_times(const struct tallies *tallies, const struct trace_wait *raw,
                      struct session_wait *wait)
{
    wait->calls = raw->calls + raw->untimed;
    wait->timed_calls = raw->calls;
    wait->total_ns = clock_convert_length(tallies->clock, raw->ticks + untimed_ticks(raw));
    wait->waiting_ns = (uint64_t)((double)wait->total_ns * (1 - processor_share(tallies, raw)));
    wait->min_ns = clock_convert_length(tallies->clock, raw->min_ticks);
    wait->max_ns = clock_convert_length(tallies->clock, raw->max_ticks);
}

/* A read from a socket waits for the network, whatever the function. */
static enum trace_wait_class class_of(const struct session_wait *wait, const struct row *row)
{
    return row->class == TRACE_WAIT_CLASS_IO && wait->name && wait->kind == TRACE_WAITED_SOCKET
               ? TRACE_WAIT_CLASS_NETWORK
               : row->class;
}

/* The names of reading functions show it; those of writing functions do not. */
static bool is_input(const struct session_wait *wait)
{
    static const char *const words[] = {"read", "recv", "fgets", "getline", "getdelim"};

    if (wait->class != TRACE_WAIT_CLASS_IO && wait->class != TRACE_WAIT_CLASS_NETWORK)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(wait->function, words[i]))
            return true;
    return false;
}

void tallies_describe_wait(struct tallies *tallies, const struct trace_wait *raw,
                           struct session_wait *wait)
{
    const struct row *row = &rows[raw->call < TRACE_WAIT_CALLS ? raw->call : 0];
    const struct facts_waited waited = facts_find_waited(tallies->facts, raw->waited);

    *wait = (struct session_wait){.call = raw->call, .address = raw->address, .owner = raw->owner};
    wait->function = row->name;
    wait->name = waited.name;
    wait->kind = waited.kind;
    wait->inode = waited.inode;
    wait->class = class_of(wait, row);
    wait->is_input = is_input(wait);
}

void waits_add(struct tallies *tallies, const struct trace_wait *raw,
               const struct tallies_cell *node)
{
    struct session_wait *wait = array_add(&tallies->session->waits);
    const struct row *row = &rows[raw->call];

    tallies_describe_wait(tallies, raw, wait);
    wait->thread = node->thread;
    wait->region = node->index;
    wait->op = node->op;
    wait->is_in_kernel = (raw->flags & TRACE_WAIT_IN_KERNEL) != 0;
    wait->has_bytes = row->has_bytes;
    wait->site = raw->site;
    wait->chain = SESSION_NONE;
    wait->bytes = raw->bytes;
    set_times(tallies, raw, wait);
}
