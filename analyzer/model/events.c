/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the events of a trace.
 *
 * A row of events_handlers a kind of event.  Events refer to cells of their
 * lane's tallies; one that refers to nothing is counted as bad.
 */
#include "model/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "reader/merge.h"

/* Some megabytes. */
enum { EVENTS_BETWEEN_PROGRESS = 1 << 18 };

struct events_request {
    uint64_t id;
    uint64_t begin_ticks;
    UT_hash_handle hh;
};

struct events_metric {
    const char *name; /* kept once: its address is the key */
    size_t index;
    UT_hash_handle hh;
};

void events_init(struct events *events, const struct events_sources *sources)
{
    *events = (struct events){.session = sources->facts->session, .from = *sources};
    peaks_init(&events->peaks);
    array_init(&events->lanes, sizeof(struct events_lane));
    array_init(&events->regions, sizeof(struct events_region));
}

void events_fini(struct events *events)
{
    struct events_request *request;
    struct events_request *next_request;
    struct events_metric *metric;
    struct events_metric *next_metric;

    HASH_ITER(hh, events->requests, request, next_request)
    {
        HASH_DEL(events->requests, request);
        free(request);
    }
    HASH_ITER(hh, events->metrics, metric, next_metric)
    {
        HASH_DEL(events->metrics, metric);
        free(metric);
    }
    heap_fini(&events->heap);
    mappings_fini(&events->mappings);
    peaks_fini(&events->peaks);
    array_fini(&events->lanes);
    array_fini(&events->regions);
}

static enum status skip(struct events *events)
{
    events->bad_records++;
    return STATUS_OK;
}

static inline struct events_lane *find_lane(const struct events *events,
                                            const struct reader_event *event)
{
    return (struct events_lane *)events->lanes.items + event->source;
}

/* Times of blocks are cut to steps: a thread's first record may seem to be
 * that much older than its first tick. */
static void note_next_thread(struct events *events, struct events_lane *lane)
{
    const uint64_t *first = events->from.tallies->thread_ticks.items;
    uint64_t step = UINT64_C(1) << TRACE_TICK_SHIFT;

    lane->next_ticks = UINT64_MAX;
    if (!lane->tallies || lane->served + 1 >= lane->tallies->thread_count)
        return;
    uint64_t ticks = first[lane->tallies->first_thread + lane->served + 1];
    lane->next_ticks = ticks > step ? ticks - step : 0;
}

/* A lane whose tallies are missing counts as a thread of its own, beyond those
 * that are known. */
static void note_thread(struct events *events, struct events_lane *lane)
{
    size_t source = (size_t)(lane - (struct events_lane *)events->lanes.items);
    bool is_known = lane->tallies && lane->tallies->thread_count > 0;

    lane->heap.thread = is_known ? lane->tallies->first_thread + lane->served
                                 : (uint32_t)(events->session->threads.count + source);
    note_next_thread(events, lane);
}

/* The lane's next thread has begun, or one after it. */
static void change_thread(struct events *events, struct events_lane *lane, uint64_t ticks)
{
    heap_settle(&events->heap, &lane->heap);
    lane->heap.region = 0;
    while (ticks >= lane->next_ticks && lane->next_ticks < UINT64_MAX) {
        lane->served++;
        note_thread(events, lane);
    }
}

static enum status make_site(struct events *events, struct events_lane *lane, uint32_t number,
                             uint32_t *site)
{
    enum status status = chains_find_site(events->from.chains, lane->chains, number, site);

    if (!status && *site == events->heap.site_count)
        status = heap_add_site(&events->heap);
    return status;
}

static inline enum status find_site(struct events *events, struct events_lane *lane,
                                    uint32_t number, uint32_t *site)
{
    *site = chains_entry(lane->chains, number);
    return *site & CHAINS_CALL ? make_site(events, lane, number, site) : STATUS_OK;
}

/* What comes soon misses every cache otherwise: a block's place, then its site. */
static ALWAYS_INLINE void prefetch(const struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = find_lane(events, event);

    heap_prefetch(&events->heap, event->ahead);
    heap_prefetch_owner(&events->heap, event->near);
    heap_prefetch_site(&events->heap, chains_entry(lane->chains, event->ahead_cell) & ~CHAINS_CALL);
}

