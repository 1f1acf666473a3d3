/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KNOWN-WAIT: the main thread waits in a function whose waiting has a known repair.
 */
#include <math.h>
#include <string.h>

#include "base/wildcard.h"
#include "findings/context.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "waits/wait_rows.h"

static const double least_share = 0.1; /* of the wall time */
static const double alike = 0.5;       /* of the longest call, by the mean one */
static const double answered_share = 0.1; /* of the waiting, for answers that come */

static const struct known_wait {
    const char *advice;
    const char *part; /* of the name of a function on the chain */
    const char *call; /* a pattern of wildcard.h for the name of the row, as tprof waits shows it */
    const char *answered; /* the same for calls that end with an answer: where these take long,
                             the other side is slow; NULL: all calls are meant */
    const struct said *title;
    bool are_alike; /* calls wait for as long as the longest; else they wait at the same time */
    double least_ms; /* of a call, on average: shorter ones have been repaired */
} known[] = {
    {"known_wait_child", "Popen._wait", "^clock_nanosleep", NULL, &known_wait_child_title_text,
     false, 0},
    {"known_wait_serving", "BaseServer.shutdown", "*", NULL, &known_wait_serving_title_text, false,
     50},
    {"known_wait_future", "std::__future_base::_Async_state", "^pthread_join", NULL,
     &known_wait_future_title_text, true, 0},
    {"known_wait_continue", "curl_", "^poll$", "^poll socket", &known_wait_continue_title_text,
     false, 0},
    {"known_wait_sqlite", "sqlite3_", "*nanosleep", NULL, &known_wait_sqlite_title_text, false, 0},
    {"known_wait_seek", "cv::VideoCapture::set", "^pthread_", NULL, &known_wait_seek_title_text,
     false, 0},
    {"known_wait_linger", "zmq_ctx_term", "^poll", NULL, &known_wait_linger_title_text, false, 0},
    {"known_wait_linger", "zmq_ctx_destroy", "^poll", NULL, &known_wait_linger_title_text, false,
     0},
    {"known_wait_retry", "Retry.sleep", "^clock_nanosleep", NULL, &known_wait_retry_title_text,
     false, 0},
};

enum { KNOWN_COUNT = sizeof known / sizeof *known };

/* The waiting of one row of the table. */
struct sum {
    double ns;
    double answered_ns;
    uint64_t calls;
    const struct wait_row *most;
};

static bool is_alike(const struct known_wait *wait, const struct wait_row *row)
{
    return !wait->are_alike || (row->calls > 1 && row->main_path_ns >= alike * (double)row->calls *
                                                                           (double)row->max_ns);
}

static bool is_long(const struct known_wait *wait, const struct wait_row *row)
{
    return row->main_path_ns >= wait->least_ms * 1e6 * (double)row->calls;
}

static bool is_in(const struct known_wait *wait, struct places *places, const struct wait_row *row)
{
    return wildcard_matches(wait->call, row->name) && is_alike(wait, row) && is_long(wait, row) &&
           places_have_name(places, row->main_chain, wait->part);
}

static bool is_answer(const struct known_wait *wait, struct places *places,
                      const struct wait_row *row)
{
    return wait->answered && wildcard_matches(wait->answered, row->name) &&
           places_have_name(places, row->main_chain, wait->part);
}

static void add_row(struct sum *sums, struct places *places, const struct wait_row *row)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        struct sum *sum = &sums[i];

        if (is_answer(&known[i], places, row))
            sum->answered_ns += row->main_path_ns;
        if (!is_in(&known[i], places, row))
            continue;
        sum->ns += row->main_path_ns;
        sum->calls += row->calls;
        if (!sum->most || row->main_path_ns > sum->most->main_path_ns)
            sum->most = row;
        return;
    }
}

static void add(const struct findings_context *context, struct findings *findings,
                struct places *places, const struct known_wait *wait, const struct sum *sum)
{
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){sum->ns, sum->ns, FINDING_CONFIDENCE_MEDIUM}, 0);

    own_place_append(&finding->place, places, context->session, sum->most->main_chain);
    say(&finding->title, *wait->title, said_share(fmin(1, sum->ns / context->wall.ns)));
    say(&finding->evidence, known_wait_calls_text, said_count(sum->calls), said_time(sum->ns),
        said_time((double)sum->most->max_ns));
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
    struct places *places = places_new(context->session, context->options.find_frames);
    struct sum sums[KNOWN_COUNT] = {{0}};
    struct wait_rows rows;
    double most_ns = 0;

    wait_rows_init(&rows, context->session, ANALYSIS_BY_DEFAULT);
    for (size_t i = 0; i < rows.rows.count; i++) {
        const struct wait_row *row = array_at(&rows.rows, i);

        if (!row->is_own && row->main_path_ns > 0 && row->main_chain != SESSION_NONE)
            add_row(sums, places, row);
    }
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        most_ns = fmax(most_ns, counted_ns(&sums[i]));
        if (counted_ns(&sums[i]) >= least_share * context->wall.ns)
            add(context, findings, places, &known[i], &sums[i]);
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
