/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls as lines: of JSON, and of comma-separated values (RFC 4180).  Both have the same fields.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/json_string.h"
#include "export/timeline.h"
#include "model/session_process.h"
#include "model/session_threads.h"

struct lines {
    FILE *out;
    const struct timeline *timeline;
    struct text line;
    bool has_no_memory;
};

static void *open_lines(FILE *out)
{
    struct lines *lines = calloc(1, sizeof *lines);

    if (!lines)
        return NULL;
    lines->out = out;
    text_init(&lines->line);
    return lines;
}

static void *open_csv(FILE *out)
{
    fputs("trace,rank,program,host,pid,thread,kind,name,detail,library,start_ns,duration_ns,calls,bytes,"
          "complete\n",
          out);
    return open_lines(out);
}

static enum status begin_process(void *own, const struct timeline *timeline)
{
    ((struct lines *)own)->timeline = timeline;
    return STATUS_OK;
}

static void put_line(struct lines *lines)
{
    text_append(&lines->line, "\n");
    if (text_status(&lines->line))
        lines->has_no_memory = true;
    else
        fwrite(lines->line.bytes, 1, lines->line.size, lines->out);
    text_clear(&lines->line);
}

/* What both have of a call, by their own way to write a text and a number. */
struct style {
    void (*text)(struct text *line, const char *key, const char *value); /* NULL: not known */
    void (*number)(struct text *line, const char *key, uint64_t value);
};

static void append_fields(struct lines *lines, const struct timeline_call *call,
                          const struct style *style)
{
    const struct session *session = &lines->timeline->session;
    const struct timeline_label *label = timeline_label(lines->timeline, call);
    struct text *line = &lines->line;

    style->text(line, "trace", session->path);
    style->text(line, "rank", session_process_rank(&session->process));
    style->text(line, "program", session->process.name);
    style->text(line, "host", session->process.host);
    style->number(line, "pid", session->process.pid);
    style->number(line, "thread", session_thread_at(session, call->thread)->id);
    style->text(line, "kind", timeline_kind_name(call->kind));
    style->text(line, "name", label->name);
    style->text(line, "detail", label->detail);
    style->text(line, "library", label->library);
    style->number(line, "start_ns", timeline_start_ns(lines->timeline) + call->start_ns);
    style->number(line, "duration_ns", call->end_ns - call->start_ns);
    style->number(line, "calls", call->calls);
    style->number(line, "bytes", call->bytes);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void append_json_text(struct text *line, const char *key, const char *value)
{
    text_appendf(line, "\"%s\":", key);
    if (value)
        json_append_string(line, value);
    else
        text_append(line, "null");
    text_append(line, ",");
}

static void append_json_number(struct text *line, const char *key, uint64_t value)
{
    text_appendf(line, "\"%s\":%" PRIu64 ",", key, value);
}

static void write_json(void *own, const struct timeline_call *call)
{
    static const struct style style = {append_json_text, append_json_number};
    struct lines *lines = own;

    text_append(&lines->line, "{");
    append_fields(lines, call, &style);
    text_appendf(&lines->line, "\"complete\":%s}", call->is_cut ? "false" : "true");
    put_line(lines);
}

/* ---- comma-separated values -------------------------------------------------------------- */

/* A quote stands twice. */
static void append_value(struct text *line, const char *key, const char *value)
{
    (void)key;
    if (value) {
        const char *quote;

        text_append(line, "\"");
        for (; (quote = strchr(value, '"')); value = quote + 1) {
            text_append_bytes(line, value, (size_t)(quote + 1 - value));
            text_append(line, "\"");
        }
        text_append(line, value);
        text_append(line, "\"");
    }
    text_append(line, ",");
}

static void append_number(struct text *line, const char *key, uint64_t value)
{
    (void)key;
    text_appendf(line, "%" PRIu64 ",", value);
}

static void write_csv(void *own, const struct timeline_call *call)
{
    static const struct style style = {append_value, append_number};
    struct lines *lines = own;

    append_fields(lines, call, &style);
    text_append(&lines->line, call->is_cut ? "false" : "true");
    put_line(lines);
}

static enum status close_lines(void *own)
{
    struct lines *lines = own;
    enum status status = lines->has_no_memory ? STATUS_OUT_OF_MEMORY : STATUS_OK;

    text_fini(&lines->line);
    free(lines);
    return status;
}

const struct timeline_writer export_jsonl = {
    .open = open_lines, .process = begin_process, .call = write_json, .close = close_lines};

const struct timeline_writer export_csv = {
    .open = open_csv, .process = begin_process, .call = write_csv, .close = close_lines};
