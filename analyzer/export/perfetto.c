/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perfetto's protocol buffers: calls as slices of tracks, numbers as counters, samples with call
 * stacks.
 *
 * Source: https://github.com/google/perfetto/tree/main/protos/perfetto/trace, the source of the
 * field numbers.  All packets are in one sequence.  Names, call stacks and common parts of slices
 * are written once and referred to by number.  Packets need not be in the order of time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_index.h"
#include "base/utf8.h"
#include "export/protobuf.h"
#include "export/sink.h"
#include "export/timeline.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"

enum { TRACE_PACKET = 1 };

/* Fields of a packet. */
enum {
    TIMESTAMP = 8,
    SEQUENCE = 10,
    TRACK_EVENT = 11,
    INTERNED_DATA = 12,
    SEQUENCE_FLAGS = 13,
    DEFAULTS = 59,
    TRACK_DESCRIPTOR = 60,
    PERF_SAMPLE = 66
};
enum { FIRST_OF_SEQUENCE = 1, NEEDS_THE_FIRST = 2 };

enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, UNIT_TIME_NS = 1, UNIT_COUNT = 2, UNIT_SIZE_BYTES = 3 };

enum {
    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNTER = 30
};
enum { SLICE_BEGINS = 1, SLICE_ENDS = 2, INSTANT = 3, COUNTER_VALUE = 4 };
enum { ANNOTATION_NAME = 1, ANNOTATION_NUMBER = 3, ANNOTATION_TEXT = 17 };

/* Fields of interned data, and fields of its entries: a number, and a text. */
enum {
    CATEGORIES = 1,
    NAMES = 2,
    ANNOTATION_NAMES = 3,
    FUNCTIONS = 5,
    FRAMES = 6,
    STACKS = 7,
    PATHS = 17,
    SOURCES = 18,
    MAPPINGS = 19,
    ANNOTATION_TEXTS = 29
};
enum { INTERNED_NUMBER = 1, INTERNED_TEXT = 2 };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING = 3, FRAME_SOURCE = 5, FRAME_LINE = 6 };
enum { STACK_FRAME = 2, MAPPING_PATH = 7 };

enum {
    SAMPLE_PID = 2,
    SAMPLE_TID = 3,
    SAMPLE_STACK = 4,
    SAMPLE_MODE = 5,
    MODE_USER = 2,
    SAMPLE_COUNT = 6
};
enum {
    DEFAULT_SAMPLE = 12,
    SAMPLE_TIMEBASE = 1,
    TIMEBASE_PERIOD = 1,
    TIMEBASE_COUNTER = 4,
    TASK_CLOCK = 3
};

/* Texts of one kind, by number. */
struct interned {
    struct text_index index;
    unsigned field;
    long count;
};

enum interned_kind {
    CATEGORY,
    NAME,
    ANNOTATION,
    TEXT,
    FUNCTION,
    FRAME,
    PATH,
    SOURCE,
    MAPPING,
    INTERNED_KINDS
};

enum { COUNTERS_MOST = 32, SPAN_TRACKS_MOST = 1 << 16 };

struct perfetto {
    struct sink sink;
    struct text packet, inner, part, key;
    struct text end; /* common to the ends of all slices */
    struct interned interned[INTERNED_KINDS];
    struct array chain; /* of struct place */
    const struct timeline *timeline;
    uint64_t process; /* the track of the process; the tracks of its threads and counters follow */
    uint64_t tracks;  /* number of tracks of all earlier processes */
    uint64_t start_ns;
    struct timeline_texts labels; /* the fields of their slices */
    uint64_t *stacks;                    /* by call of the session: its stack; 0: not written yet */
    uint64_t stack_count;
    const char *counters[COUNTERS_MOST]; /* names of the process's, in the order of their tracks */
    size_t counter_count;
    struct array span_ends;  /* uint64_t, by track of spans: when its last one ended */
    uint64_t first_of_spans; /* the first track of spans */
    uint64_t first_of_queues; /* the first track of queues of devices */
    uint64_t sampled_ns;
    bool has_no_memory;
};

/* The packet goes to the file. */
static void put(struct perfetto *perfetto)
{
    protobuf_number(&perfetto->packet, SEQUENCE, 1);
    text_clear(&perfetto->key);
    protobuf_message(&perfetto->key, TRACE_PACKET, &perfetto->packet);
    sink_append(&perfetto->sink, perfetto->key.bytes, perfetto->key.size);
    text_clear(&perfetto->packet);
}

