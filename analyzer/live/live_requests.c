/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests that a running process answers: sums by endpoint, and latencies of all.
 *
 * The shim keeps the sums of an endpoint and hour at one place of the trace.  A percentile is that
 * of the requests between two frames: the difference of two counts of latencies.
 */
#include "live/live_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/session_requests.h"
#include "requests/request_tally.h"

enum { NAME_SIZE = 16 };

static const char *name_of(const struct live *live, const struct trace_request_sums *sums,
                           char room[NAME_SIZE])
{
    const char *name = sums->endpoint != 0 && live->has_names
                           ? facts_string(&live->outline.facts, sums->endpoint)
                           : NULL;

    if (name)
        return name;
    snprintf(room, NAME_SIZE, "port %u", sums->port);
    return sums->port != 0 ? room : "requests";
}

static void add(struct live *live, struct live_latencies *latencies,
                const struct trace_request_sums *sums)
{
    char room[NAME_SIZE];
    double ns_per_tick = live->has_names ? live->outline.clock.ns_per_tick : (double)NAN;

    live_add(live, LIVE_REQUEST, name_of(live, sums, room),
             (struct live_sums){.ns = (double)sums->ticks * ns_per_tick,
                                .calls = (double)sums->calls,
                                .bytes = (double)sums->bytes_out});
    live->ring[live->count % LIVE_RING].requests += (double)sums->calls;
    for (unsigned i = 0; i < TRACE_LATENCY_COUNTERS; i++)
        latencies->counts[i] += sums->latencies[i];
}

void live_sum_requests(struct live *live)
{
    const struct live_request_sums *sums = live->file.requests.items;
    struct live_latencies *now;

    if (live->file.requests.count == 0)
        return;
    if (!live->latencies)
        live->latencies = memory_get_zeros(LIVE_RING, sizeof *live->latencies);
    now = &live->latencies[live->count % LIVE_RING];
    *now = (struct live_latencies){{0}};
    for (size_t i = 0; i < live->file.requests.count; i++)
        add(live, now, &sums[i].sums);
}

/* A request that is counted again moves to another counter, so a count may fall. */
double live_percentile(const struct live *live, size_t frames, double fraction)
{
    size_t span = live_span(live, frames);
    const struct live_latencies *now, *before;
    struct request_tally tally;

    if (span == 0 || !live->latencies)
        return (double)NAN;
    now = &live->latencies[(live->count - 1) % LIVE_RING];
    before = &live->latencies[(live->count - 1 - span) % LIVE_RING];
    tally =
        (struct request_tally){.max_ns = INFINITY, .ns_per_tick = live->outline.clock.ns_per_tick};
    for (unsigned i = 0; i < TRACE_LATENCY_COUNTERS; i++)
        if (now->counts[i] > before->counts[i])
            tally.calls += tally.latencies[i] = now->counts[i] - before->counts[i];
    return request_tally_percentile(&tally, fraction);
}
