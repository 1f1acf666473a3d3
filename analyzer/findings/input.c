/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting of the thread that calls kernels, by its own readings: INPUT.
 */
#include <math.h>

#include "findings/context.h"
#include "findings/texts.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_waits.h"
#include "model/slots.h"
#include "steps/phases.h"
#include "waits/waiting.h"

static const double input_share = 0.05; /* XProf: 5 % moderate, 20 % high */
static const double input_rate = 1e6;   /* least bytes per second of waiting that count as input */
static const double output_block = 512; /* least bytes written per wait: a block of a disk */

/* A thread that calls kernels, and its time between the first call and the last. */
struct caller {
    const struct said *unknown; /* why, or NULL */
    struct waiting waiting;
    double span_ns;
    double kernel_ns;
    double off_ns;   /* part of the span outside kernels: an upper bound of its waiting */
    double aside_ns; /* part of the span when others had its processor */
};

static uint32_t find_caller(const struct session *session)
{
    uint32_t caller = 0;

    for (uint32_t i = 0; i < session->threads.count; i++)
        if (session_thread_at(session, i)->kernel_ns > 0)
            caller = i;
    return caller;
}

/* How long a thread waits for tprof itself. */
static double own_ns(const struct session *session, uint32_t thread, uint64_t from_ns,
                     uint64_t to_ns)
{
    double ns = 0;

    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);

        if (lap->thread == thread && lap->start_ns >= from_ns && lap->end_ns <= to_ns &&
            session_region_is_own(session_region_at(session, lap->region)))
            ns += (double)(lap->end_ns - lap->start_ns);
    }
    return ns;
}

/* An import may call kernels, too, and then read more files: they are no input. */
static uint64_t find_start(const struct findings_context *context, uint64_t from_ns)
{
    struct phases phases;
    bool are;

    phases_find(&phases, context->session, context->options.find_frames, &are);
    return are && phases.border_ns[PHASE_START + 1] > from_ns ? phases.border_ns[PHASE_START + 1]
                                                              : from_ns;
}

static void watch(struct caller *caller, const struct findings_context *context, uint32_t thread)
{
    const struct session *session = context->session;
    struct waiting_shares shares;
    uint64_t from_ns = 0, to_ns = 0;

    course_find_span(course_of(session, thread), &from_ns, &to_ns);
    from_ns = find_start(context, from_ns);
    if (from_ns >= to_ns) {
        caller->unknown = &input_few_calls_text;
        return;
    }
    caller->span_ns = (double)(to_ns - from_ns);
    caller->kernel_ns = (double)session_thread_at(session, thread)->kernel_ns;
    caller->waiting = waiting_find(session, thread, from_ns, to_ns);
    if (!(caller->waiting.watched_ns > 0))
        caller->unknown = &input_unread_text;
    else if (isnan(caller->waiting.off_ns))
        caller->unknown = &input_no_clock_text;
    shares = waiting_split(&caller->waiting);
    caller->aside_ns = shares.aside * caller->span_ns;
    caller->off_ns =
        fmin(shares.waited * caller->span_ns, fmax(0, caller->span_ns - caller->kernel_ns));
    caller->off_ns = fmax(0, caller->off_ns - own_ns(session, thread, from_ns, to_ns));
}

static struct caller find_waiting(const struct findings_context *context)
{
    struct caller caller = {.unknown = NULL};
    uint32_t thread = find_caller(context->session);

    if (context->wall.kernel_threads == 0)
        caller.unknown = &no_kernel_called_text;
    else if (context->wall.kernel_threads > 1)
        caller.unknown = &input_several_text;
    else if (course_of(context->session, thread)->calls.count < 2)
        caller.unknown = &input_few_calls_text;
    else if (!slots_are_in_courses(context->session, thread))
        caller.unknown = &input_unrecorded_text;
    else
        watch(&caller, context, thread);
    return caller;
}

/* How a thread moves data while it waits; EXCHANGE_BOTH is the sum of the two. */
enum exchange { EXCHANGE_NEITHER, EXCHANGE_READS, EXCHANGE_WRITES, EXCHANGE_BOTH };

