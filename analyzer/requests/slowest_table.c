/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slowest requests, and what each waited for.
 */
#include "requests/request_table.h"

#include <stdlib.h>

#include "base/pool.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "requests/request_rows.h"
#include "requests/texts.h"
#include "waits/wait_place.h"
#include "waits/wait_rows.h"

enum column_index {
    NAME,
    TIME,
    START,
    FIRST,
    ARRIVAL,
    CPU,
    WAITS,
    LONGEST,
    PLACE,
    KEPT,
    THREAD,
    TRACE,
    SPAN
};

static const struct column columns[] = {
    [NAME] = {"endpoint", "endpoint", "method and path, or the port that accepted the connection",
              UNIT_TEXT, 0},
    [TIME] = {"time_ns", "time", "from the first read to the last write", UNIT_NS, 0},
    [START] = {"start_ns", "at", "when it began, since the start of recording", UNIT_NS, 1},
    [FIRST] = {"first_byte_ns", "first byte", "to the first byte of the answer", UNIT_NS, 5},
    [ARRIVAL] = {"arrival_ns", "unread", "its bytes lay in the kernel so long before", UNIT_NS, 4},
    [CPU] = {"cpu_ns", "processor", "processor time of its thread", UNIT_NS, 2},
    [WAITS] = {"wait_ns", "waits", "waiting in calls of 50 us or more", UNIT_NS, 2},
    [LONGEST] = {"longest", "longest wait", "the call that waited longest, and how long", UNIT_TEXT,
                 0},
    [PLACE] = {"place", "where", "the program's own line that waited", UNIT_PLACE, 3},
    [KEPT] = {"kept_bytes", "kept", "obtained less freed by the thread", UNIT_BYTES, 6},
    [THREAD] = {"thread", "thread", "that read it", UNIT_NUMBER, 7},
    [TRACE] = {"trace_id", "trace", "as OpenTelemetry published it for the thread", UNIT_TEXT, 8},
    [SPAN] = {"span_id", "span", "and its span", UNIT_TEXT, 9},
};

const struct table_schema slowest_table_schema = {"slowest", "Slowest requests", columns,
                                                  sizeof columns / sizeof *columns, NULL};

static int compare(const void *left, const void *right)
{
    uint64_t a = (*(const struct session_request *const *)left)->length_ns;
    uint64_t b = (*(const struct session_request *const *)right)->length_ns;

    return a < b ? 1 : -(a > b);
}

static void set_waits(struct value *row, const struct session *session,
                      const struct request_cost *cost)
{
    uint64_t all = 0;
    struct text call, name;

    for (unsigned i = 0; i < TRACE_WAIT_CLASSES; i++)
        all += cost->waits_ns[i];
    value_set_unsigned(&row[WAITS], all);
    if (cost->wait == SESSION_NONE)
        return;
    text_init(&call);
    text_init(&name);
    wait_append_call(&name, session_wait_at(session, cost->wait));
    say(&call, request_longest_text, said_words(name.bytes), said_time((double)cost->longest_ns));
    value_take_text(&row[LONGEST], &call);
    wait_place_append_own(&call, session, session_wait_at(session, cost->wait));
    value_take_text(&row[PLACE], &call);
}

static void set_id(struct value *value, const uint8_t *bytes, size_t size)
{
    struct text text;
    bool is_known = false;

    for (size_t i = 0; i < size; i++)
        is_known |= bytes[i] != 0;
    if (!is_known)
        return;
    text_init(&text);
    for (size_t i = 0; i < size; i++)
        text_appendf(&text, "%02x", bytes[i]);
    value_take_text(value, &text);
}

static void set_row(struct value *row, const struct session *session,
                    const struct session_request *request, const struct request_cost *cost)
{
    char room[REQUEST_NAME_SIZE];

    value_set_text(&row[NAME], request_name(request, room));
    value_set_unsigned(&row[TIME], request->length_ns);
    value_set_unsigned(&row[START], request->start_ns);
    value_set_known(&row[FIRST], request->first_ns);
    value_set_known(&row[ARRIVAL], request->arrival_ns);
    set_id(&row[TRACE], request->context.trace, sizeof request->context.trace);
    set_id(&row[SPAN], request->context.span, sizeof request->context.span);
    if (request->thread != SESSION_NONE)
        value_set_unsigned(&row[THREAD], session_thread_at(session, request->thread)->id);
    if (!cost->is_own)
        return;
    value_set_known(&row[CPU], request->cpu_ns);
    if (request->kept_bytes != TRACE_REQUEST_KEPT_UNKNOWN)
        value_set_integer(&row[KEPT], request->kept_bytes);
    set_waits(row, session, cost);
}

void slowest_table_fill(struct table *table, const struct session *session,
                        const struct request_rows *rows, size_t count)
{
    const struct session_request **requests =
        pool_get_zeros(session->served.count + 1, sizeof *requests);
    size_t found = 0;

    for (size_t i = 0; i < session->served.count; i++)
        if (rows->costs.costs[i].is_counted)
            requests[found++] = session_request_at(session, i);
    qsort(requests, found, sizeof *requests, compare);
    for (size_t i = 0; i < found && i < count; i++)
        set_row(table_add_row(table), session, requests[i],
                &rows->costs
                     .costs[requests[i] - (const struct session_request *)session->served.items]);
}
