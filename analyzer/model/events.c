/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c: one pass over the events of a trace.
 *
 * A row of events_handlers a kind of event.  Events refer to cells of their
 * lane's tallies; one that refers to nothing is counted as bad.
 */
#include "model/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "reader/merge.h"

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

void events_init(struct events *events, const struct facts *facts, const struct tallies *tallies,
                 const struct clock *clock)
{
    *events = (struct events){
        .session = facts->session, .facts = facts, .clock = clock, .tallies = tallies};
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
    peaks_fini(&events->peaks);
    array_fini(&events->lanes);
    array_fini(&events->regions);
}

static enum status events_skip(struct events *events)
{
    events->bad_records++;
    return STATUS_OK;
}

static inline struct events_lane *events_lane(const struct events *events,
                                              const struct reader_event *event)
{
    return (struct events_lane *)events->lanes.items + event->source;
}

/* ---- blocks ------------------------------------------------------------ */

static inline enum status events_obtain(struct events *events, const struct heap_block *block,
                                        uint64_t ticks)
{
    enum status status = heap_obtain(&events->heap, block, ticks);

    peaks_raise(&events->peaks, events->heap.live_bytes);
    return status;
}

static enum status events_on_obtained(struct events *events, const struct reader_event *event)
{
    const struct heap_block block = {event->address, event->size};

    heap_prefetch(&events->heap, event->ahead);
    events_lane(events, event)->blocks++;
    return events_obtain(events, &block, event->ticks);
}

static enum status events_on_free(struct events *events, const struct reader_event *event)
{
    uint64_t size;

    heap_prefetch(&events->heap, event->ahead);
    events_lane(events, event)->blocks++;
    heap_release(&events->heap, event->address, event->ticks, &size);
    return STATUS_OK;
}

static enum status events_on_release(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_lane(events, event);
    struct events_release *release = &lane->release;

    lane->blocks++;
    release->address = event->address;
    release->was_live = heap_release(&events->heap, event->address, event->ticks, &release->size);
    return STATUS_OK;
}

/* The block that was released last by this thread is there again.  If it was
 * not known before, its release was no loss either. */
static enum status events_on_restore(struct events *events, const struct reader_event *event)
{
    struct events_release *release = &events_lane(events, event)->release;
    const struct heap_block block = {event->address, release->size};
    bool is_same = release->address == event->address && event->address != 0;

    events_lane(events, event)->blocks++;
    release->address = 0;
    if (!is_same)
        return events_skip(events);
    if (release->was_live)
        return events_obtain(events, &block, event->ticks);
    if (events->heap.unknown_frees > 0)
        events->heap.unknown_frees--;
    return STATUS_OK;
}

/* ---- calls and regions ------------------------------------------------- */

static enum status events_on_kernel(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_SLOT);

    lane->others++;
    if (!cell)
        return events_skip(events);
    struct session_slot *slot = array_at(&events->session->slots, cell->index);
    uint64_t *duration_ns = array_add(&slot->durations_ns);
    if (!duration_ns)
        return STATUS_OUT_OF_MEMORY;
    *duration_ns = clock_convert_length(events->clock, event->duration);
    return STATUS_OK;
}

/* Returns: the region of an event, or NULL after counting it as bad. */
static struct events_region *events_find_region(struct events *events,
                                                const struct reader_event *event)
{
    struct events_lane *lane = events_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);

    lane->others++;
    if (cell)
        return array_at(&events->regions, cell->index);
    events->bad_records++;
    return NULL;
}

static enum status events_on_enter(struct events *events, const struct reader_event *event)
{
    struct events_region *region = events_find_region(events, event);

    if (!region || region->open++ > 0)
        return STATUS_OK;
    return peaks_mark(&events->peaks, events->heap.live_bytes, &region->moment);
}

static void events_close_region(struct events *events, struct events_region *region)
{
    size_t index = (size_t)(region - (struct events_region *)events->regions.items);
    struct session_region *to = array_at(&events->session->regions, index);
    uint64_t highest = peaks_forget(&events->peaks, region->moment);

    if (to->peak_heap_bytes == SESSION_UNKNOWN || to->peak_heap_bytes < highest)
        to->peak_heap_bytes = highest;
}

/* An end whose begin was overwritten closes nothing. */
static enum status events_on_leave(struct events *events, const struct reader_event *event)
{
    struct events_region *region = events_find_region(events, event);

    if (region && region->open > 0 && --region->open == 0)
        events_close_region(events, region);
    return STATUS_OK;
}

/* ---- extended records -------------------------------------------------- */

/* Returns: the thread that a lane served at this time. */
static uint32_t events_find_thread(const struct events *events, struct events_lane *lane,
                                   uint64_t time_ns)
{
    const struct tallies_lane *tallies = lane->tallies;
    const struct session_thread *threads = events->session->threads.items;

    if (!tallies || tallies->thread_count == 0)
        return 0;
    threads += tallies->first_thread;
    while (lane->thread + 1 < tallies->thread_count &&
           threads[lane->thread + 1].first_ns <= time_ns)
        lane->thread++;
    return tallies->first_thread + lane->thread;
}

