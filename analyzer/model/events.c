/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the events of a trace.
 *
 * One row of events_handlers for each kind of event.  Events refer to cells of their lane's
 * tallies; an event that refers to no cell is counted as bad.
 */
#include "model/events_parts.h"

#include <stdlib.h>

#include "model/session_unknown.h"
#include "reader/merge.h"

/* Some megabytes. */
enum { EVENTS_BETWEEN_PROGRESS = 1 << 18 };

void events_init(struct events *events, const struct events_sources *sources)
{
    *events = (struct events){.session = sources->facts->session, .from = *sources};
    events->draws.state = 1;
    peaks_init(&events->peaks);
    cpu_samples_init(&events->samples, events->session);
    array_init(&events->lanes, sizeof(struct events_lane));
    array_init(&events->regions, sizeof(struct events_region));
    array_init(&events->window.slots, sizeof(struct events_slot));
}

void events_fini(struct events *events)
{
    struct events_lane *lane = events->lanes.items;

    for (size_t i = 0; i < events->lanes.count; i++) {
        array_fini(&lane[i].begins);
        events_free_ops(&lane[i]);
        free(lane[i].cells_seen);
    }
    array_fini(&events->window.slots);
    events_free_requests(events);
    events_free_connections(events);
    events_free_contexts(events);
    events_free_metrics(events);
    events_free_threads(events);
    heap_fini(&events->heap);
    op_memory_fini(&events->op_memory);
    beats_fini(&events->beats);
    op_growth_fini(&events->growth);
    mappings_fini(&events->mappings);
    peaks_fini(&events->peaks);
    cpu_samples_fini(&events->samples);
    id_map_fini(&events->commands);
    id_map_fini(&events->device_blocks);
    array_fini(&events->lanes);
    array_fini(&events->regions);
}