static enum status on_obtained(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);
    uint32_t site;

    prefetch(events, event);
    if (find_site(events, lane, event->cell, &site) ||
        heap_obtain(&events->heap, &lane->heap, event, site))
        return STATUS_OUT_OF_MEMORY;
    peaks_raise(&events->peaks, events->heap.live_bytes);
    return STATUS_OK;
}

static enum status on_free(struct events *events, const struct reader_event *event)
{
    prefetch(events, event);
    heap_free(&events->heap, &find_lane(events, event)->heap, event);
    return STATUS_OK;
}

static enum status on_release(struct events *events, const struct reader_event *event)
{
    prefetch(events, event);
    heap_release(&events->heap, &find_lane(events, event)->heap, event);
    return STATUS_OK;
}

static enum status on_realloc(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);
    uint32_t site;

    prefetch(events, event);
    if (find_site(events, lane, event->cell, &site) ||
        heap_move(&events->heap, &lane->heap, event, site))
        return STATUS_OUT_OF_MEMORY;
    peaks_raise(&events->peaks, events->heap.live_bytes);
    return STATUS_OK;
}

/* The block that was released last by this thread is there again. */
static enum status on_restore(struct events *events, const struct reader_event *event)
{
    struct heap_lane *lane = &find_lane(events, event)->heap;

    if (!heap_is_released(lane, event->address)) {
        lane->records++;
        return skip(events);
    }
    enum status status = heap_restore(&events->heap, lane, event->ticks);
    peaks_raise(&events->peaks, events->heap.live_bytes);
    return status;
}

/* Returns: the thread that a lane serves; the first when it is not known. */
static uint32_t find_thread(const struct events *events, const struct events_lane *lane)
{
    return lane->heap.thread < events->session->threads.count ? lane->heap.thread : 0;
}

/* So many at most are told apart; a slot is in more where it is a part of large routines. */
enum { AROUND_MOST = 64 };

static bool is_same_work(const struct session_slot *a, const struct session_slot *b)
{
    return a->flops_each == b->flops_each || (isnan(a->flops_each) && isnan(b->flops_each));
}

/* Returns: that of a slot around; a new one, with no time, where there is none. */
static struct session_around *find_around(struct session_slot *slot, uint32_t around)
{
    struct session_around *items = slot->around.items;

    for (size_t i = slot->around.count; i > 0; i--)
        if (items[i - 1].slot == around)
            return &items[i - 1];
    items = array_add(&slot->around);
    if (items)
        items->slot = around;
    return items;
}

/* A call that has ended was around those in the course that began after it. */
static enum status note_around(const struct session *session, const struct course_call *call)
{
    const struct session_slot *slot = session_slot_at(session, call->slot);
    const struct session_course *course = course_of(session, slot->thread);
    const struct course_call *calls = course->calls.items;

    for (size_t i = course->calls.count; i > 0 && calls[i - 1].start_ns >= call->start_ns; i--) {
        struct session_slot *inner = array_at(&session->slots, calls[i - 1].slot);
        bool is_told = is_same_work(inner, slot) && inner->around.count < AROUND_MOST;
        struct session_around *around =
            inner->nested ? find_around(inner, is_told ? call->slot : SESSION_NONE) : NULL;

        if (inner->nested && !around)
            return STATUS_OUT_OF_MEMORY;
        if (around)
            around->ns += course_length_ns(&calls[i - 1]);
    }
    return STATUS_OK;
}

/* A call from before the recording is damage, and in no order with others. */
static enum status add_call(struct events *events, const struct reader_event *event,
                            const struct session_slot *slot, uint64_t duration_ns)
{
    const struct session *session = events->session;
    const struct course_call call = {
        .start_ns = clock_convert(events->from.clock, event->ticks - event->duration),
        .slot = (uint32_t)(slot - (const struct session_slot *)session->slots.items),
        .length = course_pack_length(duration_ns)};

    if (event->duration > event->ticks)
        return STATUS_OK;
    if (note_around(session, &call))
        return STATUS_OUT_OF_MEMORY;
    return course_add(array_at(&session->courses, slot->thread), &call);
}

static enum status on_kernel(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_SLOT);

    lane->others++;
    if (!cell)
        return skip(events);
    struct session_slot *slot = array_at(&events->session->slots, cell->index);
    uint64_t *duration_ns = array_add_raw(&slot->durations_ns);
    if (!duration_ns)
        return STATUS_OUT_OF_MEMORY;
    *duration_ns = clock_convert_length(events->from.clock, event->duration);
    return add_call(events, event, slot, *duration_ns);
}

