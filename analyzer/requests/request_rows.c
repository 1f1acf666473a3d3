/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folding of requests by the name of their endpoint.
 */
#include "requests/request_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "requests/texts.h"
#include "statistics/percentile.h"

const char *request_name(const struct session_request *request, char room[REQUEST_NAME_SIZE])
{
    if (request->endpoint)
        return request->endpoint;
    if (request->is_marked)
        return requests_marked_text.words;
    if (request->port == 0)
        return requests_unnamed_text.words;
    snprintf(room, REQUEST_NAME_SIZE, "port %u", request->port);
    return room;
}

static void row_init(struct request_row *row, const char *name)
{
    *row = (struct request_row){.name = name, .first_ns = UINT64_MAX};
    array_init(&row->lengths_ns, sizeof(uint64_t));
    array_init(&row->firsts_ns, sizeof(uint64_t));
    array_init(&row->users_ns, sizeof(uint64_t));
    array_init(&row->proxies_ns, sizeof(uint64_t));
}

static void add_value(struct array *values, uint64_t value)
{
    *(uint64_t *)array_add(values) = value;
}

static void add_waits(struct request_waits *sum, const struct request_waits *waits)
{
    sum->calls += waits->calls;
    sum->ns += waits->ns;
    if (waits->longest_ns <= sum->longest_ns)
        return;
    sum->longest_ns = waits->longest_ns;
    sum->chain = waits->chain;
}

static void add_costs(struct request_row *row, const struct session_request *request,
                      const struct request_cost *cost)
{
    if (!cost->is_own)
        return;
    row->own++;
    row->own_ns += (double)request->length_ns;
    add_waits(&row->answers, &cost->answers);
    add_waits(&row->lookups, &cost->lookups);
    for (unsigned i = 0; i < TRACE_WAIT_CLASSES; i++)
        row->waits_ns[i] += (double)cost->waits_ns[i];
    if (request->cpu_ns != SESSION_UNKNOWN) {
        row->cpu_ns += (double)request->cpu_ns;
        row->cpu_count++;
    }
    if (request->kept_bytes != TRACE_REQUEST_KEPT_UNKNOWN) {
        row->kept_bytes += (double)request->kept_bytes;
        row->keeping += request->kept_bytes >= REQUEST_KEEPS;
        row->kept_count++;
    }
}

static void add_user(struct request_row *row, const struct session_request *request)
{
    add_value(&row->users_ns, request->length_ns + request->arrival_ns);
    row->unread_ns += (double)request->arrival_ns;
}

static void add(struct request_row *row, const struct session_request *request,
                const struct request_cost *cost)
{
    uint64_t end_ns = session_request_end_ns(request);

    add_value(&row->lengths_ns, request->length_ns);
    if (request->first_ns != SESSION_UNKNOWN)
        add_value(&row->firsts_ns, request->first_ns);
    if (request->arrival_ns != SESSION_UNKNOWN)
        add_user(row, request);
    if (request->proxy_ns != SESSION_UNKNOWN)
        add_value(&row->proxies_ns, request->proxy_ns);
    if (!row->first || request->start_ns < row->first->start_ns)
        row->first = request;
    row->first_ns = request->start_ns < row->first_ns ? request->start_ns : row->first_ns;
    row->last_ns = end_ns > row->last_ns ? end_ns : row->last_ns;
    if (request->bytes_in != SESSION_UNKNOWN) {
        row->bytes_in += (double)request->bytes_in;
        row->bytes_out += (double)request->bytes_out;
    }
    add_costs(row, request, cost);
}

static struct request_row *find(struct request_rows *rows, const char *name)
{
    struct request_row *row = rows->rows.items;

    for (size_t i = 0; i < rows->rows.count; i++)
        if (strcmp(row[i].name, name) == 0)
            return &row[i];
    row = array_add(&rows->rows);
    row_init(row, pool_copy(name));
    return row;
}

static void summarize(struct request_row *row, double confidence)
{
    const struct summary_sample sample = {.values = row->lengths_ns.items,
                                          .count = row->lengths_ns.count};

    if (sample.count > 0)
        summary_of(&row->summary, &sample, confidence);
}

static void add_sums(struct request_row *row, const struct session *session,
                     const struct session_request_sums *sums)
{
    if (!row->tally) {
        row->tally = pool_get(sizeof *row->tally);
        request_tally_init(row->tally, session);
    }
    request_tally_add(row->tally, sums);
}

/* The sums of an endpoint are those of its hours. */
static void add_tallies(struct request_rows *rows, const struct session *session)
{
    const struct session_request_sums *sums = session->request_sums.items;

    if (!request_tallies_are_needed(session, rows->costs.counted))
        return;
    for (size_t i = 0; i < session->request_sums.count; i++) {
        const struct session_request of = {.endpoint = sums[i].endpoint, .port = sums[i].raw.port};
        char room[REQUEST_NAME_SIZE];

        if (sums[i].raw.calls == 0)
            continue;
        add_sums(find(rows, request_name(&of, room)), session, &sums[i]);
        add_sums(&rows->all, session, &sums[i]);
    }
}

uint64_t request_calls(const struct request_row *row)
{
    return row->tally ? row->tally->calls : row->lengths_ns.count;
}

double request_percentile(const struct request_row *row, enum summary_percentile_id id)
{
    static const double fractions[] = {
#define PERCENTILE(id, name, key, fraction, priority) fraction,
#include "statistics/percentiles.def"
#undef PERCENTILE
    };

    if (row->tally)
        return request_tally_percentile(row->tally, fractions[id]);
    return row->lengths_ns.count > 0 ? row->summary.percentiles[id].nearest : (double)NAN;
}

void request_rows_init(struct request_rows *rows, const struct session *session, double confidence)
{
    array_init(&rows->rows, sizeof(struct request_row));
    row_init(&rows->all, NULL);
    request_costs_find(&rows->costs, session);
    for (size_t i = 0; i < session->served.count; i++) {
        const struct session_request *request = session_request_at(session, i);
        const struct request_cost *cost = &rows->costs.costs[i];
        char room[REQUEST_NAME_SIZE];

        if (!cost->is_counted)
            continue;
        add(find(rows, request_name(request, room)), request, cost);
        add(&rows->all, request, cost);
    }
    add_tallies(rows, session);
    for (size_t i = 0; i < rows->rows.count; i++)
        summarize(array_at(&rows->rows, i), confidence);
    summarize(&rows->all, confidence);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

double request_nearest(const struct array *values_ns, double fraction)
{
    uint64_t *sorted;
    double found;
    size_t rank;

    if (values_ns->count == 0)
        return (double)NAN;
    sorted = pool_get(values_ns->count * sizeof *sorted);
    memcpy(sorted, values_ns->items, values_ns->count * sizeof *sorted);
    qsort(sorted, values_ns->count, sizeof *sorted, compare);
    rank = percentile_ranks_of(fraction, values_ns->count, 0.5).nearest;
    found = (double)sorted[rank - 1];
    return found;
}

double request_rate(const struct request_row *row)
{
    double ns = (double)row->last_ns - (double)row->first_ns;

    return row->lengths_ns.count < 2 || ns <= 0 ? (double)NAN
                                                : (double)row->lengths_ns.count / ns * 1e9;
}