void events_skip(struct events *events)
{
    events->bad_records++;
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

/* A lane without tallies counts as its own thread, after the known threads. */
static void note_thread(struct events *events, struct events_lane *lane)
{
    size_t source = (size_t)(lane - (struct events_lane *)events->lanes.items);
    bool is_known = lane->tallies && lane->tallies->thread_count > 0;

    lane->heap.thread = is_known ? lane->tallies->first_thread + lane->served
                                 : (uint32_t)(events->session->threads.count + source);
    note_next_thread(events, lane);
}

/* The lane's next thread has started, or one after it. */
void events_change_thread(struct events *events, struct events_lane *lane, uint64_t ticks)
{
    beats_end_lane(events, lane);

    heap_settle(&events->heap, &lane->heap);
    lane->heap.region = 0;
    lane->op = 0;
    lane->order = (struct events_op_order){0};
    array_truncate(&lane->ops, 0);
    while (ticks >= lane->next_ticks && lane->next_ticks < UINT64_MAX) {
        lane->served++;
        note_thread(events, lane);
    }
}

static void make_site(struct events *events, struct events_lane *lane, uint32_t number,
                      uint32_t *site)
{
    chains_find_site(events->from.chains, lane->chains, number, site);

    if (events->heap.stage == HEAP_EXACT && *site == events->heap.site_count)
        heap_add_site(&events->heap);
}

/* Since a stage started, blocks that are not drawn have no site. */
static inline void find_site(struct events *events, struct events_lane *lane,
                             const struct reader_event *event, uint32_t *site)
{
    *site = chains_entry(lane->chains, event->cell);
    if (*site & CHAINS_CALL && heap_has_owner(&events->heap, event))
        make_site(events, lane, event->cell, site);
}

static void on_obtained(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    uint32_t site;

    find_site(events, lane, event, &site);
    op_memory_obtain(events, event);
    heap_obtain(&events->heap, &lane->heap, event, site);
    peaks_raise(&events->peaks, events->heap.live_bytes);
    beats_obtain(events, lane, event->size);
}

static void on_free(struct events *events, const struct reader_event *event)
{
    op_memory_free(events, event);
    heap_free(&events->heap, &events_find_lane(events, event)->heap, event);
}

static void on_release(struct events *events, const struct reader_event *event)
{
    op_memory_free(events, event);
    heap_release(&events->heap, &events_find_lane(events, event)->heap, event);
}

static void on_realloc(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    uint32_t site;

    find_site(events, lane, event, &site);
    op_memory_obtain(events, event);
    heap_move(&events->heap, &lane->heap, event, site);
    peaks_raise(&events->peaks, events->heap.live_bytes);
    beats_obtain(events, lane, event->size);
}

/* The block that was released last by this thread is there again. */
static void on_restore(struct events *events, const struct reader_event *event)
{
    struct heap_lane *lane = &events_find_lane(events, event)->heap;

    if (!heap_is_released(lane, event->address)) {
        lane->records++;
        if (!events->heap.is_lenient)
            events_skip(events);
        return;
    }
    heap_restore(&events->heap, lane, event->ticks);
    peaks_raise(&events->peaks, events->heap.live_bytes);
}

/* Returns: the thread of a lane; the first thread if it is unknown. */
uint32_t events_find_thread(const struct events *events, const struct events_lane *lane)
{
    return lane->heap.thread < events->session->threads.count ? lane->heap.thread : 0;
}

uint64_t events_live_bytes(const struct events *events)
{
    return events->heap.live_bytes;
}

/* Items are in the tallies, exact even when their events are lost. */
static void on_items(struct events *events, const struct reader_event *event)
{
    (void)events;
    (void)event;
}

typedef void (*events_handler)(struct events *, const struct reader_event *);

static const events_handler events_extended_handlers[TRACE_EXTENDED_TYPES] = {
    [TRACE_EXTENDED_READING] = events_on_reading,
    [TRACE_EXTENDED_SNAPSHOT] = events_on_snapshot,
    [TRACE_EXTENDED_METRIC] = events_on_metric,
    [TRACE_EXTENDED_ITEMS] = on_items,
    [TRACE_EXTENDED_REQUEST_BEGIN] = events_on_request_begin,
    [TRACE_EXTENDED_REQUEST_END] = events_on_request_end,
    [TRACE_EXTENDED_MAP] = events_on_map,
    [TRACE_EXTENDED_UNMAP] = events_on_unmap,
    [TRACE_EXTENDED_REMAP] = events_on_remap,
    [TRACE_EXTENDED_REMAP_BEGIN] = events_on_remap_begin,
    [TRACE_EXTENDED_BORDER] = events_on_border,
    [TRACE_EXTENDED_CLOCK] = events_on_clock,
    [TRACE_EXTENDED_TURNS] = events_on_turns,
    [TRACE_EXTENDED_STAGE] = events_on_stage,
    [TRACE_EXTENDED_HEAP] = events_on_heap,
    [TRACE_EXTENDED_SAMPLE] = events_on_sample,
    [TRACE_EXTENDED_WAIT] = events_on_wait,
    [TRACE_EXTENDED_WAKE] = events_on_wake,
    [TRACE_EXTENDED_SHARED] = events_on_shared,
    [TRACE_EXTENDED_SURROUNDINGS] = events_on_surroundings,
    [TRACE_EXTENDED_PART] = events_on_part,
    [TRACE_EXTENDED_AREA] = events_on_area,
    [TRACE_EXTENDED_ZEROS] = events_on_zeros,
    [TRACE_EXTENDED_THREAD] = events_on_thread,
    [TRACE_EXTENDED_JOINED] = events_on_joined,
    [TRACE_EXTENDED_COMMAND] = events_on_command,
    [TRACE_EXTENDED_COMMAND_TIMES] = events_on_command_times,
    [TRACE_EXTENDED_DEVICE_CLOCK] = events_on_device_clock,
    [TRACE_EXTENDED_DEVICE_ALLOC] = events_on_device_alloc,
    [TRACE_EXTENDED_DEVICE_FREE] = events_on_device_free,
    [TRACE_EXTENDED_DEVICE_NUMBER] = events_on_device_number,
    [TRACE_EXTENDED_SPAN] = events_on_span,
    [TRACE_EXTENDED_MARK] = events_on_mark,
    [TRACE_EXTENDED_PAYLOAD] = events_on_payload,
    [TRACE_EXTENDED_REQUEST] = events_on_request,
    [TRACE_EXTENDED_REQUEST_CONTEXT] = events_on_request_context,
};

static void on_extended(struct events *events, const struct reader_event *event)
{
    events_find_lane(events, event)->others++;
    events_extended_handlers[event->type](events, event);
}

/* The reader passes neither NONE nor TIME. */
static const events_handler events_handlers[TRACE_EVENT_KINDS] = {
    [TRACE_EVENT_MALLOC] = on_obtained,    [TRACE_EVENT_CALLOC] = on_obtained,
    [TRACE_EVENT_REALLOC] = on_realloc,    [TRACE_EVENT_ALIGNED] = on_obtained,
    [TRACE_EVENT_FREE] = on_free,          [TRACE_EVENT_RELEASE] = on_release,
    [TRACE_EVENT_RESTORE] = on_restore,    [TRACE_EVENT_KERNEL] = events_on_kernel,
    [TRACE_EVENT_ENTER] = events_on_enter, [TRACE_EVENT_LEAVE] = events_on_leave,
    [TRACE_EVENT_EXTENDED] = on_extended,
};

void events_handle(struct events *events, const struct reader_event *event)
{
    events_handlers[event->kind](events, event);
}

static void make_lanes(struct events *events, const struct merge *merge)
{
    array_reserve(&events->lanes, merge->source_count);

    for (size_t i = 0; i < merge->source_count; i++) {
        uint32_t number = merge_lane(merge, i);
        struct tallies_lane *tallies = tallies_find_lane(events->from.tallies, number);
        struct events_lane *lane = array_add(&events->lanes);

        if (tallies)
            tallies->source = (int64_t)i;
        lane->tallies = tallies;
        lane->chains = chains_find_lane(events->from.chains, number);
        lane->ended_begin_bytes = SESSION_UNKNOWN;
        array_init(&lane->begins, sizeof(uint64_t));
        events_begin_ops(lane);
        note_thread(events, lane);
    }
}

static void make_regions(struct events *events)
{
    for (size_t i = 0; i < events->session->regions.count; i++)
        array_add(&events->regions);
}

static inline void take(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);

    lane->last_ticks = event->ticks;
    if (event->ticks >= lane->next_ticks)
        events_change_thread(events, lane, event->ticks);
    events_handlers[event->kind](events, event);
}

