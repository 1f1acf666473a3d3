/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof requests: what a server answered, how long it took, and what it cost.
 */
#include <math.h>

#include "analysis/analysis.h"
#include "document/fields.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "options/readers.h"
#include "requests/request_load.h"
#include "requests/request_rows.h"
#include "requests/request_table.h"
#include "requests/requests_options.h"
#include "requests/texts.h"
#include "requests/turns_table.h"
#include "symbols/go_program.h"

static void say_whole(struct table *table, const struct request_rows *rows,
                      const struct request_load *load)
{
    struct said count = said_count(rows->costs.counted);
    struct said at_once = said_count(rows->costs.most_in_flight);

    if (rows->costs.are_marked)
        table_say(table, requests_whole_marked_text, count, at_once);
    else if (rows->costs.called == rows->costs.counted)
        table_say(table, requests_whole_called_text, count, said_rate(request_rate(&rows->all)),
                  at_once);
    else
        table_say(table, requests_whole_text, count, said_count(load->connections),
                  said_rate(request_rate(&rows->all)), at_once);
    if (rows->costs.called > 0 && rows->costs.called < rows->costs.counted)
        table_say(table, requests_called_text, said_count(rows->costs.called));
}

static void say_own(struct table *table, const struct request_rows *rows)
{
    size_t own = rows->costs.own, all = rows->costs.counted;

    table_say(table, requests_own_text, said_count(own), said_share((double)own / (double)all));
    if (own < all)
        table_say(table, requests_shared_text, said_count(all - own));
    if (rows->all.cpu_count < own && rows->all.cpu_count > 0)
        table_say(table, requests_cpu_drawn_text, said_count(rows->all.cpu_count));
}

static void say_load(struct table *table, const struct request_rows *rows,
                     const struct request_load *load)
{
    if (rows->all.users_ns.count > 0)
        table_say(table, requests_arrival_text,
                  said_time(request_nearest(&rows->all.users_ns, 0.99)),
                  said_count(rows->all.users_ns.count),
                  said_time(request_percentile(&rows->all, SUMMARY_P99)));
    if (rows->all.proxies_ns.count > 0)
        table_say(table, requests_proxy_text, said_count(rows->all.proxies_ns.count),
                  said_time(request_nearest(&rows->all.proxies_ns, 0.5)),
                  said_time(request_nearest(&rows->all.proxies_ns, 0.99)));
    if (load->most_queued != SESSION_UNKNOWN && load->most_queued > 0)
        table_say(table, requests_queue_text, said_count(load->most_queued));
    if (load->is_closed)
        table_say(table, requests_closed_text,
                  said_share((double)load->prompt / (double)load->pairs));
}

static void say_count(struct table *table, struct said text, size_t count)
{
    if (count > 0)
        table_say(table, text, said_count(count));
}

static void say_gaps(struct table *table, const struct request_costs *costs)
{
    say_count(table, requests_skewed_text, costs->skewed);
    say_count(table, requests_unanswered_text, costs->unanswered);
    say_count(table, requests_open_text, costs->open);
    say_count(table, requests_pipelined_text, costs->pipelined);
    say_count(table, requests_upgraded_text, costs->upgraded);
    say_count(table, requests_encrypted_text, costs->encrypted);
    say_count(table, requests_http2_text, costs->untold[TRACE_PROTOCOL_HTTP2]);
    say_count(table, requests_tls_text, costs->untold[TRACE_PROTOCOL_TLS]);
}

/* Answers that are sent bit by bit. */
static size_t count_streams(const struct session *session, const struct request_costs *costs)
{
    static const uint64_t long_ns = 1000000000;
    size_t count = 0;

    for (size_t i = 0; i < session->served.count; i++) {
        const struct session_request *request = session_request_at(session, i);

        count += costs->costs[i].is_counted && request->protocol != TRACE_PROTOCOL_UPGRADED &&
                 request->length_ns > long_ns && request->first_ns <= request->length_ns / 10;
    }
    return count;
}

static bool has_paths(const struct session *session)
{
    for (size_t i = 0; i < session->served.count; i++)
        if (session_request_at(session, i)->endpoint)
            return true;
    return false;
}

static bool has_http(const struct session *session)
{
    for (size_t i = 0; i < session->served.count; i++)
        if (session_request_at(session, i)->protocol == TRACE_PROTOCOL_HTTP)
            return true;
    return false;
}

/* The program is the first of its files. */
static bool is_go(const struct session *session)
{
    return session->modules.count > 0 && go_program_is(session_module_at(session, 0)->path);
}

