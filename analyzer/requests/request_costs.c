/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests against each other, and against the waits of their threads.
 */
#include "requests/request_costs.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/pool.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/answers.h"

enum { NOT_ANSWERED = TRACE_REQUEST_UNANSWERED | TRACE_REQUEST_OPEN };

static bool has_answered(const struct session_request *request)
{
    return (request->flags & (NOT_ANSWERED | TRACE_REQUEST_UNTOLD)) == 0;
}

/* ---- counts ------------------------------------------------------------------ */

static void count(struct request_costs *costs, const struct session_request *request)
{
    if (request->flags & TRACE_REQUEST_UNTOLD) {
        costs->untold[request->protocol]++;
        return;
    }
    costs->unanswered += (request->flags & TRACE_REQUEST_UNANSWERED) != 0;
    costs->open += (request->flags & TRACE_REQUEST_OPEN) != 0;
    costs->pipelined += (request->flags & TRACE_REQUEST_PIPELINED) != 0;
    costs->encrypted += has_answered(request) && (request->flags & TRACE_REQUEST_TLS) != 0;
    costs->skewed += has_answered(request) && (request->flags & TRACE_REQUEST_SKEWED) != 0;
    costs->upgraded += request->protocol == TRACE_PROTOCOL_UPGRADED;
}

static bool are_all_marked(const struct session *session)
{
    for (size_t i = 0; i < session->served.count; i++)
        if (!session_request_at(session, i)->is_marked)
            return false;
    return session->served.count > 0;
}

/* ---- overlaps ------------------------------------------------------------------ */

/* A request of one thread, to be sorted. */
struct placed {
    const struct session_request *request;
    struct request_cost *cost;
};

static int compare_numbers(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_placed(const void *left, const void *right)
{
    const struct session_request *a = ((const struct placed *)left)->request;
    const struct session_request *b = ((const struct placed *)right)->request;

    if (a->thread != b->thread)
        return compare_numbers(a->thread, b->thread);
    return compare_numbers(a->start_ns, b->start_ns);
}

/* Requests of one thread, by their start. */
static void mark_own(struct placed *placed, size_t count)
{
    uint64_t latest = 0;

    for (size_t i = 0; i < count; i++) {
        const struct session_request *request = placed[i].request;
        bool is_apart =
            (i == 0 || request->start_ns >= latest) &&
            (i + 1 == count || placed[i + 1].request->start_ns >= session_request_end_ns(request));

        placed[i].cost->is_own = is_apart && request->thread != SESSION_NONE &&
                                 (request->flags & TRACE_REQUEST_HANDED) == 0;
        if (session_request_end_ns(request) > latest)
            latest = session_request_end_ns(request);
    }
}

/* ---- waits ------------------------------------------------------------------ */

static uint64_t overlap(const struct session_request *request, const struct session_wait_call *call)
{
    uint64_t from = call->start_ns > request->start_ns ? call->start_ns : request->start_ns;
    uint64_t end = session_request_end_ns(request);
    uint64_t to = call->end_ns < end ? call->end_ns : end;

    return to > from ? to - from : 0;
}

static void count_wait(struct request_waits *waits, const struct session_wait *wait,
                       const struct session_wait_call *call, uint64_t ns)
{
    waits->calls++;
    waits->ns += ns;
    if (ns <= waits->longest_ns)
        return;
    waits->longest_ns = ns;
    waits->chain = call->chain != SESSION_NONE ? call->chain : wait->chain;
}

static void add_wait(struct placed *placed, const struct session *session,
                     const struct session_wait_call *call)
{
    const struct session_wait *wait = session_wait_at(session, call->wait);
    uint64_t ns = overlap(placed->request, call);

    if (ns == 0 || wait->is_in_kernel)
        return;
    placed->cost->waits_ns[wait->class] += ns;
    if (wait_is_answer(wait))
        count_wait(&placed->cost->answers, wait, call, ns);
    if (wait_is_name_lookup(wait))
        count_wait(&placed->cost->lookups, wait, call, ns);
    if (ns > placed->cost->longest_ns) {
        placed->cost->longest_ns = ns;
        placed->cost->wait = call->wait;
    }
}

/* Calls of one thread, in the order of their ends, and its requests by their starts.  Own requests
 * do not overlap, so each call is met by few of them. */
static void add_waits(struct placed *placed, size_t count, const struct session *session,
                      const struct session_wait_call *const *calls, size_t call_count)
{
    size_t first = 0;

    for (size_t i = 0; i < count; i++) {
        const struct session_request *request = placed[i].request;

        while (first < call_count && calls[first]->end_ns <= request->start_ns)
            first++;
        if (!placed[i].cost->is_own)
            continue;
        for (size_t j = first;
             j < call_count && calls[j]->start_ns < session_request_end_ns(request); j++)
            add_wait(&placed[i], session, calls[j]);
    }
}

static int compare_calls(const void *left, const void *right)
{
    const struct session_wait_call *a = *(const struct session_wait_call *const *)left;
    const struct session_wait_call *b = *(const struct session_wait_call *const *)right;

    return compare_numbers(a->end_ns, b->end_ns);
}

/* The long calls of each thread. */
static struct array *find_calls(const struct session *session)
{
    struct array *calls = pool_get_zeros(session->threads.count + 1, sizeof *calls);

    for (size_t i = 0; i < session->threads.count; i++)
        array_init(&calls[i], sizeof(const struct session_wait_call *));
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        uint32_t thread = session_wait_at(session, call->wait)->thread;

        if (thread < session->threads.count) {
            const struct session_wait_call **place = array_add(&calls[thread]);

            *place = call;
        }
    }
    for (size_t i = 0; i < session->threads.count; i++)
        if (calls[i].count > 0)
            qsort(calls[i].items, calls[i].count, sizeof(const struct session_wait_call *),
                  compare_calls);
    return calls;
}