static void tell_progress(const struct events *events, const struct merge *merge)
{
    const struct session_options *options = events->from.options;

    if (options->on_progress)
        options->on_progress(options->progress_of, merge->read_bytes, merge->whole_bytes);
}

/* Events handled together. */
struct batch {
    const struct reader_event *events[MERGE_BATCH];
    size_t count;
};

/* Prefetch the place of a block, and its chain's entry.  For other records the addresses mean
 * nothing. */
static ALWAYS_INLINE void prefetch_places(const struct events *events, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct reader_event *event = batch->events[i];

        heap_map_prefetch(&events->heap.map, event->address);
        chains_prefetch(events_find_lane(events, event)->chains, event->cell);
    }
}

/* Prefetch the site of an allocation by its chain, and that of a free by its block, without a
 * branch.  A new block has no place yet, but its site is prefetched already. */
static ALWAYS_INLINE void prefetch_sites(const struct events *events, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct reader_event *event = batch->events[i];
        const struct chains_lane *chains = events_find_lane(events, event)->chains;
        uint32_t obtained = chains_entry(chains, event->cell) & ~CHAINS_CALL;
        uint32_t given_back = heap_map_near(&events->heap.map, event->address)->site & ~HEAP_DRAWN;

        heap_prefetch_site(&events->heap, event->kind < TRACE_EVENT_FREE ? obtained : given_back);
    }
}

