/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests that the program serves: those that it marks, and those of its connections.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/session_requests.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

struct events_request {
    uint64_t id;
    uint64_t begin_ticks;
    uint32_t thread;
    UT_hash_handle hh;
};

/* The last request of a connection, whose record may be written again. */
struct events_connection {
    uint32_t number;
    uint64_t start_ticks;
    size_t index; /* in session->served */
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

void events_free_connections(struct events *events)
{
    struct events_connection *connection;
    struct events_connection *next;

    HASH_ITER(hh, events->connections, connection, next)
    {
        HASH_DEL(events->connections, connection);
        free(connection);
    }
}

/* ---- marked by the program ------------------------------------------------------ */

void events_on_request_begin(struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);
    struct events_request *request;

    HASH_FIND(hh, events->requests, event->words, sizeof request->id, request);
    if (request) {
        request->begin_ticks = event->ticks;
        return;
    }
    request = memory_get_zeros(1, sizeof *request);
    request->id = event->words[0];
    request->begin_ticks = event->ticks;
    request->thread = events_find_thread(events, lane);
    HASH_ADD(hh, events->requests, id, sizeof request->id, request);
    return;
    free(request);
}

static void add_marked(struct events *events, const struct events_request *request,
                       const struct reader_event *event)
{
    const struct clock *clock = events->from.clock;
    struct session_request *served = array_add(&events->session->served);
    uint32_t thread = events_find_thread(events, events_find_lane(events, event));

    *served = (struct session_request){
        .start_ns = clock_convert(clock, request->begin_ticks),
        .length_ns = clock_convert_length(clock, event->ticks - request->begin_ticks),
        .first_ns = SESSION_UNKNOWN,
        .arrival_ns = SESSION_UNKNOWN,
        .proxy_ns = SESSION_UNKNOWN,
        .cpu_ns = SESSION_UNKNOWN,
        .bytes_in = SESSION_UNKNOWN,
        .bytes_out = SESSION_UNKNOWN,
        .kept_bytes = TRACE_REQUEST_KEPT_UNKNOWN,
        .id = request->id,
        .thread = request->thread,
        .queue = UINT32_MAX,
        .flags = thread != request->thread ? TRACE_REQUEST_HANDED : 0,
        .is_marked = true,
    };
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
    add_marked(events, request, event);
    HASH_DEL(events->requests, request);
    free(request);
    uint64_t *duration_ns = array_add(&events->session->requests_ns);
    *duration_ns = clock_convert_length(events->from.clock, ticks);
}

/* ---- of connections ---------------------------------------------------------------- */

/* The last thread of the lane with this id, else of any. */
static uint32_t find_thread(const struct events *events, const struct events_lane *lane,
                            uint32_t id)
{
    const struct session_thread *thread = events->session->threads.items;
    uint32_t present = events_find_thread(events, lane);

    if (present < events->session->threads.count && thread[present].id == id)
        return present;
    for (size_t i = events->session->threads.count; i > 0; i--)
        if (thread[i - 1].id == id)
            return (uint32_t)(i - 1);
    return SESSION_NONE;
}

static uint64_t known_ns(uint32_t microseconds)
{
    return microseconds == UINT32_MAX ? SESSION_UNKNOWN : (uint64_t)microseconds * 1000;
}

static bool is_called(const struct trace_request *raw)
{
    return (raw->flags & TRACE_REQUEST_CALLED) != 0;
}

static struct session_request convert(const struct events *events, const struct events_lane *lane,
                                      const struct trace_request *raw)
{
    const struct clock *clock = events->from.clock;

    return (struct session_request){
        .start_ns = clock_convert(clock, raw->start),
        .length_ns = clock_convert_length(clock, raw->ticks),
        .first_ns =
            is_called(raw) ? SESSION_UNKNOWN : clock_convert_length(clock, raw->first_ticks),
        .arrival_ns = known_ns(raw->arrival_us),
        .proxy_ns = known_ns(raw->proxy_us),
        .cpu_ns = raw->cpu_ns == UINT64_MAX ? SESSION_UNKNOWN : raw->cpu_ns,
        .bytes_in = is_called(raw) ? SESSION_UNKNOWN : raw->bytes_in,
        .bytes_out = is_called(raw) ? SESSION_UNKNOWN : raw->bytes_out,
        .kept_bytes = raw->kept_bytes,
        .endpoint = raw->endpoint != 0 ? facts_string(events->from.facts, raw->endpoint) : NULL,
        .port = raw->port,
        .id = raw->connection,
        .thread = find_thread(events, lane, raw->thread),
        .queue = raw->queue == UINT16_MAX ? UINT32_MAX : raw->queue,
        .flags = raw->flags,
        .protocol = (uint8_t)raw->protocol,
    };
}

/* Returns: the place of the request's earlier record, or a new one.  Calls have one record. */
static struct session_request *find_place(struct events *events, const struct trace_request *raw)
{
    struct array *served = &events->session->served;
    struct events_connection *connection;

    if (is_called(raw))
        return array_add(served);
    HASH_FIND(hh, events->connections, &raw->connection, sizeof connection->number, connection);
    if (connection && connection->start_ticks == raw->start && connection->index < served->count)
        return array_at(served, connection->index);
    if (!connection) {
        connection = memory_get_zeros(1, sizeof *connection);
        connection->number = raw->connection;
        HASH_ADD(hh, events->connections, number, sizeof connection->number, connection);
    }
    connection->start_ticks = raw->start;
    connection->index = served->count;
    return array_add(served);
}

static bool is_sound(const struct trace_request *raw, const struct reader_event *event)
{
    return raw->start <= event->ticks && raw->ticks <= event->ticks - raw->start &&
           raw->first_ticks <= raw->ticks && raw->protocol < TRACE_PROTOCOLS;
}

/* A context comes before the record of its request. */
struct events_context {
    uint64_t id;
    uint64_t start_ticks;
    struct session_context context;
    UT_hash_handle hh;
};

void events_free_contexts(struct events *events)
{
    struct events_context *context;
    struct events_context *next;

    HASH_ITER(hh, events->contexts, context, next)
    {
        HASH_DEL(events->contexts, context);
        free(context);
    }
}

void events_on_request_context(struct events *events, const struct reader_event *event)
{
    struct events_context *context;

    HASH_FIND(hh, events->contexts, event->words, sizeof context->id, context);
    if (!context) {
        context = memory_get_zeros(1, sizeof *context);
        context->id = event->words[0];
        HASH_ADD(hh, events->contexts, id, sizeof context->id, context);
    }
    context->start_ticks = event->words[1];
    memcpy(&context->context, &event->words[2], sizeof context->context);
}

static void add_context(const struct events *events, struct session_request *request,
                        const struct trace_request *raw)
{
    enum { CALLED_SHIFT = 32 };
    const uint64_t id = raw->connection | (uint64_t)is_called(raw) << CALLED_SHIFT;
    const struct events_context *context;

    HASH_FIND(hh, events->contexts, &id, sizeof id, context);
    if (context && context->start_ticks == raw->start)
        request->context = context->context;
}

void events_on_request(struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);
    struct trace_request raw = {.proxy_us = UINT32_MAX};
    struct session_request *request;

    memcpy(&raw, event->words, event->size * TRACE_WORD_SIZE); /* an older one is shorter */
    if (!is_sound(&raw, event)) {
        events_skip(events);
        return;
    }
    request = find_place(events, &raw);
    *request = convert(events, lane, &raw);
    add_context(events, request, &raw);
}
