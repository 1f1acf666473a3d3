/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KNOWN-WAIT: the main thread, or one that it waits for, waits in a function whose waiting has a
 * known repair.
 */
#include "findings/known_waits.h"

#include <math.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/main_waits.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "places/source_text.h"
#include "waits/wait_rows.h"

static const double least_share = 0.1; /* of the wall time */
static const double alike = 0.5;       /* of the longest call, by the mean one */
static const double answered_share = 0.1; /* of the waiting, for answers that come */

static const struct known_wait {
    const char *advice;
    const char *part; /* of the name of a function on the chain; NULL: any chain */
    const char *call; /* a pattern of wildcard.h for the name of the row, as tprof waits shows it */
    const char *answered; /* the same for calls that end with an answer: where these take long,
                             the other side is slow; NULL: all calls are meant */
    const struct said *title;
    bool are_alike; /* calls wait for as long as the longest; else they wait at the same time */
    double least_ms; /* of a call, on average: shorter ones have been repaired */
    const char *repaired; /* text of the program's line that has the repair; NULL: none tells */
} known[] = {
    {"known_wait_child", "Popen._wait", "^clock_nanosleep", NULL, &known_wait_child_title_text,
     false, 0, NULL},
    {"known_wait_serving", "BaseServer.shutdown", "*", NULL, &known_wait_serving_title_text, false,
     50, NULL},
    {"known_wait_future", "std::__future_base::_Async_state", "^pthread_join", NULL,
     &known_wait_future_title_text, true, 0, NULL},
    {"known_wait_continue", "curl_", "^poll$", "^poll socket", &known_wait_continue_title_text,
     false, 0, NULL},
    {"known_wait_sqlite", "sqlite3_", "*sleep", NULL, &known_wait_sqlite_title_text, false, 0,
     NULL},
    {"known_wait_seek", "cv::VideoCapture::set", "^pthread_", NULL, &known_wait_seek_title_text,
     false, 0, NULL},
    {"known_wait_linger", "zmq_ctx_term", "^poll", NULL, &known_wait_linger_title_text, false, 0,
     NULL},
    {"known_wait_linger", "zmq_ctx_destroy", "^poll", NULL, &known_wait_linger_title_text, false, 0,
     NULL},
    {"known_wait_writer", NULL, "^pthread_rwlock_*wrlock", NULL, &known_wait_writer_title_text,
     false, 25, NULL},
    {"known_wait_stream", "Response.iter_lines", "^poll", NULL, &known_wait_stream_title_text,
     false, 20, "chunk_size"},
    {"known_wait_stream", "Response.iter_lines", "^recv", NULL, &known_wait_stream_title_text,
     false, 20, "chunk_size"},
    {"known_wait_file_lock", "LockAcquisition._poll", "^clock_nanosleep", NULL,
     &known_wait_file_lock_title_text, false, 20, "poll_interval"},
    {"known_wait_file_lock", "BaseFileLock.acquire", "^clock_nanosleep", NULL,
     &known_wait_file_lock_title_text, false, 20, "poll_interval"},
    {"known_wait_connection", "QueuePool._do_get", "^sem_", NULL, &known_wait_connection_title_text,
     false, 10, NULL},
    {"known_wait_host_name", NULL, "^getaddrinfo", NULL, &known_wait_host_name_title_text, false,
     900, NULL},
    {"known_wait_host_name", NULL, "^gethostby", NULL, &known_wait_host_name_title_text, false, 900,
     NULL},
    {"known_wait_retry", "Retry.sleep", "^clock_nanosleep", NULL, &known_wait_retry_title_text,
     false, 0, NULL},
};

enum { KNOWN_COUNT = sizeof known / sizeof *known };

/* The waiting of one row of the table. */
struct sum {
    double ns;
    double bound_ns; /* the most of it, where other threads wait */
    double answered_ns;
    uint64_t calls;
    const struct wait_row *most;
};

/* The waiting of a row in the threads that count. */
static double waiting_of(const struct main_waits *of, const struct wait_row *row)
{
    return main_waits_is_others(of, row) ? row->waiting_ns : row->main_path_ns;
}

static bool is_alike(const struct known_wait *wait, const struct wait_row *row, double ns)
{
    return !wait->are_alike ||
           (row->calls > 1 && ns >= alike * (double)row->calls * (double)row->max_ns);
}

static bool is_long(const struct known_wait *wait, const struct wait_row *row, double ns)
{
    return ns >= wait->least_ms * 1e6 * (double)row->calls;
}

