/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting calls that the program itself could avoid: LOCKS, GIL, SMALL-IO and SLEEP.
 *
 * Wall time means the time of the main thread.  A repair saves at most that thread's own time in
 * these calls; of its time waiting for other threads, at most their time in the calls.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/task_cost.h"
#include "findings/context.h"
#include "findings/known_waits.h"
#include "findings/known_costs.h"
#include "findings/own_place.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/answers.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"

static const double least_share = 0.05;     /* share of the wall time, as in INPUT */
static const uint64_t least_contended = 20; /* fewer are a start or an end, not contention */
static const uint64_t least_small = 1000;   /* calls of one place */
static const double small_bytes = 4096;     /* a page; buffers of C libraries are as large */

static const uint64_t least_delayed = 10;
static const double delay_least_ns = 38e6, delay_most_ns = 49e6;
static const double delayed_share = 0.3; /* of the calls, at least */
static const double alike_share = 0.7;   /* of those that take longer than: */
static const double quick_ns = 5e6;

/* The time of rows, and the row that has most of it. */
struct part {
    uint64_t calls;
    uint64_t bytes;
    double main_ns;
    double others_ns;
    double cpu_ns; /* the part of both on a processor */
    double others_share; /* the largest part of others_ns that a repair can save */
    bool are_lives;      /* the other threads do little else */
    bool has_peer; /* it waits for a peer, at the other end of a pipe or socket */
    double most_ns;
    const struct wait_row *most;
    struct text place; /* the place of `most`, as in a sentence; empty: unknown */
};

static void add_row(struct part *part, const struct wait_row *row, double ns, double main_ns)
{
    part->calls += row->calls;
    part->bytes += row->bytes == SESSION_UNKNOWN ? 0 : row->bytes;
    part->main_ns += main_ns;
    part->others_ns += ns - main_ns;
    if (!part->most || ns > part->most_ns) {
        part->most_ns = ns;
        part->most = row;
    }
}

/* The main thread's waits in joins, at condition variables and outside of hooks.  Sockets and sleep
 * are no waits for other threads. */
double findings_waiting_for_others_ns(const struct findings_context *context)
{
    const struct session *session = context->session;
    uint32_t thread = wait_main_thread(session);
    double unhooked_ns, ns;

    if (thread >= session->threads.count) /* a damaged trace */
        return 0;
    unhooked_ns = wait_split_of(session, thread).unhooked_ns;
    ns = isnan(unhooked_ns) ? 0 : unhooked_ns;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread &&
            (wait->class == TRACE_WAIT_CLASS_JOIN ||
             (wait->class == TRACE_WAIT_CLASS_IDLE && wait->address != 0)))
            ns += (double)wait->waiting_ns;
    }
    return ns;
}

/* A holder that computes, wants a processor, reads, writes or sleeps holds up the others.  If the
 * holder waits for work, the others are as idle as the holder. */
static double find_busy(const struct findings_context *context)
{
    const struct session *session = context->session;
    double ns = context->capacity.needed_ns;

    for (uint32_t i = 0; i < session->threads.count; i++)
        if (session_thread_at(session, i)->delay_ns != SESSION_UNKNOWN)
            ns += (double)session_thread_at(session, i)->delay_ns;
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (session_wait_is_files(wait) || session_wait_is_network(wait) ||
            wait->class == TRACE_WAIT_CLASS_SLEEP)
            ns += (double)wait->waiting_ns;
    }
    return ns;
}

static double find_cost(const struct findings_context *context, const struct part *part)
{
    double awaited_ns = findings_waiting_for_others_ns(context);
    double others_ns = fmin(part->others_ns, awaited_ns);

    others_ns =
        part->are_lives ? awaited_ns : fmin(others_ns, find_busy(context)); /* NAN bounds nothing */

    return fmin(part->main_ns + others_ns * part->others_share, context->wall.ns);
}

static struct finding *add_part(const struct findings_context *context, struct findings *findings,
                                const struct part *part)
{
    double ns = find_cost(context, part);
    bool is_direct = part->main_ns >= ns / 2; /* otherwise nothing shows that others delayed it */
    struct finding *finding = findings_add_waiting(
        findings,
        &(struct finding_claim){ns, ns,
                                is_direct ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW},
        part->cpu_ns);

    text_append(&finding->place, part->place.bytes);
    finding_add_number(finding, "calls", (double)part->calls);
    finding_add_number(finding, "main_ns", part->main_ns);
    finding_add_number(finding, "others_ns", part->others_ns);
    return finding;
}

