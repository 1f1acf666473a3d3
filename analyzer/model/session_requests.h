/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests that a process answered.
 */
#ifndef MODEL_SESSION_REQUESTS_H
#define MODEL_SESSION_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* Its trace and span, as OpenTelemetry names them. */
struct session_context {
    uint8_t trace[16]; /* zeros: none is known */
    uint8_t span[8];
};

/* A request: of a connection that the process accepted, a call of a function that the catalog names
 * a request, or marked by the program itself. */
struct session_request {
    uint64_t start_ns;
    uint64_t length_ns;  /* to the end of its answer */
    uint64_t first_ns;   /* to the first byte of its answer; SESSION_UNKNOWN */
    uint64_t arrival_ns; /* its bytes lay in the kernel so long before; SESSION_UNKNOWN */
    uint64_t proxy_ns;   /* a proxy had it so long before; SESSION_UNKNOWN */
    uint64_t cpu_ns;     /* processor time of its thread; SESSION_UNKNOWN */
    uint64_t bytes_in;   /* SESSION_UNKNOWN */
    uint64_t bytes_out;
    int64_t kept_bytes;   /* TRACE_REQUEST_KEPT_UNKNOWN */
    const char *endpoint; /* method and path, or a function; NULL: not named */
    uint64_t id;          /* the connection, or the number of a call or of a marked one */
    uint32_t thread;      /* that read its first bytes; SESSION_NONE */
    uint32_t queue;       /* connections that waited behind its own; UINT32_MAX: unknown */
    uint16_t port;        /* that accepted the connection; 0: none, or unknown */
    uint16_t flags;       /* enum trace_request_flag */
    uint8_t protocol;     /* enum trace_protocol */
    bool is_marked;       /* by the program */
    struct session_context context;
};

/* The requests of an endpoint that ended in one hour, also those without a record. */
struct session_request_sums {
    struct trace_request_sums raw; /* times in ticks */
    const char *endpoint;          /* NULL: not named */
};

static inline bool session_request_is_called(const struct session_request *request)
{
    return (request->flags & TRACE_REQUEST_CALLED) != 0;
}

static inline uint64_t session_request_end_ns(const struct session_request *request)
{
    return request->start_ns + request->length_ns;
}

#endif
