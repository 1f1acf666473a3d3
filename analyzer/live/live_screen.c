/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of tprof live: head, rates, courses, rows, threads, alerts, keys.
 */
#include "live/live_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/units.h"
#include "devices/device_numbers.h"
#include "live/texts.h"
#include "model/session_process.h"
#include "render/display.h"

enum {
    ROWS_UNLIMITED = 12,
    THREADS_SHOWN = 6,
    ALERTS_SHOWN = 3,
    LEAST_ROWS = 1,
    SPARKS = 8,
    DEVICES_SHOWN = 8
};

static const double second = 1e9, least_share = 0.0005;

/* ---- lines ----------------------------------------------------------------------------- */

struct drawing {
    struct text_list *lines;
    const struct live *live;
    const struct live_screen *screen;
    struct text line;
};

/* Ends the line: it is made safe and cut to the width. */
static void put_line(struct drawing *drawing)
{
    struct text safe, cut;

    text_init(&safe);
    text_init(&cut);
    display_append_safe(&safe, drawing->line.bytes, drawing->screen->unicode);
    if (drawing->screen->width > 0)
        display_append_shortened(&cut, safe.bytes, drawing->screen->width,
                                 drawing->screen->unicode);
    else
        text_append(&cut, safe.bytes);
    text_list_add(drawing->lines, cut.bytes);
    text_fini(&safe);
    text_fini(&cut);
    text_clear(&drawing->line);
}

/* Appends a part with two spaces before it. */
static void add_part(struct drawing *drawing, const struct text *part)
{
    if (part->size == 0)
        return;
    text_append(&drawing->line, drawing->line.size > 0 ? "  " : "");
    text_append(&drawing->line, part->bytes);
}

static void take_part(struct drawing *drawing, struct text *part)
{
    add_part(drawing, part);
    text_fini(part);
}

/* ---- figures --------------------------------------------------------------------------- */

/* Seconds between two frames. */
static double seconds_of(const struct live *live, size_t span)
{
    return (double)(live_now(live)->taken_ns - live_before(live, span)->taken_ns) / second;
}

/* Returns: the growth of a sum of the process by the second; NAN: unknown. */
static double rate_of(const struct live *live, size_t frames, size_t offset)
{
    size_t span = live_span(live, frames);
    double now, before;

    if (span == 0)
        return (double)NAN;
    memcpy(&now, (const char *)live_now(live) + offset, sizeof now);
    memcpy(&before, (const char *)live_before(live, span) + offset, sizeof before);
    return (now - before) / seconds_of(live, span);
}

#define RATE(live, frames, field) rate_of(live, frames, offsetof(struct live_totals, field))

static double span_s(const struct live *live)
{
    size_t span = live_span(live, LIVE_SPAN);

    return span > 0 ? seconds_of(live, span) : (double)NAN;
}

/* "60 s", "0.1 s" */
static const char *format_s(char buffer[UNITS_SIZE], double seconds)
{
    if (!isfinite(seconds))
        return "-";
    snprintf(buffer, UNITS_SIZE, "%.*f s", seconds < 1 ? 1 : 0, seconds);
    return buffer;
}

static const char *format(char buffer[UNITS_SIZE], double value,
                          char *(*with)(char buffer[UNITS_SIZE], double value))
{
    return isfinite(value) ? with(buffer, value) : "-";
}

/* ---- the head -------------------------------------------------------------------------- */

static void add_name(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    const struct session_process *process = &live->session.process;
    const char *rank = session_process_rank(process);
    char pid[16];
    struct text part;

    text_init(&part);
    snprintf(pid, sizeof pid, "%u", live->frames[live->shown].header.pid);
    say(&part, live_head_text, said_words(process->name ? process->name : "?"), said_words(pid),
        said_time(live_age_s(live) * second));
    if (rank) {
        text_append(&part, " ");
        say(&part, live_rank_text, said_words(rank));
    }
    take_part(drawing, &part);
}

static void append_busy(struct text *part, const struct live *live)
{
    double used = RATE(live, 1, cpu_ns) / second, allowed = live_allowed(live);

    if (!isfinite(used))
        return;
    used = round(fmax(0, used) * 100) / 100;
    if (isfinite(allowed))
        say(part, live_busy_text, said_real(used), said_real(allowed));
    else
        say(part, live_busy_of_text, said_real(used));
}