static void say_main(struct text *text, const struct findings_context *context,
                     const struct part *part)
{
    if (part->main_ns > 0)
        say(text, waits_main_text, said_time(part->main_ns));
    if (part->others_ns > 0)
        say(text, waits_others_text, said_time(part->others_ns),
            said_time(findings_waiting_for_others_ns(context)));
}

static bool is_kind(const struct wait_row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

/* ---- locks ------------------------------------------------------------------------- */

static struct part find_locks(const struct findings_context *context, const struct wait_rows *rows)
{
    struct part part = {0};

    (void)context;
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (is_kind(row, "lock"))
            add_row(&part, row, row->waiting_ns, row->main_path_ns);
    }
    return part;
}

/* How sentences name the holder of a lock, or that it is unknown. */
static void say_owner(struct text *text, const struct wait_row *row, const struct said *known,
                      const struct said *unknown)
{
    char owner[16];

    snprintf(owner, sizeof owner, "%u", row->owner); /* the number needs no commas, unlike a
                                                        count */
    if (row->owner != 0)
        say(text, *known, said_words(owner));
    else
        say(text, *unknown);
}

static void say_lock(struct text *text, const struct part *part)
{
    const struct wait_row *row = part->most;

    say(text, locks_most_text, said_words(row->name), said_words(part->place.bytes),
        said_time(row->waiting_ns), said_count(row->calls));
    say_owner(text, row, &locks_owner_text, &locks_owner_unknown_text);
}

static void note_owner(struct finding *finding,
                       const struct wait_row *row)
{
    finding_add_number(finding, "owner", row->owner == 0 ? (double)NAN : (double)row->owner);
}

static void add_locks(const struct findings_context *context, struct findings *findings,
                      const struct part *part)
{
    struct finding *finding = add_part(context, findings, part);

    say(&finding->title, locks_title_text, said_share(finding->fraction));
    say(&finding->evidence, locks_calls_text, said_count(part->calls),
        said_time(part->main_ns + part->others_ns));
    say_lock(&finding->evidence, part);
    say_main(&finding->evidence, context, part);
    note_owner(finding, part->most);
}

/* ---- the lock of the Python interpreter --------------------------------------------- */

/* Threads besides the main one that waited for the lock for long. */
static unsigned count_contenders(const struct session *session)
{
    double *ns = memory_get_zeros(session->threads.count + 1, sizeof *ns), most_ns = 0;
    const uint32_t main_thread = wait_main_thread(session);
    unsigned count = 0;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->class != TRACE_WAIT_CLASS_GIL || wait->thread == main_thread ||
            wait->thread >= session->threads.count)
            continue;
        ns[wait->thread] += (double)wait->waiting_ns;
        most_ns = fmax(most_ns, ns[wait->thread]);
    }
    for (uint32_t i = 0; i < session->threads.count; i++)
        count += ns[i] > most_ns / 10;
    free(ns);
    return count;
}

/* Returns: how many of the threads could run at once. */
static double count_at_once(const struct session *session, unsigned threads)
{
    uint64_t allowed = session->process.cpu_count;

    return allowed == SESSION_UNKNOWN || allowed == 0 ? threads : fmin(threads, (double)allowed);
}

/* Threads that take turns do as much as a single one: on N processors they need 1/N of that time.
 * If only one thread waits, the main thread delays it.
 * Returns: the share of the others' waiting time that a repair saves. */
static double find_turns(const struct session *session)
{
    unsigned contenders = count_contenders(session);

    return contenders > 1 ? 1 - 1 / count_at_once(session, contenders) : 1;
}

static struct part find_gil(const struct findings_context *context, const struct wait_rows *rows)
{
    struct part part = {0};

    (void)context;
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (is_kind(row, "gil"))
            add_row(&part, row, row->waiting_ns, row->main_path_ns);
    }
    return part;
}

static const double mostly_known = 0.5; /* of the wall time */
static const double mostly_calls = 0.5; /* of the lives of threads */
static const double mostly_held = 0.5;  /* of the waiting time with a known line */

/* Returns: the line at which the lock was held for most of the time; NULL: there is none. */
static const char *find_holder(const struct wait_row *row)
{
    return row->holder && row->holder_ns >= mostly_held * row->held_ns ? row->holder : NULL;
}

