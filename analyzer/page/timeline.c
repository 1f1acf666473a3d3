/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes of marks.  The steps are on top.  Below are the queues of devices, with a lane for what
 * each ran and one for what waited in it.  Then each thread has a lane for each kind: regions and
 * ops by their depth, kernels, waits, spans side by side.  The readings of the process are last.
 *
 * The page has TIMELINE_MARKS marks in all, shared evenly by its processes and their lanes:
 * lane_marks.h merges the others.
 */
#include "page/timeline.h"

#include <inttypes.h>
#include <math.h>

#include "base/pool.h"
#include "base/text.h"
#include "base/text_index.h"
#include "base/text_list.h"
#include "devices/device_numbers.h"
#include "devices/queue_tracks.h"
#include "model/course.h"
#include "model/op_laps.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_spans.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "page/gaps.h"
#include "page/lane_marks.h"
#include "steps/steps.h"
#include "waits/wait_rows.h"

enum { TIMELINE_LANE = 8000, TIMELINE_DEPTH = 6, TIMELINE_NAMES = 2000 /* of files and sockets */ };

enum lane_kind {
    LANE_REGION,
    LANE_OP,
    LANE_KERNEL,
    LANE_WAIT,
    LANE_SPAN,
    LANE_COMMAND,
    LANE_QUEUED,
    LANE_KINDS
};

static const char *const lane_words[LANE_KINDS] = {
    [LANE_REGION] = "regions", [LANE_OP] = "ops",     [LANE_KERNEL] = "kernels",
    [LANE_WAIT] = "waits",     [LANE_SPAN] = "spans", [LANE_COMMAND] = "commands",
    [LANE_QUEUED] = "queued"};

/* Calls come by the million, and names by the dozen. */
enum { TIMELINE_KNOWN = 256 };

struct known_name {
    const char *name;
    long number;
};

struct timeline {
    struct html *html;
    const struct session *session;
    struct text_index names; /* by number in the page */
    struct array texts;      /* char *, owned by the session */
    struct text_list wait_names;
    long *wait_numbers; /* number of each wait, from 1 on; 0: none yet */
    struct text key;
    size_t most;             /* most marks of a lane */
    size_t most_readings;    /* and steps */
    size_t lanes;            /* lanes put so far */
    struct queue_tracks queues;
    struct known_name known[TIMELINE_KNOWN];
};

/* ---- names ---------------------------------------------------------------------------- */

static long find_number(struct timeline *timeline, const char *name)
{
    long number;
    const char **text;

    text_clear(&timeline->key);
    text_append(&timeline->key, name ? name : "?");
    number = text_index_add(&timeline->names, &timeline->key);
    if ((size_t)number < timeline->texts.count)
        return number;
    text = array_add(&timeline->texts);
    *text = name ? name : "?";
    return number;
}

/* Returns: the number of a name that lasts as long as the session. */
static long number_of(struct timeline *timeline, const char *name)
{
    struct known_name *known = &timeline->known[((uintptr_t)name >> 3) % TIMELINE_KNOWN];

    if (!known->name || known->name != name)
        *known = (struct known_name){name, find_number(timeline, name)};
    return known->number;
}

/* As in tprof waits: the name of a pipe, a file or a socket.  Waits may have millions of calls. */
static long number_of_wait(struct timeline *timeline, uint32_t index)
{
    struct text_list *own = &timeline->wait_names;
    long *number = &timeline->wait_numbers[index];
    struct text name;

    if (*number > 0)
        return *number - 1;
    if (text_list_count(own) >= TIMELINE_NAMES)
        return number_of(timeline, session_wait_at(timeline->session, index)->function);
    text_init(&name);
    wait_append_call(&name, session_wait_at(timeline->session, index));
    text_list_add(own, name.bytes);
    *number = find_number(timeline, text_list_at(own, text_list_count(own) - 1)) + 1;
    return *number - 1;
}

static void put_names(struct timeline *timeline)
{
    html_put(timeline->html, ",\n\"names\":[");
    for (size_t i = 0; i < timeline->texts.count; i++) {
        html_put(timeline->html, i > 0 ? "," : "");
        html_string(timeline->html, *(const char **)array_at(&timeline->texts, i));
    }
    html_put(timeline->html, "]");
}

