/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile is a JSON list of events, in the order of their ends:
 *   {"cat": "Node", "pid": 7, "tid": 7, "dur": 12, "ts": 3996, "ph": "X",
 *    "name": "mm_kernel_time", "args": {"op_name": "MatMul", "provider": "CPUExecutionProvider",
 *    "input_type_shape": [{"float": [8, 8]}], "output_type_shape": [{"float": [8, 8]}]}}
 * Events with "cat" Session are the calls around the nodes: model_run, the executor in it, and the
 * executor of a subgraph in a node such as Loop.  Times are whole microseconds since profiling
 * began.  Weights that the runtime packed for itself are absent from the inputs.
 *
 * Only one event at a time is in memory as JSON; 40 bytes of each event are kept.
 *
 * Source: onnxruntime/core/common/profiler_common.h and sequential_executor.cc of
 * https://github.com/microsoft/onnxruntime, and profiles of versions 1.17 and 1.32.
 */
#include "import/import.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/texts.h"

static const double ns_per_us = 1e3;
static const double most_us = 1e15; /* 30 years */

/* A call that has ended. */
struct span {
    uint64_t start_ns, end_ns;
    uint32_t label;           /* as in struct trace_node */
    uint32_t site;            /* id of the SITE fact of a model's node; 0: there is none */
    uint32_t around;          /* index in spans; each of the next three is an index plus one, or 0:
                                 none */
    uint32_t first, next;     /* the first inside, and the next in the same one */
    import_index node;
};

/* A thread.  So far, no later call contains the open ones. */
struct thread {
    import_index index;
    struct array open; /* uint32_t: indices in spans */
    struct array spans;
};

struct profile {
    struct import_reading *reading;
    struct array threads;
    struct text_index thread_ids, provider_ids, sites;
    struct text_list providers;
    struct array provider_ops; /* uint64_t, by provider */
    uint32_t layers;
    uint64_t events, bad_events, other_events;
    bool is_cut;
};

bool onnxruntime_knows(const char *bytes)
{
    bytes += strspn(bytes, " \t\r\n");
    if (*bytes++ != '[')
        return false;
    bytes += strspn(bytes, " \t\r\n");
    return *bytes == '{' && (strstr(bytes, "\"Session\"") || strstr(bytes, "\"Node\""));
}

/* ---- threads ------------------------------------------------------------------------------- */

static struct thread *add_thread(struct profile *profile, uint32_t id)
{
    struct thread *thread = array_add(&profile->threads);

    array_init(&thread->open, sizeof(uint32_t));
    array_init(&thread->spans, sizeof(struct span));
    thread->index = import_trace_thread(profile->reading->trace, id);
    return thread;
}

static struct thread *find_thread(struct profile *profile, uint32_t id)
{
    char words[16];
    long number;

    snprintf(words, sizeof words, "%u", id);
    number = text_index_add_words(&profile->thread_ids, words);
    return (size_t)number < profile->threads.count ? array_at(&profile->threads, (size_t)number)
                                                   : add_thread(profile, id);
}

/* ---- ops ----------------------------------------------------------------------------------- */

static const char *name_type(const char *type)
{
    static const char *const types[][2] = {
#define ONNX_TYPE(theirs, ours) {theirs, ours},
#include "import/onnx_types.def"
#undef ONNX_TYPE
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], type) == 0)
            return types[i][1];
    return type;
}

/* "f32[8,16]" */
static void append_tensor(struct text *text, const char *type, const json_t *sizes)
{
    text_appendf(text, "%s[", name_type(type));
    for (size_t i = 0; i < json_array_size(sizes); i++)
        text_appendf(text, "%s%lld", i > 0 ? "," : "",
                     (long long)json_integer_value(json_array_get(sizes, i)));
    text_append(text, "]");
}

/* A type with a space or a bracket in it would be read as two. */
static bool is_type(const char *type)
{
    size_t size = 0;

    while (isalnum((unsigned char)type[size]) || type[size] == '_')
        size++;
    return size > 0 && type[size] == 0;
}

