/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hourly figures.  Percentiles of windows are never averaged: each is of its own requests.
 */
#include "requests/windows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/pool.h"
#include "document/document.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "requests/request_rows.h"
#include "requests/texts.h"

enum { FROM, REQUESTS, AVERAGE, P95, P99, VIOLATIONS, CUT };

static const struct column columns[] = {
    [FROM] = {"from", "from (UTC)", "the start of the window", UNIT_TEXT, 0},
    [REQUESTS] = {"requests_processed", "requests", "that were answered in it", UNIT_COUNT, 0},
    [AVERAGE] = {"average_latency", "average, s", "latency in seconds, from the arrival if known",
                 UNIT_REAL, 0},
    [P95] = {"p95_latency", "p95, s", "by the nearest rank", UNIT_REAL, 0},
    [P99] = {"p99_latency", "p99, s", "by the nearest rank", UNIT_REAL, 1},
    [VIOLATIONS] = {"sla_violations", "over the limit", "requests that took longer than --max",
                    UNIT_COUNT, 0},
    [CUT] = {"is_cut", "cut", "recording began or ended in it", UNIT_BOOL, 2},
};

static const struct table_schema schema = {"windows", "Requests by windows", columns,
                                           sizeof columns / sizeof *columns, NULL};

static const uint64_t hour_ns = UINT64_C(3600000000000);

/* An answered request: its end on the system's clock, and its latency. */
struct answered {
    uint64_t end_ns;
    uint64_t latency_ns;
};

static int compare(const void *left, const void *right)
{
    uint64_t a = ((const struct answered *)left)->end_ns;
    uint64_t b = ((const struct answered *)right)->end_ns;

    return a < b ? -1 : a > b;
}

static size_t gather(const struct session *session, struct answered *answered)
{
    struct request_costs costs;
    size_t count = 0;

    request_costs_find(&costs, session);
    for (size_t i = 0; i < session->served.count; i++) {
        const struct session_request *request = session_request_at(session, i);
        uint64_t waited = request->arrival_ns == SESSION_UNKNOWN ? 0 : request->arrival_ns;

        if (costs.costs[i].is_counted)
            answered[count++] = (struct answered){session->process.realtime_start_ns +
                                                      session_request_end_ns(request),
                                                  request->length_ns + waited};
    }
    qsort(answered, count, sizeof *answered, compare);
    return count;
}

static double seconds(double ns)
{
    return ns / 1e9;
}

static void set_start(struct value *value, uint64_t start_ns)
{
    time_t at = (time_t)(start_ns / 1000000000);
    struct tm parts;
    char text[32] = "";

    if (gmtime_r(&at, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    value_set_text(value, text);
}

static void set_figures(struct value *row, const struct answered *answered, size_t count,
                        uint64_t max_ns)
{
    struct array latencies;
    uint64_t over = 0;
    double sum = 0;

    array_init(&latencies, sizeof(uint64_t));
    for (size_t i = 0; i < count; i++) {
        *(uint64_t *)array_add(&latencies) = answered[i].latency_ns;
        over += answered[i].latency_ns > max_ns;
        sum += (double)answered[i].latency_ns;
    }
    value_set_unsigned(&row[REQUESTS], count);
    value_set_unsigned(&row[VIOLATIONS], over);
    if (count == 0)
        return;
    value_set_real(&row[AVERAGE], seconds(sum / (double)count));
    value_set_real(&row[P95], seconds(request_nearest(&latencies, 0.95)));
    value_set_real(&row[P99], seconds(request_nearest(&latencies, 0.99)));
}

/* Also those without a record. */
static void set_tally(struct value *row, const struct session *session, uint64_t from_ns,
                      const struct windows *windows)
{
    const struct session_request_sums *sums = session->request_sums.items;
    struct request_tally *tally = pool_get(sizeof *tally);

    request_tally_init(tally, session);
    for (size_t i = 0; i < session->request_sums.count; i++)
        if (sums[i].raw.hour >= from_ns / hour_ns &&
            sums[i].raw.hour < (from_ns + windows->every_ns) / hour_ns)
            request_tally_add(tally, &sums[i]);
    value_set_unsigned(&row[REQUESTS], tally->calls);
    value_set_unsigned(&row[VIOLATIONS], request_tally_over(tally, (double)windows->max_ns));
    value_mark_estimate(&row[VIOLATIONS], true);
    if (tally->calls == 0)
        return;
    value_set_real(&row[AVERAGE], seconds(tally->total_ns / (double)tally->calls));
    value_set_real(&row[P95], seconds(request_tally_percentile(tally, 0.95)));
    value_set_real(&row[P99], seconds(request_tally_percentile(tally, 0.99)));
    value_mark_estimate(&row[P95], true);
    value_mark_estimate(&row[P99], true);
}

/* The windows from the start of recording to its end, also those without a request. */
static void add_windows(struct table *table, const struct session *session,
                        const struct windows *windows)
{
    static const size_t most = 100000; /* a damaged trace may last for ever */
    struct answered *answered = pool_get_zeros(session->served.count + 1, sizeof *answered);
    size_t count = gather(session, answered), next = 0;
    bool has_tallies =
        windows->every_ns % hour_ns == 0 && request_tallies_are_needed(session, count);
    uint64_t begin_ns = session->process.realtime_start_ns;
    uint64_t end_ns = begin_ns + session->process.wall_ns;

    for (uint64_t from_ns = begin_ns - begin_ns % windows->every_ns;
         (from_ns < end_ns || next < count) && table_row_count(table) < most;
         from_ns += windows->every_ns) {
        struct value *row = table_add_row(table);
        uint64_t to_ns = from_ns + windows->every_ns;
        size_t first = next;

        while (next < count && answered[next].end_ns < to_ns)
            next++;
        set_start(&row[FROM], from_ns);
        if (has_tallies)
            set_tally(row, session, from_ns, windows);
        else
            set_figures(row, answered + first, next - first, windows->max_ns);
        value_set_bool(&row[CUT], from_ns < begin_ns || to_ns > end_ns);
    }
    if (has_tallies)
        table_say(table, windows_tally_text);
    else if (request_tallies_are_needed(session, count))
        table_say(table, windows_recorded_text);
}

void windows_build(const struct session *session, const struct windows *windows,
                   struct document *document)
{
    struct table *table;

    document_init(document);
    document->name = "windows";
    document->main = "rows";
    table = document_start_table(document, "rows", SECTION_IN_BOTH, &schema);
    if (session->served.count == 0)
        table_say(table, requests_none_text);
    add_windows(table, session, windows);
    table_say(table, windows_limit_text, said_time((double)windows->max_ns));
}
