/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of requests that the shim kept: exact counts, and percentiles within a step of the counters.
 * They serve where records of requests are missing, because a capacity overwrote them or a budget
 * had no room.
 */
#ifndef REQUESTS_REQUEST_TALLY_H
#define REQUESTS_REQUEST_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

struct session;
struct session_request_sums;

struct request_tally {
    uint64_t calls;
    double total_ns;
    double max_ns;
    double bytes_in;
    double bytes_out;
    double ns_per_tick;
    uint64_t latencies[TRACE_LATENCY_COUNTERS];
};

/* Start an empty tally of a session's sums. */
void request_tally_init(struct request_tally *tally, const struct session *session);

void request_tally_add(struct request_tally *tally, const struct session_request_sums *sums);

/* Returns: the percentile by the nearest rank, in ns: the middle of its counter; NAN without
 * requests. */
double request_tally_percentile(const struct request_tally *tally, double fraction);

/* Returns: the requests that took longer than `max_ns`, by the middles of their counters. */
uint64_t request_tally_over(const struct request_tally *tally, double max_ns);

/* Ask whether a session has fewer records of requests than the sums count. */
bool request_tallies_are_needed(const struct session *session, uint64_t recorded);

#endif