static void append_throttled(struct text *part, const struct live *live)
{
    size_t count = live->samples.rows.count;
    double share =
        count > 1 ? alert_samples_measure(&live->samples, ALERT_MEASURE_THROTTLED, count - 1).value
                  : (double)NAN;

    if (share > 0)
        say(part, live_throttled_text, said_share(share));
}

/* By its parent if that has told it, else by itself. */
static void append_ending(struct text *part, const struct trace_header *header)
{
    if (header->waited == 1 && WIFSIGNALED(header->wait_status))
        say(part, live_killed_text, said_count((uint64_t)WTERMSIG(header->wait_status)));
    else if (header->waited == 1 && WIFEXITED(header->wait_status))
        say(part, live_exited_text, said_count((uint64_t)WEXITSTATUS(header->wait_status)));
    else if (header->ending != TRACE_RUNNING && header->exit_status != TRACE_STATUS_UNKNOWN)
        say(part, live_exited_text, said_count((uint64_t)(header->exit_status & 0xff)));
    else
        say(part, live_ended_text);
}

static void add_state(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    const struct trace_header *header = &live->frames[live->shown].header;
    struct text part;

    text_init(&part);
    if (live->state == LIVE_UNSEEN)
        say(&part, live_unseen_text);
    else if (live->state == LIVE_ENDED)
        append_ending(&part, header);
    else
        append_busy(&part, live);
    if (live->state == LIVE_RUNS)
        append_throttled(&part, live);
    take_part(drawing, &part);
}

/* The watcher's own processor time is that of this program since it began to watch. */
static void add_cost(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    double own = live->own_ns / (double)(live_now(live)->taken_ns + 1 - live->first_ns);
    double cost = RATE(live, LIVE_SPAN, recording_ns) / second;
    struct text part;

    text_init(&part);
    if (isfinite(cost) && live->state == LIVE_RUNS)
        say(&part, live_cost_text, said_share(fmax(0, cost)), said_share(fmin(1, own)));
    take_part(drawing, &part);
}

static void draw_head(struct drawing *drawing)
{
    char every[UNITS_SIZE];
    struct text part;

    add_name(drawing);
    add_state(drawing);
    text_init(&part);
    if (drawing->screen->is_paused)
        say(&part, live_paused_text);
    else if (drawing->screen->shows_keys)
        say(&part, live_every_text, said_words(format_s(every, drawing->screen->every_s)));
    take_part(drawing, &part);
    text_init(&part);
    if (drawing->live->file.dropped > 0)
        say(&part, live_torn_text, said_count(drawing->live->file.dropped));
    take_part(drawing, &part);
    put_line(drawing);
}

/* ---- rates ----------------------------------------------------------------------------- */

static void add_steps(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    const struct live_row *steps = live_find_steps(live);
    char buffer[UNITS_SIZE];
    struct text part;
    double one, span;

    text_init(&part);
    if (steps) {
        one = live_rate(live, steps, 1).calls;
        span = live_rate(live, steps, LIVE_SPAN).calls;
        if (isfinite(one)) {
            say(&part, live_steps_text, said_words(steps->name), said_rate(one));
            say(&part, live_span_text, said_words(format_s(buffer, span_s(live))), said_rate(span));
        } else {
            text_appendf(&part, "%s %.0f", steps->name, steps->ring[0].calls);
        }
    }
    take_part(drawing, &part);
}

static void add_flops(struct drawing *drawing)
{
    double rate = RATE(drawing->live, 1, flops);
    char buffer[UNITS_SIZE];
    struct text part;

    text_init(&part);
    if (isfinite(rate) && live_now(drawing->live)->flops > 0)
        text_append(&part, units_format_flop_rate(buffer, rate));
    take_part(drawing, &part);
}

static void add_heap(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    double growth = RATE(live, LIVE_SPAN, heap_bytes);
    struct text part;

    text_init(&part);
    if (isfinite(live_now(live)->heap_bytes)) {
        say(&part, live_heap_text, said_bytes(live_now(live)->heap_bytes));
        if (fabs(growth) >= 1)
            say(&part, live_growth_text, said_words(growth < 0 ? "-" : "+"),
                said_byte_rate(fabs(growth)));
    }
    take_part(drawing, &part);
    text_init(&part);
    if (isfinite(live_now(live)->resident_bytes))
        say(&part, live_resident_text, said_bytes(live_now(live)->resident_bytes));
    take_part(drawing, &part);
}

