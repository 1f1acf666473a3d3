/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the program with much of its time, whatever they call or wait for: HOT-LINE and
 * HOT-WAIT.  They know no repair, but say where to begin.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "cpu/starting.h"
#include "findings/context.h"
#include "findings/hot_places.h"
#include "findings/library_path.h"
#include "findings/line_called.h"
#include "findings/main_waits.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "places/plain_name.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"

static const double least_share = 0.2;   /* of the processor time, or of the wall time */
static const double main_share = 0.5;    /* of the wall time */
static const double least_row = 0.25;    /* of a line's time: a row with less is not told */
static const double subnormal_share = 0.5; /* of a line's time, behind the first such number */
static const double itself_share = 0.75; /* of a line's time, in its own function */
static const double start_share = 0.5;   /* of a line's time: with more, it belongs to the start */
static const uint64_t least_samples = 3; /* one or two are chance */

/* ---- lines with processor time --------------------------------------------------------- */

/* A line of the program; without debug information, a function. */
struct hot_line {
    struct place place;
    double ns;
    uint64_t samples;
};

/* Find the program's own place on a chain; without one, the function that the sample was in.
 * Returns: false: neither is known. */
static bool find_place(const struct findings_context *context, size_t sample, struct place *place)
{
    const struct session *session = context->session;
    struct places *places = context->time.places;
    uint32_t call = session_sample_at(session, sample)->call;
    const struct place *own = own_lines_find(session, places, call);

    if (own)
        *place = *own;
    return own || own_place_find_function(places, session, call, place) ||
           places_find(places, call, place_is_telling, place);
}

static int compare_lines(const void *left, const void *right)
{
    const struct hot_line *one = left, *other = right;

    return (one->ns < other->ns) - (one->ns > other->ns);
}

static void find_without_lines(const struct findings_context *context, struct array *lines)
{
    for (size_t i = 0; i < context->session->samples.count; i++) {
        struct place place;
        struct hot_line *line;

        if (!find_place(context, i, &place))
            continue;
        line = places_find_row(lines, &place);
        line->ns += context->time.sample_ns[i];
        line->samples += session_sample_at(context->session, i)->count;
    }
    if (lines->count > 0)
        qsort(lines->items, lines->count, sizeof(struct hot_line), compare_lines);
}

/* Find the lines, those with most time first. */
static void find_lines(const struct findings_context *context, struct array *lines)
{
    struct own_lines own;

    array_init(lines, sizeof(struct hot_line));
    own_lines_init_with_gradients(&own, &context->time);
    for (size_t i = 0; i < own.rows.count; i++) {
        const struct own_line *of = array_at(&own.rows, i);

        *(struct hot_line *)array_add(lines) = (struct hot_line){*of->place, of->ns, of->samples};
    }
    if (own.rows.count == 0)
        find_without_lines(context, lines);
}

static bool is_at(const struct findings_context *context, size_t sample, const struct place *place)
{
    struct place own;

    return find_place(context, sample, &own) &&
           (place_is_same_line(&own, place) || place_is_at(&own, place->file, place->line));
}

/* The line of an import cannot make the import faster. */
static bool is_of_start(const struct findings_context *context, const struct hot_line *line,
                        const bool *starts)
{
    double start_ns = 0, all_ns = 0;

    for (size_t i = 0; i < context->session->samples.count; i++)
        if (is_at(context, i, &line->place)) {
            all_ns += context->time.sample_ns[i];
            start_ns += starts[i] ? context->time.sample_ns[i] : 0;
        }
    return start_ns > start_share * all_ns;
}

/* Returns: the first line that is not of the start-up, or too small to ask for; NULL. */
static const struct hot_line *find_hottest(const struct findings_context *context,
                                           const struct array *lines)
{
    bool *starts;

    starting_find(&starts, context->session, context->options.find_frames);
    for (size_t i = 0; i < lines->count; i++) {
        const struct hot_line *line = array_at(lines, i);

        if (line->ns < least_share * context->time.cpu_ns || !is_of_start(context, line, starts))
            return line;
    }
    return NULL;
}

/* Append the row that has most of a line's time: its name, or the library whose code has none. */
static void say_row(struct text *evidence, const struct cpu_row *row, double share)
{
    struct text library;

    /* "in Linux: page faults"; "libR+0x5a30, called by Rf_eval" */
    if (row->is_named && (!row->library || strstr(row->name, "called by"))) {
        const char *name = strncmp(row->name, "in ", 3) == 0 ? row->name + 3 : row->name;

        say(evidence, hot_line_most_text, said_share(share), said_words(name));
        return;
    }
    text_init(&library);
    places_append_module(&library, row->library);
    if (row->is_named)
        say(evidence, hot_line_library_text, said_share(share), said_words(row->name),
            said_words(library.bytes));
    else
        say(evidence, hot_line_unnamed_text, said_share(share), said_words(library.bytes));
    text_fini(&library);
}

