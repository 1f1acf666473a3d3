/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile for the Firefox Profiler: samples with stacks, calls as markers, memory as counters.
 *
 * Source: docs-developer/processed-profile-format.md and src/types/profile.ts of
 * https://github.com/firefox-devtools/profiler.  In version 60 and later, threads share their
 * tables; later ones read it.  The format has columns for each thread, so the columns of a process
 * wait in a temporary file until its end.  A queue of a device is a thread of the profile.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "export/firefox_tables.h"
#include "export/json_string.h"
#include "export/spill.h"
#include "export/timeline.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"

enum { VERSION = 60, GECKO_VERSION = 30, COUNTERS_MOST = 32 };

/* Columns of a thread, as JSON: first those of markers; from STACKS on, those of samples. */
enum column { NAMES, STARTS, ENDS, KINDS, DATA, STACKS, TIMES, WEIGHTS, CPU, COLUMNS };

struct columns {
    struct spill_text of[COLUMNS];
    size_t marker_count, sample_count;
};

struct counter {
    const char *name;
    struct text times, changes;
    int64_t value;
    size_t count;
};

struct firefox {
    FILE *out;
    struct firefox_tables tables;
    const struct timeline *timeline;
    struct columns *threads; /* of the process; the tracks of its queues follow */
    struct spill spill;      /* temporary storage of the threads' columns */
    struct counter counters[COUNTERS_MOST]; /* the same */
    size_t counter_count;
    struct text all_counters;     /* counters of all processes */
    struct timeline_texts labels; /* the names of calls by number, and their payloads */
    struct array chain;           /* of struct place */
    long *stacks;                 /* by call of the session: its stack, plus 1; 0: unknown yet */
    size_t thread_count;          /* threads of all processes */
    size_t main_thread;           /* main thread of this process */
    uint64_t start_ns;            /* the start of this process, after that of the first */
    uint64_t first_ns;            /* the start of the first process, since 1970; 0: there was none
                                     yet */
    uint64_t end_ns;              /* the end of all processes, after the start of the first */
    uint64_t period_ns;           /* the sampling period of the first process */
    struct text name;             /* the name of the first process */
    bool has_no_memory;
};

static struct text *text_of(struct columns *columns, enum column column)
{
    return &columns->of[column].rest;
}

static void *open_firefox(FILE *out)
{
    struct firefox *firefox = memory_get_zeros(1, sizeof *firefox);

    firefox->out = out;
    firefox_tables_init(&firefox->tables);
    text_init(&firefox->all_counters);
    text_init(&firefox->name);
    array_init(&firefox->chain, sizeof(struct place));
    fputs("{\"threads\":[", out);
    return firefox;
}

/* Milliseconds with all nanoseconds. */
static void append_ms(struct text *column, uint64_t ns)
{
    text_appendf(column, "%s%" PRIu64 ".%06u", column->size > 0 ? "," : "", ns / 1000000,
                 (unsigned)(ns % 1000000));
}

/* ---- a process ---------------------------------------------------------------------------- */

static void note_first(struct firefox *firefox, const struct timeline *timeline)
{
    if (firefox->first_ns != 0)
        return;
    firefox->first_ns = timeline_start_ns(timeline);
    firefox->period_ns = timeline->session.sampling.period_ns;
    text_append(&firefox->name, timeline->session.process.name ? timeline->session.process.name
                                                               : "?");
}

/* Returns: how many threads the profile has for a process: a queue of a device is one, too. */
static size_t column_sets(const struct timeline *timeline)
{
    return timeline->session.threads.count + timeline_track_count(timeline);
}

static void begin_process(void *own, const struct timeline *timeline)
{
    struct firefox *firefox = own;
    size_t count = column_sets(timeline);
    uint64_t start_ns = timeline_start_ns(timeline);

    note_first(firefox, timeline);
    firefox->timeline = timeline;
    firefox->start_ns = start_ns > firefox->first_ns ? start_ns - firefox->first_ns : 0;
    firefox->main_thread = firefox->thread_count;
    firefox->counter_count = 0;
    firefox->threads = memory_get_zeros(count + 1, sizeof *firefox->threads);
    firefox->stacks = memory_get_zeros(timeline->session.calls.count + 1, sizeof *firefox->stacks);
    timeline_texts_init(&firefox->labels, timeline);
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            spill_text_init(&firefox->threads[i].of[j]);
}