/* Returns: the region of an event, or SESSION_NONE after counting it as bad. */
static uint32_t find_region(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);

    lane->others++;
    if (cell)
        return cell->index;
    events->bad_records++;
    return SESSION_NONE;
}

static uint64_t count_live_bytes(const struct events *events)
{
    return heap_bytes(&events->heap, events->heap.live_bytes);
}

/* Regions of a lane nest, so that the outermost one under way is one at most. */
static void note_begin(struct events *events, const struct reader_event *event, uint32_t index)
{
    const struct session_region *region = session_region_at(events->session, index);
    struct events_lane *lane = find_lane(events, event);

    if (region->parent != 0)
        return;
    lane->outer_region = index;
    lane->outer_begin_bytes = count_live_bytes(events);
}

/* For the reading that may follow. */
static void note_end(struct events *events, const struct reader_event *event, uint32_t index)
{
    const struct session_region *region = session_region_at(events->session, index);
    struct events_lane *lane = find_lane(events, event);

    if (region->parent != 0)
        return;
    lane->ended_begin_bytes =
        lane->outer_region == index ? lane->outer_begin_bytes : SESSION_UNKNOWN;
    lane->outer_region = 0;
}

static enum status on_enter(struct events *events, const struct reader_event *event)
{
    uint32_t index = find_region(events, event);

    if (index == SESSION_NONE)
        return STATUS_OK;
    struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    find_lane(events, event)->heap.region = index;
    note_begin(events, event, index);
    if (to->begin_heap_bytes == SESSION_UNKNOWN)
        to->begin_heap_bytes = count_live_bytes(events);
    if (region->open++ > 0)
        return STATUS_OK;
    return peaks_mark(&events->peaks, events->heap.live_bytes, &region->moment);
}

static void close_region(struct events *events, uint32_t index)
{
    const struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    uint64_t highest = heap_bytes(&events->heap, peaks_forget(&events->peaks, region->moment));

    if (to->peak_heap_bytes == SESSION_UNKNOWN || to->peak_heap_bytes < highest)
        to->peak_heap_bytes = highest;
}

/* The reading of a lap's clock, if it is that of its region. */
static enum status add_clock(struct events *events, const struct events_lane *lane,
                             const struct reader_event *event)
{
    const uint64_t *words = lane->clock_words;
    struct session_clock *clock;

    if (!lane->has_clock || (uint32_t)words[0] != event->cell)
        return STATUS_OK;
    clock = array_add(&events->session->clocks);
    if (!clock)
        return STATUS_OUT_OF_MEMORY;
    *clock = (struct session_clock){.lap = events->session->laps.count - 1,
                                    .drawn_of = (double)(words[0] >> 32),
                                    .passed_ns = (double)words[1],
                                    .before_ns =
                                        (double)clock_convert_length(events->from.clock, words[2])};
    return STATUS_OK;
}

/* Like a kernel's call, one from before the recording is damage. */
static enum status add_lap(struct events *events, const struct reader_event *event, uint32_t region)
{
    struct session_lap *lap;

    if (event->duration > event->ticks)
        return STATUS_OK;
    lap = array_add(&events->session->laps);
    if (!lap)
        return STATUS_OUT_OF_MEMORY;
    *lap = (struct session_lap){
        .start_ns = clock_convert(events->from.clock, event->ticks - event->duration),
        .end_ns = clock_convert(events->from.clock, event->ticks),
        .region = region,
        .thread = find_thread(events, find_lane(events, event)),
    };
    return add_clock(events, find_lane(events, event), event);
}

/* An end whose begin was overwritten closes nothing. */
static enum status on_leave(struct events *events, const struct reader_event *event)
{
    uint32_t index = find_region(events, event);

    if (index == SESSION_NONE)
        return STATUS_OK;
    struct events_region *region = array_at(&events->regions, index);
    struct session_region *to = array_at(&events->session->regions, index);
    find_lane(events, event)->heap.region = to->parent;
    note_end(events, event, index);
    to->end_heap_bytes = count_live_bytes(events);
    if (region->open > 0 && --region->open == 0)
        close_region(events, index);
    enum status status = add_lap(events, event, index);
    find_lane(events, event)->has_clock = false;
    return status;
}

/* The words of a reading follow what is particular to its type. */
static enum status add_reading(struct events *events, const struct reader_event *event,
                               enum session_reading_kind kind, const uint64_t *words)
{
    struct session *session = events->session;
    struct session_reading *reading = array_add(&session->readings);