static const double thread_share =
    0.2; /* of a line's time: with less, a thread does something else */

/* Returns: the threads that spend much time at a line. */
static uint64_t count_threads(const struct findings_context *context, const struct hot_line *line,
                              double all_ns)
{
    const struct session *session = context->session;
    double *ns = pool_get_zeros(session->threads.count + 1, sizeof *ns);
    uint64_t count = 0;

    for (size_t i = 0; i < session->samples.count; i++) {
        uint32_t thread = session_sample_at(session, i)->thread;

        if (thread < session->threads.count && is_at(context, i, &line->place))
            ns[thread] += context->time.sample_ns[i];
    }
    for (size_t i = 0; i < session->threads.count; i++)
        count += ns[i] >= thread_share * all_ns;
    return count;
}

/* Python's own start reads some, and NumPy too. */
static bool reads_subnormals(const struct findings_context *context, const struct hot_line *line,
                             double all_ns)
{
    const struct session *session = context->session;
    double ns = 0;

    for (size_t i = 0; i < session->samples.count; i++)
        if (session_sample_at(session, i)->flags & TRACE_SAMPLE_SUBNORMAL &&
            is_at(context, i, &line->place))
            ns += context->time.sample_ns[i];
    return !context->has_python && ns >= subnormal_share * all_ns;
}

static void say_itself(struct finding *finding, const struct findings_context *context,
                       const struct hot_line *line, double all_ns)
{
    uint64_t threads = count_threads(context, line, all_ns);

    if (place_is_python(&line->place))
        say(&finding->evidence, hot_line_python_text);
    else if (reads_subnormals(context, line, all_ns))
        say(&finding->evidence, hot_line_subnormal_text);
    else if (threads > 1)
        say(&finding->evidence, hot_line_threads_text, said_count(threads));
    else
        say(&finding->evidence, hot_line_itself_text);
}

/* Ask whether a sample is in the line, and in nothing that it calls. */
static bool is_itself(const struct findings_context *context, size_t sample,
                      const struct place *line)
{
    const struct call_places *of =
        places_known(context->time.places, session_sample_at(context->session, sample)->call);

    return of && of->count > 0 && place_is_at(&of->places[0], line->file, line->line);
}

static void say_most(struct finding *finding, const struct findings_context *context,
                     const struct hot_line *line)
{
    const struct cpu_time *time = &context->time;
    double *ns = pool_get_zeros(time->rows.count + 1, sizeof *ns), all_ns = 0, itself_ns = 0;
    const struct cpu_row *row;
    size_t most = 0;

    for (size_t i = 0; i < context->session->samples.count; i++)
        if (is_at(context, i, &line->place)) {
            ns[time->sample_row[i]] += time->sample_ns[i];
            all_ns += time->sample_ns[i];
            itself_ns += is_itself(context, i, &line->place) ? time->sample_ns[i] : 0;
        }
    for (size_t i = 1; i < time->rows.count; i++)
        most = ns[i] > ns[most] ? i : most;
    if (time->rows.count == 0 || ns[most] < least_row * all_ns)
        return;
    row = array_at(&time->rows, most);
    if (itself_ns >= itself_share * all_ns ||
        (strstr(finding->place.bytes, row->name) && row->kind == CPU_FUNCTION &&
         ns[most] >= itself_share * all_ns))
        say_itself(finding, context, line, all_ns);
    else if (row->is_named ? !strstr(finding->place.bytes, row->name) : row->library != NULL)
        say_row(&finding->evidence, row, ns[most] / all_ns);
}

static void add_line(const struct findings_context *context, struct findings *findings,
                     const struct hot_line *line)
{
    double ns = fmin(line->ns, context->wall.ns), share = line->ns / context->time.cpu_ns;
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_HIGH}, line->ns);

    place_append_short(&finding->place, &line->place);
    say(&finding->title, hot_line_title_text, said_words(finding->place.bytes), said_share(share));
    say(&finding->evidence, hot_line_time_text, said_share(share), said_time(line->ns),
        said_time(context->time.cpu_ns), said_count(line->samples));
    say_most(finding, context, line);
    line_called_append_hint(&finding->evidence, context, &line->place, is_at);
    finding_add_number(finding, "line_ns", line->ns);
    finding_add_number(finding, "samples", (double)line->samples);
}

