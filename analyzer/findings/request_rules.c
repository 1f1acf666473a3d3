/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests that wait, and what they keep: REQUEST-QUEUE, QUERIES, NAME-LOOKUPS, COLD-REQUEST,
 * KEEP-ALIVE and ENDPOINT-KEEPS.  None of them costs the program time: its clients wait.
 *
 * Costs of a request are known where its thread serves nothing else meanwhile.
 */
#include <math.h>
#include <stdlib.h>

#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "requests/request_load.h"
#include "requests/request_rows.h"

static const size_t least_requests = 20; /* of an endpoint, as findings_is_server asks of all */

static bool has_requests(const struct findings_context *context, struct findings *findings)
{
    if (findings_is_server(context))
        return true;
    findings_skip(findings, requests_few_text, said_count(context->requests.costs.counted));
    return false;
}

static const struct request_row *row_at(const struct findings_context *context, size_t index)
{
    return array_at(&context->requests.rows, index);
}

/* Returns: the row with the largest measure; NULL: it is 0 for all. */
static const struct request_row *find_most(const struct findings_context *context,
                                           double (*measure)(const struct session *session,
                                                             const struct request_row *row))
{
    const struct request_row *most = NULL;
    double most_of = 0;

    for (size_t i = 0; i < context->requests.rows.count; i++) {
        double of = measure(context->session, row_at(context, i));

        if (of > most_of) {
            most = row_at(context, i);
            most_of = of;
        }
    }
    return most;
}

/* ---- requests that lie unread --------------------------------------------------------------- */

static const double least_unread_ns = 10e6; /* the kernel counts in steps of up to 10 ms */
static const double unread_share = 0.25;    /* of the time that clients wait */

static double sum_users(const struct request_row *row)
{
    const uint64_t *ns = row->users_ns.items;
    double sum = 0;

    for (size_t i = 0; i < row->users_ns.count; i++)
        sum += (double)ns[i];
    return sum;
}

void rule_request_queue(const struct findings_context *context, struct findings *findings)
{
    const struct request_row *all = &context->requests.all;
    size_t count = all->users_ns.count;
    double mean_ns = count > 0 ? all->unread_ns / (double)count : 0, whole_ns = sum_users(all);
    struct request_load load;
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    if (count < least_requests || mean_ns < least_unread_ns ||
        all->unread_ns < unread_share * whole_ns) {
        findings_pass(findings, request_queue_passed_text, said_time(mean_ns), said_count(count));
        return;
    }
    request_load_find(&load, context->session, &context->requests.costs);
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, request_queue_title_text, said_time(mean_ns),
        said_share(all->unread_ns / whole_ns));
    say(&finding->evidence, request_queue_most_text, said_count(count),
        said_count(context->requests.costs.most_in_flight));
    if (load.most_queued != SESSION_UNKNOWN && load.most_queued > 0)
        say(&finding->evidence, request_queue_behind_text, said_count(load.most_queued));
    finding_add_number(finding, "unread_ns", all->unread_ns);
    finding_add_number(finding, "whole_ns", whole_ns);
}

/* ---- answers and names that requests wait for ------------------------------------------------ */

static const double least_answers = 5;   /* a request */
static const double answers_share = 0.3; /* of the requests' time */
static const double lookups_share = 0.1;

static void append_place(struct text *place, const struct findings_context *context,
                         const struct request_waits *waits)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    const struct place *line =
        waits->chain != SESSION_NONE ? own_lines_find(session, places, waits->chain) : NULL;

    if (line)
        place_append_short(place, line);
}

/* Returns: the time in answers of an endpoint that asks often; 0: of another. */
static double measure_answers(const struct session *session, const struct request_row *row)
{
    bool is_often = row->own >= least_requests &&
                    (double)row->answers.calls >= least_answers * (double)row->own &&
                    (double)row->answers.ns >= answers_share * row->own_ns;

    (void)session;
    return is_often ? (double)row->answers.ns : 0;
}

void rule_queries(const struct findings_context *context, struct findings *findings)
{
    const struct request_row *most = find_most(context, measure_answers);
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    if (!most) {
        findings_pass(findings, queries_passed_text);
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);
    say(&finding->title, queries_title_text, said_words(most->name),
        said_real((double)most->answers.calls / (double)most->own),
        said_share((double)most->answers.ns / most->own_ns));
    append_place(&finding->place, context, &most->answers);
    say(&finding->evidence, queries_sum_text, said_count(most->own),
        said_time((double)most->answers.ns), said_time(most->own_ns));
    finding_add_number(finding, "answers", (double)most->answers.calls);
    finding_add_number(finding, "answers_ns", (double)most->answers.ns);
    finding_add_number(finding, "requests_ns", most->own_ns);
}

static double measure_lookups(const struct session *session, const struct request_row *row)
{
    (void)session;
    return (double)row->lookups.ns;
}