/* By the numbers of names: the colour that the program gave regions and spans of the name. */
static void put_colour(struct timeline *timeline, const char *name, const struct session_look *look,
                       const char **comma)
{
    char colour[SESSION_COLOUR_SIZE];

    if (!look->has_colour)
        return;
    session_write_colour(look, colour);
    html_putf(timeline->html, "%s\"%ld\":\"%s\"", *comma, find_number(timeline, name), colour);
    *comma = ",";
}

static void put_colours(struct timeline *timeline)
{
    const struct session *session = timeline->session;
    const char *comma = "";

    html_put(timeline->html, ",\n\"colours\":{");
    for (size_t i = 0; i < session->regions.count; i++)
        put_colour(timeline, session_region_at(session, i)->label,
                   &session_region_at(session, i)->look, &comma);
    for (size_t i = 0; i < session->span_rows.count; i++)
        put_colour(timeline, session_span_row_at(session, i)->name,
                   &session_span_row_at(session, i)->look, &comma);
    html_put(timeline->html, "}");
}

/* ---- lanes ---------------------------------------------------------------------------- */

/* `owner`: "thread" or "queue", with its number in the page. */
static void put_owned(struct timeline *timeline, struct lane_marks *marks, const char *owner,
                      uint32_t number, enum lane_kind kind)
{
    if (marks->added == 0)
        return;
    lane_marks_thin(marks, timeline->most);
    html_putf(timeline->html, "%s{\"%s\":%" PRIu32 ",\"kind\":\"%s\",\"whole\":%zu",
              timeline->lanes++ > 0 ? ",\n" : "", owner, number, lane_words[kind], marks->added);
    lane_marks_put(timeline->html, marks);
    html_put(timeline->html, "}");
}

static void put_lane(struct timeline *timeline, struct lane_marks *marks, uint32_t thread,
                     enum lane_kind kind)
{
    put_owned(timeline, marks, "thread", thread, kind);
}

static void add_numbered(struct lane_marks *marks, long number, uint64_t start_ns, uint64_t end_ns)
{
    lane_marks_add(marks, start_ns, end_ns, (uint32_t)number);
}

static void add_mark(struct timeline *timeline, struct lane_marks *marks, const char *name,
                     const uint64_t span_ns[2])
{
    add_numbered(marks, number_of(timeline, name), span_ns[0], span_ns[1]);
}

static void fill_kernels(struct timeline *timeline, struct lane_marks *marks, uint32_t thread)
{
    const struct session_course *course = course_of(timeline->session, thread);
    const struct course_call *call = course ? course->calls.items : NULL;

    for (size_t i = 0; call && i < course->calls.count; i++) {
        const struct session_slot *slot = session_slot_at(timeline->session, call[i].slot);

        add_mark(timeline, marks, session_name_slot(timeline->session, slot),
                 (uint64_t[]){call[i].start_ns, course_end_ns(&call[i])});
    }
}

static void fill_waits(struct timeline *timeline, struct lane_marks *marks, uint32_t thread)
{
    const struct session *session = timeline->session;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);

        if (wait->thread == thread)
            add_numbered(marks, number_of_wait(timeline, call->wait), call->start_ns, call->end_ns);
    }
}

static void fill_regions(struct timeline *timeline, struct lane_marks *marks, uint32_t thread,
                         uint32_t depth)
{
    const struct session *session = timeline->session;

    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);
        const struct session_region *region = session_region_at(session, lap->region);

        if (lap->thread == thread && region->depth == depth)
            add_mark(timeline, marks, region->label, (uint64_t[]){lap->start_ns, lap->end_ns});
    }
}

static void fill_ops(struct timeline *timeline, struct lane_marks *marks, uint32_t thread,
                     uint32_t depth)
{
    const struct session *session = timeline->session;
    const struct op_lap *lap = session->op_laps.list.items;

    for (size_t i = 0; i < session->op_laps.list.count; i++)
        if (lap[i].thread == thread && lap[i].depth + 1 == depth)
            add_mark(timeline, marks, session_op_at(session, lap[i].op)->name,
                     (uint64_t[]){lap[i].start_ns, lap[i].end_ns});
}

/* Marks of a depth, from 1 on. */
typedef void (*depth_filler)(struct timeline *timeline, struct lane_marks *marks, uint32_t thread,
                             uint32_t depth);

