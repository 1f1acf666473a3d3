/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds whether a heap that grew like a leak grew only in the start-up.
 *
 * The usual warm-up is a fifth of the run.  A program that imports for twelve seconds and works for
 * one starts up nearly all the time, and its heap rises like a leak.  So if the start-up is longer
 * than the warm-up, the time after it is judged, too, without a fifth of that time.
 *
 * Growth in that time is a leak.  Growth only in the start-up is no leak, if steps, requests, tasks
 * or regions end the start-up.  Kernels and samples of imports are weaker evidence: a server may
 * leak for an hour and call a kernel at its end.  So they withdraw a verdict, but never clear a
 * program; and they do not even withdraw it if hardly any time remains after them.
 *
 * Decision: doc/decisions/leak-verdict.
 */
#include "heap/leak_start.h"

#include <math.h>

#include "heap/leaks_options.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

enum { WORKING = 64 /* kernel calls in a start-up that is work */ };

static const double warmup_share = 0.20;  /* share of the time after the start-up */
static const double late_share = 0.10;    /* share of the growth, after the work */
static const double least_of_work = 0.05; /* share of the run, after kernels or imports start or
                                             end */

bool leak_may_be_start(const struct leak_judgement *judgement,
                       const struct analysis_options *options)
{
    return options->leaks->warmup_ns == SESSION_UNKNOWN && judgement->verdict != LEAK_NOT_SEEN &&
           judgement->reason != LEAK_HEAP_UNKNOWN && judgement->reason != LEAK_TOO_SHORT;
}

static struct memory_window find_steady(const struct leak_start *start)
{
    uint64_t from_ns = start->end_ns, to_ns = start->steady_to_ns;

    if (to_ns > from_ns)
        from_ns += (uint64_t)(warmup_share * (double)(to_ns - from_ns));
    if (from_ns < start->steady_from_ns)
        from_ns = start->steady_from_ns;
    return (struct memory_window){from_ns, to_ns};
}

/* Returns: the floor of the heap in the moment of a time. */
static double live_at(const struct session_heap *heap, uint64_t time_ns)
{
    const struct session_moment *moment = session_moment_of(heap, time_ns);

    return moment ? (double)moment->min_bytes : 0;
}

static const double lasting_rate = 0.5; /* of the rate of the whole */

static double span_ns(const struct memory_window *window)
{
    return window->to_ns > window->from_ns ? (double)(window->to_ns - window->from_ns) : 0;
}

/* A time after the start-up that is too short for a verdict of its own still shows whether the
 * growth of the whole goes on. */
static bool goes_on_after(const struct leak_judgement *whole, const struct leak_judgement *steady,
                          const struct session_heap *heap)
{
    double bytes = live_at(heap, steady->window.to_ns) - live_at(heap, steady->window.from_ns);
    double rate = whole->growth_bytes / span_ns(&whole->window);

    return steady->reason == LEAK_TOO_SHORT && whole->reason == LEAK_GROWS &&
           bytes >= HEAP_LEAST_CHANGE && bytes >= lasting_rate * rate * span_ns(&steady->window);
}

/* A start-up of many kernel calls is work before the work. */
static bool is_certain(const struct leak_judgement *whole, const struct session *session,
                       const struct leak_start *start)
{
    const struct memory_window before = {whole->window.from_ns, start->end_ns};

    return start->is_marked && leak_count_calls(session, &before) < WORKING;
}

/* A container that doubles its room may not have done so since. */
static enum leak_reason weigh_steady(const struct leak_judgement *whole,
                                     const struct leak_judgement *steady, bool is_certain)
{
    bool is_cleared = is_certain && whole->reason != LEAK_JUMPS;

    switch (steady->verdict) {
    case LEAK_SEEN: return steady->reason;
    case LEAK_NOT_SEEN:
        if (!is_cleared)
            return LEAK_IN_START;
        return steady->reason == LEAK_NO_TREND || steady->reason == LEAK_IMMATERIAL
                   ? LEAK_STARTED
                   : steady->reason;
    case LEAK_UNDECIDED: break;
    }
    return steady->reason == LEAK_TOO_SHORT || steady->reason == LEAK_TOO_FEW_TEETH
               ? LEAK_IN_START
               : steady->reason;
}

/* Unknown growth after the start-up counts as growth. */
static bool has_ended(double whole_bytes, double steady_bytes)
{
    return !(whole_bytes > 0) || !(steady_bytes > 0 || isnan(steady_bytes));
}

static bool has_ended_outside(const struct leak_outside *whole, const struct leak_outside *steady)
{
    return has_ended(whole->mapped_bytes, steady->mapped_bytes) &&
           has_ended(whole->resident_bytes, steady->resident_bytes) && !(whole->undated_bytes > 0);
}

/* If the whole was not judged a leak, the steady part must be plain. */
static bool is_plainer(const struct leak_judgement *whole, const struct leak_judgement *steady)
{
    return steady->verdict == LEAK_SEEN ||
           (whole->reason == LEAK_OUTSIDE && steady->verdict == LEAK_NOT_SEEN &&
            has_ended_outside(&whole->outside, &steady->outside));
}

/* Growth that ended before the last third was the start-up, if nothing grew after it. */
static bool is_early(const struct leak_judgement *whole, const struct leak_judgement *steady,
                     bool is_certain)
{
    return is_certain && whole->reason == LEAK_AT_START && steady->verdict == LEAK_NOT_SEEN;
}

/* A program that goes on growing after its last step grows for another reason than its steps. */
static bool grows_after(const struct leak_judgement *whole, const struct session_heap *heap,
                        uint64_t steady_to_ns)
{
    double late = live_at(heap, whole->window.to_ns) - live_at(heap, steady_to_ns);

    return late >= HEAP_LEAST_CHANGE && late >= late_share * whole->growth_bytes;
}

static bool is_long_start(const struct leak_judgement *whole, const struct session *session,
                          const struct leak_start *start)
{
    double wall_ns = (double)session->process.wall_ns;

    if (grows_after(whole, &session->heap, start->steady_to_ns))
        return false;
    return start->end_ns > whole->window.from_ns &&
           (start->is_marked || wall_ns - (double)start->end_ns >= least_of_work * wall_ns);
}

void leak_judge_after(struct leak_judgement *judgement, const struct session *session,
                      const struct analysis_options *options, const struct leak_start *start)
{
    const struct leak_judgement whole = *judgement;
    const struct memory_window window = find_steady(start);
    struct leak_judgement steady;

    if (!is_long_start(&whole, session, start))
        return;
    leak_judge_in(&steady, session, options, &window);
    if (goes_on_after(&whole, &steady, &session->heap))
        return;
    bool is = is_certain(&whole, session, start);
    if (whole.verdict == LEAK_SEEN || is_early(&whole, &steady, is)) {
        steady.reason = weigh_steady(&whole, &steady, is);
        steady.verdict = leak_verdict_of(steady.reason);
    } else if (!is || !is_plainer(&whole, &steady))

        return;

    steady.start_ns = (double)start->end_ns;
    steady.start_bytes = live_at(&session->heap, start->end_ns);
    *judgement = steady;
}
