/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the requests came: did clients wait for answers before they asked again, and did connections
 * wait to be accepted?
 */
#ifndef REQUESTS_REQUEST_LOAD_H
#define REQUESTS_REQUEST_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request_costs;
struct session;

struct request_load {
    size_t connections;   /* with requests that count */
    size_t pairs;         /* requests after another one of their connection */
    size_t prompt;        /* of these, that came within 1 ms of the answer */
    bool is_closed;       /* nearly all did, so a slow answer delays the next request */
    uint64_t most_queued; /* connections behind an accepted one; SESSION_UNKNOWN: never asked */
    size_t asked_queues;
    size_t asked_arrivals;
};

void request_load_find(struct request_load *load, const struct session *session,
                       const struct request_costs *costs);

#endif
