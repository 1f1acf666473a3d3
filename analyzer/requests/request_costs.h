/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each request of a session used and waited for.
 *
 * Where one thread serves one request at a time, the thread's waits in that time are the request's.
 * Where requests of a thread overlap, or another thread answers, they are shared and belong to
 * none.
 */
#ifndef REQUESTS_REQUEST_COSTS_H
#define REQUESTS_REQUEST_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

struct session;
struct session_request;

/* Waits of a request that are alike. */
struct request_waits {
    uint32_t calls;
    uint32_t chain; /* of the longest; index in calls, SESSION_NONE */
    uint64_t ns;
    uint64_t longest_ns;
};

struct request_cost {
    bool is_counted;     /* it was answered, and counts */
    bool is_own;         /* the thread served nothing else meanwhile */
    uint32_t wait;       /* index of the wait that took longest; SESSION_NONE: none, or not own */
    uint64_t longest_ns; /* time of that wait within the request */
    uint64_t waits_ns[TRACE_WAIT_CLASSES]; /* in calls of 50 us or more; if it is own.  Of these: */
    struct request_waits answers;          /* for bytes from sockets that the process connected */
    struct request_waits lookups;          /* for the addresses of host names */
};

struct request_costs {
    struct request_cost *costs; /* as session->served; of the pool in use */
    size_t counted;
    size_t called; /* of these, calls of functions */
    size_t own;
    size_t unanswered; /* connections that ended before an answer to their last request */
    size_t open;       /* not answered when recording ended */
    size_t pipelined;
    size_t encrypted;               /* answered over TLS */
    size_t skewed;                  /* answered, and their proxy's time says nothing */
    size_t upgraded;                /* connections that became another protocol */
    size_t untold[TRACE_PROTOCOLS]; /* connections whose requests are not told apart */
    size_t most_in_flight;
    bool are_marked; /* there are only requests that the program marked itself */
};

/* Find the costs of all requests.  Requests that a program marks count only where it accepts no
 * connections: else both would count. */
void request_costs_find(struct request_costs *costs, const struct session *session);

#endif