static const struct exchange_words {
    const struct said *title, *why, *action;
    double confidence; /* lower if it may wait for either of two */
    enum finding_gain gain;
} exchanges[] = {
    [EXCHANGE_NEITHER] = {&input_neither_text, &input_neither_why_text, &input_neither_action_text,
                          FINDING_CONFIDENCE_LOW, FINDING_POINTS},
    [EXCHANGE_READS] = {&input_reads_text, &input_reads_why_text, &input_reads_action_text,
                        FINDING_CONFIDENCE_MEDIUM, FINDING_BOUNDS},
    [EXCHANGE_WRITES] = {&input_writes_text, &input_writes_why_text, &input_writes_action_text,
                         FINDING_CONFIDENCE_MEDIUM, FINDING_BOUNDS},
    [EXCHANGE_BOTH] = {&input_both_text, &input_both_why_text, &input_both_action_text,
                       FINDING_CONFIDENCE_LOW, FINDING_BOUNDS},
};

/* Input may come from a pipe as well as a disk.  A synced flush waits for each small write. */
static enum exchange find_exchange(const struct waiting *waiting)
{
    bool reads = waiting->called_bytes > input_rate * waiting->off_ns / 1e9;
    bool writes =
        waiting->voluntary > 0 && waiting->written_bytes >= output_block * waiting->voluntary;

    return (reads ? EXCHANGE_READS : EXCHANGE_NEITHER) |
           (writes ? EXCHANGE_WRITES : EXCHANGE_NEITHER);
}

static void say_waiting(struct text *text, const struct waiting *waiting)
{
    say(text, input_off_text, said_time(waiting->off_ns), said_time(waiting->watched_ns));
    if (!isnan(waiting->called_bytes))
        say(text, input_read_text, said_bytes(waiting->called_bytes),
            said_bytes(waiting->disk_bytes));
    if (waiting->written_bytes > 0)
        say(text, input_wrote_text, said_bytes(waiting->written_bytes));
    if (!isnan(waiting->voluntary))
        say(text, input_switches_text, said_count((uint64_t)waiting->voluntary),
            said_count((uint64_t)waiting->involuntary));
}

/* The thread's longest call that waited for data. */
static void say_call(struct text *text, const struct session *session, uint32_t thread)
{
    const struct session_wait *longest = NULL;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread != thread || !wait->name ||
            (wait->class != TRACE_WAIT_CLASS_IO && wait->class != TRACE_WAIT_CLASS_NETWORK))
            continue;
        if (wait->waiting_ns > 0 && (!longest || wait->waiting_ns > longest->waiting_ns))
            longest = wait;
    }
    if (longest)
        say(text, input_call_text, said_time((double)longest->waiting_ns),
            said_words(longest->function), said_words(longest->name));
}

static void say_delay(struct text *text, const struct caller *caller,
                      const struct findings_context *context)
{
    if (isnan(caller->waiting.aside_ns))
        say(text, input_delay_unknown_text);
    else
        say(text, input_delay_text, said_share(caller->aside_ns / context->wall.ns));
}

static void add_input(struct findings *findings, const struct caller *caller,
                      const struct findings_context *context)
{
    const struct exchange_words *words = &exchanges[find_exchange(&caller->waiting)];
    bool is_split = !isnan(caller->waiting.aside_ns);
    struct finding_claim claim = {caller->off_ns, caller->off_ns,
                                  is_split ? words->confidence : FINDING_CONFIDENCE_LOW};
    bool has_repair = words->gain <= FINDING_BOUNDS; /* otherwise nothing bounds the saving */
    struct finding *finding =
        has_repair ? findings_add_waiting(findings, &claim, 0) : findings_add(findings, &claim);

    finding_weaken(finding, words->gain);
    say(&finding->title, is_split ? input_waits_text : input_waits_at_most_text,
        said_share(finding->fraction));
    say_part(&finding->title, *words->title);
    say_waiting(&finding->evidence, &caller->waiting);
    say_call(&finding->evidence, context->session, find_caller(context->session));
    say_delay(&finding->evidence, caller, context);
    say(&finding->why, *words->why);
    say(&finding->action, *words->action);
    finding_add_number(finding, "waiting_ns", caller->off_ns);
    finding_add_number(finding, "called_bytes", caller->waiting.called_bytes);
    finding_add_number(finding, "written_bytes", caller->waiting.written_bytes);
}

void rule_input(const struct findings_context *context, struct findings *findings)
{
    struct caller caller = find_waiting(context);

    if (caller.unknown)
        findings_skip(findings, *caller.unknown);
    else if (caller.off_ns >= input_share * context->wall.ns)
        add_input(findings, &caller, context);
    else
        say_delay(findings_pass(findings, input_passed_text,
                                said_share(caller.off_ns / context->wall.ns)),
                  &caller, context);
}