/* Of all endpoints; the percentiles are those of the span. */
static void add_requests(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    double one = RATE(live, 1, requests), span = RATE(live, LIVE_SPAN, requests);
    double median = live_percentile(live, LIVE_SPAN, 0.5);
    char buffer[UNITS_SIZE];
    struct text part;

    text_init(&part);
    if (live_now(live)->requests > 0 && isfinite(one)) {
        say(&part, live_requests_text, said_rate(one));
        say(&part, live_span_text, said_words(format_s(buffer, span_s(live))), said_rate(span));
    }
    if (isfinite(median))
        say(&part, live_percentiles_text, said_time(median),
            said_time(live_percentile(live, LIVE_SPAN, 0.99)));
    take_part(drawing, &part);
}

static void draw_rates(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    double waiting = RATE(live, 1, waiting_ns) / second;
    struct text part;

    add_requests(drawing);
    add_steps(drawing);
    add_flops(drawing);
    add_heap(drawing);
    text_init(&part);
    if (waiting > 0)
        say(&part, live_waits_text, said_real(round(100 * waiting) / 100));
    take_part(drawing, &part);
    put_line(drawing);
}

/* ---- devices --------------------------------------------------------------------------- */

/* "87.0 % busy", "memory 12 GiB of 80 GiB", "64 °C". */
static void add_device_number(struct drawing *drawing, const struct live_device *device,
                              enum trace_device_number number)
{
    uint64_t most = device->most[number];
    double value = (double)device->values[number];
    struct text part;

    if (device->values[number] == UINT64_MAX)
        return;
    text_init(&part);
    if (number == TRACE_DEVICE_UTILISATION)
        say(&part, live_device_busy_text, said_share(value / 100));
    else if (number == TRACE_DEVICE_MEMORY_USED && most != 0)
        say(&part, live_device_memory_text, said_bytes(value), said_bytes((double)most));
    else
        device_number_append(&part, number, value);
    take_part(drawing, &part);
}

static bool is_slowed(const struct live_device *device)
{
    uint64_t reasons = device->values[TRACE_DEVICE_THROTTLE];

    return reasons != UINT64_MAX && device_is_slowed(reasons);
}

static void draw_device(struct drawing *drawing, const struct live_device *device)
{
    static const enum trace_device_number shown[] = {TRACE_DEVICE_UTILISATION,
                                                     TRACE_DEVICE_MEMORY_USED,
                                                     TRACE_DEVICE_TEMPERATURE, TRACE_DEVICE_POWER};
    struct text part;

    text_init(&part);
    text_append(&part, live_device_name(drawing->live, device));
    take_part(drawing, &part);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        add_device_number(drawing, device, shown[i]);
    text_init(&part);
    if (is_slowed(device))
        say(&part, live_device_slowed_text);
    take_part(drawing, &part);
    put_line(drawing);
}

static void draw_devices(struct drawing *drawing)
{
    const struct live_device *device = drawing->live->file.devices.items;

    for (size_t i = 0; i < drawing->live->file.devices.count && i < DEVICES_SHOWN; i++)
        if (device[i].ticks != 0)
            draw_device(drawing, &device[i]);
}

/* ---- courses --------------------------------------------------------------------------- */

