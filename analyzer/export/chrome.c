/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chrome's JSON: calls as complete events, spans as asynchronous ones, numbers as counters.  A
 * queue of a device is a thread there, with a number that no thread has.
 *
 * Source: "Trace Event Format" of the Catapult project.  Times are microseconds with three
 * decimals, so they are exact to the nanosecond.  The format has no place for samples.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "export/json_string.h"
#include "export/timeline.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

struct chrome {
    FILE *out;
    const char *comma;
    const struct timeline *timeline;
    uint64_t start_ns;                   /* the start of this process, after that of the first */
    uint64_t first_ns;                   /* the start of the first process, since 1970; 0: there was
                                            none yet */
    struct timeline_texts labels; /* their JSON */
    uint64_t spans;               /* written so far */
    bool has_no_memory;
};

static void *open_chrome(FILE *out)
{
    struct chrome *chrome = memory_get_zeros(1, sizeof *chrome);

    chrome->out = out;
    chrome->comma = "";
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
    return chrome;
}

static void end_process(void *own)
{
    struct chrome *chrome = own;

    timeline_texts_fini(&chrome->labels, chrome->timeline);
}

/* Writes "name": ..., "args": {"name": ...}} of a process or a thread. */
static void write_name(struct chrome *chrome, const char *what, uint32_t thread, const char *name)
{
    fprintf(chrome->out,
            "%s{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"name\":\"%s\",\"args\":{\"name\":",
            chrome->comma, chrome->timeline->session.process.pid, thread, what);
    json_write_string(chrome->out, name);
    fputs("}}", chrome->out);
    chrome->comma = ",\n";
}

static void write_track(struct chrome *chrome, uint32_t track)
{
    struct text name;

    text_init(&name);
    timeline_append_track(&name, chrome->timeline, track);
    write_name(chrome, "thread_name", TIMELINE_FIRST_TRACK + track, name.bytes);
    text_fini(&name);
}

static void begin_process(void *own, const struct timeline *timeline)
{
    const struct session *session = &timeline->session;
    struct chrome *chrome = own;

    chrome->timeline = timeline;
    if (chrome->first_ns == 0)
        chrome->first_ns = timeline_start_ns(timeline);
    chrome->start_ns = timeline_start_ns(timeline) > chrome->first_ns
                           ? timeline_start_ns(timeline) - chrome->first_ns
                           : 0;
    timeline_texts_init(&chrome->labels, timeline);
    if (session->process.name)
        write_name(chrome, "process_name", 0, session->process.name);
    for (size_t i = 0; i < session->threads.count; i++) {
        char name[TIMELINE_THREAD_SIZE];

        timeline_name_thread(timeline, (uint32_t)i, name);
        write_name(chrome, "thread_name", session_thread_at(session, i)->id, name);
    }
    for (uint32_t i = 0; i < timeline_track_count(timeline); i++)
        write_track(chrome, i);
}

/* With the comma that another argument needs. */
static void fill_argument(struct text *text, const char *key, const char *value)
{
    if (!value)
        return;
    text_appendf(text, "\"%s\":", key);
    json_append_string(text, value);
    text_append(text, ",");
}

static void fill_label(struct text *text, const struct timeline *timeline,
                       const struct timeline_call *call)
{
    const struct timeline_label *label = timeline_label(timeline, call);

    text_append(text, "\"name\":");
    json_append_string(text, label->name);
    text_appendf(text, ",\"cat\":\"%s\",\"args\":{", timeline_kind_name(call->kind));
    fill_argument(text, timeline_kind_detail(call->kind), label->detail);
    fill_argument(text, "library", label->library);
    fill_argument(text, "domain", label->domain);
    fill_argument(text, "category", label->category);
    fill_argument(text, "colour", label->colour);
}

