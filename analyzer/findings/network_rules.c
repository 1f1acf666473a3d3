/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting that could overlap: BLOCKED-LOOP and ROUND-TRIPS.
 *
 * While a coroutine waits in a call of Linux, its event loop serves no other one.  A program that
 * sends, waits for the answer and sends again has one question under way at a time.
 */
#include <math.h>
#include <string.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "findings/wait_lines.h"
#include "model/session.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "waits/answers.h"
#include "waits/wait_split.h"

static const double least_share = 0.05; /* of the wall time, as in INPUT */

/* Fill the finding's place and the function that waits most. */
static void say_line(struct finding *finding, const struct wait_line *line)
{
    place_append_short(&finding->place, &line->place);
    say(&finding->evidence, wait_line_text, said_time(line->waiting_ns), said_count(line->calls),
        said_time((double)line->max_ns), said_words(line->most->function));
    finding_add_number(finding, "calls", (double)line->calls);
    finding_add_number(finding, "waiting_ns", line->waiting_ns);
}

static struct finding *add(const struct findings_context *context, struct findings *findings,
                           double waiting_ns, double confidence)
{
    double ns = fmin(waiting_ns, context->wall.ns);

    return findings_add_waiting(findings, &(struct finding_claim){ns, ns, confidence}, 0);
}

static double sum_waiting(const struct array *lines)
{
    double ns = 0;

    for (size_t i = 0; i < lines->count; i++)
        ns += ((const struct wait_line *)array_at(lines, i))->waiting_ns;
    return ns;
}

/* ---- event loops that stand still -------------------------------------------------------- */

static const double longest_turn_ns = 5e6; /* a shorter stop is no delay that anyone sees */

/* SLEEP tells of sleeps.  Locks and the starts of threads are rarely the coroutine's choice. */
static bool stops_loop(struct places *places, const struct session_wait *wait)
{
    return (session_wait_is_files(wait) || session_wait_is_network(wait) || wait_is_poll(wait) ||
            wait->class == TRACE_WAIT_CLASS_JOIN) &&
           wait_lines_is_in_loop(places, wait->chain);
}

/* Returns: the thread that waited most below an event loop, with its lines. */
static const struct wait_line *find_stops(struct array *lines,
                                          const struct findings_context *context)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    const struct wait_line *most = NULL;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        struct array of;
        const struct wait_line *line = wait_lines_gather(&of, session, places, i, stops_loop);

        if (!line || (most && line->waiting_ns <= most->waiting_ns))
            continue;
        most = line;
        *lines = of;
    }
    return most;
}

void rule_blocked_loop(const struct findings_context *context, struct findings *findings)
{
    struct array lines;
    const struct wait_line *most = context->has_python ? find_stops(&lines, context) : NULL;
    double ns = most ? sum_waiting(&lines) : 0;
    struct finding *finding;

    if (!most) {
        findings_pass(findings, blocked_loop_none_text);
        return;
    }
    if (ns < least_share * context->wall.ns || (double)most->max_ns < longest_turn_ns) {
        findings_pass(findings, blocked_loop_passed_text, said_time(ns),
                      said_time((double)most->max_ns));
        return;
    }
    finding = add(context, findings, ns, FINDING_CONFIDENCE_MEDIUM);
    say(&finding->title, blocked_loop_title_text, said_share(finding->fraction));
    say_line(finding, most);
}

/* ---- one question at a time -------------------------------------------------------------- */

static const double least_waiting = 0.2; /* of the wall time, as in HOT-WAIT */
static const uint64_t least_trips = 10;
static const double longest_trip_ns = 500e6; /* longer ones may wait for work */
static const double half = 0.5;

/* Its processes answer each other over sockets of the machine: LOADER and TASKS tell of them. */
static bool is_multiprocessing(const struct place *place)
{
    return place_is_python(place) && place->file && strstr(place->file, "multiprocessing/");
}

static bool waits_for_answer(struct places *places, const struct session_wait *wait)
{
    struct place place;

    return wait_is_answer(wait) && !wait_lines_is_in_loop(places, wait->chain) &&
           !places_find(places, wait->chain, is_multiprocessing, &place);
}

static bool is_connect(const struct session_wait *wait)
{
    return strcmp(wait->function, "connect") == 0;
}

static bool is_send(const struct session_wait *wait)
{
    return session_wait_is_network(wait) && !wait->is_input && wait->has_bytes;
}

static uint64_t count_calls(const struct session *session, uint32_t thread,
                            bool (*is_meant)(const struct session_wait *wait))
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread && wait_is_client(wait) && is_meant(wait))
            calls += wait->calls;
    }
    return calls;
}

static void add_trips(const struct findings_context *context, struct findings *findings,
                      const struct wait_line *line, uint64_t trips)
{
    uint64_t connects =
        count_calls(context->session, wait_main_thread(context->session), is_connect);
    double each_ns = line->waiting_ns / (double)trips;
    struct finding *finding =
        add(context, findings, line->waiting_ns,
            each_ns < longest_trip_ns ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW);

    say(&finding->title, round_trips_title_text, said_share(finding->fraction));
    say(&finding->action, context->has_python ? round_trips_python_text : round_trips_native_text);
    if ((double)connects >= half * (double)trips)
        say(&finding->action, round_trips_connects_text, said_count(connects));
    say(&finding->evidence, round_trips_each_text, said_count(trips), said_time(each_ns));
    say_line(finding, line);
    finding_add_number(finding, "trips", (double)trips);
}

void rule_round_trips(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    uint32_t thread = wait_main_thread(session);
    struct array lines;
    const struct wait_line *most =
        wait_lines_gather(&lines, session, places_new(session, context->options.find_frames),
                          thread, waits_for_answer);
    uint64_t trips = count_calls(session, thread, is_send);

    if (most && trips >= least_trips && most->waiting_ns >= least_waiting * context->wall.ns)
        add_trips(context, findings, most, trips);
    else
        findings_pass(findings, round_trips_passed_text, said_count(trips),
                      said_time(most ? most->waiting_ns : 0));
}