/* Processes help little where the threads themselves have a repair: a known cost that takes most of
 * the time, or blocks that they hand over. */
static bool has_repair(const struct findings *findings, const struct part *part)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding->rule == FINDING_RULE_known_cost &&
            finding->saved_ns >= mostly_known * findings->wall_ns)
            return true;
        if (finding->rule == FINDING_RULE_backlog && part->place.size > 0 &&
            strcmp(finding->place.bytes, part->place.bytes) == 0)
            return true;
    }
    return false;
}

static void add_gil(const struct findings_context *context, struct findings *findings,
                    const struct part *part)
{
    struct finding *finding = add_part(context, findings, part);
    const struct wait_row *all = part->most;

    if (find_holder(all))
        say(&finding->title, gil_held_title_text, said_words(part->place.bytes),
            said_share(finding->fraction));
    else
        say(&finding->title, gil_title_text, said_share(finding->fraction));
    say(&finding->evidence, gil_calls_text, said_count(part->calls),
        said_time(part->main_ns + part->others_ns));
    say_owner(&finding->evidence, all, &gil_owner_text, &gil_owner_unknown_text);
    if (all->holder)
        say(&finding->evidence, gil_holder_text, said_words(all->holder),
            said_share(all->holder_ns / all->held_ns));
    say_main(&finding->evidence, context, part);
    note_owner(finding, all);
    if (has_repair(findings, part))
        finding_weaken(finding, FINDING_POINTS);
    finding_add_number(finding, "holder_ns", all->holder ? all->holder_ns : (double)NAN);
}

/* ---- small reads and writes --------------------------------------------------------- */

/* Streams have a buffer, so few of their calls reach Linux. */
static bool is_of_stream(const struct wait_row *row)
{
    static const char *const functions[] = {"fread ",    "__fread_chk ", "fwrite ", "__getdelim ",
                                            "getdelim ", "getline ",     "fgets ",  "__fgets_chk "};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strncmp(row->name, functions[i], strlen(functions[i])) == 0)
            return true;
    return false;
}

static bool is_small(const struct wait_row *row)
{
    return (is_kind(row, "io") || is_kind(row, "network")) && row->bytes != SESSION_UNKNOWN &&
           row->bytes > 0 && row->calls >= least_small && !is_of_stream(row) &&
           (double)row->bytes < small_bytes * (double)row->calls;
}

/* A larger buffer saves the waiting for a file, but not that for a peer. */
static struct part find_small(const struct findings_context *context, const struct wait_rows *rows)
{
    struct part part = {0};

    (void)context;
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);
        bool has_peer = row->waited != TRACE_WAITED_FILE;

        if (!is_small(row))
            continue;
        add_row(&part, row, row->total_ns - (has_peer ? row->waiting_ns : 0),
                row->main_total_ns - (has_peer ? row->main_path_ns : 0));
        part.cpu_ns += row->total_ns - row->waiting_ns;
        part.has_peer |= has_peer;
    }
    return part;
}

/* A larger buffer is no repair where the program flushes it. */
static bool is_flushed(const struct findings *findings, const struct part *part)
{
    return part->place.size > 0 && known_costs_at(findings, part->place.bytes, "flush") > 0;
}

static double sum_lives(const struct session *session)
{
    uint32_t main_thread = wait_main_thread(session);
    double ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        ns += i == main_thread ? 0 : (double)(thread->last_ns - thread->first_ns);
    }
    return ns;
}

/* The main thread waits for all of the lives of threads that mostly make these calls. */
static bool are_lives(const struct part *part, const struct findings_context *context)
{
    double lives_ns = sum_lives(context->session);

    return lives_ns > 0 && part->others_ns >= mostly_calls * lives_ns;
}