static void say_notes(struct table *table, const struct session *session,
                      const struct request_rows *rows)
{
    struct request_load load;

    request_load_find(&load, session, &rows->costs);
    if (rows->all.tally)
        table_say(table, requests_tally_text, said_count(rows->costs.counted),
                  said_count(rows->all.tally->calls));
    if (rows->costs.counted > 0) {
        say_whole(table, rows, &load);
        say_own(table, rows);
        say_load(table, rows, &load);
        say_count(table, requests_streams_text, count_streams(session, &rows->costs));
    }
    say_gaps(table, &rows->costs);
    if (has_http(session) && !has_paths(session))
        table_say(table, requests_paths_text);
    if (session->served.count == 0) {
        table_say(table, requests_none_text);
        table_say(table, is_go(session) ? requests_go_text : requests_none_by_calls_text);
    }
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct request_rows rows;

    request_rows_init(&rows, session, options->confidence);
    table_init(table, &request_table_schema);
    request_table_fill(table, &rows);
    say_notes(table, session, &rows);
}

/* Figures of all endpoints, for programs. */
static void add_summary(struct document *document, const struct session *session,
                        const struct request_rows *rows)
{
    struct record *record = document_add_record(document, "summary", NULL, SECTION_IN_JSON);
    struct request_load load;

    request_load_find(&load, session, &rows->costs);
    fields_put_count(record, "requests", UNIT_COUNT, request_calls(&rows->all));
    fields_put_count(record, "recorded_requests", UNIT_COUNT, rows->costs.counted);
    fields_put_count(record, "called_requests", UNIT_COUNT, rows->costs.called);
    fields_put_count(record, "connections", UNIT_COUNT, load.connections);
    fields_put_real(record, "per_second", UNIT_PER_SECOND,
                    rows->all.tally ? (double)NAN : request_rate(&rows->all));
    fields_put_rounded(record, "p50_ns", UNIT_NS, request_percentile(&rows->all, SUMMARY_P50));
    fields_put_rounded(record, "p95_ns", UNIT_NS, request_percentile(&rows->all, SUMMARY_P95));
    fields_put_rounded(record, "p99_ns", UNIT_NS, request_percentile(&rows->all, SUMMARY_P99));
    fields_put_rounded(record, "user_p99_ns", UNIT_NS, request_nearest(&rows->all.users_ns, 0.99));
    fields_put_count(record, "proxied", UNIT_COUNT, rows->all.proxies_ns.count);
    fields_put_rounded(record, "proxy_p50_ns", UNIT_NS,
                       request_nearest(&rows->all.proxies_ns, 0.5));
    fields_put_rounded(record, "proxy_p99_ns", UNIT_NS,
                       request_nearest(&rows->all.proxies_ns, 0.99));
    fields_put_count(record, "skewed", UNIT_COUNT, rows->costs.skewed);
    fields_put_count(record, "asked_arrivals", UNIT_COUNT, load.asked_arrivals);
    fields_put_real(record, "own_fraction", UNIT_FRACTION,
                    rows->costs.counted > 0 ? (double)rows->costs.own / (double)rows->costs.counted
                                            : (double)NAN);
    fields_put_count(record, "most_in_flight", UNIT_COUNT, rows->costs.most_in_flight);
    fields_put_count(record, "most_queued", UNIT_COUNT, load.most_queued);
    fields_put_bool(record, "is_closed_loop", load.is_closed);
    fields_put_count(record, "unanswered", UNIT_COUNT, rows->costs.unanswered);
    fields_put_count(record, "open", UNIT_COUNT, rows->costs.open);
    fields_put_count(record, "pipelined", UNIT_COUNT, rows->costs.pipelined);
    fields_put_count(record, "upgraded", UNIT_COUNT, rows->costs.upgraded);
    fields_put_count(record, "http2_connections", UNIT_COUNT,
                     rows->costs.untold[TRACE_PROTOCOL_HTTP2]);
    fields_put_count(record, "tls_requests", UNIT_COUNT, rows->costs.encrypted);
    fields_put_count(record, "tls_connections", UNIT_COUNT, rows->costs.untold[TRACE_PROTOCOL_TLS]);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct request_rows rows;
    struct table *table;

    document_init(document);
    document->name = "requests";
    document->main = "rows";
    request_rows_init(&rows, session, options->confidence);
    table = document_add_table(document, "rows", SECTION_IN_BOTH);
    table_init(table, &request_table_schema);
    request_table_fill(table, &rows);
    say_notes(table, session, &rows);
    add_summary(document, session, &rows);
    table = document_start_table(document, "slowest",
                                 rows.costs.counted > 0 && options->requests->slowest > 0
                                     ? SECTION_IN_BOTH
                                     : SECTION_IN_JSON,
                                 &slowest_table_schema);
    slowest_table_fill(table, session, &rows, options->requests->slowest);
    turns_tables_add(document, session, options->find_frames);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct requests_options, field, __VA_ARGS__),
#include "requests/requests_options.def"
#undef OPTION
};

static const struct requests_options defaults = {.slowest = 5};

const struct analysis analysis_requests = {
    .name = "requests",
    .help = "Requests that a server answered, by endpoint: latency, processor time, waits, memory "
            "kept. And the slowest ones.",
    .sort_key = "p99_ns",
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
