/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latencies by counters.
 */
#include "requests/request_tally.h"

#include <math.h>

#include "model/session.h"
#include "model/session_requests.h"

void request_tally_init(struct request_tally *tally, const struct session *session)
{
    *tally = (struct request_tally){.ns_per_tick = session->ns_per_tick};
}

void request_tally_add(struct request_tally *tally, const struct session_request_sums *sums)
{
    const struct trace_request_sums *raw = &sums->raw;
    double max_ns = (double)raw->max_ticks * tally->ns_per_tick;

    tally->calls += raw->calls;
    tally->total_ns += (double)raw->ticks * tally->ns_per_tick;
    tally->max_ns = max_ns > tally->max_ns ? max_ns : tally->max_ns;
    tally->bytes_in += (double)raw->bytes_in;
    tally->bytes_out += (double)raw->bytes_out;
    for (unsigned i = 0; i < TRACE_LATENCY_COUNTERS; i++)
        tally->latencies[i] += raw->latencies[i];
}

static double middle_ns(const struct request_tally *tally, unsigned counter)
{
    double least = (double)trace_latency_least(counter);
    double next = (double)trace_latency_least(counter + 1);

    return (least + next) / 2 * tally->ns_per_tick;
}

/* No value is above the highest one. */
double request_tally_percentile(const struct request_tally *tally, double fraction)
{
    double rank = ceil(fraction * (double)tally->calls * (1 - 1e-12));
    uint64_t passed = 0;

    for (unsigned i = 0; i < TRACE_LATENCY_COUNTERS; i++) {
        passed += tally->latencies[i];
        if (passed > 0 && (double)passed >= rank)
            return fmin(middle_ns(tally, i), tally->max_ns);
    }
    return (double)NAN;
}

uint64_t request_tally_over(const struct request_tally *tally, double max_ns)
{
    uint64_t over = 0;

    for (unsigned i = 0; i < TRACE_LATENCY_COUNTERS; i++)
        over += fmin(middle_ns(tally, i), tally->max_ns) > max_ns ? tally->latencies[i] : 0;
    return over;
}

/* A window of a trace has only its own records. */
bool request_tallies_are_needed(const struct session *session, uint64_t recorded)
{
    const struct session_request_sums *sums = session->request_sums.items;
    uint64_t calls = 0;

    for (size_t i = 0; i < session->request_sums.count; i++)
        calls += sums[i].raw.calls;
    return calls > recorded && !session->window.is_cut;
}
