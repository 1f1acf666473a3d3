/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines: the label shared by calls is stored by row; the calls themselves are passed on and not
 * stored.
 */
#include "export/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "devices/device_numbers.h"
#include "heap/memory_facts.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_open.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_spans.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "reader/merge.h"
#include "spec/catalog.h"
#include "symbols/storage.h"

enum {
    SHAPE_SIZE = 256,   /* the size in groups */
    CALLS_KEPT = 100000 /* calls kept by the session: with fewer, it would drop some at each call */
};

const char *timeline_kind_name(enum timeline_kind kind)
{
    static const char *const names[] = {
#define TIMELINE(id, name, detail) name,
#include "export/timeline_kinds.def"
#undef TIMELINE
    };

    return names[kind];
}

const char *timeline_kind_detail(enum timeline_kind kind)
{
    static const char *const details[] = {
#define TIMELINE(id, name, detail) detail,
#include "export/timeline_kinds.def"
#undef TIMELINE
    };

    return details[kind];
}

uint64_t timeline_start_ns(const struct timeline *timeline)
{
    return timeline->session.process.realtime_start_ns + timeline->session.window.from_ns;
}

void timeline_name_thread(const struct timeline *timeline, uint32_t thread,
                          char name[TIMELINE_THREAD_SIZE])
{
    uint32_t id = session_thread_at(&timeline->session, thread)->id;
    const char *told = session_find_thread_name(&timeline->session, id);

    if (told)
        (void)snprintf(name, TIMELINE_THREAD_SIZE, "%.*s (%" PRIu32 ")",
                       (int)utf8_cut(told, TIMELINE_THREAD_NAME), told, id);
    else if (id == timeline->session.process.pid)
        (void)snprintf(name, TIMELINE_THREAD_SIZE, "main");
    else
        (void)snprintf(name, TIMELINE_THREAD_SIZE, "thread %" PRIu32, id);
}

void timeline_append_track(struct text *name, const struct timeline *timeline, uint32_t track)
{
    const struct session_devices *devices = &timeline->session.devices;
    const struct queue_track *row = array_at(&timeline->queues.tracks, track);
    uint32_t device = session_queue_at(devices, row->queue)->device;

    queue_append_name(name, &timeline->session, row->queue);
    if (*session_device_at(devices, device)->name)
        text_appendf(name, ", %s", session_device_at(devices, device)->name);
}

/* ---- labels --------------------------------------------------------------------------- */

/* Returns: a copy that is valid UTF-8; NULL of NULL. */
static const char *keep(const struct timeline *timeline, const char *text)
{
    const char *kept = NULL;
    struct text valid;

    if (!text)
        return NULL;
    text_init(&valid);
    utf8_append_valid(&valid, text);
    kept = storage_keep(timeline->texts, valid.bytes, valid.size);
    text_fini(&valid);
    return kept;
}

/* Adds how a range was marked. */
static void describe_look(const struct timeline *timeline, const struct session_look *look,
                          struct timeline_label *label)
{
    char colour[SESSION_COLOUR_SIZE];

    session_write_colour(look, colour);
    label->domain = keep(timeline, look->domain);
    label->category = keep(timeline, look->category);
    label->colour = look->has_colour ? keep(timeline, colour) : NULL;
}

static struct timeline_label describe_span(const struct timeline *timeline, size_t index)
{
    const struct session_span_row *row = session_span_row_at(&timeline->session, index);
    struct timeline_label label = {.name = keep(timeline, row->name),
                                   .detail = keep(timeline, row->look.interface)};

    describe_look(timeline, &row->look, &label);
    return label;
}

static struct timeline_label describe_slot(const struct timeline *timeline, size_t index)
{
    const struct session_slot *slot = session_slot_at(&timeline->session, index);
    const struct session_binding *binding = session_binding_at(&timeline->session, slot->binding);
    char shape[SHAPE_SIZE];