void rule_name_lookups(const struct findings_context *context, struct findings *findings)
{
    const struct request_row *most = find_most(context, measure_lookups);
    double ns = most ? (double)most->lookups.ns : 0;
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    if (!most || most->own < least_requests || ns < lookups_share * most->own_ns) {
        findings_pass(findings, name_lookups_passed_text, said_time(ns));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, name_lookups_title_text,
        said_share((double)most->lookups.ns / most->own_ns), said_words(most->name));
    append_place(&finding->place, context, &most->lookups);
    say(&finding->evidence, name_lookups_sum_text, said_count(most->lookups.calls),
        said_count(most->own), said_time((double)most->lookups.ns));
    finding_add_number(finding, "lookups_ns", (double)most->lookups.ns);
}

/* ---- the first request ----------------------------------------------------------------------- */

static const double cold_least_ns = 100e6;
static const double cold_times = 10;

/* Returns: the length of a cold first request; 0: it is like the others. */
static double measure_cold(const struct session *session, const struct request_row *row)
{
    double first_ns = row->first ? (double)row->first->length_ns : 0;
    bool is_cold = row->lengths_ns.count >= least_requests && first_ns >= cold_least_ns &&
                   first_ns >= cold_times * request_percentile(row, SUMMARY_P95);

    (void)session;
    return is_cold ? first_ns : 0;
}

void rule_cold_request(const struct findings_context *context, struct findings *findings)
{
    const struct request_row *coldest = find_most(context, measure_cold);
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    if (!coldest) {
        findings_pass(findings, cold_request_passed_text);
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, cold_request_title_text, said_words(coldest->name),
        said_time((double)coldest->first->length_ns),
        said_time(request_percentile(coldest, SUMMARY_P50)));
    if (coldest->first->cpu_ns != SESSION_UNKNOWN)
        say(&finding->evidence, cold_request_cpu_text, said_time((double)coldest->first->cpu_ns));
    finding_add_number(finding, "first_ns", (double)coldest->first->length_ns);
}

/* ---- connections for single requests --------------------------------------------------------- */

static const double alone_share = 0.9; /* connections for each request */
static const double short_ns = 10e6;   /* of longer requests, a connection is a small part */

static size_t count_http(const struct findings_context *context)
{
    const struct session *session = context->session;
    size_t count = 0;

    for (size_t i = 0; i < session->served.count; i++)
        count += context->requests.costs.costs[i].is_counted &&
                 session_request_at(session, i)->protocol == TRACE_PROTOCOL_HTTP;
    return count;
}

void rule_keep_alive(const struct findings_context *context, struct findings *findings)
{
    enum { LEAST = 100 };
    size_t requests = count_http(context);
    double median_ns = request_percentile(&context->requests.all, SUMMARY_P50);
    struct request_load load;
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    request_load_find(&load, context->session, &context->requests.costs);
    if (requests < LEAST || (double)load.connections < alone_share * (double)requests ||
        !(median_ns < short_ns)) {
        findings_pass(findings, keep_alive_passed_text, said_count(requests),
                      said_count(load.connections));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);
    say(&finding->title, keep_alive_title_text, said_count(requests), said_count(load.connections));
    say(&finding->evidence, keep_alive_median_text, said_time(median_ns));
}

/* ---- what endpoints keep --------------------------------------------------------------------- */

static const double kept_least = 262144; /* bytes in all */
static const double keeping_share = 0.8; /* of the requests: a cache fills only at first */
static const double grown_share = 0.5;   /* of the sum: other threads may free it later */

/* Returns: how much the heap grew from the first of these requests to the last. */
static double find_growth(const struct session *session, const struct request_row *row)
{
    const struct session_moment *first = session_moment_of(&session->heap, row->first_ns);
    const struct session_moment *last = session_moment_of(&session->heap, row->last_ns);

    return first && last ? (double)last->max_bytes - (double)first->min_bytes : 0;
}

/* Returns: the bytes of an endpoint that keeps; 0: it does not. */
static double measure_kept(const struct session *session, const struct request_row *row)
{
    bool keeps = row->kept_count >= least_requests && row->kept_bytes >= kept_least &&
                 (double)row->keeping >= keeping_share * (double)row->kept_count &&
                 find_growth(session, row) >= grown_share * row->kept_bytes;

    return keeps ? row->kept_bytes : 0;
}

void rule_endpoint_keeps(const struct findings_context *context, struct findings *findings)
{
    const struct request_row *most = find_most(context, measure_kept);
    struct finding *finding;

    if (!has_requests(context, findings))
        return;
    if (!most) {
        findings_pass(findings, endpoint_keeps_passed_text);
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    say(&finding->title, endpoint_keeps_title_text, said_words(most->name),
        said_bytes(most->kept_bytes / (double)most->kept_count));
    say(&finding->evidence, endpoint_keeps_sum_text, said_count(most->kept_count),
        said_bytes(most->kept_bytes), said_count(most->keeping));
    finding_add_number(finding, "kept_bytes", most->kept_bytes);
}
