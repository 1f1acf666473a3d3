/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of long calls, found in a sorted list.
 */
#include "waits/wait_parts.h"

#include <stdlib.h>

#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

typedef const struct session_wait_call *long_call;

static int compare_calls(const void *left, const void *right)
{
    const long_call a = *(const long_call *)left, b = *(const long_call *)right;

    if (a->wait != b->wait)
        return a->wait < b->wait ? -1 : 1;
    return (a->chain > b->chain) - (a->chain < b->chain);
}

void wait_parts_init(struct wait_parts *parts, const struct session *session)
{
    parts->session = session;
    array_init(&parts->calls, sizeof(long_call));
    for (size_t i = 0; i < session->wait_calls.count; i++)
        *(long_call *)array_add(&parts->calls) = session_wait_call_at(session, i);
    if (parts->calls.count > 0)
        qsort(parts->calls.items, parts->calls.count, sizeof(long_call), compare_calls);
}

static uint64_t length_of(const struct session_wait_call *call)
{
    return call->end_ns - call->start_ns;
}

static void add_call(struct session_wait *part, const struct session_wait_call *call)
{
    const uint64_t ns = length_of(call);

    part->calls++;
    part->timed_calls++;
    part->total_ns += ns;
    part->bytes += call->bytes;
    part->max_ns = ns > part->max_ns ? ns : part->max_ns;
    part->chained_ns = part->max_ns;
}

static uint64_t less(uint64_t whole, uint64_t part)
{
    return whole > part ? whole - part : 0;
}

static void take_from(struct session_wait *rest, const struct session_wait *part)
{
    rest->calls = less(rest->calls, part->calls);
    rest->timed_calls = less(rest->timed_calls, part->timed_calls);
    rest->total_ns = less(rest->total_ns, part->total_ns);
    rest->waiting_ns = less(rest->waiting_ns, part->waiting_ns);
    rest->bytes = less(rest->bytes, part->bytes);
}

/* A part has more than one call in a row: those of one chain. */
static size_t take_chain(const struct wait_parts *parts, size_t from, struct session_wait *part)
{
    const long_call *calls = parts->calls.items;
    size_t i = from;

    for (; i < parts->calls.count && calls[i]->wait == calls[from]->wait &&
           calls[i]->chain == calls[from]->chain;
         i++)
        add_call(part, calls[i]);
    return i;
}

void wait_parts_of(const struct wait_parts *parts, size_t index, struct array *of)
{
    const struct session_wait *wait = session_wait_at(parts->session, index);
    const struct session_wait_call first = {.wait = (uint32_t)index};
    const long_call key = &first, *calls = parts->calls.items;
    size_t i = array_first_from(&parts->calls, &key, compare_calls);

    array_init(of, sizeof(struct session_wait));
    *(struct session_wait *)array_add(of) = *wait;
    while (i < parts->calls.count && calls[i]->wait == index && calls[i]->chain != SESSION_NONE) {
        struct session_wait part = *wait;

        part.calls = part.timed_calls = part.total_ns = part.bytes = part.max_ns = 0;
        part.chain = calls[i]->chain;
        i = take_chain(parts, i, &part);
        if (part.chain == wait->chain || wait->total_ns == 0)
            continue;
        part.waiting_ns =
            (uint64_t)((double)wait->waiting_ns * (double)part.total_ns / (double)wait->total_ns);
        take_from(array_at(of, 0), &part);
        *(struct session_wait *)array_add(of) = part;
    }
}