    shape[0] = 0;
    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, shape, sizeof shape);
    return (struct timeline_label){
        .name = keep(timeline, session_name_slot(&timeline->session, slot)),
        .detail = shape[0] ? keep(timeline, shape) : NULL,
        .library = binding->module ? keep(timeline, text_base_name(binding->module->path)) : NULL};
}

static struct timeline_label describe_op(const struct timeline *timeline, size_t index)
{
    const struct session_op *op = session_op_at(&timeline->session, index);

    return (struct timeline_label){.name = keep(timeline, op->name ? op->name : "?"),
                                   .detail = keep(timeline, op->inputs)};
}

static struct timeline_label describe_region(const struct timeline *timeline, size_t index)
{
    const struct session_region *region = session_region_at(&timeline->session, index);

    struct timeline_label label = {.name = keep(timeline, region->label ? region->label : "?"),
                                   .detail = keep(timeline, region->path)};

    describe_look(timeline, &region->look, &label);
    return label;
}

static struct timeline_label describe_wait(const struct timeline *timeline, size_t index)
{
    const struct session_wait *wait = session_wait_at(&timeline->session, index);

    return (struct timeline_label){.name = keep(timeline, wait->function),
                                   .detail = keep(timeline, wait->name)};
}

static struct timeline_label describe_command(const struct timeline *timeline, size_t index)
{
    const struct session_command_sum *sum =
        session_command_sum_at(&timeline->session.devices, index);

    return (struct timeline_label){.name = keep(timeline, command_name(sum)),
                                   .detail = command_kind(sum)};
}

typedef struct timeline_label (*describer)(const struct timeline *timeline, size_t index);

static void make_labels(struct timeline *timeline)
{
    static const describer describers[TIMELINE_KINDS] = {
        describe_slot, describe_op,   describe_region, describe_wait,
        describe_span, describe_span, describe_command};
    const struct session *session = &timeline->session;
    const size_t counts[TIMELINE_KINDS] = {session->slots.count,       session->ops.count,
                                           session->regions.count,     session->waits.count,
                                           session->span_rows.count,   session->span_rows.count,
                                           session->devices.sums.count};

    for (int kind = 0; kind < TIMELINE_KINDS; kind++) {
        timeline->labels[kind] = memory_get_zeros(counts[kind] + 1, sizeof *timeline->labels[kind]);
        timeline->label_count[kind] = counts[kind];
        for (size_t i = 0; i < counts[kind]; i++)

            timeline->labels[kind][i] = describers[kind](timeline, i);
    }
}

void timeline_texts_init(struct timeline_texts *texts, const struct timeline *timeline)
{
    for (int kind = 0; kind < TIMELINE_KINDS; kind++) {
        texts->of[kind] = memory_get_zeros(timeline->label_count[kind] + 1, sizeof(struct text));
        for (size_t i = 0; i < timeline->label_count[kind]; i++)
            text_init(&texts->of[kind][i]);
    }
}

void timeline_texts_fini(struct timeline_texts *texts, const struct timeline *timeline)
{
    for (int kind = 0; kind < TIMELINE_KINDS; kind++) {
        for (size_t i = 0; texts->of[kind] && i < timeline->label_count[kind]; i++)
            text_fini(&texts->of[kind][i]);
        free(texts->of[kind]);
        texts->of[kind] = NULL;
    }
}

/* ---- calls ---------------------------------------------------------------------------- */

/* A region or an op that was entered. */
struct open_call {
    uint32_t cell;
    struct timeline_call call;
};

/* The events of a lane come from one thread after another. */
struct walk_lane {
    const struct tallies_lane *tallies; /* NULL: they are missing */
    uint32_t served;
    uint64_t next_ticks; /* when the lane's next thread starts */
    struct array open;   /* of struct open_call */
};

struct walk {
    const struct timeline *timeline;
    const struct timeline_choice *choice;
    const struct timeline_writer *writer;
    void *own;
    struct timeline_gaps *gaps;
    struct walk_lane *lanes; /* lanes by source */
    size_t lane_count;
    uint64_t from_ticks;
    uint64_t to_ticks;
};

