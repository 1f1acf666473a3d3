/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The alerts of a trace: lines of a file, and of the terminal.
 *
 * The rules run over all readings of the trace until the last window, so an alert has the same
 * times as in tprof alerts, whenever the watch began.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "alerts/alert_find.h"
#include "alerts/alert_row.h"
#include "alerts/alert_rules.h"
#include "base/pool.h"
#include "base/written.h"
#include "document/table.h"
#include "model/session_chains.h"
#include "model/session_open.h"
#include "model/session_process.h"
#include "places/places.h"
#include "render/display.h"
#include "render/render.h"
#include "watch/texts.h"
#include "watch/watch_parts.h"

_Static_assert(ALERTS <= 32, "watch_trace.raised has a bit an alert");

/* Rules read samples and steps; of more calls some are drawn. */
enum { CALLS_KEPT = 1000000 };

enum watch_column {
#define WATCH_COLUMN(column, key, help, unit) COLUMN_##column,
#include "watch/columns.def"
#undef WATCH_COLUMN
    COLUMN_ALERT
};

static const struct column columns[] = {
#define WATCH_COLUMN(column, key, help, unit) {key, NULL, help, unit, 0},
#include "watch/columns.def"
#undef WATCH_COLUMN
#define ALERT_COLUMN(column, key, title, help, unit, priority) {key, title, help, unit, priority},
#include "alerts/columns.def"
#undef ALERT_COLUMN
};

static const struct table_schema schema = {"alerts", NULL, columns,
                                           sizeof columns / sizeof *columns, NULL};

/* ---- events ---------------------------------------------------------------------------- */

enum event_kind { EVENT_RAISE, EVENT_CLEAR, EVENT_END };

struct event {
    enum event_kind kind;
    uint64_t time_ns;
    const struct alert *alert;
};