static bool is_through(const struct known_wait *wait, const struct main_waits *of,
                       const struct wait_row *row)
{
    return !wait->part || places_have_name(of->places, main_waits_chain(of, row), wait->part);
}

/* Does the program's own line have the repair? */
static bool is_repaired(const struct known_wait *wait, const struct main_waits *of,
                        const struct wait_row *row)
{
    const struct place *own =
        wait->repaired ? own_lines_find(of->session, of->places, main_waits_chain(of, row)) : NULL;
    struct source_text source;
    struct text line;
    bool is = false;

    if (!own || !own->file)
        return false;
    source_text_init(&source, of->session);
    text_init(&line);
    if (source_text_append_whole(&source, &line, own->file, own->line) && line.size > 0)
        is = strstr(line.bytes, wait->repaired) != NULL;
    text_fini(&line);
    return is;
}

static bool is_in(const struct known_wait *wait, const struct main_waits *of,
                  const struct wait_row *row)
{
    double ns = waiting_of(of, row);

    return wildcard_matches(wait->call, row->name) && is_alike(wait, row, ns) &&
           is_long(wait, row, ns) && is_through(wait, of, row) && !is_repaired(wait, of, row);
}

static bool is_answer(const struct known_wait *wait, const struct main_waits *of,
                      const struct wait_row *row)
{
    return wait->answered && wildcard_matches(wait->answered, row->name) &&
           is_through(wait, of, row);
}

bool known_wait_is(struct places *places, const char *name, uint32_t chain)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (known[i].part && wildcard_matches(known[i].call, name) &&
            places_have_name(places, chain, known[i].part))
            return true;
    return false;
}

static void add_row(struct sum *sums, const struct main_waits *of, const struct wait_row *row)
{
    double ns = main_waits_known_ns(of, row);

    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        struct sum *sum = &sums[i];

        if (is_answer(&known[i], of, row))
            sum->answered_ns += ns;
        if (!is_in(&known[i], of, row))
            continue;
        sum->ns += ns;
        sum->bound_ns += main_waits_is_others(of, row) ? main_waits_bound_ns(of, row) : ns;
        sum->calls += row->calls;
        if (!sum->most || ns > main_waits_known_ns(of, sum->most))
            sum->most = row;
        return;
    }
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct main_waits *of, const struct known_wait *wait, const struct sum *sum)
{
    double bound_ns = fmin(sum->bound_ns, context->wall.ns);
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){bound_ns, bound_ns, FINDING_CONFIDENCE_MEDIUM}, 0);

    own_place_append(&finding->place, of->places, of->session, main_waits_chain(of, sum->most));
    say(&finding->title, *wait->title, said_share(fmin(1, sum->ns / context->wall.ns)));
    say(&finding->evidence,
        main_waits_is_others(of, sum->most) ? known_wait_others_text : known_wait_calls_text,
        said_count(sum->calls), said_time(sum->ns), said_time((double)sum->most->max_ns));
    finding_advise(finding, wait->advice);
    finding_add_number(finding, "main_ns", sum->ns);
    finding_add_number(finding, "calls", (double)sum->calls);
}

static double counted_ns(const struct sum *sum)
{
    return sum->answered_ns <= answered_share * sum->ns ? sum->ns : 0;
}

static double add_all(const struct findings_context *context, struct findings *findings)
{
    struct sum sums[KNOWN_COUNT] = {{0}};
    struct main_waits of;
    double most_ns = 0;

    main_waits_init(&of, context);
    for (size_t i = 0; i < of.rows.rows.count; i++) {
        const struct wait_row *row = array_at(&of.rows.rows, i);

        if (!row->is_own && main_waits_known_ns(&of, row) > 0 &&
            main_waits_chain(&of, row) != SESSION_NONE)
            add_row(sums, &of, row);
    }
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        most_ns = fmax(most_ns, counted_ns(&sums[i]));
        if (counted_ns(&sums[i]) >= least_share * context->wall.ns)
            add(context, findings, &of, &known[i], &sums[i]);
    }
    return most_ns;
}

void rule_known_wait(const struct findings_context *context, struct findings *findings)
{
    double most_ns;

    if (context->session->waits.count == 0) {
        findings_skip(findings, waits_none_text);
        return;
    }
    most_ns = add_all(context, findings);
    if (most_ns < least_share * context->wall.ns)
        findings_pass(findings, known_wait_passed_text, said_share(most_ns / context->wall.ns));
}