static const struct session *walked(const struct walk *walk)
{
    return &walk->timeline->session;
}

static uint32_t thread_of(const struct walk_lane *lane)
{
    return lane->tallies ? lane->tallies->first_thread + lane->served : 0;
}

static bool is_chosen(const struct walk *walk, uint32_t thread)
{
    if (thread >= walked(walk)->threads.count)
        return false;
    return walk->choice->thread == 0 ||
           session_thread_at(walked(walk), thread)->id == walk->choice->thread;
}

static void tell(struct walk *walk, const struct timeline_call *call)
{
    if (!is_chosen(walk, call->thread) || call->end_ns < call->start_ns)
        return;
    if (call->calls > 1)
        walk->gaps->drawn_calls += call->calls - 1;
    if (call->end_ns - call->start_ns < walk->choice->least_ns)
        walk->gaps->short_calls++;
    else
        walk->writer->call(walk->own, call);
}

static void note_next_thread(const struct walk *walk, struct walk_lane *lane)
{
    const uint64_t *first = walk->timeline->outline.tallies.thread_ticks.items;

    lane->next_ticks = UINT64_MAX;
    if (lane->tallies && lane->served + 1 < lane->tallies->thread_count)
        lane->next_ticks = first[lane->tallies->first_thread + lane->served + 1];
}

/* The end of open calls was not recorded: they last as long as their thread. */
static void close_open(struct walk *walk, struct walk_lane *lane)
{
    for (size_t i = lane->open.count; i-- > 0;) {
        struct timeline_call call = ((struct open_call *)array_at(&lane->open, i))->call;

        if (call.thread >= walked(walk)->threads.count)
            continue;
        call.end_ns = session_thread_at(walked(walk), call.thread)->last_ns;
        call.is_cut = true;
        tell(walk, &call);
    }
    array_truncate(&lane->open, 0);
}

/* An event with a duration.  Events that ended before the window, or started after it, are left
 * out. */
static bool measure(const struct walk *walk, const struct walk_lane *lane,
                    const struct reader_event *event, uint64_t ticks, struct timeline_call *call)
{
    const struct clock *clock = &walk->timeline->outline.clock;

    if (ticks > event->ticks || event->ticks < walk->from_ticks ||
        event->ticks - ticks > walk->to_ticks)
        return false;
    call->thread = thread_of(lane);
    call->start_ns = clock_convert(clock, event->ticks - ticks);
    call->end_ns = clock_convert(clock, event->ticks);
    call->calls = 1;
    return true;
}

static void on_kernel(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_SLOT);
    struct timeline_call call = {.kind = TIMELINE_KERNEL};

    if (!cell) {
        walk->gaps->lost++;
        return;
    }
    if (!measure(walk, lane, event, event->duration, &call))
        return;
    call.label = cell->index;
    call.calls = UINT64_C(1) << event->doublings;
    tell(walk, &call);
}

static bool find_node(struct walk *walk, const struct walk_lane *lane,
                      const struct reader_event *event, struct timeline_call *call)
{
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);

    walk->gaps->lost += !cell;
    if (!cell)
        return false;
    call->kind = cell->is_op ? TIMELINE_OP : TIMELINE_REGION;
    call->label = cell->is_op ? cell->op : cell->index;
    return true;
}

static void on_enter(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    struct open_call open = {.cell = event->cell};
    struct open_call *place;

    if (!find_node(walk, lane, event, &open.call) || !measure(walk, lane, event, 0, &open.call))
        return;
    place = array_add(&lane->open);
    *place = open;
}

static void on_leave(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    struct timeline_call call = {0};
    size_t count = lane->open.count;

    while (count > 0 && ((struct open_call *)array_at(&lane->open, count - 1))->cell != event->cell)
        count--;
    if (count > 0) {
        const struct open_call *open = array_at(&lane->open, count - 1);

        call.payload = open->call.payload;
        call.payload_type = open->call.payload_type;
        array_truncate(&lane->open, count - 1);
    }
    if (!find_node(walk, lane, event, &call) || !measure(walk, lane, event, event->duration, &call))
        return;
    call.calls = UINT64_C(1) << event->doublings;
    tell(walk, &call);
}