/* Each tensor is an object of one member: {"float": [8, 16]}. */
static void append_tensors(struct text *text, const json_t *tensors)
{
    size_t count = json_array_size(tensors);

    for (size_t i = 0; i < count; i++) {
        json_t *tensor = json_array_get(tensors, i);
        void *member = json_object_iter(tensor);

        if (!member || !is_type(json_object_iter_key(member)))
            continue;
        if (text->size > 0)
            text_append(text, " ");
        append_tensor(text, json_object_iter_key(member), json_object_iter_value(member));
    }
}

/* The framework, the op, and "f32[8,8] f32[8,4] -> f32[8,4]". */
static uint32_t label_op(struct profile *profile, const json_t *args, const char *op)
{
    struct text text, sizes;
    uint32_t id;

    text_init(&text);
    text_init(&sizes);
    append_tensors(&sizes, json_object_get(args, "input_type_shape"));
    if (json_array_size(json_object_get(args, "output_type_shape")) > 0) {
        text_append(&sizes, sizes.size > 0 ? " ->" : "->");
        append_tensors(&sizes, json_object_get(args, "output_type_shape"));
    }
    text_append(&text, "onnxruntime\tonnx::");
    text_append_bytes(&text, op, strcspn(op, "\t"));
    if (sizes.size > 0)
        text_appendf(&text, "\t%s", sizes.bytes);
    id = import_trace_string(profile->reading->trace, text.bytes);
    text_fini(&text);
    text_fini(&sizes);
    return id | TRACE_LABEL_OP;
}

static void add_site(struct profile *profile, uint32_t id, const char *op, const char *name)
{
    struct import_trace *trace = profile->reading->trace;
    const struct trace_layer layer = {.id = id,
                                      .name = import_trace_string(trace, op),
                                      .path = import_trace_string(trace, name)};
    const struct trace_site site = {.id = id, .layer = id};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&layer, sizeof layer);
    import_trace_fact(trace, TRACE_FACT_LAYER, &payload);
    text_clear(&payload);
    text_append_bytes(&payload, (const char *)&site, sizeof site);
    import_trace_fact(trace, TRACE_FACT_SITE, &payload);
    text_fini(&payload);
}

/* A node of the model is like a module: its class is the op, its path its name. */
static uint32_t find_site(struct profile *profile, const char *op, const char *name)
{
    struct text key;
    long number;

    text_init(&key);
    text_index_append_part(&key, op);
    text_index_append_part(&key, name);
    number = text_index_add(&profile->sites, &key);
    text_fini(&key);
    if ((uint32_t)number == profile->layers)
        add_site(profile, ++profile->layers, op, name);
    return (uint32_t)number + 1;
}

static void count_provider(struct profile *profile, const char *provider)
{
    long number = text_index_add_words(&profile->provider_ids, provider);
    uint64_t *count = NULL;

    if ((size_t)number < profile->provider_ops.count)
        count = array_at(&profile->provider_ops, (size_t)number);
    else {
        text_list_add(&profile->providers, provider);
        count = array_add(&profile->provider_ops);
    }
    ++*count;
}

/* ---- calls in calls ------------------------------------------------------------------------ */

static struct span *span_at(const struct thread *thread, uint32_t index)
{
    return array_at(&thread->spans, index);
}

/* Times are truncated to microseconds, so a call with the same start may be inside another or
 * before it.  Nodes contain only executors, and no call directly contains one of its own kind. */
static bool is_inside(const struct span *inner, const struct span *outer)
{
    const bool is_op = (outer->label & TRACE_LABEL_OP) != 0;

    return inner->start_ns >= outer->start_ns && inner->label != outer->label &&
           !(is_op && (inner->label & TRACE_LABEL_OP));
}

/* Takes the calls that ended before this one and began in it. */
static void adopt(const struct thread *thread, struct array *open, uint32_t index)
{
    struct span *outer = span_at(thread, index);

    while (open->count > 0) {
        uint32_t last = *(const uint32_t *)array_at(open, open->count - 1);
        struct span *inner = span_at(thread, last);

        if (!is_inside(inner, outer))
            return;
        inner->around = index + 1;
        inner->next = outer->first;
        outer->first = last + 1;
        array_truncate(open, open->count - 1);
    }
}

