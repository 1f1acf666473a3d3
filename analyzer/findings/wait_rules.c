/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls in which threads wait for what the program itself could spare: LOCKS and SMALL-IO.
 *
 * The wall time is that of the main thread.  A repair takes at most its own time in these calls
 * from it, and of the time in which it waits for other threads at most theirs.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/wait_rows.h"
#include "figures/wait_split.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

static const double least_share = 0.05;     /* of the wall time, as INPUT */
static const uint64_t least_contended = 20; /* fewer are a start or an end, not contention */
static const uint64_t least_small = 1000;   /* of a place */
static const double small_bytes = 4096;     /* a page; buffers of C libraries are as large */

/* The time of rows, and the row that has most of it. */
struct part {
    uint64_t calls;
    uint64_t bytes;
    double main_ns;
    double others_ns;
    double cpu_ns; /* of both, on a processor */
    bool has_peer; /* that it waits for, at the other end of a pipe or socket */
    double most_ns;
    const struct wait_row *most;
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

/* In joins and at condition variables, or where no hook sees it: what it waits for in sockets and
 * sleep is no other thread. */
static double find_waiting_for_others(const struct session *session)
{
    uint32_t thread = wait_main_thread(session);
    double unhooked_ns = wait_split_of(session, thread).unhooked_ns;
    double ns = isnan(unhooked_ns) ? 0 : unhooked_ns;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread &&
            (wait->class == TRACE_WAIT_CLASS_JOIN ||
             (wait->class == TRACE_WAIT_CLASS_IDLE && wait->address != 0)))
            ns += (double)wait->waiting_ns;
    }
    return ns;
}

/* A holder that computes, wants a processor, reads, writes or sleeps holds up the others.  Where
 * it waits for work, the others are as idle as it is. */
static double find_busy(const struct findings_context *context)
{
    const struct session *session = context->session;
    double ns = context->room.needed_ns;

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
    double others_ns = fmin(part->others_ns, find_waiting_for_others(context->session));

    others_ns = fmin(others_ns, find_busy(context)); /* NAN bounds nothing */

    return fmin(part->main_ns + others_ns, context->wall.ns);
}

static struct finding *add_part(const struct findings_context *context, struct findings *findings,
                                const struct part *part)
{
    double ns = find_cost(context, part);
    bool is_direct = part->main_ns >= ns / 2; /* else nothing says that others held it up */
    struct finding *finding = findings_add_waiting(
        findings,
        &(struct finding_claim){ns, ns,
                                is_direct ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW},
        part->cpu_ns);

    finding_add_number(findings, finding, "calls", (double)part->calls);
    finding_add_number(findings, finding, "main_ns", part->main_ns);
    finding_add_number(findings, finding, "others_ns", part->others_ns);
    return finding;
}

static void say_main(struct text *text, const struct session *session, const struct part *part)
{
    if (part->main_ns > 0)
        say(text, waits_main_text, said_time(part->main_ns));
    if (part->others_ns > 0)
        say(text, waits_others_text, said_time(part->others_ns),
            said_time(find_waiting_for_others(session)));
}

/* "contend (pool.c:31)", of "contend  pool.c:31". */
static void append_place(struct text *text, const char *place)
{
    const char *gap = strstr(place, "  ");

    if (gap)
        text_appendf(text, "%.*s (%s)", (int)(gap - place), place, gap + 2);
    else
        text_append(text, place);
}

static bool is_kind(const struct wait_row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

/* ---- locks ------------------------------------------------------------------------- */

static struct part find_locks(const struct wait_rows *rows)
{
    struct part part = {0};

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (is_kind(row, "lock") || is_kind(row, "gil"))
            add_row(&part, row, row->waiting_ns, row->main_path_ns);
    }
    return part;
}

static void say_lock(struct text *text, const struct wait_row *row, const char *place)
{
    char owner[16];

    say(text, locks_most_text, said_words(row->name), said_words(place), said_time(row->waiting_ns),
        said_count(row->calls));
    snprintf(owner, sizeof owner, "%u", row->owner); /* without the commas of a count */
    if (row->owner != 0)
        say(text, locks_owner_text, said_words(owner));
    else
        say(text, locks_owner_unknown_text);
}

static void add_locks(const struct findings_context *context, struct findings *findings,
                      const struct part *part, const char *place)
{
    struct finding *finding = add_part(context, findings, part);

    say(&finding->title, locks_title_text, said_share(finding->fraction));
    say(&finding->evidence, locks_calls_text, said_count(part->calls),
        said_time(part->main_ns + part->others_ns));
    say_lock(&finding->evidence, part->most, place);
    say_main(&finding->evidence, context->session, part);
    finding_advise(finding, is_kind(part->most, "gil") ? "locks_gil" : "locks_held");
    finding_add_number(findings, finding, "owner",
                       part->most->owner == 0 ? (double)NAN : (double)part->most->owner);
}

/* ---- small reads and writes --------------------------------------------------------- */

/* Streams have a buffer, so few of their calls reach Linux. */
static bool is_of_stream(const struct wait_row *row)
{
    static const char *const functions[] = {"fread ", "__fread_chk ", "fwrite "};

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
static struct part find_small(const struct wait_rows *rows)
{
    struct part part = {0};

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

static void add_small(const struct findings_context *context, struct findings *findings,
                      const struct part *part, const char *place)
{
    struct finding *finding = add_part(context, findings, part);
    const struct wait_row *most = part->most;

    say(&finding->title, small_io_title_text, said_share(finding->fraction));
    say(&finding->evidence, small_io_calls_text, said_count(part->calls),
        said_bytes((double)part->bytes / (double)part->calls));
    say(&finding->evidence, small_io_most_text, said_words(most->name), said_words(place),
        said_count(most->calls), said_bytes((double)most->bytes / (double)most->calls));
    say_main(&finding->evidence, context->session, part);
    if (part->has_peer)
        say(&finding->evidence, small_io_peer_text);
    finding_add_number(findings, finding, "bytes", (double)part->bytes);
}

/* ---- both --------------------------------------------------------------------------- */

struct judged {
    struct part (*find)(const struct wait_rows *rows);
    void (*add)(const struct findings_context *context, struct findings *findings,
                const struct part *part, const char *place);
    uint64_t least_calls;
    const struct said *passed;
};

static void judge_part(const struct findings_context *context, struct findings *findings,
                       const struct judged *judged, const struct part *part)
{
    double share = find_cost(context, part) / context->wall.ns;
    struct text place;

    text_init(&place);
    if (part->most && part->most->place)
        append_place(&place, part->most->place);
    if (text_status(&place))
        findings->status = STATUS_OUT_OF_MEMORY;
    else if (share >= least_share && part->calls >= judged->least_calls)
        judged->add(context, findings, part, place.bytes);
    else
        findings_pass(findings, *judged->passed, said_share(share), said_count(part->calls));
    text_fini(&place);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct judged *judged)
{
    struct wait_rows rows;

    if (wait_rows_init(&rows, context->session, ANALYSIS_BY_DEFAULT)) {
        findings->status = STATUS_OUT_OF_MEMORY;
    } else if (context->session->waits.count == 0) {
        findings_skip(findings, waits_none_text);
    } else {
        struct part part = judged->find(&rows);

        judge_part(context, findings, judged, &part);
    }
    wait_rows_fini(&rows);
}

void rule_locks(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings,
          &(struct judged){find_locks, add_locks, least_contended, &locks_passed_text});
}

void rule_small_io(const struct findings_context *context, struct findings *findings)
{
    judge(context, findings,
          &(struct judged){find_small, add_small, least_small, &small_io_passed_text});
}
