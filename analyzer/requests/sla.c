/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latencies against a limit.  A latency counts from the arrival in the kernel where the socket was
 * asked, else from the first read.
 */
#include "requests/sla.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text_list.h"
#include "document/document.h"
#include "document/fields.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "requests/request_rows.h"
#include "requests/texts.h"
#include "statistics/limit.h"

struct latencies {
    struct array values_ns; /* uint64_t */
    size_t over;
    size_t from_arrival;
    size_t called; /* of functions */
    uint64_t all; /* with those that have no record */
};

static void take(struct latencies *latencies, const struct session_request *request,
                 const struct sla *sla)
{
    bool has_arrival = request->arrival_ns != SESSION_UNKNOWN;
    uint64_t *value = array_add(&latencies->values_ns);

    *value = request->length_ns + (has_arrival ? request->arrival_ns : 0);
    latencies->over += *value > sla->max_ns;
    latencies->from_arrival += has_arrival;
    latencies->called += session_request_is_called(request);
}

/* Returns: all requests that were counted, also those without a record. */
static uint64_t count_all(const struct session *session, const struct sla *sla)
{
    const struct session_request_sums *sums = session->request_sums.items;
    uint64_t calls = 0;

    for (size_t i = 0; i < session->request_sums.count; i++) {
        const struct session_request of = {.endpoint = sums[i].endpoint, .port = sums[i].raw.port};
        char room[REQUEST_NAME_SIZE];

        if (!sla->endpoint || strcmp(request_name(&of, room), sla->endpoint) == 0)
            calls += sums[i].raw.calls;
    }
    return calls;
}

static void gather(struct latencies *latencies, const struct session *session,
                   const struct sla *sla)
{
    struct request_costs costs;

    *latencies = (struct latencies){0};
    array_init(&latencies->values_ns, sizeof(uint64_t));
    latencies->all = count_all(session, sla);
    request_costs_find(&costs, session);
    for (size_t i = 0; i < session->served.count; i++) {
        const struct session_request *request = session_request_at(session, i);
        char room[REQUEST_NAME_SIZE];

        if (costs.costs[i].is_counted &&
            (!sla->endpoint || strcmp(request_name(request, room), sla->endpoint) == 0))
            take(latencies, request, sla);
    }
}

static const char *answer_key(enum limit_answer answer)
{
    switch (answer) {
    case LIMIT_KEPT: return "yes";
    case LIMIT_BROKEN: return "no";
    case LIMIT_OPEN: break;
    }
    return "cannot tell";
}

static enum status status_of(enum limit_answer answer)
{
    switch (answer) {
    case LIMIT_KEPT: return STATUS_OK;
    case LIMIT_BROKEN: return STATUS_POLICY_FAILED;
    case LIMIT_OPEN: break;
    }
    return STATUS_NOT_ENOUGH_DATA;
}

static void say_verdict(struct text_list *lines, const struct limit_verdict *verdict,
                        const struct sla *sla)
{
    char number[16];
    struct said percentile, max = said_time((double)sla->max_ns);
    struct said sure = said_share(sla->confidence), over = said_count(verdict->over);
    struct said count = said_count(verdict->count), allowed = said_count(verdict->allowed);

    snprintf(number, sizeof number, "%.6g", sla->fraction * 100);
    percentile = said_words(number);
    if (verdict->answer == LIMIT_KEPT)
        text_list_say(lines, sla_kept_text, percentile, max, sure, over, count, allowed);
    else if (verdict->answer == LIMIT_BROKEN)
        text_list_say(lines, sla_broken_text, percentile, max, sure, over, count, allowed);
    else if (verdict->least_count > verdict->count)
        text_list_say(lines, sla_open_text, percentile, max, over, count,
                      said_count(verdict->least_count - verdict->count));
    else
        text_list_say(lines, sla_open_never_text, percentile, max, over, count);
}

static void say_notes(struct text_list *lines, const struct latencies *latencies,
                      const struct sla *sla)
{
    size_t count = latencies->values_ns.count, asked = latencies->from_arrival;

    if (count == 0) {
        text_list_say(lines, requests_none_text);
        return;
    }
    if (latencies->all > count)
        text_list_say(lines, sla_recorded_text, said_count(count), said_count(latencies->all));
    text_list_say(lines, sla_independent_text,
                  said_time(request_nearest(&latencies->values_ns, sla->fraction)));
    if (latencies->called == count)
        text_list_say(lines, sla_called_text);
    else
        text_list_say(lines, sla_from_text, said_count(asked), said_count(count - asked));
}

static void put_fields(struct document *document, const struct latencies *latencies,
                       const struct limit_verdict *verdict, const struct sla *sla)
{
    struct record *record = document_add_record(document, "sla", NULL, SECTION_IN_JSON);

    fields_put_text(record, "answer", answer_key(verdict->answer));
    fields_put_count(record, "max_ns", UNIT_NS, sla->max_ns);
    fields_put_real(record, "percentile", UNIT_FRACTION, sla->fraction);
    fields_put_real(record, "confidence", UNIT_FRACTION, sla->confidence);
    fields_put_text(record, "endpoint", sla->endpoint);
    fields_put_count(record, "requests", UNIT_COUNT, verdict->count);
    fields_put_count(record, "all_requests", UNIT_COUNT,
                     latencies->all > verdict->count ? latencies->all : verdict->count);
    fields_put_count(record, "over", UNIT_COUNT, verdict->over);
    fields_put_count(record, "allowed", UNIT_COUNT,
                     verdict->can_be_kept ? verdict->allowed : SESSION_UNKNOWN);
    fields_put_count(record, "more_needed", UNIT_COUNT,
                     verdict->answer != LIMIT_OPEN || verdict->least_count <= verdict->count
                         ? SESSION_UNKNOWN
                         : verdict->least_count - verdict->count);
    fields_put_rounded(record, "value_ns", UNIT_NS,
                       request_nearest(&latencies->values_ns, sla->fraction));
    fields_put_count(record, "from_arrival", UNIT_COUNT, latencies->from_arrival);
}

void sla_build(const struct session *session, const struct sla *sla, struct document *document)
{
    struct latencies latencies;
    struct limit_verdict verdict;
    struct text_list *lines;

    document_init(document);
    document->name = "sla";
    gather(&latencies, session, sla);
    verdict =
        limit_judge(latencies.over, latencies.values_ns.count, sla->fraction, sla->confidence);
    lines = document_add_lines(document, NULL);
    say_verdict(lines, &verdict, sla);
    say_notes(lines, &latencies, sla);
    put_fields(document, &latencies, &verdict, sla);
    document->verdict = status_of(verdict.answer);
}