    if (!reading)
        return STATUS_OUT_OF_MEMORY;
    reading->kind = kind;
    reading->time_ns = clock_convert(events->from.clock, event->ticks);
    reading->thread = find_thread(events, find_lane(events, event));
    if (kind != SESSION_READING_PERIODIC)
        reading->label = facts_string(events->from.facts, event->words[0]);
    reading->live_heap_bytes = count_live_bytes(events);
    reading->begin_heap_bytes =
        kind == SESSION_READING_END ? find_lane(events, event)->ended_begin_bytes : SESSION_UNKNOWN;
    reading->mapped_bytes = events->mappings.bytes;
    memcpy(&reading->values, words, sizeof reading->values);
    reading->delay_ns = reading->voluntary_switches = reading->involuntary_switches =
        SESSION_UNKNOWN;
    find_lane(events, event)->reading = session->readings.count;
    if (!session->process.has_last)
        session->process.last = reading->values;
    return STATUS_OK;
}

static enum status on_turns(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);
    struct session_reading *reading;

    if (lane->reading == 0)
        return skip(events);
    reading = array_at(&events->session->readings, lane->reading - 1);
    reading->delay_ns = event->words[0];
    reading->voluntary_switches = event->words[1];
    reading->involuntary_switches = event->words[2];
    lane->reading = 0;
    return STATUS_OK;
}

static enum status on_clock(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);

    memcpy(lane->clock_words, event->words, sizeof lane->clock_words);
    lane->has_clock = true;
    return STATUS_OK;
}

static enum status on_reading(struct events *events, const struct reader_event *event)
{
    return add_reading(events, event, SESSION_READING_PERIODIC, event->words);
}

static enum status on_snapshot(struct events *events, const struct reader_event *event)
{
    return add_reading(events, event, SESSION_READING_SNAPSHOT, event->words + 1);
}

static enum status on_border(struct events *events, const struct reader_event *event)
{
    return add_reading(events, event,
                       event->words[1] != 0 ? SESSION_READING_BEGIN : SESSION_READING_END,
                       event->words + 2);
}

/* What is mapped belongs to the stretches of time that follow. */
static void pass_time(struct events *events, uint64_t ticks)
{
    const struct heap *heap = &events->heap;

    heap_pass_time(&events->heap, ticks);
    mappings_pass_marks(&events->mappings, heap->marks.count, heap->moments.length);
}

static enum status find_origin(struct events *events, const struct reader_event *event,
                               uint64_t chain, struct mappings_origin *origin)
{
    enum status status = chains_find_mapping(events->from.chains, find_lane(events, event)->chains,
                                             chain, &origin->site);

    origin->ticks = event->ticks;
    if (!status && origin->site == events->mappings.sites.count)
        status = mappings_add_site(&events->mappings);
    return status;
}

/* The protection and the flags of mmap. */
static enum mappings_kind kind_of(uint64_t word)
{
    if (word >> 32 == PROT_NONE)
        return MAPPINGS_RESERVED;
    return word & MAP_ANONYMOUS ? MAPPINGS_MEMORY : MAPPINGS_FILE;
}

static enum status on_map(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};
    struct mappings_origin origin;

    pass_time(events, event->ticks);
    enum status status = find_origin(events, event, event->words[3], &origin);
    origin.kind = kind_of(event->words[2]);
    if (!status)
        status = mappings_map(&events->mappings, extent, &origin);
    events->heap.mapped_bytes = events->mappings.bytes;
    return status;
}

static enum status on_unmap(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};

    pass_time(events, event->ticks);
    enum status status = mappings_unmap(&events->mappings, extent);
    events->heap.mapped_bytes = events->mappings.bytes;
    return status;
}

static enum status on_remap_begin(struct events *events, const struct reader_event *event)
{
    const struct mappings_extent extent = {event->words[0], event->words[1]};
    struct events_lane *lane = find_lane(events, event);

    pass_time(events, event->ticks);
    lane->is_moving = true;
    return mappings_begin_move(&events->mappings, extent, &lane->moving);
}

/* Without a begin nothing went: the memory grew in its place, or stays as well. */
static enum status on_remap(struct events *events, const struct reader_event *event)
{
    const struct mappings_move move = {{event->words[0], event->words[1]},
                                       {event->words[2], event->words[3]}};
    struct events_lane *lane = find_lane(events, event);
    struct mappings_origin origin;