static void add_span(struct profile *profile, uint32_t id, const struct span *like)
{
    struct thread *thread = find_thread(profile, id);
    struct span *span = array_add(&thread->spans);
    uint32_t *place, index;

    *span = *like;
    index = (uint32_t)thread->spans.count - 1;
    adopt(thread, &thread->open, index);
    place = array_add(&thread->open);
    *place = index;
}

/* ---- events -------------------------------------------------------------------------------- */

static bool read_times(const json_t *event, struct span *span)
{
    double start_us = json_number_value(json_object_get(event, "ts"));
    double length_us = json_number_value(json_object_get(event, "dur"));

    if (!json_is_number(json_object_get(event, "ts")) ||
        !json_is_number(json_object_get(event, "dur")) || !(start_us >= 0) || !(length_us >= 0) ||
        start_us > most_us || length_us > most_us)
        return false;
    span->start_ns = (uint64_t)(start_us * ns_per_us);
    span->end_ns = span->start_ns + (uint64_t)(length_us * ns_per_us);
    return true;
}

/* Fences, which surround nodes up to version 1.17, are no nodes.
 * Returns: whether the event is whole. */
static bool take_node(struct profile *profile, const json_t *event, struct span *span)
{
    static const char end[] = "_kernel_time";
    const json_t *args = json_object_get(event, "args");
    const char *op = json_string_value(json_object_get(args, "op_name"));
    const char *provider = json_string_value(json_object_get(args, "provider"));
    const char *name = json_string_value(json_object_get(event, "name"));
    struct text node;

    if (!op || !op[0])
        return false;
    if (!text_ends_with(name, strlen(name), end))
        return true;
    span->label = label_op(profile, args, op);
    text_init(&node);
    text_append_bytes(&node, name, strlen(name) - strlen(end));
    if (node.size > 0)
        span->site = find_site(profile, op, node.bytes);
    text_fini(&node);
    count_provider(profile, provider ? provider : "");
    return true;
}

/* Returns: whether the event is whole. */
static bool take_call(struct profile *profile, const json_t *event)
{
    const char *category = json_string_value(json_object_get(event, "cat"));
    const char *name = json_string_value(json_object_get(event, "name"));
    const json_t *id = json_object_get(event, "tid"), *pid = json_object_get(event, "pid");
    struct span span = {0};

    if (!category || !name || !name[0] || !json_is_integer(id) || !read_times(event, &span))
        return false;
    if (strcmp(category, "Session") == 0)
        span.label = import_trace_string(profile->reading->trace, name);
    else if (strcmp(category, "Node") != 0)
        profile->other_events++;
    else if (!take_node(profile, event, &span))
        return false;
    if (span.label == 0)
        return true;
    if (json_is_integer(pid))
        profile->reading->trace->pid = (uint32_t)json_integer_value(pid);
    profile->events++;
    add_span(profile, (uint32_t)json_integer_value(id), &span);
    return true;
}

static void take_event(struct profile *profile, const json_t *event)
{
    if (!take_call(profile, event))
        profile->bad_events++;
}

static int skip_blanks(FILE *in)
{
    int found;

    do
        found = getc(in);
    while (found != EOF && isspace(found));
    return found;
}

/* One by one: a profile can be larger than memory. */
static void read_events(struct profile *profile)
{
    FILE *in = profile->reading->log;
    int found = skip_blanks(in);

    profile->is_cut = found != '[';
    while (!profile->is_cut && (found = skip_blanks(in)) != ']') {
        json_t *event;

        if (found != ',')
            ungetc(found, in);
        event = found == EOF ? NULL : json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL);
        profile->is_cut = !event;
        if (event)
            take_event(profile, event);
        json_decref(event);
    }
}

/* ---- to the trace -------------------------------------------------------------------------- */

/* A span inside a call ends with the call, and starts no earlier than the end of the call
 * before. */
static void clip(const struct thread *thread, struct span *span, uint64_t now_ns)
{
    if (span->around > 0 && span->end_ns > span_at(thread, span->around - 1)->end_ns)
        span->end_ns = span_at(thread, span->around - 1)->end_ns;
    if (span->start_ns < now_ns)
        span->start_ns = now_ns;
    if (span->end_ns < span->start_ns)
        span->end_ns = span->start_ns;
}

