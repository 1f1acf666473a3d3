/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that can be joined: those that are neither joined nor detached keep their stacks, also
 * after their end.
 *
 * A thread may detach itself before its creator has written its record.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tdestroy */
#endif
#include "model/events_parts.h"

#include <search.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* Between the end of pthread_create and its record.  A processor may run others meanwhile. */
static const uint64_t late_ns = 1000000000;

/* A thread by its pthread_t, which another may get later. */
struct joinable {
    uint64_t identity;
    uint64_t stack_bytes;
    uint32_t chain;
    bool is_gone; /* joined or detached, and its own record has not come */
    uint64_t gone_ticks;
};

static int compare(const void *left, const void *right)
{
    const struct joinable *a = left, *b = right;

    return (a->identity > b->identity) - (a->identity < b->identity);
}

static struct joinable *find(const struct events *events, uint64_t identity)
{
    const struct joinable key = {.identity = identity};
    struct joinable *const *found = tfind(&key, &events->joinable, compare);

    return found ? *found : NULL;
}

static struct joinable *find_or_add(struct events *events, uint64_t identity)
{
    struct joinable *thread = find(events, identity);

    if (thread)
        return thread;
    thread = memory_get_zeros(1, sizeof *thread);
    thread->identity = identity;
    memory_have(tsearch(thread, &events->joinable, compare));
    return thread;
}

static void drop(struct events *events, struct joinable *thread)
{
    tdelete(thread, &events->joinable, compare);
    free(thread);
}

/* If the thread of this pthread_t was not joined, another one could not get it: its record is
 * missing. */
void events_on_thread(struct events *events, const struct reader_event *event)
{
    struct joinable *thread = find_or_add(events, event->words[0]);

    if (thread->is_gone &&
        event->ticks - thread->gone_ticks < clock_find_length(events->from.clock, late_ns)) {
        drop(events, thread);
        return;
    }
    thread->is_gone = false;
    thread->stack_bytes = event->words[1];
    thread->chain = SESSION_NONE;
    if (event->words[2] != 0)
        chains_find_call(events->from.chains, events_find_lane(events, event)->chains,
                         event->words[2] < UINT32_MAX ? (uint32_t)event->words[2] : UINT32_MAX,
                         &thread->chain);
}

void events_on_joined(struct events *events, const struct reader_event *event)
{
    struct joinable *thread = find(events, event->words[0]);

    if (thread && !thread->is_gone) {
        drop(events, thread);
        return;
    }
    thread = find_or_add(events, event->words[0]);
    thread->is_gone = true;
    thread->gone_ticks = event->ticks;
}

/* ---- the end ---------------------------------------------------------------------------- */

static struct session_unjoined *find_row(struct session *session, uint32_t chain)
{
    struct session_unjoined *row = session->unjoined.items;

    for (size_t i = 0; i < session->unjoined.count; i++)
        if (row[i].chain == chain)
            return &row[i];
    row = array_add(&session->unjoined);
    *row = (struct session_unjoined){.chain = chain};
    return row;
}

static void add_bytes(uint64_t *sum, uint64_t bytes)
{
    *sum = bytes == 0 || *sum == SESSION_UNKNOWN ? SESSION_UNKNOWN : *sum + bytes;
}

static void add_to_row(struct session *session, const struct joinable *thread)
{
    struct session_unjoined *row;

    if (thread->is_gone)
        return;
    row = find_row(session, thread->chain);
    row->count++;
    add_bytes(&row->stack_bytes, thread->stack_bytes);
}

/* A node of the tree starts with the address of its thread. */
void events_settle_threads(struct events *events)
{
    while (events->joinable) {
        struct joinable *thread = *(struct joinable *const *)events->joinable;

        add_to_row(events->session, thread);
        drop(events, thread);
    }
}

void events_free_threads(struct events *events)
{
    tdestroy(events->joinable, free);
    events->joinable = NULL;
}