    pass_time(events, event->ticks);
    enum status status = find_origin(events, event, event->words[4], &origin);
    if (!status && lane->is_moving)
        status = mappings_end_move(&events->mappings, move.to, &lane->moving, &origin);
    else if (!status)
        status = mappings_remap(&events->mappings, &move, &origin);
    lane->is_moving = false;
    events->heap.mapped_bytes = events->mappings.bytes;
    return status;
}

static struct events_metric *add_metric(struct events *events, const char *name)
{
    struct session_metric *metric = array_add(&events->session->metrics);
    struct events_metric *entry = metric ? calloc(1, sizeof *entry) : NULL;

    if (!entry)
        return NULL;
    metric->name = name;
    entry->name = name;
    entry->index = events->session->metrics.count - 1;
    HASH_ADD_PTR(events->metrics, name, entry);
    if (hash_was_added(&entry->hh))
        return entry;
    free(entry);
    return NULL;
}

static enum status on_metric(struct events *events, const struct reader_event *event)
{
    const char *name = facts_string(events->from.facts, event->words[0]);
    struct events_metric *entry;

    HASH_FIND_PTR(events->metrics, &name, entry);
    if (!entry)
        entry = add_metric(events, name);
    if (!entry)
        return STATUS_OUT_OF_MEMORY;
    struct session_metric *metric = array_at(&events->session->metrics, entry->index);
    memcpy(&metric->value, &event->words[1], sizeof metric->value);
    metric->count++;
    return STATUS_OK;
}

/* Items are in the tallies, exact even when their events are lost. */
static enum status on_items(struct events *events, const struct reader_event *event)
{
    (void)events;
    (void)event;
    return STATUS_OK;
}

static enum status on_request_begin(struct events *events, const struct reader_event *event)
{
    struct events_request *request;

    HASH_FIND(hh, events->requests, event->words, sizeof request->id, request);
    if (request) {
        request->begin_ticks = event->ticks;
        return STATUS_OK;
    }
    request = calloc(1, sizeof *request);
    if (!request)
        return STATUS_OUT_OF_MEMORY;
    request->id = event->words[0];
    request->begin_ticks = event->ticks;
    HASH_ADD(hh, events->requests, id, sizeof request->id, request);
    if (hash_was_added(&request->hh))
        return STATUS_OK;
    free(request);
    return STATUS_OUT_OF_MEMORY;
}

/* A request may end on another thread than it began. */
static enum status on_request_end(struct events *events, const struct reader_event *event)
{
    struct events_request *request;

    events->session->requests++;
    HASH_FIND(hh, events->requests, event->words, sizeof request->id, request);
    if (!request)
        return STATUS_OK;
    uint64_t ticks = event->ticks - request->begin_ticks;
    HASH_DEL(events->requests, request);
    free(request);
    uint64_t *duration_ns = array_add(&events->session->requests_ns);
    if (!duration_ns)
        return STATUS_OUT_OF_MEMORY;
    *duration_ns = clock_convert_length(events->from.clock, ticks);
    return STATUS_OK;
}

typedef enum status (*events_handler)(struct events *, const struct reader_event *);

static const events_handler events_extended_handlers[TRACE_EXTENDED_TYPES] = {
    [TRACE_EXTENDED_READING] = on_reading,
    [TRACE_EXTENDED_SNAPSHOT] = on_snapshot,
    [TRACE_EXTENDED_METRIC] = on_metric,
    [TRACE_EXTENDED_ITEMS] = on_items,
    [TRACE_EXTENDED_REQUEST_BEGIN] = on_request_begin,
    [TRACE_EXTENDED_REQUEST_END] = on_request_end,
    [TRACE_EXTENDED_MAP] = on_map,
    [TRACE_EXTENDED_UNMAP] = on_unmap,
    [TRACE_EXTENDED_REMAP] = on_remap,
    [TRACE_EXTENDED_REMAP_BEGIN] = on_remap_begin,
    [TRACE_EXTENDED_BORDER] = on_border,
    [TRACE_EXTENDED_CLOCK] = on_clock,
    [TRACE_EXTENDED_TURNS] = on_turns,
};

static enum status on_extended(struct events *events, const struct reader_event *event)
{
    find_lane(events, event)->others++;
    return events_extended_handlers[event->type](events, event);
}