/* ---- data written once ------------------------------------------------------------------ */

/* Writes `part` as one of the interned data: a packet of its own. */
static void put_interned(struct perfetto *perfetto, unsigned field)
{
    struct text data;

    text_init(&data);
    protobuf_message(&data, field, &perfetto->part);
    protobuf_message(&perfetto->packet, INTERNED_DATA, &data);
    protobuf_number(&perfetto->packet, SEQUENCE_FLAGS, NEEDS_THE_FIRST);
    put(perfetto);
    text_fini(&data);
    text_clear(&perfetto->part);
}

/* Returns: the number of a key, from 1 on. */
static uint64_t find_key(struct perfetto *perfetto, enum interned_kind kind, const struct text *key,
                         bool *is_new)
{
    struct interned *interned = &perfetto->interned[kind];
    long number = text_index_add(&interned->index, key);

    *is_new = number == interned->count;
    interned->count += *is_new;
    return (uint64_t)number + 1;
}

/* Returns: the number of a text, which is written if it is new; 0 for NULL. */
static uint64_t intern(struct perfetto *perfetto, enum interned_kind kind, const char *text)
{
    struct text valid;
    uint64_t number;
    bool is_new;

    if (!text)
        return 0;
    text_init(&valid);
    utf8_append_valid(&valid, text);
    number = find_key(perfetto, kind, &valid, &is_new);
    if (is_new) {
        protobuf_number(&perfetto->part, INTERNED_NUMBER, number);
        protobuf_bytes(&perfetto->part, INTERNED_TEXT, valid.bytes, valid.size);
        put_interned(perfetto, perfetto->interned[kind].field);
    }
    text_fini(&valid);
    return number;
}

static uint64_t intern_mapping(struct perfetto *perfetto, const char *module)
{
    uint64_t path = intern(perfetto, PATH, module), number;
    struct text key;
    bool is_new;

    if (path == 0)
        return 0;
    text_init(&key);
    text_append(&key, module);
    number = find_key(perfetto, MAPPING, &key, &is_new);
    text_fini(&key);
    if (is_new) {
        protobuf_number(&perfetto->part, INTERNED_NUMBER, number);
        protobuf_number(&perfetto->part, MAPPING_PATH, path);
        put_interned(perfetto, MAPPINGS);
    }
    return number;
}

static uint64_t intern_frame(struct perfetto *perfetto, const struct place *place)
{
    struct text name;
    uint64_t numbers[4], number;
    bool is_new;

    text_init(&name);
    places_append_function(&name, place->function, false);
    numbers[0] = intern(perfetto, FUNCTION, name.bytes);
    numbers[1] = intern_mapping(perfetto, place->function->module);
    numbers[2] = intern(perfetto, SOURCE, place->file);
    numbers[3] = place->line;
    text_clear(&name);
    for (int i = 0; i < 4; i++)
        text_appendf(&name, "%lu ", (unsigned long)numbers[i]);
    number = find_key(perfetto, FRAME, &name, &is_new);
    text_fini(&name);
    if (!is_new)
        return number;
    protobuf_number(&perfetto->part, INTERNED_NUMBER, number);
    protobuf_number(&perfetto->part, FRAME_FUNCTION, numbers[0]);
    protobuf_number(&perfetto->part, FRAME_MAPPING, numbers[1]);
    protobuf_number(&perfetto->part, FRAME_SOURCE, numbers[2]);
    protobuf_number(&perfetto->part, FRAME_LINE, numbers[3]);
    put_interned(perfetto, FRAMES);
    return number;
}

/* Its frames have the outermost first. */
static uint64_t intern_stack(struct perfetto *perfetto, uint32_t call)
{
    struct text frames;

    if (call == 0 || perfetto->stacks[call] != 0)
        return perfetto->stacks[call];
    array_truncate(&perfetto->chain, 0);
    places_fill_chain(perfetto->timeline->places, call, &perfetto->chain);
    text_init(&frames);
    for (size_t i = perfetto->chain.count; i-- > 0;) {
        const struct place *place = array_at(&perfetto->chain, i);

        if (!place->function->is_starter)
            protobuf_number(&frames, STACK_FRAME, intern_frame(perfetto, place));
    }
    perfetto->stacks[call] = ++perfetto->stack_count;
    protobuf_number(&perfetto->part, INTERNED_NUMBER, perfetto->stack_count);
    text_append_bytes(&perfetto->part, frames.bytes, frames.size);
    put_interned(perfetto, STACKS);
    text_fini(&frames);
    return perfetto->stacks[call];
}