static void write_time(FILE *out, const char *key, uint64_t ns)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void begin_event(struct chrome *chrome, const struct timeline_call *call, const char *phase,
                        uint64_t time_ns)
{
    const struct session *session = &chrome->timeline->session;
    uint32_t track = call->kind == TIMELINE_COMMAND ? TIMELINE_FIRST_TRACK + call->track
                                                    : session_thread_at(session, call->thread)->id;

    fprintf(chrome->out, "%s{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, chrome->comma,
            phase, session->process.pid, track);
    write_time(chrome->out, "ts", chrome->start_ns + time_ns);
    chrome->comma = ",\n";
}

/* Nanoseconds between asking for a command, queueing it, and its start. */
static void write_command(struct chrome *chrome, const struct timeline_call *call)
{
    if (call->work > 0)
        fprintf(chrome->out, "\"work-items\":%" PRIu64 ",", call->work);
    if (call->asked_ns != SESSION_UNKNOWN)
        fprintf(chrome->out, "\"since its call ns\":%" PRIu64 ",", call->asked_ns);
    if (call->queued_ns != SESSION_UNKNOWN)
        fprintf(chrome->out, "\"queued ns\":%" PRIu64 ",", call->queued_ns);
}

static void end_event(struct chrome *chrome, const struct timeline_call *call)
{
    struct text *label = timeline_text(&chrome->labels, call);
    char payload[TIMELINE_PAYLOAD_SIZE];

    if (label->size == 0)
        fill_label(label, chrome->timeline, call);
    fprintf(chrome->out, ",%s", label->bytes);
    if (call->bytes > 0)
        fprintf(chrome->out, "\"bytes\":%" PRIu64 ",", call->bytes);
    if (call->kind == TIMELINE_COMMAND)
        write_command(chrome, call);
    if (timeline_write_payload(call, payload))
        fprintf(chrome->out, "\"payload\":%s,", payload);
    if (call->calls > 1)
        fprintf(chrome->out, "\"stands for\":%" PRIu64 ",", call->calls);
    fprintf(chrome->out, "\"complete\":%s}}", call->is_cut ? "false" : "true");
}

/* Spans overlap: the two events of each have an id, and viewers give them tracks of their own. */
static void write_span(struct chrome *chrome, const struct timeline_call *call)
{
    const uint64_t id = chrome->spans++;

    begin_event(chrome, call, "b", call->start_ns);
    fprintf(chrome->out, ",\"id\":%" PRIu64, id);
    end_event(chrome, call);
    begin_event(chrome, call, "e", call->end_ns);
    fprintf(chrome->out, ",\"id\":%" PRIu64, id);
    end_event(chrome, call);
}

static void write_call(void *own, const struct timeline_call *call)
{
    struct chrome *chrome = own;

    if (call->kind == TIMELINE_SPAN) {
        write_span(chrome, call);
    } else if (call->kind == TIMELINE_MARK) {
        begin_event(chrome, call, "i", call->start_ns);
        fputs(",\"s\":\"t\"", chrome->out);
        end_event(chrome, call);
    } else {
        begin_event(chrome, call, "X", call->start_ns);
        write_time(chrome->out, "dur", call->end_ns - call->start_ns);
        end_event(chrome, call);
    }
}

static void write_number(void *own, const struct timeline_number *number)
{
    struct chrome *chrome = own;

    fprintf(chrome->out, "%s{\"ph\":\"C\",\"pid\":%" PRIu32 ",\"name\":", chrome->comma,
            chrome->timeline->session.process.pid);
    json_write_string(chrome->out, number->name);
    write_time(chrome->out, "ts", chrome->start_ns + number->time_ns);
    fprintf(chrome->out, ",\"args\":{\"%s\":%" PRId64 "}}", number->unit, number->value);
    chrome->comma = ",\n";
}

static void close_chrome(void *own)
{
    struct chrome *chrome = own;

    fputs("\n]}\n", chrome->out);
    free(chrome);
}

const struct timeline_writer export_chrome = {
    .open = open_chrome,
    .process = begin_process,
    .call = write_call,
    .number = write_number,
    .end_process = end_process,
    .close = close_chrome,
};
