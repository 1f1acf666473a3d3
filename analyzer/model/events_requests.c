/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests that the program serves: how long each took.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <stdlib.h>

#include "base/hash.h"

struct events_request {
    uint64_t id;
    uint64_t begin_ticks;
    UT_hash_handle hh;
};

void events_free_requests(struct events *events)
{
    struct events_request *request;
    struct events_request *next;

    HASH_ITER(hh, events->requests, request, next)
    {
        HASH_DEL(events->requests, request);
        free(request);
    }
}

void events_on_request_begin(struct events *events, const struct reader_event *event)
{
    struct events_request *request;

    HASH_FIND(hh, events->requests, event->words, sizeof request->id, request);
    if (request) {
        request->begin_ticks = event->ticks;
        return;
    }
    request = memory_get_zeros(1, sizeof *request);
    request->id = event->words[0];
    request->begin_ticks = event->ticks;
    HASH_ADD(hh, events->requests, id, sizeof request->id, request);
    return;
    free(request);
}

/* A request may end on another thread than it began. */
void events_on_request_end(struct events *events, const struct reader_event *event)
{
    struct events_request *request;

    events->session->requests++;
    HASH_FIND(hh, events->requests, event->words, sizeof request->id, request);
    if (!request)
        return;
    uint64_t ticks = event->ticks - request->begin_ticks;
    HASH_DEL(events->requests, request);
    free(request);
    uint64_t *duration_ns = array_add(&events->session->requests_ns);
    *duration_ns = clock_convert_length(events->from.clock, ticks);
}
