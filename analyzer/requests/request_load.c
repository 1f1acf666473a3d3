/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gaps between requests of a connection, and queues.
 */
#include "requests/request_load.h"

#include <stdlib.h>

#include "base/pool.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "requests/request_costs.h"

static const uint64_t prompt_ns = 1000000;

enum { PAIRS_LEAST = 50, CLOSED_PERCENT = 90 };

static int compare_numbers(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare(const void *left, const void *right)
{
    const struct session_request *a = *(const struct session_request *const *)left;
    const struct session_request *b = *(const struct session_request *const *)right;

    return a->id != b->id ? compare_numbers(a->id, b->id)
                          : compare_numbers(a->start_ns, b->start_ns);
}

/* From the answer to the arrival of the next request. */
static bool is_prompt(const struct session_request *before, const struct session_request *next)
{
    uint64_t waited = next->arrival_ns == SESSION_UNKNOWN ? 0 : next->arrival_ns;
    uint64_t from = session_request_end_ns(before) + waited;

    return next->start_ns <= from + prompt_ns;
}

static void take_pairs(struct request_load *load, const struct session_request **requests,
                       size_t count)
{
    qsort(requests, count, sizeof *requests, compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || requests[i]->id != requests[i - 1]->id) {
            load->connections++;
            continue;
        }
        load->pairs++;
        load->prompt += is_prompt(requests[i - 1], requests[i]);
    }
}

static void take(struct request_load *load, const struct session_request *request)
{
    load->asked_arrivals += request->arrival_ns != SESSION_UNKNOWN;
    if (request->queue == UINT32_MAX)
        return;
    load->asked_queues++;
    if (load->most_queued == SESSION_UNKNOWN || request->queue > load->most_queued)
        load->most_queued = request->queue;
}

void request_load_find(struct request_load *load, const struct session *session,
                       const struct request_costs *costs)
{
    const struct session_request **requests =
        pool_get_zeros(session->served.count + 1, sizeof *requests);
    size_t count = 0;

    *load = (struct request_load){.most_queued = SESSION_UNKNOWN};
    for (size_t i = 0; i < session->served.count; i++) {
        if (!costs->costs[i].is_counted)
            continue;
        if (session_request_is_called(session_request_at(session, i)))
            continue;
        requests[count++] = session_request_at(session, i);
        take(load, requests[count - 1]);
    }
    if (!costs->are_marked)
        take_pairs(load, requests, count);
    load->is_closed =
        load->pairs >= PAIRS_LEAST && load->prompt * 100 >= load->pairs * CLOSED_PERCENT;
}