/* ---- tracks ----------------------------------------------------------------------------- */

static void put_process(struct perfetto *perfetto)
{
    const struct session_process *process = &perfetto->timeline->session.process;
    struct text track;

    text_init(&track);
    protobuf_number(&perfetto->part, PROCESS_PID, process->pid);
    if (process->name)
        protobuf_bytes(&perfetto->part, PROCESS_NAME, process->name, strlen(process->name));
    protobuf_number(&track, TRACK_UUID, perfetto->process);
    protobuf_message(&track, TRACK_PROCESS, &perfetto->part);
    protobuf_message(&perfetto->packet, TRACK_DESCRIPTOR, &track);
    put(perfetto);
    text_clear(&perfetto->part);
    text_fini(&track);
}

static uint64_t track_of(const struct perfetto *perfetto, uint32_t thread)
{
    return perfetto->process + 1 + thread;
}

static void put_thread(struct perfetto *perfetto, uint32_t thread)
{
    const struct session *session = &perfetto->timeline->session;
    char name[TIMELINE_THREAD_SIZE];
    struct text track;

    text_init(&track);
    timeline_name_thread(perfetto->timeline, thread, name);
    protobuf_number(&perfetto->part, THREAD_PID, session->process.pid);
    protobuf_number(&perfetto->part, THREAD_TID, session_thread_at(session, thread)->id);
    protobuf_bytes(&perfetto->part, THREAD_NAME, name, strlen(name));
    protobuf_number(&track, TRACK_UUID, track_of(perfetto, thread));
    protobuf_number(&track, TRACK_PARENT, perfetto->process);
    protobuf_message(&track, TRACK_THREAD, &perfetto->part);
    protobuf_message(&perfetto->packet, TRACK_DESCRIPTOR, &track);
    put(perfetto);
    text_clear(&perfetto->part);
    text_fini(&track);
}

/* Puts a track of the process that is no thread's. */
static void put_named_track(struct perfetto *perfetto, uint64_t uuid, const char *name)
{
    struct text track;

    text_init(&track);
    protobuf_number(&track, TRACK_UUID, uuid);
    protobuf_number(&track, TRACK_PARENT, perfetto->process);
    protobuf_bytes(&track, TRACK_NAME, name, strlen(name));
    protobuf_message(&perfetto->packet, TRACK_DESCRIPTOR, &track);
    put(perfetto);
    text_fini(&track);
}

/* Viewers merge the tracks of a queue, which have one name. */
static void put_queue_track(struct perfetto *perfetto, uint32_t track)
{
    struct text name, valid;

    text_init(&name);
    text_init(&valid);
    timeline_append_track(&name, perfetto->timeline, track);
    utf8_append_valid(&valid, name.bytes);
    put_named_track(perfetto, perfetto->first_of_queues + track, valid.bytes);
    text_fini(&name);
    text_fini(&valid);
}

static unsigned find_unit(const char *unit)
{
    return strcmp(unit, "bytes") == 0 ? UNIT_SIZE_BYTES
           : strcmp(unit, "ns") == 0  ? UNIT_TIME_NS
                                      : UNIT_COUNT;
}

static void put_counter(struct perfetto *perfetto, const struct timeline_number *number,
                        uint64_t uuid)
{
    struct text track;

    text_init(&track);
    protobuf_number(&perfetto->part, COUNTER_UNIT, find_unit(number->unit));
    protobuf_number(&track, TRACK_UUID, uuid);
    protobuf_number(&track, TRACK_PARENT, perfetto->process);
    protobuf_bytes(&track, TRACK_NAME, number->name, strlen(number->name));
    protobuf_message(&track, TRACK_COUNTER, &perfetto->part);
    protobuf_message(&perfetto->packet, TRACK_DESCRIPTOR, &track);
    put(perfetto);
    text_clear(&perfetto->part);
    text_fini(&track);
}