static void append_text(struct text *text, const char *key, const char *value)
{
    if (!value)
        return;
    text_appendf(text, ",\"%s\":", key);
    json_append_string(text, value);
}

/* The same in all calls of a row: {"type":"kernel","shape":"m=1 ...","library":"libm.so". */
static void fill_label(struct text *text, const struct timeline *timeline,
                       const struct timeline_call *call)
{
    const struct timeline_label *label = timeline_label(timeline, call);

    text_appendf(text, "{\"type\":\"%s\"", timeline_kind_name(call->kind));
    if (label->detail) {
        text_appendf(text, ",\"%s\":", timeline_kind_detail(call->kind));
        json_append_string(text, label->detail);
    }
    if (label->library) {
        text_append(text, ",\"library\":");
        json_append_string(text, label->library);
    }
    append_text(text, "domain", label->domain);
    append_text(text, "category", label->category);
    append_text(text, "colour", label->colour);
}

/* Nanoseconds between asking for a command, queueing it, and its start. */
static void append_command(struct text *data, const struct timeline_call *call)
{
    if (call->work > 0)
        text_appendf(data, ",\"work\":%" PRIu64, call->work);
    if (call->asked_ns != SESSION_UNKNOWN)
        text_appendf(data, ",\"asked\":%" PRIu64, call->asked_ns);
    if (call->queued_ns != SESSION_UNKNOWN)
        text_appendf(data, ",\"queued\":%" PRIu64, call->queued_ns);
}

static void append_data(struct firefox *firefox, struct text *data,
                        const struct timeline_call *call)
{
    struct text *label = timeline_text(&firefox->labels, call);
    char payload[TIMELINE_PAYLOAD_SIZE];

    if (label->size == 0)
        fill_label(label, firefox->timeline, call);
    text_append(data, data->size > 0 ? ",\n" : "");
    text_append_bytes(data, label->bytes, label->size);
    if (call->bytes > 0)
        text_appendf(data, ",\"bytes\":%" PRIu64, call->bytes);
    if (call->kind == TIMELINE_COMMAND)
        append_command(data, call);
    if (timeline_write_payload(call, payload))
        text_appendf(data, ",\"payload\":%s", payload);
    if (call->calls > 1)
        text_appendf(data, ",\"standsFor\":%" PRIu64, call->calls);
    if (call->is_cut)
        text_append(data, ",\"cut\":1");
    text_append(data, "}");
}

static struct columns *columns_of(const struct firefox *firefox, const struct timeline_call *call)
{
    size_t threads = firefox->timeline->session.threads.count;

    return &firefox->threads[call->kind == TIMELINE_COMMAND ? threads + call->track : call->thread];
}

static void write_call(void *own, const struct timeline_call *call)
{
    struct firefox *firefox = own;
    struct columns *columns = columns_of(firefox, call);
    const char *name = timeline_label(firefox->timeline, call)->name;
    uint64_t end_ns = firefox->start_ns + call->end_ns;

    firefox_append(text_of(columns, NAMES), firefox_find_string(&firefox->tables, name), NULL);
    append_ms(text_of(columns, STARTS), firefox->start_ns + call->start_ns);
    append_ms(text_of(columns, ENDS), end_ns);
    firefox_append(text_of(columns, KINDS), 1 + (long)call->kind, NULL);
    append_data(firefox, text_of(columns, DATA), call);
    for (enum column i = NAMES; i <= DATA; i++)
        spill_move(&firefox->spill, &columns->of[i]);
    columns->marker_count++;
    if (end_ns > firefox->end_ns)
        firefox->end_ns = end_ns;
}