static void take_batch(struct events *events, const struct batch *batch)
{
    prefetch_places(events, batch);
    prefetch_sites(events, batch);
    for (size_t i = 0; i < batch->count; i++)
        if (events->window.is_cut)
            events_take_window(events, batch->events[i]);
        else
            take(events, batch->events[i]);
}

static void run(struct events *events, struct merge *merge)
{
    struct batch batch;
    size_t taken = 0;

    while ((batch.count = merge_read(merge, batch.events)) > 0) {
        take_batch(events, &batch);
        taken += batch.count;
        if (taken >= EVENTS_BETWEEN_PROGRESS) {
            tell_progress(events, merge);
            taken = 0;
        }
    }
    tell_progress(events, merge);
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

void events_finish(struct events *events, uint64_t ticks)
{
    struct events_lane *lane = events->lanes.items;

    events_close_regions(events);
    for (size_t i = 0; i < events->lanes.count; i++)
        heap_settle(&events->heap, &lane[i].heap);
    events_pass_time(events, ticks);
    mappings_finish(&events->mappings);
    events_settle_threads(events);
    op_memory_finish(events);
    beats_finish(events);
    heap_finish(&events->heap, ticks);
}

static void finish(struct events *events, const struct reader *reader)
{
    uint64_t end = find_end(events, reader);

    if (events->window.is_cut)
        events_end_window(events, end);
    else
        events_finish(events, end);
}

/* The clock counts from the start of the window. */
static void set_window(struct events *events)
{
    const struct session_window *window = &events->from.options->window;
    struct events_window *to = &events->window;

    to->is_cut = window->is_cut;
    to->from_ticks = events->from.clock->start_ticks;
    to->to_ticks = UINT64_MAX;
    if (window->to_ns != UINT64_MAX)
        to->to_ticks =
            to->from_ticks + clock_find_length(events->from.clock, window->to_ns - window->from_ns);
}

/* Returns: ticks; 0 where the process was killed. */
static uint64_t find_known_end(const struct events *events, const struct trace_header *header)
{
    uint64_t end = header->end.ticks;

    return end < events->window.to_ticks ? end : events->window.to_ticks;
}

static void start(struct events *events, const struct reader *reader)
{
    const struct trace_header *header = &reader->header;

    set_window(events);
    const struct heap_options options = {
        .clock = events->from.clock,
        .end_ticks = find_known_end(events, header),
        .sample_bytes = header->sample_bytes,
        .call_bytes = header->call_bytes,
        .short_ns = events->from.options->short_ns,
        .region_count = events->session->regions.count,
        .chains_ticks = events_take_chains(events) ? header->stage_ticks[TRACE_STAGE_CHAINS] : 0,
        .blocks_ticks = header->stage_ticks[TRACE_STAGE_BLOCKS],
        .counted = {header->heap_live_bytes, header->heap_peak_bytes, header->heap_peak_ticks},
        .first_bytes = events->window.is_cut ? 0 : header->heap_first_bytes,
        .on_blocks = events_on_blocks,
        .listener = events,
    };

    mappings_init(&events->mappings, header->page_size);
    op_memory_init(&events->op_memory, events->session);
    beats_init(&events->beats, events->session);
    op_growth_init(&events->growth, events);
    heap_init(&events->heap, &options);
}

void events_read(struct events *events, const struct reader *reader)
{
    struct merge merge;

    start(events, reader);
    merge_open(&merge, reader);
    make_lanes(events, &merge);
    make_regions(events);
    run(events, &merge);
    finish(events, reader);
    events->bad_records += merge.bad_records;
    events->torn_chunks += merge.torn_chunks;
    merge_close(&merge);
}