static const char *const unicode_sparks[SPARKS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const plain_sparks[SPARKS] = {"_", ".", ":", "-", "=", "+", "*", "#"};

/* The values at the ends of `count` equal parts of the span, by their highest one. */
static void append_sparks(struct text *text, const double *values, size_t count, bool unicode)
{
    const char *const *sparks = unicode ? unicode_sparks : plain_sparks;
    double most = 0;

    for (size_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    for (size_t i = 0; i < count; i++) {
        double part = most > 0 && values[i] > 0 ? values[i] / most : 0;

        text_append(text, isnan(values[i]) ? " " : sparks[(size_t)lround(part * (SPARKS - 1))]);
    }
}

enum { COURSE_POINTS = 12 };

struct course {
    const char *title;
    size_t offset;
    bool is_state; /* the values themselves, not their growth */
};

static double course_value(const struct live *live, const struct course *course, size_t from,
                           size_t to)
{
    double now, before, s;

    memcpy(&now, (const char *)live_before(live, to) + course->offset, sizeof now);
    if (course->is_state)
        return now;
    memcpy(&before, (const char *)live_before(live, from) + course->offset, sizeof before);
    s = (double)(live_before(live, to)->taken_ns - live_before(live, from)->taken_ns) / second;
    return s > 0 ? (now - before) / s : (double)NAN;
}

static void add_course(struct drawing *drawing, const struct course *course)
{
    const struct live *live = drawing->live;
    size_t span = live_span(live, LIVE_SPAN);
    size_t points = span < COURSE_POINTS ? span : COURSE_POINTS;
    double values[COURSE_POINTS], most = 0;
    struct text part;

    for (size_t i = 0; i < points; i++) {
        values[i] =
            course_value(live, course, span - span * i / points, span - span * (i + 1) / points);
        most = values[i] > most ? values[i] : most;
    }
    if (!(most > 0))
        return;
    text_init(&part);
    text_appendf(&part, "%s ", course->title);
    append_sparks(&part, values, points, drawing->screen->unicode);
    take_part(drawing, &part);
}

static void draw_courses(struct drawing *drawing)
{
    static const struct course courses[] = {
        {"FLOP/s", offsetof(struct live_totals, flops), false},
        {"processors", offsetof(struct live_totals, cpu_ns), false},
        {"heap", offsetof(struct live_totals, heap_bytes), true},
        {"waiting", offsetof(struct live_totals, waiting_ns), false},
    };
    char span[UNITS_SIZE];
    struct text part;

    if (live_span(drawing->live, LIVE_SPAN) < 2)
        return;
    text_init(&part);
    say(&part, live_last_text, said_words(format_s(span, span_s(drawing->live))));
    take_part(drawing, &part);
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++)
        add_course(drawing, &courses[i]);
    put_line(drawing);
}

/* ---- rows ------------------------------------------------------------------------------ */

static bool is_of_view(enum live_kind kind, enum live_view view)
{
    switch (view) {
    case LIVE_VIEW_TIME: return kind == LIVE_KERNEL || kind == LIVE_OP || kind == LIVE_WAIT;
    case LIVE_VIEW_MEMORY: return kind == LIVE_REGION || kind == LIVE_OP;
    case LIVE_VIEW_WAITS: return kind == LIVE_WAIT || kind == LIVE_IDLE;
    case LIVE_VIEW_REQUESTS: return kind == LIVE_REQUEST;
    }
    return false;
}

static double weight_of(const struct live_rated *rated, enum live_view view)
{
    return view == LIVE_VIEW_MEMORY ? fmax(rated->one.bytes, rated->span.bytes)
                                    : fmax(rated->one.ns, rated->span.ns) / second;
}

static int compare_time(const void *left, const void *right)
{
    double a = weight_of(left, LIVE_VIEW_TIME), b = weight_of(right, LIVE_VIEW_TIME);

    return (a < b) - (a > b);
}

static int compare_memory(const void *left, const void *right)
{
    double a = weight_of(left, LIVE_VIEW_MEMORY), b = weight_of(right, LIVE_VIEW_MEMORY);

    return (a < b) - (a > b);
}

void live_screen_find_rows(struct array *rated, const struct live *live, enum live_view view)
{
    const struct live_row *row = live->rows.items;

    for (size_t i = 0; i < live->rows.count; i++) {
        struct live_rated one = {&row[i], live_rate(live, &row[i], 1),
                                 live_rate(live, &row[i], LIVE_SPAN)};

        if (is_of_view(row[i].kind, view) && weight_of(&one, view) >= least_share)
            *(struct live_rated *)array_add(rated) = one;
    }
    if (rated->count > 0)
        qsort(rated->items, rated->count, sizeof(struct live_rated),
              view == LIVE_VIEW_MEMORY ? compare_memory : compare_time);
}

static const char *rate_words(char buffer[UNITS_SIZE], const struct live_rated *rated)
{
    if (rated->one.flops > 0)
        return units_format_flop_rate(buffer, rated->one.flops);
    if (rated->one.bytes > 0 && (rated->row->kind == LIVE_WAIT || rated->row->kind == LIVE_REQUEST))
        return units_format_byte_rate(buffer, rated->one.bytes);
    return "-"; /* the bytes of an op are those that it obtained */
}

static void draw_row(struct drawing *drawing, const struct live_rated *rated)
{
    char one[UNITS_SIZE], span[UNITS_SIZE], calls[UNITS_SIZE], rate[UNITS_SIZE];
    bool is_memory = drawing->screen->view == LIVE_VIEW_MEMORY;
    bool is_wait = rated->row->kind == LIVE_WAIT || rated->row->kind == LIVE_IDLE;

    text_appendf(&drawing->line, "%9s %9s %9s %13s  %s%s",
                 is_memory ? format(one, rated->one.bytes, units_format_byte_rate)
                           : format(one, rated->one.ns / second, units_format_percent),
                 is_memory ? format(span, rated->span.bytes, units_format_byte_rate)
                           : format(span, rated->span.ns / second, units_format_percent),
                 format(calls, rated->one.calls, units_format_rate),
                 is_memory ? "" : rate_words(rate, rated), is_wait ? "waits: " : "",
                 rated->row->name);
    put_line(drawing);
}

static const struct said *table_words(enum live_view view)
{
    switch (view) {
    case LIVE_VIEW_TIME: return &live_table_time_text;
    case LIVE_VIEW_MEMORY: return &live_table_memory_text;
    case LIVE_VIEW_REQUESTS: return &live_table_requests_text;
    case LIVE_VIEW_WAITS: break;
    }
    return &live_table_waits_text;
}

static void draw_rows(struct drawing *drawing, size_t room)
{
    char one[UNITS_SIZE], span[UNITS_SIZE];
    struct array rated;

    array_init_owned(&rated, sizeof(struct live_rated));
    live_screen_find_rows(&rated, drawing->live, drawing->screen->view);
    text_appendf(
        &drawing->line, "%9s %9s %9s %13s  %s",
        format_s(one, live_span(drawing->live, 1) > 0 ? seconds_of(drawing->live, 1) : (double)NAN),
        format_s(span, span_s(drawing->live)), "calls",
        drawing->screen->view == LIVE_VIEW_MEMORY ? "" : "rate",
        table_words(drawing->screen->view)->words);
    put_line(drawing);
    for (size_t i = 0; i < rated.count && i < room; i++)
        draw_row(drawing, array_at(&rated, i));
    if (rated.count == 0 && live_span(drawing->live, 1) > 0) {
        say(&drawing->line, live_nothing_text, said_words(format_s(span, span_s(drawing->live))));
        put_line(drawing);
    }
    array_fini(&rated);
}

/* ---- threads and alerts ---------------------------------------------------------------- */

void live_screen_append_copy(struct text *text, const char *path, const char *error)
{
    if (error)
        say(text, live_no_snapshot_text, said_words(path), said_words(error));
    else
        say(text, live_snapshot_text, said_words(path));
}

void live_screen_append_thread(struct text *text, const struct live_thread *thread)
{
    if (thread->call)
        say(text, live_open_text, said_words(thread->call));
    if (thread->call && isfinite(thread->call_since_ns))
        say(text, live_since_text, said_time(thread->call_since_ns));
    if (thread->wait)
        say(text, live_waiting_text, said_words(thread->wait));
    if (thread->wait && isfinite(thread->wait_since_ns))
        say(text, live_since_text, said_time(thread->wait_since_ns));
    if (!thread->call && !thread->wait)
        say(text, live_computes_text);
    if (thread->region)
        say(text, live_in_text, said_words(thread->region));
    if (thread->region && !thread->call && isfinite(thread->region_since_ns))
        say(text, live_since_text, said_time(thread->region_since_ns));
}

/* Those in the longest calls first. */
static int compare_threads(const void *left, const void *right)
{
    const struct live_thread *a = left, *b = right;
    double first = fmax(-1, fmax(a->call_since_ns, a->wait_since_ns)); /* NAN: the other one */
    double other = fmax(-1, fmax(b->call_since_ns, b->wait_since_ns));

    return first != other ? (first < other) - (first > other) : (a->id > b->id) - (a->id < b->id);
}

static void draw_threads(struct drawing *drawing, size_t room)
{
    const struct live *live = drawing->live;
    struct live_thread *threads = live->threads.items;

    if (live->threads.count > 1)
        qsort(threads, live->threads.count, sizeof *threads, compare_threads);
    if (live->threads.count == 0 && live->state != LIVE_ENDED) {
        text_append(&drawing->line, "threads  ");
        say(&drawing->line, live_no_threads_text);
        put_line(drawing);
    }
    for (size_t i = 0; i < live->threads.count && i < room; i++) {
        text_appendf(&drawing->line, "%-8s %-8u", i == 0 ? "threads" : "", threads[i].id);
        live_screen_append_thread(&drawing->line, &threads[i]);
        if (i + 1 == room && live->threads.count > room)
            text_appendf(&drawing->line, "  (+%zu)", live->threads.count - room);
        put_line(drawing);
    }
}

static void draw_alerts(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    const struct live_alert *alert = live->alerts.items;
    size_t shown = live->alerts.count < ALERTS_SHOWN ? live->alerts.count : ALERTS_SHOWN;

    text_append(&drawing->line, "alerts   ");
    if (shown == 0)
        say(&drawing->line, live_no_alerts_text);
    for (size_t i = live->alerts.count; i-- > live->alerts.count - shown;) {
        const struct alert_rule *rule = &alert_rules[alert[i].alert.id];
        struct text value;

        text_init(&value);
        alert_append_value(&value, alert_measures[rule->measure].unit, alert[i].alert.worst);
        say(&drawing->line, alert[i].is_on ? live_alert_text : live_alert_over_text,
            said_time((double)alert[i].alert.from_ns), said_words(rule->name),
            said_words(value.bytes));
        text_append(&drawing->line, " ");
        text_fini(&value);
    }
    add_cost(drawing);
    put_line(drawing);
}

/* ---- all ------------------------------------------------------------------------------- */

static void draw_help(struct drawing *drawing)
{
    static const struct said *const help[] = {
        &live_help_rates_text,   &live_help_share_text,  &live_help_open_text,
        &live_help_waiting_text, &live_help_flops_text,  &live_help_heap_text,
        &live_help_cost_text,    &live_help_alerts_text, &live_help_keys_text};

    for (size_t i = 0; i < sizeof help / sizeof *help; i++) {
        say(&drawing->line, *help[i]);
        put_line(drawing);
    }
}

/* Rows, and lines of threads, by the height. */
struct room {
    size_t rows, threads;
};

static struct room share_room(const struct live *live, const struct live_screen *screen)
{
    enum { OTHER = 6 }; /* head, rates, courses, titles, alerts, keys */
    size_t devices = live->file.devices.count, others;
    size_t threads = live->threads.count < THREADS_SHOWN ? live->threads.count : THREADS_SHOWN;
    size_t left;

    if (screen->height == 0)
        return (struct room){ROWS_UNLIMITED, THREADS_SHOWN};
    others = OTHER + (devices < DEVICES_SHOWN ? devices : DEVICES_SHOWN);
    if (screen->height <= others)
        return (struct room){LEAST_ROWS, 1};
    left = screen->height - others;
    if (threads > left / 3)
        threads = left / 3 > 0 ? left / 3 : 1;
    return (struct room){left > threads ? left - threads : LEAST_ROWS, threads};
}

static void draw_tail(struct drawing *drawing)
{
    const struct live_screen *screen = drawing->screen;

    if (screen->message)
        text_append(&drawing->line, screen->message);
    else if (screen->shows_keys)
        say(&drawing->line, live_keys_text);
    if (drawing->line.size > 0)
        put_line(drawing);
}

/* A screen that is too low loses its last lines. */
static void fit(struct text_list *lines, size_t height)
{
    while (height > 0 && text_list_count(lines) > height) {
        char **line = array_at(&lines->strings, lines->strings.count - 1);

        free(*line);
        array_truncate(&lines->strings, lines->strings.count - 1);
    }
}

void live_screen_draw(struct text_list *lines, const struct live *live,
                      const struct live_screen *screen)
{
    struct drawing drawing = {lines, live, screen, {0}};
    struct room room = share_room(live, screen);

    text_init(&drawing.line);
    draw_head(&drawing);
    if (screen->shows_help) {
        draw_help(&drawing);
    } else {
        draw_rates(&drawing);
        draw_devices(&drawing);
        draw_courses(&drawing);
        draw_rows(&drawing, room.rows);
        draw_threads(&drawing, room.threads);
        draw_alerts(&drawing);
        draw_tail(&drawing);
    }
    fit(lines, screen->height);
    text_fini(&drawing.line);
}

/* ---- a job ----------------------------------------------------------------------------- */

static void draw_process(struct drawing *drawing)
{
    const struct live *live = drawing->live;
    const struct live_thread *thread = live->threads.count > 0 ? array_at(&live->threads, 0) : NULL;

    add_name(drawing);
    add_state(drawing);
    add_steps(drawing);
    add_flops(drawing);
    add_heap(drawing);
    if (thread && live->state != LIVE_ENDED) {
        struct text part;

        text_init(&part);
        live_screen_append_thread(&part, thread);
        take_part(drawing, &part);
    }
    put_line(drawing);
}

void live_screen_draw_job(struct text_list *lines, const struct live *live, size_t count,
                          const struct live_screen *screen)
{
    struct drawing drawing = {lines, live, screen, {0}};

    text_init(&drawing.line);
    for (size_t i = 0; i < count; i++) {
        drawing.live = &live[i];
        draw_process(&drawing);
    }
    draw_tail(&drawing);
    fit(lines, screen->height);
    text_fini(&drawing.line);
}