static void put_nested(struct timeline *timeline, uint32_t thread, enum lane_kind kind,
                       depth_filler fill)
{
    for (uint32_t depth = 1; depth <= TIMELINE_DEPTH; depth++) {
        struct lane_marks marks;

        lane_marks_init(&marks);
        fill(timeline, &marks, thread, depth);
        put_lane(timeline, &marks, thread, kind);
        lane_marks_fini(&marks);
    }
}

typedef void (*lane_filler)(struct timeline *timeline, struct lane_marks *marks, uint32_t thread);

static void put_filled(struct timeline *timeline, uint32_t thread, enum lane_kind kind,
                       lane_filler fill)
{
    struct lane_marks marks;

    lane_marks_init(&marks);
    fill(timeline, &marks, thread);
    put_lane(timeline, &marks, thread, kind);
    lane_marks_fini(&marks);
}

/* Spans overlap.  They come by the time of their ends, so the first lane whose last span ended
 * before one started has room for it; the last lane takes the others. */
static void fill_spans(struct timeline *timeline, uint32_t thread,
                       struct lane_marks marks[TIMELINE_DEPTH])
{
    const struct session *session = timeline->session;
    uint64_t ends_ns[TIMELINE_DEPTH] = {0};

    for (size_t i = 0; i < session->spans.count; i++) {
        const struct session_span *span = session_span_at(session, i);
        unsigned lane = 0;

        if (span->thread != thread)
            continue;
        while (lane < TIMELINE_DEPTH - 1 && ends_ns[lane] > span->start_ns)
            lane++;
        ends_ns[lane] = span->end_ns;
        add_mark(timeline, &marks[lane], session_span_row_at(session, span->row)->name,
                 (uint64_t[]){span->start_ns, span->end_ns});
    }
}

static void put_spans(struct timeline *timeline, uint32_t thread)
{
    struct lane_marks marks[TIMELINE_DEPTH];

    for (unsigned i = 0; i < TIMELINE_DEPTH; i++)
        lane_marks_init(&marks[i]);
    fill_spans(timeline, thread, marks);
    for (unsigned i = 0; i < TIMELINE_DEPTH; i++) {
        put_lane(timeline, &marks[i], thread, LANE_SPAN);
        lane_marks_fini(&marks[i]);
    }
}

/* ---- queues of devices ---------------------------------------------------------------- */

/* Of a queue without order, the last lane takes the commands that have none of their own. */
static void fill_queue(struct timeline *timeline, uint32_t queue,
                       struct lane_marks commands[TIMELINE_DEPTH], struct lane_marks *queued)
{
    const struct session_devices *devices = &timeline->session->devices;
    const struct queue_mark *mark = timeline->queues.marks.items;

    for (size_t i = 0; i < timeline->queues.marks.count; i++) {
        const struct queue_track *track = array_at(&timeline->queues.tracks, mark[i].track);
        const struct session_command *command = session_command_at(devices, mark[i].command);
        const struct session_command_sum *sum = session_command_sum_at(devices, command->sum);
        unsigned lane = track->lane < TIMELINE_DEPTH ? track->lane : TIMELINE_DEPTH - 1;

        if (track->queue != queue)
            continue;
        add_mark(timeline, &commands[lane], command_name(sum),
                 (uint64_t[]){command->start_ns, command->end_ns});
        if (command->queued_ns < command->start_ns)
            add_mark(timeline, queued, command_name(sum),
                     (uint64_t[]){command->queued_ns, command->start_ns});
    }
}

static void put_queue(struct timeline *timeline, uint32_t queue)
{
    struct lane_marks commands[TIMELINE_DEPTH], queued;

    lane_marks_init(&queued);
    for (unsigned i = 0; i < TIMELINE_DEPTH; i++)
        lane_marks_init(&commands[i]);
    fill_queue(timeline, queue, commands, &queued);
    for (unsigned i = 0; i < TIMELINE_DEPTH; i++) {
        put_owned(timeline, &commands[i], "queue", queue, LANE_COMMAND);
        lane_marks_fini(&commands[i]);
    }
    put_owned(timeline, &queued, "queue", queue, LANE_QUEUED);
    lane_marks_fini(&queued);
}

static void put_queue_names(struct timeline *timeline)
{
    struct text name;

    text_init(&name);
    html_put(timeline->html, ",\n\"queues\":[");
    for (uint32_t i = 0; i < timeline->session->devices.queues.count; i++) {
        text_clear(&name);
        queue_append_name(&name, timeline->session, i);
        html_put(timeline->html, i > 0 ? "," : "");
        html_string(timeline->html, name.bytes);
    }
    html_put(timeline->html, "]");
    text_fini(&name);
}