static int compare_times(const void *left, const void *right)
{
    const struct event *a = left, *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static void add_event(struct array *events, enum event_kind kind, const struct alert *alert,
                      uint64_t time_ns)
{
    *(struct event *)array_add(events) = (struct event){kind, time_ns, alert};
}

/* Events of a session, by time. */
static void list_events(struct array *events, const struct alerts *alerts,
                        const struct watch_trace *trace, bool is_over)
{
    array_init(events, sizeof(struct event));
    for (size_t i = 0; i < alerts->rows.count; i++) {
        const struct alert *alert = array_at(&alerts->rows, i);

        add_event(events, EVENT_RAISE, alert, trace->start_ns + alert->raised_ns);
        if (alert->is_over)
            add_event(events, EVENT_CLEAR, alert, trace->start_ns + alert->cleared_ns);
        else if (is_over)
            add_event(events, EVENT_END, alert, trace->done_ns);
    }
    if (events->count > 0)
        qsort(events->items, events->count, sizeof(struct event), compare_times);
}

/* ---- rows ------------------------------------------------------------------------------ */

static const char *const event_words[] = {
    [EVENT_RAISE] = "raise", [EVENT_CLEAR] = "clear", [EVENT_END] = "end"};

/* The rows of a trace in a look. */
struct telling {
    struct table table;
    struct alert_row_source source;
    struct watch_trace *trace;
    bool is_over;
};

static void add_row(struct telling *telling, const struct event *event)
{
    const struct session_process *process = &telling->source.session->process;
    struct value *row = table_add_row(&telling->table);
    char time[WATCH_TIME_SIZE];

    value_set_text(&row[COLUMN_TIME], watch_format_time(time, event->time_ns, false));
    value_set_text(&row[COLUMN_EVENT], event_words[event->kind]);
    value_set_text(&row[COLUMN_TRACE], text_base_name(telling->trace->path));
    value_set_text(&row[COLUMN_PROGRAM], process->name);
    value_set_unsigned(&row[COLUMN_PID], process->pid);
    value_set_text(&row[COLUMN_HOST], process->host);
    value_set_text(&row[COLUMN_RANK], session_process_rank(process));
    alert_row_fill(row + COLUMN_ALERT, &telling->source, event->alert);
}

static uint32_t find_raised(const struct alerts *alerts)
{
    uint32_t raised = 0;

    for (size_t i = 0; i < alerts->rows.count; i++) {
        const struct alert *alert = array_at(&alerts->rows, i);

        if (!alert->is_over)
            raised |= 1u << alert->id;
    }
    return raised;
}

/* An alert may vanish without an event: a pause that looked too long came after the last step, or
 * the median changed.  Readers of the lines wait for the end of each alert. */
static void add_vanished(struct telling *telling, uint32_t vanished)
{
    size_t samples = telling->source.alerts->samples.rows.count;

    for (unsigned i = 0; i < ALERTS; i++) {
        struct alert alert = telling->trace->alerts[i];
        const struct event event = {telling->is_over ? EVENT_END : EVENT_CLEAR,
                                    telling->trace->done_ns, &alert};

        if (!(vanished & 1u << i))
            continue;
        if (alert.worst_sample >= samples)
            alert.worst_sample = samples > 0 ? samples - 1 : 0;
        add_row(telling, &event);
    }
}

/* An alert is raised and over in turn.  The last reading of a window is not always one of those
 * that the rules take from a longer run, so an alert may seem to be raised again, a little later.
 * Returns: the alerts that are raised then. */
static uint32_t add_rows(struct telling *telling, const struct array *events)
{
    struct watch_trace *trace = telling->trace;
    const struct event *event = events->items;
    uint32_t raised = trace->raised;
    uint32_t going_on = telling->is_over ? 0 : find_raised(telling->source.alerts);

    for (size_t i = 0; i < events->count; i++) {
        uint32_t bit = 1u << event[i].alert->id;
        bool is_told = event[i].time_ns <= trace->told_ns && event[i].kind != EVENT_END;

        if ((is_told && trace->has_raised) ||
            (event[i].kind == EVENT_RAISE) == ((raised & bit) != 0))
            continue;
        raised ^= bit;
        trace->alerts[event[i].alert->id] = *event[i].alert;
        if (!is_told)
            add_row(telling, &event[i]);
    }
    add_vanished(telling, raised & ~going_on);
    return raised & going_on;
}

/* ---- lines ----------------------------------------------------------------------------- */

static void write_rows(const void *of, FILE *out)
{
    const struct render_options options = {0};
    struct diagnostic unused;

    (void)!renderer_jsonl.table(of, &options, out, &unused);
}

/* Whole lines or none, so that a reader of the file is never confused.  Returns: false, with
 * errno. */
static bool append_lines(const char *path, const struct text *lines)
{
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    off_t before = descriptor >= 0 ? lseek(descriptor, 0, SEEK_END) : -1;
    ssize_t written = descriptor >= 0 ? write(descriptor, lines->bytes, lines->size) : -1;
    int error = written < 0 ? errno : ENOSPC;

    if (written > 0 && (size_t)written < lines->size)
        (void)!ftruncate(descriptor, before);
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return written >= 0 && (size_t)written == lines->size;
}

static void put_rows(struct watch_look *look, const struct table *table)
{
    struct text path, lines;

    text_init(&path);
    text_init(&lines);
    watch_append_path(&path, look->watch, "alerts.jsonl");
    written_append(&lines, write_rows, table);
    if (!append_lines(path.bytes, &lines))
        watch_fail(look, path.bytes);
}

static struct said words_of(const struct value *value)
{
    return said_words(value->kind == VALUE_TEXT ? value->text : "?");
}

static void announce(const struct watch *watch, const struct value *row)
{
    const struct value *alert = row + COLUMN_ALERT;
    struct text line, safe, pid;

    text_init(&line);
    text_init(&safe);
    text_init(&pid);
    text_appendf(&pid, "%" PRId64, row[COLUMN_PID].integer);
    say(&line, watch_alert_text, words_of(&row[COLUMN_TIME]), words_of(&row[COLUMN_EVENT]),
        words_of(&alert[ALERT_COLUMN_NAME]), words_of(&row[COLUMN_PROGRAM]), said_words(pid.bytes),
        words_of(&alert[ALERT_COLUMN_WORST]), words_of(&alert[ALERT_COLUMN_WHAT]));
    if (alert[ALERT_COLUMN_PLACE].kind == VALUE_TEXT)
        say(&line, watch_alert_place_text, words_of(&alert[ALERT_COLUMN_PLACE]));
    display_append_safe(&safe, line.bytes, watch->request.unicode);
    watch->request.announce(safe.bytes);
}

static void tell_rows(struct watch_look *look, const struct table *table)
{
    if (table_row_count(table) == 0)
        return;
    put_rows(look, table);
    for (size_t i = 0; i < table_row_count(table) && !look->has_failed; i++)
        announce(look->watch, table_row(table, i));
}

/* ---- a trace --------------------------------------------------------------------------- */

static void tell(struct watch_look *look, struct watch_trace *trace, const struct session *session,
                 bool is_over)
{
    struct array events;
    struct alerts alerts;
    struct telling telling = {
        .source = {&alerts, session, places_new(session, session_find_frames)},
        .trace = trace,
        .is_over = is_over};
    uint32_t raised;

    alerts_find(&alerts, session);
    list_events(&events, &alerts, trace, is_over);
    table_init(&telling.table, &schema);
    raised = add_rows(&telling, &events);
    tell_rows(look, &telling.table);
    table_fini(&telling.table);
    if (look->has_failed)
        return;
    trace->raised = raised;
    trace->has_raised = true;
    trace->told_ns = trace->done_ns;
}

bool watch_tell_alerts(struct watch_look *look, struct watch_trace *trace, bool is_over)
{
    struct session_options options = session_defaults();
    struct diagnostic diagnostic;
    struct session session;
    struct pool pool;
    enum status status;

    if (look->has_failed || (trace->told_ns >= trace->done_ns && (!is_over || trace->raised == 0)))
        return !look->has_failed;
    options.window =
        (struct session_window){.is_cut = true, .to_ns = trace->done_ns - trace->start_ns};
    options.calls_most = CALLS_KEPT;
    options.leaves_heap = true;
    status = session_open(&session, trace->path, &options, &diagnostic);
    if (status) {
        watch_complain(look, trace, &diagnostic);
        return false;
    }
    if (!is_over) /* it ran until then, though it may have recorded nothing: a stall */
        session.process.wall_ns = trace->done_ns - trace->start_ns;
    pool_enter(&pool);
    tell(look, trace, &session, is_over);
    pool_leave(&pool);
    session_close(&session);
    return !look->has_failed;
}