static void add_small(const struct findings_context *context, struct findings *findings,
                      const struct part *part)
{
    const struct wait_row *most = part->most;
    struct part all = *part;
    struct finding *finding;

    if (is_flushed(findings, part)) {
        findings_pass(findings, small_io_flushed_text);
        return;
    }
    all.are_lives = are_lives(part, context);
    finding = add_part(context, findings, &all);

    say(&finding->title, small_io_title_text, said_share(finding->fraction));
    say(&finding->evidence, small_io_calls_text, said_count(part->calls),
        said_bytes((double)part->bytes / (double)part->calls));
    say(&finding->evidence, small_io_most_text, said_words(most->name),
        said_words(part->place.bytes), said_count(most->calls),
        said_bytes((double)most->bytes / (double)most->calls));
    say_main(&finding->evidence, context, part);
    if (part->has_peer)
        say(&finding->evidence, small_io_peer_text);
    if (is_kind(most, "network"))
        finding_advise(finding, "small_io_network");
    else
        say(&finding->action, strstr(part->place.bytes, ".rs:") ? small_io_rust_text
                              : context->has_python             ? small_io_python_text
                                                                : small_io_native_text);
    finding_add_number(finding, "bytes", (double)part->bytes);
}

/* ---- acknowledgements that come late ------------------------------------------------- */

/* Linux delays the acknowledgement of a packet by 40 ms (TCP_DELACK_MIN of include/net/tcp.h), in
 * the hope of data to send it with.  The peer's second small write waits for it (Nagle, RFC 896).
 * So each read takes that long, or many do, and others find what came with the first.  A reader
 * that lost its processor took longer. */
static bool is_delay(double ns)
{
    return ns >= delay_least_ns && ns <= delay_most_ns;
}

/* A server's connection waits for the next request, which comes when the client likes.  Only waits
 * within requests may be for an acknowledgement. */
static bool waits_for_requests(const struct findings_context *context, const struct wait_row *row)
{
    const struct request_row *all = &context->requests.all;
    double within_ns = all->waits_ns[TRACE_WAIT_CLASS_NETWORK] - (double)all->answers.ns;

    return strstr(row->name, WAIT_SERVER_END) && all->lengths_ns.count > 0 &&
           within_ns < delayed_share * row->waiting_ns;
}

/* A reader with a time limit polls its socket first, as Python's does. */
static bool waits_for_acknowledgement(const struct wait_row *row)
{
    double mean_ns = row->waiting_ns / (double)row->calls;
    bool is_reader = is_kind(row, "network") || strncmp(row->name, "poll ", 5) == 0;

    return is_reader && row->waited == TRACE_WAITED_SOCKET && row->calls >= least_delayed &&
           (is_delay(mean_ns) ||
            ((double)row->max_ns >= delay_least_ns && mean_ns >= delayed_share * delay_least_ns));
}

/* Answers that take all kinds of time wait for something else.  Of those that take long, most take
 * as long as an acknowledgement. */
static bool are_alike(const struct session *session, const struct wait_rows *rows, size_t row)
{
    uint64_t delays = 0, others = 0;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        double ns = (double)(call->end_ns - call->start_ns);

        if (rows->row_of[call->wait] != row || ns < quick_ns)
            continue;
        delays += is_delay(ns);
        others += !is_delay(ns);
    }
    return (double)delays >= alike_share * (double)(delays + others);
}

static struct part find_delayed(const struct findings_context *context,
                                const struct wait_rows *rows)
{
    struct part part = {0};

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (waits_for_acknowledgement(row) && !waits_for_requests(context, row) &&
            are_alike(context->session, rows, i))
            add_row(&part, row, row->waiting_ns, row->main_path_ns);
    }
    return part;
}

static void add_delayed(const struct findings_context *context, struct findings *findings,
                        const struct part *part)
{
    struct finding *finding = add_part(context, findings, part);
    const struct wait_row *most = part->most;

    say(&finding->title, delayed_ack_title_text, said_share(finding->fraction));
    say(&finding->evidence, delayed_ack_most_text, said_words(most->name),
        said_words(part->place.bytes), said_count(most->calls),
        said_time(most->waiting_ns / (double)most->calls), said_time((double)most->max_ns));
    say_main(&finding->evidence, context, part);
}

/* ---- sleep -------------------------------------------------------------------------- */

static const uint64_t least_looks = 20;
static const double longest_look_ns = 200e6; /* longer sleeps pace a thread of its own */

/* A thread that looks for work again and again, and sleeps in between. */
static bool is_looking(const struct wait_row *row)
{
    return row->calls >= least_looks * row->threads &&
           (double)row->waiting_ns <= longest_look_ns * (double)row->calls;
}

/* The main thread waits for others through most of the run, and for as long as each of these
 * sleeps. */