static void on_wait(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    enum { CELL_MASK = (1 << TRACE_CELL_BITS) - 1 };
    uint32_t number = (uint32_t)(event->words[0] >> TRACE_CHAIN_BITS) & CELL_MASK;
    const struct tallies_cell *cell = tallies_find_cell(lane->tallies, number, TRACE_CELL_WAIT);
    struct timeline_call call = {.kind = TIMELINE_WAIT};

    if (!cell) {
        walk->gaps->lost++;
        return;
    }
    if (!measure(walk, lane, event, event->words[1], &call))
        return;
    call.label = cell->index;
    call.bytes = event->words[2];
    tell(walk, &call);
}

static uint32_t payload_of(const struct reader_event *event)
{
    enum { TYPE_MASK = 15 };

    return (uint32_t)(event->words[0] >> TRACE_RANGE_PAYLOAD_SHIFT) & TYPE_MASK;
}

static const struct tallies_cell *find_spans(struct walk *walk, const struct walk_lane *lane,
                                             const struct reader_event *event,
                                             struct timeline_call *call)
{
    enum { CELL_MASK = (1 << TRACE_CELL_BITS) - 1, DOUBLINGS_MASK = 63 };
    const struct tallies_cell *cell = tallies_find_cell(
        lane->tallies, (uint32_t)event->words[0] & CELL_MASK, (enum trace_cell_kind)TALLIES_SPAN);

    walk->gaps->lost += !cell;
    if (!cell)
        return NULL;
    call->label = cell->index;
    call->payload_type = payload_of(event);
    call->calls = UINT64_C(1) << (event->words[0] >> TRACE_RANGE_DOUBLINGS_SHIFT & DOUBLINGS_MASK);
    return cell;
}

/* Its record may be later than its end. */
static void on_span(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    struct timeline_call call = {.kind = TIMELINE_SPAN}, label = {0};
    struct reader_event end = *event;

    if (!find_spans(walk, lane, event, &label) || event->words[4] > event->ticks)
        return;
    end.ticks -= event->words[4];
    if (!measure(walk, lane, &end, event->words[1], &call))
        return;
    call.label = label.label;
    call.calls = label.calls;
    call.payload_type = label.payload_type;
    call.payload = event->words[3];
    tell(walk, &call);
}

static void on_mark(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    struct timeline_call call = {.kind = TIMELINE_MARK}, label = {0};

    if (!find_spans(walk, lane, event, &label) || !measure(walk, lane, event, 0, &call))
        return;
    call.label = label.label;
    call.calls = label.calls;
    call.payload_type = label.payload_type;
    call.payload = event->words[1];
    tell(walk, &call);
}

/* Of the region that began last. */
static void on_payload(struct walk_lane *lane, const struct reader_event *event)
{
    struct open_call *open =
        lane->open.count > 0 ? array_at(&lane->open, lane->open.count - 1) : NULL;

    if (!open || open->cell != ((uint32_t)event->words[0] & ((1 << TRACE_CELL_BITS) - 1)))
        return;
    open->call.payload = event->words[1];
    open->call.payload_type = payload_of(event);
}

bool timeline_write_payload(const struct timeline_call *call, char text[TIMELINE_PAYLOAD_SIZE])
{
    double real;
    float single;

    memcpy(&real, &call->payload, sizeof real);
    memcpy(&single, &call->payload, sizeof single);
    switch ((enum trace_payload)call->payload_type) {
    case TRACE_PAYLOAD_UINT64:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%" PRIu64, call->payload);
        return true;
    case TRACE_PAYLOAD_INT64:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%" PRId64, (int64_t)call->payload);
        return true;
    case TRACE_PAYLOAD_UINT32:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%" PRIu32, (uint32_t)call->payload);
        return true;
    case TRACE_PAYLOAD_INT32:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%" PRId32, (int32_t)call->payload);
        return true;
    case TRACE_PAYLOAD_DOUBLE:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%.17g", real);
        return isfinite(real);
    case TRACE_PAYLOAD_FLOAT:
        (void)snprintf(text, TIMELINE_PAYLOAD_SIZE, "%.9g", (double)single);
        return isfinite(single);
    case TRACE_PAYLOAD_NONE:
    case TRACE_PAYLOADS: break;
    }
    return false;
}