/* Returns: the track of a number; 0 when there are too many. */
static uint64_t find_counter(struct perfetto *perfetto, const struct timeline_number *number)
{
    uint64_t first = track_of(perfetto, (uint32_t)perfetto->timeline->session.threads.count);
    size_t i = 0;

    while (i < perfetto->counter_count && strcmp(perfetto->counters[i], number->name) != 0)
        i++;
    if (i == COUNTERS_MOST)
        return 0;
    if (i == perfetto->counter_count) {
        perfetto->counters[perfetto->counter_count++] = number->name;
        put_counter(perfetto, number, first + i);
    }
    return first + i;
}

/* ---- a file ------------------------------------------------------------------------------- */

static void *open_perfetto(FILE *out)
{
    static const unsigned fields[INTERNED_KINDS] = {
        CATEGORIES, NAMES, ANNOTATION_NAMES, ANNOTATION_TEXTS, FUNCTIONS,
        FRAMES,     PATHS, SOURCES,          MAPPINGS};
    struct perfetto *perfetto = memory_get_zeros(1, sizeof *perfetto);

    sink_init(&perfetto->sink, out);
    text_init(&perfetto->packet);
    text_init(&perfetto->inner);
    text_init(&perfetto->part);
    text_init(&perfetto->key);
    text_init(&perfetto->end);
    protobuf_number(&perfetto->end, EVENT_TYPE, SLICE_ENDS);
    array_init(&perfetto->chain, sizeof(struct place));
    array_init(&perfetto->span_ends, sizeof(uint64_t));
    for (int i = 0; i < INTERNED_KINDS; i++)
        perfetto->interned[i].field = fields[i];
    return perfetto;
}

/* The sequence starts with it, so that samples have their period. */
static void put_defaults(struct perfetto *perfetto)
{
    struct text timebase, sample, defaults;

    text_init(&timebase);
    text_init(&sample);
    text_init(&defaults);
    protobuf_number(&timebase, TIMEBASE_PERIOD, perfetto->timeline->session.sampling.period_ns);
    protobuf_number(&timebase, TIMEBASE_COUNTER, TASK_CLOCK);
    protobuf_message(&sample, SAMPLE_TIMEBASE, &timebase);
    protobuf_message(&defaults, DEFAULT_SAMPLE, &sample);
    protobuf_message(&perfetto->packet, DEFAULTS, &defaults);
    protobuf_number(&perfetto->packet, SEQUENCE_FLAGS, FIRST_OF_SEQUENCE);
    put(perfetto);
    text_fini(&timebase);
    text_fini(&sample);
    text_fini(&defaults);
}

static void end_process(void *own)
{
    struct perfetto *perfetto = own;

    timeline_texts_fini(&perfetto->labels, perfetto->timeline);
    free(perfetto->stacks);
    perfetto->stacks = NULL;
}