static bool is_awaited(const struct findings_context *context, double awaiting_ns,
                       const struct wait_row *row)
{
    return awaiting_ns >= mostly_calls * context->wall.ns &&
           awaiting_ns >= row->waiting_ns / (double)row->threads;
}

/* A library sleeps that is known to. */
static bool is_known(struct places *places, const struct wait_row *row)
{
    uint32_t chain = row->main_path_ns > 0 ? row->main_chain : row->chain;

    return chain != SESSION_NONE && known_wait_is(places, row->name, chain);
}

/* Others may sleep while the main thread works, so their sleep counts where that waits for them.
 * Threads that wait for a lock more than they sleep have another cause. */
static struct part find_sleep(const struct findings_context *context, const struct wait_rows *rows)
{
    struct part part = {0}, others = {.others_share = 1};
    double locked_ns = find_locks(context, rows).others_ns;
    double awaiting_ns = findings_waiting_for_others_ns(context);
    struct places *places = places_new(context->session, context->options.find_frames);

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (!is_kind(row, "sleep") || is_known(places, row))
            continue;
        if (row->main_path_ns > 0)
            add_row(&part, row, row->main_path_ns, row->main_path_ns);
        else if (is_looking(row) || is_awaited(context, awaiting_ns, row))
            add_row(&others, row, (double)row->waiting_ns, 0);
    }
    return part.main_ns >= others.others_ns || locked_ns >= others.others_ns ? part : others;
}

/* While another thread computes, a sleep of the main one only looks after it. */
static double find_busiest_other(const struct session *session)
{
    uint32_t main_thread = wait_main_thread(session);
    double ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        uint64_t cpu_ns = session_thread_at(session, i)->cpu_ns;

        if (i != main_thread && cpu_ns != SESSION_UNKNOWN)
            ns = fmax(ns, (double)cpu_ns);
    }
    return ns;
}

/* Workers of a library wait for work, and end with its session. */
static bool mostly_waits_for_work(const struct session *session, uint32_t thread)
{
    const struct session_thread *of = session_thread_at(session, thread);
    double idle_ns = 0, life_ns = (double)(of->last_ns - of->first_ns);

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread && wait->class == TRACE_WAIT_CLASS_IDLE)
            idle_ns += (double)wait->waiting_ns;
    }
    life_ns -= of->delay_ns == SESSION_UNKNOWN ? 0 : (double)of->delay_ns;
    return idle_ns > mostly_calls * life_ns;
}

/* A thread that ends before the process may be what the main one waits for, if it lived for as long
 * as half of the sleep.  So may be short threads, if there is one for every second sleep. */
static bool has_ending_threads(const struct session *session, const struct part *part)
{
    uint32_t main_thread = wait_main_thread(session);
    uint64_t ended = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (i == main_thread || !thread->has_ended ||
            thread->last_ns >= session_thread_at(session, main_thread)->last_ns)
            continue;
        ended++;
        if ((double)(thread->last_ns - thread->first_ns) >= part->main_ns / 2 &&
            !mostly_waits_for_work(session, i))
            return true;
    }
    return ended > 0 && ended >= part->calls / 2;
}

/* A coroutine that sleeps holds up all others.  A main thread that is alone mostly sleeps to pace
 * the program. */
static bool holds_up_others(const struct findings_context *context, const struct part *part)
{
    struct places *places = places_new(context->session, context->options.find_frames);
    struct place place;

    return !(part->main_ns > 0) || has_ending_threads(context->session, part) ||
           (part->most->chain != SESSION_NONE &&
            places_find(places, part->most->chain, place_is_asyncio, &place));
}

static void add_sleep(const struct findings_context *context, struct findings *findings,
                      const struct part *part)
{
    const struct wait_row *most = part->most;
    struct finding *finding;

    /* A library that sleeps until its threads or processes have a result. */
    if (own_place_is_in_library(context, most->chain)) {
        findings_pass(findings, sleep_library_text);
        return;
    }
    finding = add_part(context, findings, part);
    if (part->main_ns > 0)
        say(&finding->title, sleep_title_text, said_share(part->main_ns / context->wall.ns));
    else
        say(&finding->title, sleep_others_title_text, said_count(part->calls),
            said_time(part->others_ns / (double)part->calls));
    say(&finding->evidence, sleep_calls_text, said_count(part->calls),
        said_time(part->main_ns + part->others_ns));
    if (!context->has_python) {
        text_clear(&finding->action);
        finding_advise(finding, "sleep_native");
    }
    say(&finding->evidence, sleep_most_text, said_words(most->name), said_words(part->place.bytes),
        said_time(part->most_ns));
    if (!holds_up_others(context, part)) {
        say(&finding->evidence, sleep_paces_text);
        finding_weaken(finding, FINDING_POINTS);
    }
}