/* Returns: the stack of a call; -1 when it has none. */
static long find_stack(struct firefox *firefox, uint32_t call)
{
    long stack = -1;

    if (call == 0 || firefox->stacks[call] != 0)
        return firefox->stacks[call] - 1;
    array_truncate(&firefox->chain, 0);
    places_fill_chain(firefox->timeline->places, call, &firefox->chain);
    for (size_t i = firefox->chain.count; i-- > 0;) {
        const struct place *place = array_at(&firefox->chain, i);

        if (!place->function->is_starter)
            stack = firefox_find_stack(&firefox->tables, stack, place);
    }
    firefox->stacks[call] = stack + 1;
    return stack;
}

static void write_sample(void *own, const struct timeline_sample *sample)
{
    struct firefox *firefox = own;
    struct columns *columns = &firefox->threads[sample->thread];
    uint64_t period_ns = firefox->timeline->session.sampling.period_ns;

    firefox_append(text_of(columns, STACKS), find_stack(firefox, sample->call), NULL);
    append_ms(text_of(columns, TIMES), firefox->start_ns + sample->time_ns);
    firefox_append(text_of(columns, WEIGHTS), sample->periods, NULL);
    firefox_append(text_of(columns, CPU), (long)(sample->periods * period_ns), NULL);
    for (enum column i = STACKS; i < COLUMNS; i++)
        spill_move(&firefox->spill, &columns->of[i]);
    columns->sample_count++;
}

static struct counter *find_counter(struct firefox *firefox, const char *name)
{
    size_t i = 0;

    while (i < firefox->counter_count && strcmp(firefox->counters[i].name, name) != 0)
        i++;
    if (i == COUNTERS_MOST)
        return NULL;
    if (i == firefox->counter_count) {
        firefox->counters[i] = (struct counter){.name = name};
        text_init(&firefox->counters[i].times);
        text_init(&firefox->counters[i].changes);
        firefox->counter_count++;
    }
    return &firefox->counters[i];
}

/* Its counters of other units are rates. */
static void write_number(void *own, const struct timeline_number *number)
{
    struct firefox *firefox = own;
    struct counter *counter;

    if (strcmp(number->unit, "bytes") != 0 || !(counter = find_counter(firefox, number->name)))
        return;
    append_ms(&counter->times, firefox->start_ns + number->time_ns);
    text_appendf(&counter->changes, "%s%" PRId64, counter->count > 0 ? "," : "",
                 number->value - counter->value);
    counter->value = number->value;
    counter->count++;
}

/* ---- writing a process ---------------------------------------------------------------------- */

static void write_column(struct firefox *firefox, const struct columns *columns,
                         enum column column)
{
    static const char *const names[COLUMNS] = {
        [NAMES] = "name",      [STARTS] = "startTime", [ENDS] = "endTime",
        [KINDS] = "category",  [DATA] = "data",        [STACKS] = "stack",
        [TIMES] = "time",      [WEIGHTS] = "weight",   [CPU] = "threadCPUDelta"};

    fprintf(firefox->out, "\"%s\":[", names[column]);
    if (!spill_write(&firefox->spill, &columns->of[column], firefox->out))
        memory_ran_out(); /* the texts that were moved to the file cannot be read */
    fputs("],", firefox->out);
}

static void write_samples(struct firefox *firefox, const struct columns *columns)
{
    fputs(",\n\"samples\":{\"weightType\":\"samples\",", firefox->out);
    for (enum column i = STACKS; i < COLUMNS; i++)
        write_column(firefox, columns, i);
    fprintf(firefox->out, "\"length\":%zu}", columns->sample_count);
}

static void write_markers(struct firefox *firefox, const struct columns *columns)
{
    fputs(",\n\"markers\":{", firefox->out);
    for (enum column i = NAMES; i <= DATA; i++)
        write_column(firefox, columns, i);
    fputs("\"phase\":[", firefox->out);
    for (size_t i = 0; i < columns->marker_count; i++)
        fputs(i > 0 ? ",1" : "1", firefox->out);
    fprintf(firefox->out, "],\"length\":%zu}", columns->marker_count);
}

static void write_key(struct firefox *firefox, const char *key, uint64_t ns)
{
    struct text number;

    text_init(&number);
    append_ms(&number, ns);
    fprintf(firefox->out, ",\"%s\":%s", key, number.bytes);
    text_fini(&number);
}

static void write_string(struct firefox *firefox, const char *string)
{
    json_write_string(firefox->out, string);
}