static void pass_line(const struct findings_context *context, struct findings *findings,
                      const struct hot_line *line)
{
    struct text place;

    text_init(&place);
    place_append_short(&place, &line->place);
    if (line->samples < least_samples)
        findings_pass(findings, hot_line_few_text, said_words(place.bytes),
                      said_count(line->samples));
    else
        findings_pass(findings, hot_line_passed_text, said_words(place.bytes),
                      said_share(line->ns / context->time.cpu_ns));
    text_fini(&place);
}

void rule_hot_line(const struct findings_context *context, struct findings *findings)
{
    const struct hot_line *line;
    struct array lines;

    if (context->time.unknown) {
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
        return;
    }
    find_lines(context, &lines);
    line = find_hottest(context, &lines);
    if (!line)
        findings_pass(findings, hot_line_none_text);
    else if (line->ns >= least_share * context->time.cpu_ns && line->samples >= least_samples)
        add_line(context, findings, line);
    else
        pass_line(context, findings, line);
}

/* ---- lines where the main thread waits ------------------------------------------------ */

struct hot_wait {
    struct text place;
    double ns;
    double others_ns; /* waiting of threads that the main thread waits for */
    uint64_t calls;
    const struct wait_row *most;
};

static void append_place(struct text *text, const struct main_waits *of, const struct wait_row *row)
{
    uint32_t chain = main_waits_chain(of, row);

    if (chain != SESSION_NONE)
        own_place_append(text, of->places, of->session, chain);
    if (text->size == 0 && row->place)
        text_append(text, row->place);
}

static struct hot_wait *find_wait(struct array *waits, const char *place)
{
    struct hot_wait *wait = waits->items;

    for (size_t i = 0; i < waits->count; i++)
        if (strcmp(wait[i].place.bytes, place) == 0)
            return &wait[i];
    wait = array_add(waits);
    *wait = (struct hot_wait){.ns = 0};
    text_init(&wait->place);
    text_append(&wait->place, place);
    return wait;
}

static void add_row(struct array *waits, const struct main_waits *of, const struct wait_row *row)
{
    struct hot_wait *wait;
    struct text place;

    text_init(&place);
    append_place(&place, of, row);
    wait = place.size > 0 ? find_wait(waits, place.bytes) : NULL;
    text_fini(&place);
    if (!wait)
        return;
    wait->ns += main_waits_ns(of, row);
    wait->others_ns += main_waits_is_others(of, row) ? row->waiting_ns : 0;
    wait->calls += row->calls;
    if (!wait->most || main_waits_ns(of, row) > main_waits_ns(of, wait->most))
        wait->most = row;
}

static bool is_of_named_library(const struct place *place)
{
    const struct places_function *function = place->function;

    return place_is_telling(place) && function->has_name && !function->is_plumbing &&
           function->module && !plain_name_is_libc(function->module);
}

/* Append the function that a line of the program calls to wait: of a library with names; of Python,
 * the one that waits. */
static void append_waiter(struct text *text, const struct findings_context *context, uint32_t call)
{
    struct places *places = places_new(context->session, context->options.find_frames);
    struct place own, waiter;

    if (call == SESSION_NONE)
        return;
    if (places_find(places, call, place_is_python, &waiter)) {
        if (!place_is_own_python(&waiter))
            library_path_append(text, &waiter);
    } else if (own_place_find_function(places, context->session, call, &own) &&
               places_find(places, call, is_of_named_library, &waiter) &&
               strcmp(waiter.function->module, own.function->module) != 0)
        places_append_function(text, waiter.function, false);
}

static bool is_event_loop(const struct place *place)
{
    return place->function->is_python && place->file && strstr(place->file, "/asyncio/");
}

static bool is_of_asyncio(const struct findings_context *context, uint32_t call)
{
    struct places *places = places_new(context->session, context->options.find_frames);
    struct place loop;

    return call != SESSION_NONE && places_find(places, call, is_event_loop, &loop);
}

static void say_most_wait(struct text *text, const struct findings_context *context,
                          const struct main_waits *of, const struct hot_wait *wait)
{
    const struct wait_row *most = wait->most;
    const struct said call = said_words(most->name);
    const struct said time = said_time(wait->others_ns > 0 ? most->waiting_ns : most->main_path_ns);
    struct text waiter;

    text_init(&waiter);
    append_waiter(&waiter, context, main_waits_chain(of, most));
    if (waiter.size > 0)
        say(text, hot_wait_called_text, time, call, said_words(waiter.bytes));
    else
        say(text, hot_wait_most_text, time, call);
    if (strstr(waiter.bytes, "Selector.select") &&
        is_of_asyncio(context, main_waits_chain(of, most)))
        say(text, hot_wait_loop_text);
    text_fini(&waiter);
}