/* The requests of one thread. */
static void take_thread(struct placed *placed, size_t count, const struct session *session,
                        const struct array *calls)
{
    uint32_t thread = placed->request->thread;

    mark_own(placed, count);
    if (thread < session->threads.count)
        add_waits(placed, count, session, calls[thread].items, calls[thread].count);
}

static void take_threads(struct placed *placed, size_t count, const struct session *session)
{
    const struct array *calls = find_calls(session);

    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && placed[to].request->thread == placed[from].request->thread;)
            to++;
        take_thread(placed + from, to - from, session, calls);
    }
}

/* ---- in flight ------------------------------------------------------------------ */

static int compare_times(const void *left, const void *right)
{
    return compare_numbers(*(const uint64_t *)left, *(const uint64_t *)right);
}

static size_t find_most_in_flight(const struct placed *placed, size_t count)
{
    uint64_t *starts = pool_get_zeros(count + 1, sizeof *starts);
    uint64_t *ends = pool_get_zeros(count + 1, sizeof *ends);
    size_t most = 0, ended = 0;

    for (size_t i = 0; i < count; i++) {
        starts[i] = placed[i].request->start_ns;
        ends[i] = session_request_end_ns(placed[i].request);
    }
    qsort(starts, count, sizeof *starts, compare_times);
    qsort(ends, count, sizeof *ends, compare_times);
    for (size_t i = 0; i < count; i++) {
        while (ended < i && ends[ended] <= starts[i])
            ended++;
        if (i + 1 - ended > most)
            most = i + 1 - ended;
    }
    return most;
}

void request_costs_find(struct request_costs *costs, const struct session *session)
{
    struct placed *placed = pool_get_zeros(session->served.count + 1, sizeof *placed);
    size_t placed_count = 0;

    *costs = (struct request_costs){
        .costs = pool_get_zeros(session->served.count + 1, sizeof *costs->costs),
        .are_marked = are_all_marked(session),
    };
    for (size_t i = 0; i < session->served.count; i++) {
        const struct session_request *request = session_request_at(session, i);
        struct request_cost *cost = &costs->costs[i];

        cost->wait = SESSION_NONE;
        if (request->is_marked != costs->are_marked)
            continue;
        count(costs, request);
        cost->is_counted = has_answered(request);
        if (!(request->flags & TRACE_REQUEST_UNTOLD))
            placed[placed_count++] = (struct placed){request, cost};
    }
    qsort(placed, placed_count, sizeof *placed, compare_placed);
    take_threads(placed, placed_count, session);
    costs->most_in_flight = find_most_in_flight(placed, placed_count);
    for (size_t i = 0; i < session->served.count; i++) {
        costs->counted += costs->costs[i].is_counted;
        costs->called +=
            costs->costs[i].is_counted && session_request_is_called(session_request_at(session, i));
        costs->own += costs->costs[i].is_counted && costs->costs[i].is_own;
    }
}