/* The reader gives neither NONE nor TIME. */
static const events_handler events_handlers[TRACE_EVENT_KINDS] = {
    [TRACE_EVENT_MALLOC] = on_obtained,   [TRACE_EVENT_CALLOC] = on_obtained,
    [TRACE_EVENT_REALLOC] = on_realloc,   [TRACE_EVENT_ALIGNED] = on_obtained,
    [TRACE_EVENT_FREE] = on_free,         [TRACE_EVENT_RELEASE] = on_release,
    [TRACE_EVENT_RESTORE] = on_restore,   [TRACE_EVENT_KERNEL] = on_kernel,
    [TRACE_EVENT_ENTER] = on_enter,       [TRACE_EVENT_LEAVE] = on_leave,
    [TRACE_EVENT_EXTENDED] = on_extended,
};

static enum status make_lanes(struct events *events, const struct merge *merge)
{
    enum status status = array_reserve(&events->lanes, merge->source_count);

    for (size_t i = 0; !status && i < merge->source_count; i++) {
        uint32_t number = merge_lane(merge, i);
        struct tallies_lane *tallies = tallies_find_lane(events->from.tallies, number);
        struct events_lane *lane = array_add(&events->lanes);

        if (!lane)
            return STATUS_OUT_OF_MEMORY;
        if (tallies)
            tallies->source = (int64_t)i;
        lane->tallies = tallies;
        lane->chains = chains_find_lane(events->from.chains, number);
        lane->ended_begin_bytes = SESSION_UNKNOWN;
        note_thread(events, lane);
    }
    return status;
}

static enum status make_regions(struct events *events)
{
    for (size_t i = 0; i < events->session->regions.count; i++)
        if (!array_add(&events->regions))
            return STATUS_OUT_OF_MEMORY;
    return STATUS_OK;
}

static inline enum status take(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = find_lane(events, event);

    lane->last_ticks = event->ticks;
    if (event->ticks >= lane->next_ticks)
        change_thread(events, lane, event->ticks);
    return events_handlers[event->kind](events, event);
}

static void tell_progress(const struct events *events, const struct merge *merge)
{
    const struct session_options *options = events->from.options;

    if (options->on_progress)
        options->on_progress(options->progress_of, merge->read_bytes, merge->whole_bytes);
}

static enum status run(struct events *events, struct merge *merge)
{
    const struct reader_event *event = merge_next(merge);
    enum status status = STATUS_OK;

    while (!status && event) {
        for (int i = 0; !status && event && i < EVENTS_BETWEEN_PROGRESS; i++) {
            status = take(events, event);
            event = merge_next(merge);
        }
        tell_progress(events, merge);
    }
    return status;
}

/* Returns: the last that is known of the recording, in ticks. */
static uint64_t find_end(const struct events *events, const struct reader *reader)
{
    const struct events_lane *lane = events->lanes.items;
    uint64_t end = reader->header.end.ticks;

    for (size_t i = 0; i < events->lanes.count; i++)
        end = lane[i].last_ticks > end ? lane[i].last_ticks : end;
    return end;
}

static void finish(struct events *events, const struct reader *reader)
{
    const struct events_region *region = events->regions.items;
    struct events_lane *lane = events->lanes.items;

    for (uint32_t i = 0; i < events->regions.count; i++)
        if (region[i].open > 0)
            close_region(events, i);
    for (size_t i = 0; i < events->lanes.count; i++)
        heap_settle(&events->heap, &lane[i].heap);
    pass_time(events, find_end(events, reader));
    heap_finish(&events->heap, find_end(events, reader));
    mappings_finish(&events->mappings);
}

static enum status start(struct events *events, const struct reader *reader)
{
    const struct heap_options options = {
        .clock = events->from.clock,
        .sample_bytes = reader->header.sample_bytes,
        .short_ns = events->from.options->short_ns,
        .region_count = events->session->regions.count,
    };

    mappings_init(&events->mappings, reader->header.page_size);
    return heap_init(&events->heap, &options);
}

enum status events_read(struct events *events, const struct reader *reader)
{
    struct merge merge;
    enum status status = start(events, reader);

    if (!status)
        status = merge_open(&merge, reader);
    if (status)
        return status;
    status = make_lanes(events, &merge);
    if (!status)
        status = make_regions(events);
    if (!status)
        status = run(events, &merge);
    if (!status)
        finish(events, reader);
    events->bad_records += merge.bad_records;
    events->torn_chunks += merge.torn_chunks;
    merge_close(&merge);
    return status;
}