static void begin_process(void *own, const struct timeline *timeline)
{
    struct perfetto *perfetto = own;

    perfetto->timeline = timeline;
    perfetto->process = perfetto->tracks + 1;
    perfetto->tracks += 1 + timeline->session.threads.count + COUNTERS_MOST;
    perfetto->first_of_spans = perfetto->tracks + 1;
    perfetto->tracks += SPAN_TRACKS_MOST;
    perfetto->first_of_queues = perfetto->tracks + 1;
    perfetto->tracks += timeline_track_count(timeline);
    array_truncate(&perfetto->span_ends, 0);
    perfetto->start_ns = timeline_start_ns(timeline);
    perfetto->counter_count = 0;
    perfetto->sampled_ns = 0;
    if (perfetto->process == 1)
        put_defaults(perfetto);
    perfetto->stacks =
        memory_get_zeros(timeline->session.calls.count + 1, sizeof *perfetto->stacks);
    timeline_texts_init(&perfetto->labels, timeline);
    put_process(perfetto);
    for (size_t i = 0; i < timeline->session.threads.count; i++)
        put_thread(perfetto, (uint32_t)i);
    for (uint32_t i = 0; i < timeline_track_count(timeline); i++)
        put_queue_track(perfetto, i);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void annotate(struct perfetto *perfetto, struct text *event, const char *key,
                     const char *value)
{
    uint64_t name, text;

    if (!value)
        return;
    name = intern(perfetto, ANNOTATION, key);
    text = intern(perfetto, TEXT, value);
    protobuf_number(&perfetto->part, ANNOTATION_NAME, name);
    protobuf_number(&perfetto->part, ANNOTATION_TEXT, text);
    protobuf_message(event, EVENT_ANNOTATION, &perfetto->part);
    text_clear(&perfetto->part);
}

static void annotate_number(struct perfetto *perfetto, struct text *event, const char *key,
                            uint64_t value)
{
    uint64_t name = intern(perfetto, ANNOTATION, key);

    protobuf_number(&perfetto->part, ANNOTATION_NAME, name);
    protobuf_number(&perfetto->part, ANNOTATION_NUMBER, value);
    protobuf_message(event, EVENT_ANNOTATION, &perfetto->part);
    text_clear(&perfetto->part);
}

static void fill_label(struct perfetto *perfetto, struct text *event,
                       const struct timeline_call *call)
{
    const struct timeline_label *label = timeline_label(perfetto->timeline, call);

    protobuf_number(event, EVENT_TYPE, call->kind == TIMELINE_MARK ? INSTANT : SLICE_BEGINS);
    protobuf_number(event, EVENT_NAME, intern(perfetto, NAME, label->name));
    protobuf_number(event, EVENT_CATEGORY,
                    intern(perfetto, CATEGORY, timeline_kind_name(call->kind)));
    annotate(perfetto, event, timeline_kind_detail(call->kind), label->detail);
    annotate(perfetto, event, "library", label->library);
    annotate(perfetto, event, "domain", label->domain);
    annotate(perfetto, event, "category", label->category);
    annotate(perfetto, event, "colour", label->colour);
}

/* Most packets are slices: each is composed in the output buffer, once the sizes of its parts are
 * known. */
static void put_event(struct perfetto *perfetto, uint64_t time_ns, uint64_t track,
                      const struct text *fields)
{
    enum { KEY = 1, SMALL = KEY + 1 }; /* sizes of a key, and of a field with a number below 128 */
    const uint64_t time = perfetto->start_ns + time_ns;
    size_t event = KEY + protobuf_size(track) + fields->size;
    size_t packet =
        KEY + protobuf_size(time) + 2 * SMALL + KEY + protobuf_size(event) + event;
    char *place = sink_reserve(&perfetto->sink, KEY + protobuf_size(packet) + packet);

    place = protobuf_put_size(place, TRACE_PACKET, packet);
    place = protobuf_put_number(place, TIMESTAMP, time);
    place = protobuf_put_number(place, SEQUENCE, 1);
    place = protobuf_put_number(place, SEQUENCE_FLAGS, NEEDS_THE_FIRST);
    place = protobuf_put_size(place, TRACK_EVENT, event);
    place = protobuf_put_number(place, EVENT_TRACK, track);
    memcpy(place, fields->bytes, fields->size);
    sink_commit(&perfetto->sink, place + fields->size);
}

/* Nanoseconds between asking for a command, queueing it, and its start. */
static void annotate_command(struct perfetto *perfetto, struct text *event,
                             const struct timeline_call *call)
{
    if (call->work > 0)
        annotate_number(perfetto, event, "work-items", call->work);
    if (call->asked_ns != SESSION_UNKNOWN)
        annotate_number(perfetto, event, "since its call ns", call->asked_ns);
    if (call->queued_ns != SESSION_UNKNOWN)
        annotate_number(perfetto, event, "queued ns", call->queued_ns);
}

/* Returns: the start of the slice, in `inner` where it has more than its label. */
static const struct text *fill_begin(struct perfetto *perfetto, const struct text *label,
                                     const struct timeline_call *call)
{
    struct text *begin = &perfetto->inner;
    char payload[TIMELINE_PAYLOAD_SIZE];
    bool has_payload = timeline_write_payload(call, payload);

    if (call->bytes == 0 && call->calls <= 1 && !call->is_cut && !has_payload &&
        call->kind != TIMELINE_COMMAND)
        return label;
    text_clear(begin);
    text_append_bytes(begin, label->bytes, label->size);
    if (call->bytes > 0)
        annotate_number(perfetto, begin, "bytes", call->bytes);
    if (call->kind == TIMELINE_COMMAND)
        annotate_command(perfetto, begin, call);
    if (has_payload)
        annotate(perfetto, begin, "payload", payload);
    if (call->calls > 1)
        annotate_number(perfetto, begin, "stands for calls", call->calls);
    if (call->is_cut)
        annotate_number(perfetto, begin, "end was not seen", 1);
    return begin;
}

/* Spans overlap, and slices of a track nest.  Spans come by their ends, so the first track whose
 * last span ended before this one started is free.  Viewers merge tracks of one name. */
static uint64_t find_span_track(struct perfetto *perfetto, const struct timeline_call *call)
{
    uint64_t *end = perfetto->span_ends.items;
    size_t count = perfetto->span_ends.count, i = 0;

    while (i < count && end[i] > call->start_ns)
        i++;
    if (i == count && count < SPAN_TRACKS_MOST) {
        array_add(&perfetto->span_ends);
        put_named_track(perfetto, perfetto->first_of_spans + i, "spans");
    }
    i = i < SPAN_TRACKS_MOST ? i : 0;
    *(uint64_t *)array_at(&perfetto->span_ends, i) = call->end_ns;
    return perfetto->first_of_spans + i;
}

/* Returns: the track of a call. */
static uint64_t find_track(struct perfetto *perfetto, const struct timeline_call *call)
{
    if (call->kind == TIMELINE_COMMAND)
        return perfetto->first_of_queues + call->track;
    return call->kind == TIMELINE_SPAN ? find_span_track(perfetto, call)
                                       : track_of(perfetto, call->thread);
}

static void write_call(void *own, const struct timeline_call *call)
{
    struct perfetto *perfetto = own;
    struct text *label = timeline_text(&perfetto->labels, call);
    uint64_t track = find_track(perfetto, call);

    if (label->size == 0)
        fill_label(perfetto, label, call);
    put_event(perfetto, call->start_ns, track, fill_begin(perfetto, label, call));
    if (call->kind != TIMELINE_MARK)
        put_event(perfetto, call->end_ns, track, &perfetto->end);
}

static void write_number(void *own, const struct timeline_number *number)
{
    struct perfetto *perfetto = own;
    uint64_t track = find_counter(perfetto, number);

    if (track == 0)
        return;
    text_clear(&perfetto->inner);
    protobuf_number(&perfetto->inner, EVENT_TYPE, COUNTER_VALUE);
    protobuf_present(&perfetto->inner, EVENT_COUNTER, (uint64_t)number->value);
    put_event(perfetto, number->time_ns, track, &perfetto->inner);
}

static void write_sample(void *own, const struct timeline_sample *sample)
{
    struct perfetto *perfetto = own;
    const struct session *session = &perfetto->timeline->session;
    uint64_t stack = intern_stack(perfetto, sample->call);

    perfetto->sampled_ns += sample->periods * session->sampling.period_ns;
    protobuf_number(&perfetto->part, SAMPLE_PID, session->process.pid);
    protobuf_number(&perfetto->part, SAMPLE_TID, session_thread_at(session, sample->thread)->id);
    protobuf_number(&perfetto->part, SAMPLE_STACK, stack);
    protobuf_number(&perfetto->part, SAMPLE_MODE, MODE_USER);
    protobuf_number(&perfetto->part, SAMPLE_COUNT, perfetto->sampled_ns);
    protobuf_number(&perfetto->packet, TIMESTAMP, perfetto->start_ns + sample->time_ns);
    protobuf_number(&perfetto->packet, SEQUENCE_FLAGS, NEEDS_THE_FIRST);
    protobuf_message(&perfetto->packet, PERF_SAMPLE, &perfetto->part);
    text_clear(&perfetto->part);
    put(perfetto);
}

static void close_perfetto(void *own)
{
    struct perfetto *perfetto = own;

    sink_fini(&perfetto->sink);
    for (int i = 0; i < INTERNED_KINDS; i++)
        text_index_fini(&perfetto->interned[i].index);
    array_fini(&perfetto->chain);
    array_fini(&perfetto->span_ends);
    text_fini(&perfetto->packet);
    text_fini(&perfetto->inner);
    text_fini(&perfetto->part);
    text_fini(&perfetto->key);
    text_fini(&perfetto->end);
    free(perfetto);
}

const struct timeline_writer export_perfetto = {
    .open = open_perfetto,
    .process = begin_process,
    .call = write_call,
    .number = write_number,
    .sample = write_sample,
    .end_process = end_process,
    .close = close_perfetto,
};
