/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at a folder.
 */
#include "watch/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alerts/alert_rules.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "base/written.h"
#include "live/live_process.h"
#include "model/clock.h"
#include "model/outline.h"
#include "model/session_open.h"
#include "model/session_process.h"
#include "reader/reader.h"
#include "watch/texts.h"
#include "watch/watch_parts.h"

/* A process that is not seen here may have been killed, or run elsewhere: in another container, or
 * on another machine.  It is taken for ended after so many windows without a reading. */
enum { WINDOWS_UNSEEN = 10 };

static const uint64_t second = 1000000000;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * second + (uint64_t)now.tv_nsec;
}

const char *watch_format_time(char text[WATCH_TIME_SIZE], uint64_t time_ns, bool is_name)
{
    const time_t at = (time_t)(time_ns / second);
    struct tm parts;

    text[0] = '\0';
    if (gmtime_r(&at, &parts))
        strftime(text, WATCH_TIME_SIZE, is_name ? "%Y%m%dT%H%M%SZ" : "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

void watch_append_path(struct text *path, const struct watch *watch, const char *name)
{
    text_appendf(path, "%s/%s", watch->request.folder, name);
}

/* ---- complaints ------------------------------------------------------------------------ */

/* Returns: whether a line differs from the last one, which it replaces. */
static bool is_news(char **last, const char *line)
{
    if (*last && strcmp(*last, line) == 0)
        return false;
    free(*last);
    *last = memory_copy(line);
    return true;
}

void watch_fail(struct watch_look *look, const char *path)
{
    const char *error = strerror(errno);
    struct text line;

    look->has_failed = true;
    text_init(&line);
    say(&line, watch_full_text, said_words(path), said_words(error));
    if (is_news(&look->watch->failure, error))
        look->watch->request.complain(line.bytes);
    text_fini(&line);
}

void watch_complain(const struct watch_look *look, struct watch_trace *trace,
                    const struct diagnostic *diagnostic)
{
    struct text line;

    if (!is_news(&trace->complaint, diagnostic->text))
        return;
    text_init(&line);
    say(&line, watch_left_out_text, said_words(diagnostic->text));
    look->watch->request.complain(line.bytes);
    text_fini(&line);
}

/* ---- one trace ------------------------------------------------------------------------- */

/* The known part of a trace: its end, and whether nothing will follow. */
struct extent {
    uint64_t until_ns;
    bool is_over;
};

/* The latest record that the totals tell. */
static uint64_t latest_ns(const struct session *session, const struct outline *outline)
{
    uint64_t read_ns = clock_convert(&outline->clock, outline->reader.header.latest.done);
    uint64_t last_ns = read_ns > outline->clock.last_ns ? read_ns : outline->clock.last_ns;

    return session->process.realtime_start_ns + last_ns;
}

static bool runs_here(const struct session *session, const struct trace_header *header)
{
    double unused;

    /* In a container the watcher may have the number of a process in another one. */
    return header->pid != (uint32_t)getpid() && live_process_is_own_host(session->process.host) &&
           live_process_runs(header, &unused);
}

static struct extent find_extent(const struct watch_look *look, const struct session *session,
                                 const struct outline *outline)
{
    const struct trace_header *header = &outline->reader.header;
    uint64_t last_ns = latest_ns(session, outline);
    uint64_t unseen_ns = WINDOWS_UNSEEN * look->watch->request.every_ns;

    if (live_process_has_ended(header)) {
        uint64_t length_ns = header->end.monotonic_ns - header->start.monotonic_ns;
        bool has_end = header->end.monotonic_ns > header->start.monotonic_ns;

        return (struct extent){has_end ? header->realtime_start_ns + length_ns : last_ns, true};
    }
    if (runs_here(session, header) || look->now_ns < last_ns + unseen_ns)
        return (struct extent){look->now_ns, false};
    return (struct extent){last_ns, true};
}

static void add_metrics(struct watch_look *look, const struct watch_trace *trace,
                        const struct session *session)
{
    metrics_add(&look->metrics, session);
    for (unsigned i = 0; i < ALERTS; i++)
        if (trace->raised & 1u << i)
            metrics_add_alert(&look->metrics, session, alert_rules[i].name);
}

static void follow(struct watch_look *look, struct watch_trace *trace,
                   const struct session *session, const struct outline *outline)
{
    const struct extent extent = find_extent(look, session, outline);
    bool was_known = trace->is_known, is_told;

    trace->start_ns = session->process.realtime_start_ns;
    if (!was_known)
        watch_find_told(look->watch, trace, extent.until_ns);
    if (!was_known && extent.is_over && trace->done_ns >= extent.until_ns) {
        trace->is_over = true; /* an earlier watch wrote it all */
        return;
    }
    is_told = watch_write_windows(look, trace, extent.until_ns, extent.is_over);
    is_told &= watch_tell_alerts(look, trace, extent.is_over && is_told);
    add_metrics(look, trace, session);
    trace->is_over = extent.is_over && is_told;
}

static void note_header(struct watch_trace *trace, const struct trace_header *header)
{
    trace->ending = header->ending;
    trace->latest = header->latest.done;
}

/* One that was taken for ended may go on, and a name may be used again. */
static bool is_as_it_was(const struct watch_trace *trace)
{
    struct trace_header header;

    return reader_peek(trace->path, &header) && header.realtime_start_ns == trace->start_ns &&
           header.ending == trace->ending && header.latest.done == trace->latest;
}

static void forget(struct watch_trace *trace)
{
    *trace = (struct watch_trace){
        .path = trace->path, .complaint = trace->complaint, .is_seen = trace->is_seen};
}

static void visit(struct watch_look *look, struct watch_trace *trace)
{
    struct diagnostic diagnostic;
    struct session session;
    struct outline outline;

    if (trace->is_over && is_as_it_was(trace))
        return;
    if (session_open_totals(&session, &outline, trace->path, &diagnostic)) {
        watch_complain(look, trace, &diagnostic);
        return;
    }
    if (trace->is_over || session.process.realtime_start_ns != trace->start_ns)
        forget(trace);
    note_header(trace, &outline.reader.header);
    follow(look, trace, &session, &outline);
    outline_close(&outline);
    session_close(&session);
}

/* ---- all ------------------------------------------------------------------------------- */

static void free_trace(struct watch_trace *trace)
{
    free(trace->path);
    free(trace->complaint);
}

/* Traces come in the same order in each look, so the search starts behind the last that was
 * found. */
static struct watch_trace *find_trace(struct watch *watch, const char *path, size_t *after)
{
    struct watch_trace *traces = watch->traces.items, *trace;
    size_t count = watch->traces.count;

    for (size_t i = 0; i < count; i++) {
        size_t index = (*after + i) % count;

        if (strcmp(traces[index].path, path) == 0) {
            *after = index + 1;
            return &traces[index];
        }
    }
    trace = array_add(&watch->traces);
    trace->path = memory_copy(path);
    return trace;
}

/* Forget files that are gone. */
static void drop_unseen(struct watch *watch)
{
    struct watch_trace *traces = watch->traces.items;
    size_t kept = 0;

    for (size_t i = 0; i < watch->traces.count; i++) {
        if (!traces[i].is_seen) {
            free_trace(&traces[i]);
            continue;
        }
        traces[i].is_seen = false;
        traces[kept++] = traces[i];
    }
    array_truncate(&watch->traces, kept);
}

static void visit_all(struct watch_look *look, const struct text_list *paths)
{
    struct watch *watch = look->watch;
    size_t after = 0;

    for (size_t i = 0; i < text_list_count(paths); i++) {
        struct watch_trace *trace = find_trace(watch, text_list_at(paths, i), &after);

        trace->is_seen = true;
        if (look->is_last || !watch->request.is_stopped())
            visit(look, trace);
    }
    drop_unseen(watch);
}

static void write_metrics(const void *of, FILE *out)
{
    metrics_write(of, false, out);
}

/* Prometheus' text and OpenMetrics' at once: to the former the last line is a comment. */
static void put_metrics(struct watch_look *look)
{
    struct text path, metrics;

    text_init(&path);
    text_init(&metrics);
    watch_append_path(&path, look->watch, "tprof.prom");
    written_append(&metrics, write_metrics, &look->metrics);
    watch_append_machine(&metrics, "");
    text_append(&metrics, "# EOF\n");
    if (!look->has_failed && !whole_file_put(path.bytes, &metrics))
        watch_fail(look, path.bytes);
    text_fini(&path);
    text_fini(&metrics);
}

void watch_look(struct watch *watch, const struct text_list *paths, bool is_last)
{
    struct watch_look look = {.watch = watch, .now_ns = now_ns(), .is_last = is_last};

    metrics_init(&look.metrics);
    visit_all(&look, paths);
    put_metrics(&look);
    metrics_fini(&look.metrics);
    if (look.has_failed)
        return;
    free(watch->failure);
    watch->failure = NULL;
}

void watch_init(struct watch *watch, const struct watch_request *request)
{
    *watch = (struct watch){.request = *request};
    array_init_owned(&watch->traces, sizeof(struct watch_trace));
}

void watch_fini(struct watch *watch)
{
    struct watch_trace *traces = watch->traces.items;

    for (size_t i = 0; i < watch->traces.count; i++)
        free_trace(&traces[i]);
    array_fini(&watch->traces);
    free(watch->failure);
}