/* ---- all of them -------------------------------------------------------------------- */

struct judged {
    enum analysis_by by; /* the kind of its rows */
    struct part (*find)(const struct findings_context *context, const struct wait_rows *rows);
    double (*find_share)(const struct session *session); /* part.others_share; NULL: 1 */
    void (*add)(const struct findings_context *context, struct findings *findings,
                const struct part *part);
    uint64_t least_calls;
    const struct said *passed;
};

static void append_own_place(struct text *text, const struct findings_context *context,
                             uint32_t call)
{
    struct places *places = places_new(context->session, context->options.find_frames);

    own_place_append(text, places, context->session, call);
}

/* Where the main thread waits, too, its line is shown. */
static uint32_t chain_of(const struct part *part)
{
    const struct wait_row *most = part->most;

    return part->main_ns > 0 && most->main_chain != SESSION_NONE ? most->main_chain : most->chain;
}

/* For the interpreter's lock, the holder's line says more than the waiting lines.  Short calls have
 * no chain. */
static void append_most(const struct findings_context *context, struct part *part)
{
    const struct wait_row *most = part->most;

    if (most && find_holder(most))
        text_append(&part->place, find_holder(most));
    else if (most && chain_of(part) != SESSION_NONE)
        append_own_place(&part->place, context, chain_of(part));
    if (part->place.size == 0 && most && most->place)
        text_append(&part->place, most->place);
}

static void judge_part(const struct findings_context *context, struct findings *findings,
                       const struct judged *judged, struct part *part)
{
    double share;

    part->others_share = judged->find_share ? judged->find_share(context->session) : 1;
    share = find_cost(context, part) / context->wall.ns;
    text_init(&part->place);
    append_most(context, part);
    if (share >= least_share && part->calls >= judged->least_calls)
        judged->add(context, findings, part);
    else
        findings_pass(findings, *judged->passed, said_share(share), said_count(part->calls));
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct judged *judged)
{
    struct wait_rows rows;

    wait_rows_init(&rows, context->session, judged->by);
    if (context->session->waits.count == 0) {
        findings_skip(findings, waits_none_text);
    } else {
        struct part part = judged->find(context, &rows);

        judge_part(context, findings, judged, &part);
    }
}

void rule_locks(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings,
          &(struct judged){ANALYSIS_BY_DEFAULT, find_locks, NULL, add_locks, least_contended,
                           &locks_passed_text});
}

/* A share of the processor time: above it, the waiting threads only hand over tasks, and TASKS says
 * more. */
static const double mostly_tasks = 0.5;

static bool mostly_hands_tasks(const struct findings_context *context)
{
    return context->has_python && !context->time.unknown &&
           task_cost_find(&context->time).ns >= mostly_tasks * context->time.cpu_ns;
}

void rule_gil(const struct findings_context *context, struct findings *findings)
{
    if (mostly_hands_tasks(context)) {
        findings_pass(findings, gil_tasks_text);
        return;
    }
    judge(context, findings,
          &(struct judged){ANALYSIS_BY_KIND, find_gil, find_turns, add_gil, least_contended,
                           &gil_passed_text});
}

void rule_small_io(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings,
          &(struct judged){ANALYSIS_BY_DEFAULT, find_small, NULL, add_small, least_small,
                           &small_io_passed_text});
}

void rule_delayed_ack(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings,
          &(struct judged){ANALYSIS_BY_DEFAULT, find_delayed, NULL, add_delayed, least_delayed,
                           &delayed_ack_passed_text});
}

void rule_sleep(const struct findings_context *context, struct findings *findings)
{
    double busy_ns = find_busiest_other(context->session);

    if (busy_ns >= least_share * context->wall.ns) {
        findings_pass(findings, sleep_beside_text, said_time(busy_ns));
        return;
    }
    judge(
        context, findings,
        &(struct judged){ANALYSIS_BY_DEFAULT, find_sleep, NULL, add_sleep, 1, &sleep_passed_text});
}