static void on_extended(struct walk *walk, struct walk_lane *lane, const struct reader_event *event)
{
    if (event->type == TRACE_EXTENDED_WAIT)
        on_wait(walk, lane, event);
    else if (event->type == TRACE_EXTENDED_SPAN)
        on_span(walk, lane, event);
    else if (event->type == TRACE_EXTENDED_MARK)
        on_mark(walk, lane, event);
    else if (event->type == TRACE_EXTENDED_PAYLOAD)
        on_payload(lane, event);
}

static void take(struct walk *walk, const struct reader_event *event)
{
    struct walk_lane *lane = &walk->lanes[event->source];

    while (event->ticks >= lane->next_ticks) {
        close_open(walk, lane);
        lane->served++;
        note_next_thread(walk, lane);
    }
    if (event->kind == TRACE_EVENT_KERNEL)
        on_kernel(walk, lane, event);
    else if (event->kind == TRACE_EVENT_ENTER) {
        on_enter(walk, lane, event);
        return;
    } else if (event->kind == TRACE_EVENT_LEAVE)
        on_leave(walk, lane, event);
    else if (event->kind == TRACE_EVENT_EXTENDED)
        on_extended(walk, lane, event);
}

static void make_lanes(struct walk *walk, const struct merge *merge)
{
    walk->lanes = memory_get_zeros(merge->source_count + 1, sizeof *walk->lanes);
    walk->lane_count = merge->source_count;
    for (size_t i = 0; i < merge->source_count; i++) {
        walk->lanes[i].tallies =
            tallies_find_lane(&walk->timeline->outline.tallies, merge_lane(merge, i));
        array_init(&walk->lanes[i].open, sizeof(struct open_call));
        note_next_thread(walk, &walk->lanes[i]);
    }
}

static void free_lanes(struct walk *walk)
{
    for (size_t i = 0; i < walk->lane_count; i++)
        array_fini(&walk->lanes[i].open);
    free(walk->lanes);
}

/* The clock counts from the start of the window. */
static void set_window(struct walk *walk)
{
    const struct session_window *window = &walk->choice->window;
    const struct clock *clock = &walk->timeline->outline.clock;

    walk->from_ticks = window->is_cut ? clock->start_ticks : 0;
    walk->to_ticks = UINT64_MAX;
    if (window->is_cut && window->to_ns != UINT64_MAX)
        walk->to_ticks =
            clock->start_ticks + clock_find_length(clock, window->to_ns - window->from_ns);
}

static void tell_calls(struct walk *walk)
{
    const struct reader_event *event;
    struct merge merge;

    merge_open(&merge, &walk->timeline->outline.reader);
    make_lanes(walk, &merge);
    while ((event = merge_next(&merge)))
        take(walk, event);
    for (size_t i = 0; i < walk->lane_count; i++)
        close_open(walk, &walk->lanes[i]);
    free_lanes(walk);
    merge_close(&merge);
}

/* ---- commands of devices ---------------------------------------------------------------- */

/* Times of a device are right within an error: a command may seem to start before it was asked
 * for. */
static uint64_t length_of(uint64_t from_ns, uint64_t to_ns)
{
    return from_ns <= to_ns ? to_ns - from_ns : SESSION_UNKNOWN;
}