static const double full_pipe_ns = 100e6; /* of a call: a child that prints as it goes is sooner */

/* What a child prints may lie in its own buffer. */
static void say_buffer(struct text *text, const struct hot_wait *wait)
{
    const struct wait_row *most = wait->most;

    if (most->waited == TRACE_WAITED_PIPE && strncmp(most->name, "read ", strlen("read ")) == 0 &&
        most->waiting_ns >= full_pipe_ns * (double)most->calls)
        say(text, hot_wait_pipe_text);
}

static const size_t least_in_turn = 5;    /* threads */
static const double mostly_in_turn = 0.9; /* of them */

static int compare_starts(const void *one, const void *other)
{
    const struct session_thread *a = *(const struct session_thread *const *)one;
    const struct session_thread *b = *(const struct session_thread *const *)other;

    return (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);
}

static void gather_ended(struct array *ended, const struct session *session)
{
    const uint32_t main_thread = wait_main_thread(session);

    array_init(ended, sizeof(const struct session_thread *));
    for (uint32_t i = 0; i < session->threads.count; i++)
        if (i != main_thread && session_thread_at(session, i)->has_ended)
            *(const struct session_thread **)array_add(ended) = session_thread_at(session, i);
    if (ended->count > 0)
        qsort(ended->items, ended->count, ended->item_size, compare_starts);
}

/* Python joins a thread when its function has returned, a little before the thread ends. */
static bool follows(const struct session_thread *thread, const struct session_thread *before)
{
    enum { SLACK_PARTS = 10 };
    uint64_t lived_ns = before->last_ns - before->first_ns;

    return thread->first_ns >= before->last_ns - lived_ns / SLACK_PARTS;
}

/* A program that joins each thread before it starts the next one gains nothing by threads. */
static void say_in_turn(struct text *text, const struct session *session)
{
    const struct session_thread *const *thread;
    size_t in_turn = 1;
    struct array ended;

    gather_ended(&ended, session);
    thread = ended.items;
    for (size_t i = 1; i < ended.count; i++)
        in_turn += follows(thread[i], thread[i - 1]);
    if (ended.count >= least_in_turn && (double)in_turn >= mostly_in_turn * (double)ended.count)
        say(text, hot_wait_in_turn_text, said_count(in_turn));
}

static void add_wait(const struct findings_context *context, struct findings *findings,
                     const struct main_waits *of, const struct hot_wait *wait)
{
    struct finding *finding = findings_add_waiting(
        findings, &(struct finding_claim){wait->ns, wait->ns, FINDING_CONFIDENCE_HIGH}, 0);
    double share = fmin(1, wait->ns / context->wall.ns);

    text_append(&finding->place, wait->place.bytes);
    say(&finding->title, hot_wait_title_text, said_share(share));
    if (wait->others_ns > 0)
        say(&finding->evidence, hot_wait_others_text, said_time(wait->others_ns),
            said_count(wait->calls), said_share(share));
    else
        say(&finding->evidence, hot_wait_time_text, said_share(share), said_time(wait->ns),
            said_count(wait->calls));
    say_most_wait(&finding->evidence, context, of, wait);
    say_buffer(&finding->evidence, wait);
    if (wait->others_ns > 0)
        say_in_turn(&finding->evidence, context->session);
    finding_add_number(finding, "main_ns", wait->ns);
    finding_add_number(finding, "calls", (double)wait->calls);
}

static const struct hot_wait *find_longest(const struct array *waits)
{
    const struct hot_wait *wait = waits->items, *most = NULL;

    for (size_t i = 0; i < waits->count; i++)
        if (!most || wait[i].ns > most->ns)
            most = &wait[i];
    return most;
}

/* Threads that compute, or want to. */
static bool are_busy(const struct findings_context *context)
{
    const struct session *session = context->session;
    double ns = context->capacity.needed_ns;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        ns += thread->delay_ns == SESSION_UNKNOWN ? 0 : (double)thread->delay_ns;
    }
    return ns >= context->wall.ns / 2;
}

/* While threads compute, or a server waits for work, the main thread's waiting is no reason to
 * begin there.  Who accepts connections waits for its clients. */