static void put_lanes(struct timeline *timeline)
{
    html_put(timeline->html, "\"lanes\":[");
    for (uint32_t i = 0; i < timeline->session->devices.queues.count; i++)
        put_queue(timeline, i);
    for (uint32_t i = 0; i < timeline->session->threads.count; i++) {
        if (timeline->session->laps.count > 0)
            put_nested(timeline, i, LANE_REGION, fill_regions);
        if (timeline->session->op_laps.list.count > 0)
            put_nested(timeline, i, LANE_OP, fill_ops);
        put_filled(timeline, i, LANE_KERNEL, fill_kernels);
        put_filled(timeline, i, LANE_WAIT, fill_waits);
        if (timeline->session->spans.count > 0)
            put_spans(timeline, i);
    }
}

/* ---- threads and readings ------------------------------------------------------------- */

static void put_threads(struct timeline *timeline)
{
    const struct session *session = timeline->session;

    html_putf(timeline->html, "{\"wall\":%" PRIu64 ",\"threads\":[", session->process.wall_ns);
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        html_putf(timeline->html,
                  "%s{\"id\":%" PRIu32 ",\"first\":%" PRIu64 ",\"last\":%" PRIu64 "}",
                  i > 0 ? ",\n" : "", thread->id, thread->first_ns, thread->last_ns);
    }
    html_put(timeline->html, "],\n");
}

/* ---- steps and left out marks ---------------------------------------------------------- */

/* Put every n-th step if there are too many. */
static void put_steps(struct timeline *timeline, const struct steps *steps)
{
    const struct step *step = steps->steps.items;
    size_t count = steps->steps.count, stride = 1 + count / timeline->most_readings;

    html_putf(timeline->html, ",\n\"stepsEach\":%zu,\"steps\":[", stride);
    for (size_t i = 0; i < count; i += stride)
        html_putf(timeline->html, "%s[%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "",
                  step[i].start_ns, step[i].end_ns);
    html_put(timeline->html, "]");
}

static void find_steps(struct timeline *timeline)
{
    struct steps steps;

    steps_init(&steps, timeline->session);
    put_steps(timeline, &steps);
}

static void put_left_out(struct timeline *timeline)
{
    const struct op_laps *laps = &timeline->session->op_laps;

    html_putf(timeline->html, ",\n\"opsLeftOut\":%" PRIu64 ",\"opsLeast\":%" PRIu64,
              laps->left_out, laps->least_ns);
}

/* Columns of readings: words of struct trace_reading, and sums of two. */
enum reading_column { READ_TIME, READ_RSS, READ_HEAP, READ_CPU, READ_DISK, READ_COLUMNS };

static const char *const reading_words[READ_COLUMNS] = {
    [READ_TIME] = "time", [READ_RSS] = "rss", [READ_HEAP] = "heap", [READ_CPU] = "cpu",
    [READ_DISK] = "disk"};

static uint64_t sum_known(uint64_t a, uint64_t b)
{
    return a == SESSION_UNKNOWN || b == SESSION_UNKNOWN ? SESSION_UNKNOWN : a + b;
}

static uint64_t read_column(const struct session_reading *reading, enum reading_column column)
{
    switch (column) {
    case READ_TIME: return reading->time_ns;
    case READ_RSS: return reading->values.rss_bytes;
    case READ_HEAP: return reading->live_heap_bytes;
    case READ_CPU: return sum_known(reading->values.user_ns, reading->values.system_ns);
    case READ_DISK: return sum_known(reading->values.read_bytes, reading->values.written_bytes);
    case READ_COLUMNS: break;
    }
    return SESSION_UNKNOWN;
}

/* Put every n-th reading if there are too many. */
static void put_column(struct timeline *timeline, enum reading_column column)
{
    const struct session *session = timeline->session;
    size_t stride = 1 + session->readings.count / timeline->most_readings;

    html_putf(timeline->html, "%s\"%s\":[", column > 0 ? ",\n" : "", reading_words[column]);
    for (size_t i = 0; i < session->readings.count; i += stride) {
        uint64_t value = read_column(session_reading_at(session, i), column);

        html_put(timeline->html, i > 0 ? "," : "");
        if (value == SESSION_UNKNOWN)
            html_put(timeline->html, "null");
        else
            html_putf(timeline->html, "%" PRIu64, value);
    }
    html_put(timeline->html, "]");
}