static enum status events_add_reading(struct events *events, const struct reader_event *event,
                                      const uint64_t *words, const char *label)
{
    struct session *session = events->session;
    struct session_reading *reading = array_add(&session->readings);

    if (!reading)
        return STATUS_OUT_OF_MEMORY;
    reading->time_ns = clock_convert(events->clock, event->ticks);
    reading->thread = events_find_thread(events, events_lane(events, event), reading->time_ns);
    reading->label = label;
    reading->live_heap_bytes = events->heap.live_bytes;
    memcpy(&reading->values, words, sizeof reading->values);
    if (!session->process.has_last)
        session->process.last = reading->values;
    return STATUS_OK;
}

static enum status events_on_reading(struct events *events, const struct reader_event *event)
{
    return events_add_reading(events, event, event->words, NULL);
}

static enum status events_on_snapshot(struct events *events, const struct reader_event *event)
{
    return events_add_reading(events, event, event->words + 1,
                              facts_string(events->facts, event->words[0]));
}

static struct events_metric *events_add_metric(struct events *events, const char *name)
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

static enum status events_on_metric(struct events *events, const struct reader_event *event)
{
    const char *name = facts_string(events->facts, event->words[0]);
    struct events_metric *entry;

    HASH_FIND_PTR(events->metrics, &name, entry);
    if (!entry)
        entry = events_add_metric(events, name);
    if (!entry)
        return STATUS_OUT_OF_MEMORY;
    struct session_metric *metric = array_at(&events->session->metrics, entry->index);
    memcpy(&metric->value, &event->words[1], sizeof metric->value);
    metric->count++;
    return STATUS_OK;
}

/* Items are in the tallies, exact even when their events are lost. */
static enum status events_on_items(struct events *events, const struct reader_event *event)
{
    (void)events;
    (void)event;
    return STATUS_OK;
}

static enum status events_on_request_begin(struct events *events, const struct reader_event *event)
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
static enum status events_on_request_end(struct events *events, const struct reader_event *event)
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
    *duration_ns = clock_convert_length(events->clock, ticks);
    return STATUS_OK;
}

typedef enum status (*events_handler)(struct events *, const struct reader_event *);

static const events_handler events_extended_handlers[TRACE_EXTENDED_TYPES] = {
    [TRACE_EXTENDED_READING] = events_on_reading,
    [TRACE_EXTENDED_SNAPSHOT] = events_on_snapshot,
    [TRACE_EXTENDED_METRIC] = events_on_metric,
    [TRACE_EXTENDED_ITEMS] = events_on_items,
    [TRACE_EXTENDED_REQUEST_BEGIN] = events_on_request_begin,
    [TRACE_EXTENDED_REQUEST_END] = events_on_request_end,
};

static enum status events_on_extended(struct events *events, const struct reader_event *event)
{
    events_lane(events, event)->others++;
    return events_extended_handlers[event->type](events, event);
}

/* ---- the pass ---------------------------------------------------------- */

/* The reader gives neither NONE nor TIME. */
static const events_handler events_handlers[TRACE_EVENT_KINDS] = {
    [TRACE_EVENT_MALLOC] = events_on_obtained,   [TRACE_EVENT_CALLOC] = events_on_obtained,
    [TRACE_EVENT_REALLOC] = events_on_obtained,  [TRACE_EVENT_ALIGNED] = events_on_obtained,
    [TRACE_EVENT_FREE] = events_on_free,         [TRACE_EVENT_RELEASE] = events_on_release,
    [TRACE_EVENT_RESTORE] = events_on_restore,   [TRACE_EVENT_KERNEL] = events_on_kernel,
    [TRACE_EVENT_ENTER] = events_on_enter,       [TRACE_EVENT_LEAVE] = events_on_leave,
    [TRACE_EVENT_EXTENDED] = events_on_extended,
};

static enum status events_make_lanes(struct events *events, const struct merge *merge)
{
    for (size_t i = 0; i < merge->source_count; i++) {
        struct events_lane *lane = array_add(&events->lanes);

        if (!lane)
            return STATUS_OUT_OF_MEMORY;
        struct tallies_lane *tallies = tallies_find_lane(events->tallies, merge_lane(merge, i));
        if (tallies)
            tallies->source = (int64_t)i;
        lane->tallies = tallies;
    }
    return STATUS_OK;
}

static enum status events_make_regions(struct events *events)
{
    for (size_t i = 0; i < events->session->regions.count; i++)
        if (!array_add(&events->regions))
            return STATUS_OUT_OF_MEMORY;
    return STATUS_OK;
}

static enum status events_run(struct events *events, struct merge *merge)
{
    const struct reader_event *event;
    enum status status = STATUS_OK;

    while (!status && (event = merge_next(merge))) {
        events_lane(events, event)->last_ticks = event->ticks;
        status = events_handlers[event->kind](events, event);
    }
    return status;
}

static void events_close_all(struct events *events)
{
    struct events_region *region = events->regions.items;

    for (size_t i = 0; i < events->regions.count; i++)
        if (region[i].open > 0)
            events_close_region(events, &region[i]);
}

enum status events_read(struct events *events, const struct reader *reader)
{
    struct merge merge;
    enum status status = heap_init(&events->heap);

    if (!status)
        status = merge_open(&merge, reader);
    if (status)
        return status;
    status = events_make_lanes(events, &merge);
    if (!status)
        status = events_make_regions(events);
    if (!status)
        status = events_run(events, &merge);
    if (!status)
        events_close_all(events);
    events->bad_records += merge.bad_records;
    events->torn_chunks += merge.torn_chunks;
    merge_close(&merge);
    return status;
}