/* What the profile calls a thread. */
struct thread_head {
    const char *name;
    uint32_t id;
    uint64_t first_ns;
    uint64_t last_ns;
};

static void write_columns(struct firefox *firefox, size_t index, const struct thread_head *head)
{
    const struct session *session = &firefox->timeline->session;
    const char *process = session->process.name ? session->process.name : "?";

    fprintf(firefox->out, "%s\n{\"name\":", firefox->thread_count > 0 ? "," : "");
    write_string(firefox, head->name);
    fprintf(firefox->out,
            ",\"isMainThread\":%s,\"processType\":\"default\",\"pid\":\"%" PRIu32
            "\",\"tid\":%" PRIu32 ",\"processName\":",
            index == 0 ? "true" : "false", session->process.pid, head->id);
    write_string(firefox, process);
    write_key(firefox, "processStartupTime", firefox->start_ns);
    write_key(firefox, "registerTime", firefox->start_ns + head->first_ns);
    write_key(firefox, "unregisterTime", firefox->start_ns + head->last_ns);
    fputs(",\"processShutdownTime\":null,\"pausedRanges\":[],\"showMarkersInTimeline\":true",
          firefox->out);
    write_samples(firefox, &firefox->threads[index]);
    write_markers(firefox, &firefox->threads[index]);
    fputs("}", firefox->out);
    firefox->thread_count++;
}

/* The same process id may occur twice, so the number of the thread is part of the name. */
static void write_thread(struct firefox *firefox, uint32_t index)
{
    const struct session_thread *thread = session_thread_at(&firefox->timeline->session, index);
    char name[TIMELINE_THREAD_SIZE];

    timeline_name_thread(firefox->timeline, index, name);
    write_columns(firefox, index,
                  &(struct thread_head){index == 0 ? "GeckoMain" : name, thread->id,
                                        thread->first_ns, thread->last_ns});
}

static void write_track(struct firefox *firefox, uint32_t track)
{
    const struct session *session = &firefox->timeline->session;
    struct text name;

    text_init(&name);
    timeline_append_track(&name, firefox->timeline, track);
    write_columns(firefox, session->threads.count + track,
                  &(struct thread_head){name.bytes, TIMELINE_FIRST_TRACK + track, 0,
                                        session->process.wall_ns});
    text_fini(&name);
}

static void append_counter(struct firefox *firefox, const struct counter *counter)
{
    struct text *all = &firefox->all_counters;

    text_append(all, all->size > 0 ? ",\n" : "");
    text_appendf(all,
                 "{\"name\":\"%s\",\"category\":\"Memory\",\"description\":\"%s\","
                 "\"pid\":\"%" PRIu32 "\",\"mainThreadIndex\":%zu,\"samples\":{\"time\":[",
                 counter->name, counter->name, firefox->timeline->session.process.pid,
                 firefox->main_thread);
    text_append_bytes(all, counter->times.bytes, counter->times.size);
    text_append(all, "],\"count\":[");
    text_append_bytes(all, counter->changes.bytes, counter->changes.size);
    text_appendf(all, "],\"length\":%zu}}", counter->count);
}

static void end_process(void *own)
{
    struct firefox *firefox = own;

    for (size_t i = 0; i < firefox->timeline->session.threads.count; i++)
        write_thread(firefox, (uint32_t)i);
    for (uint32_t i = 0; i < timeline_track_count(firefox->timeline); i++)
        write_track(firefox, i);
    for (size_t i = 0; i < column_sets(firefox->timeline); i++)
        for (int j = 0; j < COLUMNS; j++)
            spill_text_fini(&firefox->threads[i].of[j]);
    for (size_t i = 0; i < firefox->counter_count; i++) {
        append_counter(firefox, &firefox->counters[i]);
        text_fini(&firefox->counters[i].times);
        text_fini(&firefox->counters[i].changes);
    }
    spill_fini(&firefox->spill);
    timeline_texts_fini(&firefox->labels, firefox->timeline);
    free(firefox->threads);
    free(firefox->stacks);
    firefox->threads = NULL;
    firefox->stacks = NULL;
}