static void put_readings(struct timeline *timeline)
{
    html_put(timeline->html, ",\n\"readings\":{");
    for (enum reading_column i = 0; i < READ_COLUMNS; i++)
        put_column(timeline, i);
    html_put(timeline->html, "}");
}

/* The courses of a device that are drawn. */
static const struct drawn {
    enum trace_device_number number;
    double scale;
    const char *unit; /* of page/web/common.js */
    const char *name;
} drawn[] = {
    {TRACE_DEVICE_UTILISATION, 1, "real", "% busy"},
    {TRACE_DEVICE_MEMORY_USED, 1, "bytes", "memory"},
    {TRACE_DEVICE_TEMPERATURE, 1, "real", "°C"},
    {TRACE_DEVICE_POWER, 1e-3, "real", "W"},
};

/* Each of the process's readings has the last one of the device before it. */
static void put_device_values(struct timeline *timeline, uint32_t device, const struct drawn *of)
{
    const struct session *session = timeline->session;
    const struct session_device_number *number = session->devices.numbers.items;
    size_t stride = 1 + session->readings.count / timeline->most_readings, next = 0;
    double last = (double)NAN;

    for (size_t i = 0; i < session->readings.count; i += stride) {
        uint64_t time_ns = session_reading_at(session, i)->time_ns;

        for (; next < session->devices.numbers.count && number[next].time_ns <= time_ns; next++)
            if (number[next].device == device && number[next].number == of->number)
                last = (double)number[next].value * of->scale;
        html_put(timeline->html, i > 0 ? "," : "");
        if (isnan(last))
            html_put(timeline->html, "null");
        else
            html_putf(timeline->html, "%.12g", last);
    }
}

static void put_device_number(struct timeline *timeline, uint32_t device, const struct drawn *of)
{
    struct text name;

    text_init(&name);
    text_appendf(&name, "%s %s", session_device_at(&timeline->session->devices, device)->name,
                 of->name);
    html_put(timeline->html, "{\"name\":");
    html_string(timeline->html, name.bytes);
    html_putf(timeline->html, ",\"unit\":\"%s\",\"values\":[", of->unit);
    put_device_values(timeline, device, of);
    html_put(timeline->html, "]}");
    text_fini(&name);
}

static void put_device_readings(struct timeline *timeline)
{
    const char *comma = "";

    html_put(timeline->html, ",\n\"deviceReadings\":[");
    for (uint32_t i = 0; i < timeline->session->devices.devices.count; i++)
        for (size_t j = 0; j < sizeof drawn / sizeof *drawn; j++) {
            if (!device_has_numbers(timeline->session, i))
                continue;
            html_put(timeline->html, comma);
            put_device_number(timeline, i, &drawn[j]);
            comma = ",\n";
        }
    html_put(timeline->html, "]");
}

void timeline_put_some(struct html *html, const struct session *session, size_t marks)
{
    size_t share = marks / (2 * (session->threads.count + session->devices.queues.count) + 1);
    struct timeline timeline = {.html = html,
                                .session = session,
                                .most = share > TIMELINE_LANE ? TIMELINE_LANE : share + 4,
                                .most_readings = marks > TIMELINE_LANE ? TIMELINE_LANE : marks,
                                .wait_numbers =
                                    pool_get_zeros(session->waits.count + 1, sizeof(long))};

    array_init(&timeline.texts, sizeof(char *));
    text_list_init(&timeline.wait_names);
    text_index_init(&timeline.names);
    text_init(&timeline.key);
    queue_tracks_init(&timeline.queues, session);
    put_threads(&timeline);
    put_lanes(&timeline);
    html_put(html, "]");
    queue_tracks_fini(&timeline.queues);
    put_queue_names(&timeline);
    put_colours(&timeline);
    put_names(&timeline);
    find_steps(&timeline);
    put_left_out(&timeline);
    put_readings(&timeline);
    put_device_readings(&timeline);
    html_put(html, ",\n\"gaps\":");
    gaps_put(html, session);
    html_put(html, "}");
}

void timeline_put(struct html *html, const struct page_request *request)
{
    timeline_put_some(html, request->session, TIMELINE_MARKS);
}
