/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UNJOINED: a thread that can be joined keeps its stack and its thread-local data after its end,
 * until somebody joins or detaches it.
 *
 * The trace has the threads that were created and neither joined nor detached.  Some of them may
 * run until the end, as those of a pool do: at most as many as the process had at its end.
 *
 * Source: pthread_create(3), pthread_join(3).
 */
#include "findings/unjoined.h"

#include "base/text.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "heap/heap_leak.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"

static const uint64_t least_ended = 16; /* fewer stacks may be those of a pool that ended */

/* Threads that nobody joined. */
struct unjoined {
    uint64_t count;
    uint64_t stack_bytes; /* UNKNOWN */
    uint64_t running;     /* at most; UNKNOWN */
    const struct session_unjoined *most;
};

static struct unjoined sum(const struct session *session)
{
    const struct session_unjoined *row = session->unjoined.items;
    uint64_t at_end = session->process.threads_at_end;
    struct unjoined sum = {.running = SESSION_UNKNOWN};

    for (size_t i = 0; i < session->unjoined.count; i++) {
        sum.count += row[i].count;
        sum.stack_bytes =
            row[i].stack_bytes == SESSION_UNKNOWN || sum.stack_bytes == SESSION_UNKNOWN
                ? SESSION_UNKNOWN
                : sum.stack_bytes + row[i].stack_bytes;
        if (!sum.most || row[i].count > sum.most->count)
            sum.most = &row[i];
    }
    if (at_end != SESSION_UNKNOWN)
        sum.running = at_end > 0 ? at_end - 1 : 0; /* without the main thread */
    return sum;
}

static uint64_t count_ended(const struct unjoined *unjoined)
{
    return unjoined->running < unjoined->count ? unjoined->count - unjoined->running : 0;
}

static bool find_place(struct place *place, const struct unjoined *unjoined,
                       const struct session *session, places_finder find)
{
    return unjoined->most && unjoined->most->chain != SESSION_NONE &&
           places_find_owner_of(places_new(session, find), unjoined->most->chain, place);
}

/* The stacks of all threads at the last moment whose parts are known. */
static void say_resident(struct text *text, const struct session *session)
{
    const struct session_resident *last;

    if (session->residents.count == 0)
        return;
    last = array_at(&session->residents, session->residents.count - 1);
    say(text, unjoined_resident_text, said_bytes((double)last->parts[TRACE_RESIDENT_STACKS].bytes),
        said_time((double)last->time_ns));
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct unjoined *unjoined)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    uint64_t ended = count_ended(unjoined);
    struct place place;

    if (unjoined->stack_bytes == SESSION_UNKNOWN)
        say(&finding->title, unjoined_title_text, said_count(ended));
    else
        say(&finding->title, unjoined_title_stacks_text, said_count(ended),
            said_bytes((double)unjoined->stack_bytes / (double)unjoined->count * (double)ended));
    if (find_place(&place, unjoined, context->session, context->options.find_frames))
        place_append_short(&finding->place, &place);
    say_resident(&finding->evidence, context->session);
    if (unjoined->running > 0)
        say(&finding->evidence, unjoined_running_text, said_count(unjoined->count),
            said_count(unjoined->running));
    finding_add_number(finding, "threads", (double)ended);
}

void rule_unjoined(const struct findings_context *context, struct findings *findings)
{
    const struct unjoined unjoined = sum(context->session);

    if (unjoined.count > 0 && unjoined.running == SESSION_UNKNOWN)
        findings_skip(findings, unjoined_unknown_text, said_count(unjoined.count));
    else if (count_ended(&unjoined) < least_ended)
        findings_pass(findings, unjoined_passed_text, said_count(count_ended(&unjoined)));
    else
        add(context, findings, &unjoined);
}

bool unjoined_explains(const struct leak_judgement *judgement, const struct session *session,
                       const struct analysis_options *options)
{
    const struct unjoined unjoined = sum(session);
    struct place grower, creator;

    return count_ended(&unjoined) >= least_ended &&
           leak_verdict_of(judgement->reason) == LEAK_SEEN &&
           heap_leak_find_place(&grower, judgement, session, options->find_frames) &&
           find_place(&creator, &unjoined, session, options->find_frames) &&
           place_is_same_line(&grower, &creator);
}