static void enter(struct profile *profile, const struct thread *thread, struct span *span)
{
    struct import_trace *trace = profile->reading->trace;
    import_index around = span->around > 0 ? span_at(thread, span->around - 1)->node : 0;

    if (span->site != 0)
        around = import_trace_node(trace, thread->index, around, TRACE_LABEL_SITE | span->site);
    span->node = import_trace_node(trace, thread->index, around, span->label);
    import_trace_enter(trace, thread->index, span->node, span->start_ns);
}

/* Writes a call and those inside. */
static void put_span(struct profile *profile, const struct thread *thread, uint32_t index,
                     uint64_t *now_ns)
{
    struct import_trace *trace = profile->reading->trace;
    struct span *span = span_at(thread, index);
    bool is_new = true;

    for (;;) {
        if (is_new) {
            clip(thread, span, *now_ns);
            enter(profile, thread, span);
            *now_ns = span->start_ns;
        }
        if (is_new && span->first > 0) {
            span = span_at(thread, span->first - 1);
            continue;
        }
        import_trace_leave(trace, thread->index, span->node, span->start_ns, span->end_ns);
        *now_ns = span->end_ns;
        is_new = span->next > 0;
        if (span->around == 0)
            return;
        span = span_at(thread, (is_new ? span->next : span->around) - 1);
    }
}

static void put_threads(struct profile *profile)
{
    const struct thread *thread = profile->threads.items;

    for (size_t i = 0; i < profile->threads.count; i++) {
        uint64_t now_ns = 0;

        for (size_t k = 0; k < thread[i].open.count; k++)
            put_span(profile, &thread[i], *(uint32_t *)array_at(&thread[i].open, k), &now_ns);
    }
}

static void put_framework(struct profile *profile)
{
    const struct trace_ops ops = {.off = TRACE_OPS_OFF_NONE};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&ops, sizeof ops);
    import_trace_fact(profile->reading->trace, TRACE_FACT_OPS, &payload);
    text_fini(&payload);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void tell_providers(struct profile *profile)
{
    for (size_t i = 0; i < profile->provider_ops.count; i++) {
        const char *name = text_list_at(&profile->providers, i);
        uint64_t count = *(const uint64_t *)array_at(&profile->provider_ops, i);

        if (name[0] && strcmp(name, "CPUExecutionProvider") != 0)
            text_list_say(profile->reading->notes, onnx_provider_text, said_count(count),
                          said_words(name));
    }
}

static void tell(struct profile *profile)
{
    struct text_list *notes = profile->reading->notes;

    if (profile->is_cut)
        text_list_say(notes, onnx_cut_text, said_count(profile->events));
    if (profile->bad_events > 0)
        text_list_say(notes, onnx_bad_events_text, said_count(profile->bad_events));
    if (profile->other_events > 0)
        text_list_say(notes, onnx_other_events_text, said_count(profile->other_events));
    tell_providers(profile);
}

static void profile_init(struct profile *profile, struct import_reading *reading)
{
    *profile = (struct profile){.reading = reading};
    array_init(&profile->threads, sizeof(struct thread));
    text_list_init(&profile->providers);
    array_init(&profile->provider_ops, sizeof(uint64_t));
}

static void profile_fini(struct profile *profile)
{
    struct thread *thread = profile->threads.items;

    for (size_t i = 0; i < profile->threads.count; i++) {
        array_fini(&thread[i].open);
        array_fini(&thread[i].spans);
    }
    array_fini(&profile->threads);
    array_fini(&profile->provider_ops);
    text_index_fini(&profile->thread_ids);
    text_index_fini(&profile->provider_ids);
    text_list_fini(&profile->providers);
    text_index_fini(&profile->sites);
}

enum status onnxruntime_read(struct import_reading *reading)
{
    struct profile profile;
    enum status status = STATUS_OK;

    profile_init(&profile, reading);
    read_events(&profile);
    if (profile.events == 0)
        status = diagnostic_set(reading->diagnostic, STATUS_CORRUPT,
                                "import: %.200s: expected the events of a profile of ONNX "
                                "Runtime, found none",
                                reading->name);
    if (!status) {
        put_framework(&profile);
        put_threads(&profile);
        tell(&profile);
        status = STATUS_OK;
    }
    profile_fini(&profile);
    return status;
}
