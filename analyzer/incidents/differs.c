/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of two stretches of a run, by wait, and of processor time by samples.
 */
#include "incidents/differs.h"

#include "base/pool.h"
#include "incidents/quiet.h"
#include "incidents/texts.h"
#include "model/session.h"
#include "model/session_incidents.h"
#include "model/session_samples.h"
#include "model/session_waits.h"

enum { SHOWN = 2 };

/* A growth that may be chance: less than 10 ms, or than a tenth of the stretch. */
static const uint64_t least_ns = 10000000;
enum { LEAST_PART = 10 };

static uint64_t overlap(const struct session_wait_call *call, const struct session_window *window)
{
    uint64_t start_ns = call->start_ns > window->from_ns ? call->start_ns : window->from_ns;
    uint64_t end_ns = call->end_ns < window->to_ns ? call->end_ns : window->to_ns;

    return end_ns > start_ns ? end_ns - start_ns : 0;
}

/* Returns: the time of each wait, of the pool in use.  Idle workers wait for nothing. */
static uint64_t *sum_waits(const struct session *session, const struct session_window *window)
{
    uint64_t *sums = pool_get_zeros(session->waits.count + 1, sizeof *sums);

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);

        if (session_wait_at(session, call->wait)->class != TRACE_WAIT_CLASS_IDLE)
            sums[call->wait] += overlap(call, window);
    }
    return sums;
}

static uint64_t sum_cpu(const struct session *session, const struct session_window *window)
{
    const struct session_tick *tick = session->ticks.items;
    uint64_t periods = 0;

    for (size_t i = 0; i < session->ticks.count; i++)
        if (tick[i].time_ns >= window->from_ns && tick[i].time_ns <= window->to_ns)
            periods += tick[i].periods;
    return periods * session->sampling.period_ns;
}

static bool has_grown(uint64_t now_ns, uint64_t quiet_ns, const struct session_window *window)
{
    uint64_t most_ns = (window->to_ns - window->from_ns) / LEAST_PART;

    return now_ns > quiet_ns && now_ns - quiet_ns >= (most_ns < least_ns ? most_ns : least_ns);
}

/* Returns: the wait that grew most; `count`: none grew. */
static size_t find_most(const uint64_t *now_ns, const uint64_t *quiet_ns, size_t count,
                        const struct session_window *window)
{
    size_t most = count;

    for (size_t i = 0; i < count; i++)
        if (has_grown(now_ns[i], quiet_ns[i], window) &&
            (most == count || now_ns[i] - quiet_ns[i] > now_ns[most] - quiet_ns[most]))
            most = i;
    return most;
}

static void append(struct text *text, const struct said form, const char *name, uint64_t now_ns,
                   uint64_t quiet_ns)
{
    if (text->size > 0)
        text_append(text, "; ");
    if (name)
        say_part(text, form, said_words(name), said_time((double)now_ns),
                 said_time((double)quiet_ns));
    else
        say_part(text, form, said_time((double)now_ns), said_time((double)quiet_ns));
}

static void append_waits(struct text *text, const struct session *session,
                         const struct session_window *window, const struct session_window *quiet)
{
    uint64_t *now_ns = sum_waits(session, window), *quiet_ns = sum_waits(session, quiet);
    size_t count = session->waits.count;

    for (int i = 0; i < SHOWN; i++) {
        size_t most = find_most(now_ns, quiet_ns, count, window);

        if (most == count)
            return;
        append(text, incidents_more_text, session_wait_at(session, most)->function, now_ns[most],
               quiet_ns[most]);
        now_ns[most] = 0;
    }
}

void differs_append(struct text *text, uint64_t *quiet_from_ns, const struct session *session,
                    const struct session_incident *incident)
{
    struct session_window window = incident_window(session, incident), quiet;
    uint64_t now_ns, quiet_ns;

    if (!quiet_find(&quiet, session, incident)) {
        say(text, incidents_no_quiet_text);
        return;
    }
    *quiet_from_ns = quiet.from_ns;
    append_waits(text, session, &window, &quiet);
    now_ns = sum_cpu(session, &window);
    quiet_ns = sum_cpu(session, &quiet);
    if (has_grown(now_ns, quiet_ns, &window))
        append(text, incidents_cpu_text, NULL, now_ns, quiet_ns);
    if (text->size == 0)
        say(text, incidents_alike_text);
}