/* ---- the end of the file -------------------------------------------------------------------- */

static void write_schema(FILE *out, enum timeline_kind kind)
{
    const char *name = timeline_kind_name(kind), *detail = timeline_kind_detail(kind);

    fprintf(out,
            "%s{\"name\":\"%s\",\"tooltipLabel\":\"{marker.name}\",\"tableLabel\":"
            "\"{marker.name} {marker.data.%s}\",\"chartLabel\":\"{marker.name}\","
            "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"fields\":["
            "{\"key\":\"%s\",\"label\":\"%s\",\"format\":\"string\"},"
            "{\"key\":\"library\",\"label\":\"library\",\"format\":\"string\"},"
            "{\"key\":\"bytes\",\"label\":\"read or written\",\"format\":\"bytes\"},"
            "{\"key\":\"work\",\"label\":\"work-items\",\"format\":\"integer\"},"
            "{\"key\":\"asked\",\"label\":\"since its call\",\"format\":\"nanoseconds\"},"
            "{\"key\":\"queued\",\"label\":\"queued before\",\"format\":\"nanoseconds\"},"
            "{\"key\":\"standsFor\",\"label\":\"stands for calls\",\"format\":\"integer\"},"
            "{\"key\":\"cut\",\"label\":\"end was not seen\",\"format\":\"integer\"}]}",
            kind > 0 ? ",\n" : "", name, detail, detail, detail);
}

static void write_kinds(FILE *out)
{
    static const char *const colors[TIMELINE_KINDS] = {
        [TIMELINE_KERNEL] = "orange", [TIMELINE_OP] = "blue",      [TIMELINE_REGION] = "green",
        [TIMELINE_WAIT] = "purple",   [TIMELINE_SPAN] = "magenta", [TIMELINE_MARK] = "yellow",
        [TIMELINE_COMMAND] = "red"};

    fputs(",\n\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
          "\"subcategories\":[\"Other\"]}",
          out);
    for (enum timeline_kind i = 0; i < TIMELINE_KINDS; i++)
        fprintf(out, ",{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}",
                timeline_kind_name(i), colors[i]);
    fputs("],\n\"markerSchema\":[", out);
    for (enum timeline_kind i = 0; i < TIMELINE_KINDS; i++)
        write_schema(out, i);
    fputs("]", out);
}

/* The format requires an interval even without samples. */
static void write_meta(struct firefox *firefox)
{
    uint64_t period_ns = firefox->period_ns > 0 ? firefox->period_ns : 1000000;

    fprintf(firefox->out,
            "\"meta\":{\"version\":%d,\"preprocessedProfileVersion\":%d,\"processType\":0,"
            "\"stackwalk\":1,\"symbolicated\":true,\"sourceCodeIsNotOnSearchfox\":true,"
            "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
            "\"importedFrom\":\"tprof\",\"product\":",
            GECKO_VERSION, VERSION);
    write_string(firefox, firefox->name.bytes);
    write_key(firefox, "interval", period_ns);
    write_key(firefox, "startTime", firefox->first_ns);
    write_key(firefox, "profilingStartTime", 0);
    write_key(firefox, "profilingEndTime", firefox->end_ns);
    write_kinds(firefox->out);
    fputs("}", firefox->out);
}

static void close_firefox(void *own)
{
    struct firefox *firefox = own;

    fputs("],\n", firefox->out);
    write_meta(firefox);
    fputs(",\n\"libs\":[],\n\"counters\":[", firefox->out);
    fwrite(firefox->all_counters.bytes, 1, firefox->all_counters.size, firefox->out);
    fputs("],\n\"shared\":", firefox->out);
    firefox_tables_write(&firefox->tables, firefox->out);
    fputs("}\n", firefox->out);
    firefox_tables_fini(&firefox->tables);
    array_fini(&firefox->chain);
    text_fini(&firefox->all_counters);
    text_fini(&firefox->name);
    free(firefox);
}

const struct timeline_writer export_firefox = {
    .open = open_firefox,
    .process = begin_process,
    .call = write_call,
    .number = write_number,
    .sample = write_sample,
    .end_process = end_process,
    .close = close_firefox,
};