static void tell_command(struct walk *walk, const struct queue_mark *mark)
{
    const struct session_devices *devices = &walked(walk)->devices;
    const struct session_command *command = session_command_at(devices, mark->command);
    const struct session_command_sum *sum = session_command_sum_at(devices, command->sum);
    bool is_queued = !(session_device_of(devices, sum)->fact.flags & TRACE_DEVICE_UNQUEUED);
    const struct timeline_call call = {
        .kind = TIMELINE_COMMAND,
        .label = command->sum,
        .thread = sum->thread,
        .start_ns = command->start_ns,
        .end_ns = command->end_ns,
        .calls = 1,
        .bytes = command->bytes,
        .track = mark->track,
        .work = command->work,
        .queued_ns = is_queued ? length_of(command->queued_ns, command->start_ns) : SESSION_UNKNOWN,
        .asked_ns = length_of(command->call_start_ns, command->start_ns),
    };

    tell(walk, &call);
}

static void tell_commands(struct walk *walk)
{
    const struct array *marks = &walk->timeline->queues.marks;

    for (size_t i = 0; i < marks->count; i++)
        tell_command(walk, array_at(marks, i));
    walk->gaps->untimed += walk->timeline->queues.untimed;
}

/* ---- numbers and samples ---------------------------------------------------------------- */

static void tell_number(struct walk *walk, const char *name, const char *unit, uint64_t time_ns,
                        uint64_t value)
{
    const struct timeline_number number = {name, unit, time_ns, (int64_t)value};

    if (value <= INT64_MAX)
        walk->writer->number(walk->own, &number);
}

static const char *unit_word(const char *unit)
{
    return strcmp(unit, "BYTES") == 0 ? "bytes" : strcmp(unit, "NS") == 0 ? "ns" : "count";
}

/* PSS is only in snapshots, and a thread's time belongs to the thread that took the reading. */
static bool is_series(const char *key)
{
    return strcmp(key, "pss_bytes") != 0 && strcmp(key, "thread_cpu_ns") != 0;
}

