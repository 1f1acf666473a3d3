/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls as lines: JSON, or comma-separated values (RFC 4180).  Both formats have the same fields.
 *
 * The common part of the calls of a process or of a row is formatted once.  Each line is composed
 * in the output buffer, from this part and its numbers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "export/json_string.h"
#include "export/sink.h"
#include "export/timeline.h"
#include "model/session_process.h"
#include "model/session_threads.h"

/* Numbers that differ from call to call. */
enum line_number { THREAD, START, DURATION, CALLS, BYTES, COMPLETE, NUMBERS };

/* How a text and a number are written.  A comma is behind each but the last. */
struct style {
    void (*text)(struct text *line, const char *key, const char *value); /* NULL: not known */
    const char *first;
    const char *process; /* text before the process's number */
    const char *keys[NUMBERS];
    const char *last;
};

struct lines {
    struct sink sink;
    const struct style *style;
    const struct timeline *timeline;
    struct text head;             /* the head of all lines of the process */
    struct timeline_texts labels; /* the labels of all lines of a row */
    bool has_no_memory;
};

static struct lines *open_lines(FILE *out, const struct style *style)
{
    struct lines *lines = memory_get_zeros(1, sizeof *lines);

    sink_init(&lines->sink, out);
    text_init(&lines->head);
    lines->style = style;
    return lines;
}

static void fill_head(struct lines *lines)
{
    const struct session *session = &lines->timeline->session;
    const struct style *style = lines->style;
    struct text *head = &lines->head;

    text_clear(head);
    text_append(head, style->first);
    style->text(head, "trace", session->path);
    style->text(head, "rank", session_process_rank(&session->process));
    style->text(head, "program", session->process.name);
    style->text(head, "host", session->process.host);
    text_appendf(head, "%s%" PRIu32 ",", style->process, session->process.pid);
}

static void begin_process(void *own, const struct timeline *timeline)
{
    struct lines *lines = own;

    lines->timeline = timeline;
    fill_head(lines);
    timeline_texts_init(&lines->labels, timeline);
}

static void end_process(void *own)
{
    struct lines *lines = own;

    timeline_texts_fini(&lines->labels, lines->timeline);
}

static void fill_label(struct lines *lines, struct text *text, const struct timeline_call *call)
{
    const struct timeline_label *label = timeline_label(lines->timeline, call);
    const struct style *style = lines->style;

    style->text(text, "kind", timeline_kind_name(call->kind));
    style->text(text, "name", label->name);
    style->text(text, "detail", label->detail);
    style->text(text, "library", label->library);
}

static char *put_text(char *place, const struct text *text)
{
    memcpy(place, text->bytes, text->size);
    return place + text->size;
}

/* A key, or another word of the style: at most WORD bytes. */
static char *put_word(char *place, const char *word)
{
    size_t size = strlen(word);

    memcpy(place, word, size);
    return place + size;
}

static char *put_number(char *place, const char *key, uint64_t number)
{
    place = sink_put_digits(put_word(place, key), number);
    *place++ = ',';
    return place;
}

static void write_call(void *own, const struct timeline_call *call)
{
    enum { WORD = 16 };
    struct lines *lines = own;
    const struct timeline *timeline = lines->timeline;
    const char *const *keys = lines->style->keys;
    struct text *label = timeline_text(&lines->labels, call);

    if (label->size == 0)
        fill_label(lines, label, call);
    char *place = sink_reserve(&lines->sink, lines->head.size + label->size +
                                                 (NUMBERS + 1) * (WORD + SINK_DIGITS));
    place = put_text(place, &lines->head);
    place = put_number(place, keys[THREAD],
                       session_thread_at(&timeline->session, call->thread)->id);
    place = put_text(place, label);
    place = put_number(place, keys[START], timeline_start_ns(timeline) + call->start_ns);
    place = put_number(place, keys[DURATION], call->end_ns - call->start_ns);
    place = put_number(place, keys[CALLS], call->calls);
    place = put_number(place, keys[BYTES], call->bytes);
    place = put_word(put_word(place, keys[COMPLETE]), call->is_cut ? "false" : "true");
    sink_commit(&lines->sink, put_word(place, lines->style->last));
}

static void close_lines(void *own)
{
    struct lines *lines = own;

    sink_fini(&lines->sink);
    text_fini(&lines->head);
    free(lines);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void append_json(struct text *line, const char *key, const char *value)
{
    text_appendf(line, "\"%s\":", key);
    if (value)
        json_append_string(line, value);
    else
        text_append(line, "null");
    text_append(line, ",");
}

static void *open_json(FILE *out)
{
    static const struct style style = {
        append_json,
        "{",
        "\"pid\":",
        {"\"thread\":", "\"start_ns\":", "\"duration_ns\":", "\"calls\":", "\"bytes\":",
         "\"complete\":"},
        "}\n"};

    return open_lines(out, &style);
}

/* ---- comma-separated values -------------------------------------------------------------- */

/* A quote is doubled. */
static void append_quoted(struct text *line, const char *value)
{
    const char *quote;

    text_append(line, "\"");
    for (; (quote = strchr(value, '"')); value = quote + 1) {
        text_append_bytes(line, value, (size_t)(quote + 1 - value));
        text_append(line, "\"");
    }
    text_append(line, value);
    text_append(line, "\"");
}

/* The path of the trace may be any bytes. */
static void append_value(struct text *line, const char *key, const char *value)
{
    struct text valid;

    (void)key;
    text_init(&valid);
    if (value) {
        utf8_append_valid(&valid, value);
        append_quoted(line, valid.bytes);
    }
    text_fini(&valid);
    text_append(line, ",");
}

static void *open_csv(FILE *out)
{
    static const char names[] = "trace,rank,program,host,pid,thread,kind,name,detail,library,"
                                "start_ns,duration_ns,calls,bytes,complete\n";
    static const struct style style = {append_value, "", "", {"", "", "", "", "", ""}, "\n"};
    struct lines *lines = open_lines(out, &style);

    sink_append(&lines->sink, names, sizeof names - 1);
    return lines;
}

const struct timeline_writer export_jsonl = {.open = open_json,
                                             .process = begin_process,
                                             .call = write_call,
                                             .end_process = end_process,
                                             .close = close_lines};

const struct timeline_writer export_csv = {.open = open_csv,
                                           .process = begin_process,
                                           .call = write_call,
                                           .end_process = end_process,
                                           .close = close_lines};