static bool counts(const struct findings_context *context, const struct main_waits *of,
                   const struct wait_row *row)
{
    static const char *const for_others[] = {"lock", "gil", "join", "idle", "unhooked"};
    bool is_busy = are_busy(context) || findings_is_server(context);

    if (row->is_own || strncmp(row->name, "accept ", strlen("accept ")) == 0)
        return false;
    for (size_t i = 0; is_busy && row->kind && i < sizeof for_others / sizeof *for_others; i++)
        if (strcmp(row->kind, for_others[i]) == 0)
            return false;
    return main_waits_ns(of, row) > 0;
}

static bool counts_all(const struct findings_context *context, const struct main_waits *of,
                       const struct wait_row *row)
{
    (void)context;
    (void)of;
    return !row->is_own && row->main_path_ns > 0;
}

typedef bool (*wait_filter)(const struct findings_context *context, const struct main_waits *of,
                            const struct wait_row *row);

static void find_waits(struct array *waits, const struct findings_context *context,
                       const struct main_waits *of, wait_filter is_counted)
{
    array_init(waits, sizeof(struct hot_wait));
    for (size_t i = 0; i < of->rows.rows.count; i++) {
        const struct wait_row *row = array_at(&of->rows.rows, i);

        if (is_counted(context, of, row))
            add_row(waits, of, row);
    }
}

static void append_wait(struct text *text, const struct findings_context *context,
                        wait_filter is_counted, double share)
{
    const struct hot_wait *most;
    struct main_waits of;
    struct array waits;

    main_waits_init(&of, context);
    find_waits(&waits, context, &of, is_counted);
    most = find_longest(&waits);
    if (most && most->ns >= share * context->wall.ns)
        text_append(text, most->place.bytes);
}

void hot_places_append_wait(struct text *text, const struct findings_context *context)
{
    append_wait(text, context, counts, least_share);
}

void hot_places_append_any_wait(struct text *text, const struct findings_context *context)
{
    append_wait(text, context, counts_all, main_share);
}

void hot_places_append_long_wait(struct text *text, const struct findings_context *context)
{
    append_wait(text, context, counts_all, least_share);
}

double hot_places_wait_ns(const struct findings_context *context, const char *place)
{
    const struct hot_wait *wait;
    struct main_waits of;
    struct array waits;

    main_waits_init(&of, context);
    find_waits(&waits, context, &of, counts_all);
    wait = waits.items;
    for (size_t i = 0; i < waits.count; i++)
        if (strcmp(wait[i].place.bytes, place) == 0)
            return wait[i].ns;
    return 0;
}

/* SLEEP says where the program itself sleeps.  A library that looks again and again for the results
 * of busy threads, as joblib does, is no reason, either. */
static bool counts_awake(const struct findings_context *context, const struct main_waits *of,
                         const struct wait_row *row)
{
    bool is_sleep = row->kind && strcmp(row->kind, "sleep") == 0;

    return counts(context, of, row) &&
           (!is_sleep ||
            (!are_busy(context) && own_place_is_in_library(context, main_waits_chain(of, row))));
}

/* The wait for a thread has a reason where that thread waits, too. */
static bool counts_reasons(const struct findings_context *context, const struct main_waits *of,
                           const struct wait_row *row)
{
    return counts_awake(context, of, row) && main_waits_is_others(of, row);
}

/* Returns: the line with most of the waits that count; NULL: there is none. */
static const struct hot_wait *find_most(struct array *waits, const struct findings_context *context,
                                        const struct main_waits *of, wait_filter is_counted)
{
    find_waits(waits, context, of, is_counted);
    return find_longest(waits);
}

static bool is_hot(const struct findings_context *context, const struct hot_wait *wait)
{
    return wait && wait->ns >= least_share * context->wall.ns;
}

static void judge_waits(const struct findings_context *context, struct findings *findings)
{
    const struct hot_wait *most;
    struct main_waits of;
    struct array waits;

    main_waits_init(&of, context);
    most = find_most(&waits, context, &of, counts_reasons);
    if (!is_hot(context, most))
        most = find_most(&waits, context, &of, counts_awake);
    if (is_hot(context, most))
        add_wait(context, findings, &of, most);
    else if (!most)
        findings_pass(findings, hot_wait_none_text);
    else
        findings_pass(findings, hot_wait_passed_text, said_words(most->place.bytes),
                      said_share(most->ns / context->wall.ns));
}

void rule_hot_wait(const struct findings_context *context, struct findings *findings)
{
    if (context->session->waits.count == 0)
        findings_skip(findings, waits_none_text);
    else
        judge_waits(context, findings);
}