static void tell_reading(struct walk *walk, const struct session_reading *reading)
{
#define READING(field, key, unit, sort, help)                                                      \
    if (is_series(key) && reading->values.field != SESSION_UNKNOWN)                                \
        tell_number(walk, key, unit_word(#unit), reading->time_ns, reading->values.field);
#include "spec/readings.def"
#undef READING
}

/* Give the maximum of each moment, so that no peak is lost. */
static void tell_heap(struct walk *walk)
{
    const struct session *session = walked(walk);

    if (!memory_is_known(&session->heap))
        return;
    for (size_t i = 0; i < session->heap.moments.count; i++) {
        const struct session_moment *moment = array_at(&session->heap.moments, i);

        tell_number(walk, "live_heap_bytes", "bytes", moment->time_ns, moment->max_bytes);
        if (moment->mapped_bytes > 0)
            tell_number(walk, "mapped_bytes", "bytes", moment->time_ns, moment->mapped_bytes);
    }
}

/* A queue's name with "waiting": how many of its commands have not started. */
static const char *name_depth(struct walk *walk, uint32_t queue)
{
    struct text name;
    const char *kept;

    text_init(&name);
    queue_append_name(&name, walked(walk), queue);
    text_append(&name, " waiting");
    kept = keep(walk->timeline, name.bytes);
    text_fini(&name);
    return kept;
}

static void tell_depths(struct walk *walk)
{
    uint32_t queue = SESSION_NONE;
    const char *name = NULL;
    struct array depths;

    queue_depths_fill(&depths, walked(walk));
    for (size_t i = 0; i < depths.count; i++) {
        const struct queue_depth *depth = array_at(&depths, i);

        if (depth->queue != queue)
            name = name_depth(walk, depth->queue);
        queue = depth->queue;
        tell_number(walk, name, "count", depth->time_ns, depth->waiting);
    }
    array_fini(&depths);
}

/* "Stand-in 0 temperature"; devices of one name differ by their number. */
static const char *name_number(struct walk *walk, uint32_t device, enum trace_device_number number)
{
    const struct session_devices *devices = &walked(walk)->devices;
    struct text name;
    const char *kept;

    text_init(&name);
    text_append(&name, session_device_at(devices, device)->name);
    if (devices->devices.count > 1)
        text_appendf(&name, " (%u)", (unsigned)session_device_at(devices, device)->fact.id);
    text_appendf(&name, " %s", device_number_key(number));
    kept = keep(walk->timeline, name.bytes);
    text_fini(&name);
    return kept;
}

/* Reasons are no course of a number. */
static void tell_device_numbers(struct walk *walk, uint32_t device)
{
    const struct session_devices *devices = &walked(walk)->devices;
    const char *names[TRACE_DEVICE_NUMBERS] = {NULL};

    for (size_t i = 0; i < devices->numbers.count; i++) {
        const struct session_device_number *reading = array_at(&devices->numbers, i);

        if (reading->device != device || reading->number == TRACE_DEVICE_THROTTLE)
            continue;
        if (!names[reading->number])
            names[reading->number] = name_number(walk, device, reading->number);
        tell_number(walk, names[reading->number], device_number_unit(reading->number),
                    reading->time_ns, reading->value);
    }
}

static void tell_numbers(struct walk *walk)
{
    const struct session *session = walked(walk);

    for (size_t i = 0; i < session->readings.count; i++)
        tell_reading(walk, session_reading_at(session, i));
    tell_heap(walk);
    tell_depths(walk);
    for (uint32_t i = 0; i < session->devices.devices.count; i++)
        tell_device_numbers(walk, i);
}

static void tell_samples(struct walk *walk)
{
    const struct session *session = walked(walk);
    const struct session_tick *ticks = session->ticks.items;

    for (size_t i = 0; i < session->ticks.count; i++) {
        const struct session_sample *sample = session_sample_at(session, ticks[i].sample);
        const struct timeline_sample told = {sample->thread, ticks[i].time_ns, sample->call,
                                             ticks[i].periods};

        if (is_chosen(walk, sample->thread))
            walk->writer->sample(walk->own, &told);
    }
}

/* ---- all ------------------------------------------------------------------------------- */

static bool has_thread(const struct walk *walk)
{
    for (uint32_t i = 0; i < walked(walk)->threads.count; i++)
        if (is_chosen(walk, i))
            return true;
    return walk->choice->thread == 0;
}

void timeline_tell(const struct timeline *timeline, const struct timeline_choice *choice,
                   const struct timeline_writer *writer, void *own, struct timeline_gaps *gaps)
{
    struct walk walk = {timeline, choice, writer, own, gaps, NULL, 0, 0, 0};

    writer->process(own, timeline);
    gaps->has_thread = gaps->has_thread || has_thread(&walk);
    gaps->requests += timeline->session.requests;
    set_window(&walk);
    if (writer->number)
        tell_numbers(&walk);
    if (writer->sample)
        tell_samples(&walk);
    tell_calls(&walk);
    tell_commands(&walk);
    if (writer->end_process)
        writer->end_process(own);
}

enum status timeline_open(struct timeline *timeline, const char *path,
                          const struct timeline_choice *choice, struct diagnostic *diagnostic)
{
    struct session_options options = session_defaults();
    enum status status;

    *timeline = (struct timeline){0};
    options.window = choice->window;
    options.root = choice->root;
    options.calls_most = CALLS_KEPT; /* calls are read again and passed on */
    status =
        session_open_outline(&timeline->session, &timeline->outline, path, &options, diagnostic);
    if (status)
        return status;
    timeline->texts = storage_new();
    queue_tracks_init(&timeline->queues, &timeline->session);
    timeline->places = places_new(&timeline->session, session_find_frames);
    make_labels(timeline);
    return STATUS_OK;
}

void timeline_close(struct timeline *timeline)
{
    for (int kind = 0; kind < TIMELINE_KINDS; kind++)
        free(timeline->labels[kind]);
    storage_free(timeline->texts);
    queue_tracks_fini(&timeline->queues);
    outline_close(&timeline->outline);
    session_close(&timeline->session);
}
