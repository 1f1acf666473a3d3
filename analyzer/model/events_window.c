/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window of the run: computes the tallies of only that part.
 *
 * Tallies cover the whole run.  So in a window calls, blocks and times are counted record by
 * record: exactly if each has a record, else estimated from the drawn ones.  Calls count if they
 * start and end in the window; regions have all of their time in it.  Records before the window are
 * replayed, because they determine the live blocks and the open regions.  Records after it are only
 * counted, for the losses.
 *
 * Decision: doc/decisions/windows.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/course.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the window starts -------------------------------------------------- */

static void restart_slot(struct session_slot *slot, struct array *counts)
{
    struct events_slot *count = array_add(counts);

    count->scale = slot->timed_calls > 0 ? (double)slot->calls / (double)slot->timed_calls : 1;
    slot->calls = slot->timed_calls = slot->recorded_calls = 0;
    slot->total_ns = slot->self_ns = slot->max_ns = 0;
    slot->min_ns = SESSION_UNKNOWN;
}

static void restart_regions(struct session *session)
{
    struct session_region *region = session->regions.items;

    for (size_t i = 0; i < session->regions.count; i++) {
        region[i].calls = region[i].inclusive_ns = region[i].exclusive_ns = 0;
        region[i].allocations = region[i].allocated_bytes = region[i].frees = 0;
        region[i].items = region[i].threads = 0;
        region[i].cpu.own_ns = 0;
        region[i].begin_heap_bytes = region[i].end_heap_bytes = SESSION_UNKNOWN;
        region[i].peak_heap_bytes = SESSION_UNKNOWN;
    }
}

static void restart_threads(struct session *session)
{
    struct session_thread *thread = session->threads.items;

    for (size_t i = 0; i < session->threads.count; i++) {
        thread[i].allocations = thread[i].allocated_bytes = thread[i].frees = 0;
        thread[i].records = 0;
        thread[i].failed_allocations = SESSION_UNKNOWN;
    }
}

/* Sums count from the last reading before the window. */
static void restart_readings(struct events *events)
{
    struct session *session = events->session;
    struct events_lane *lane = events->lanes.items;
    size_t count = session->readings.count;

    if (count > 0)
        session->process.first = session_reading_at(session, count - 1)->values;
    session->process.last = session->process.first;
    array_truncate(&session->readings, 0);
    array_truncate(&session->surroundings, 0);
    array_truncate(&session->residents, 0);
    array_truncate(&session->resident_sites, 0);
    for (size_t i = 0; i < events->lanes.count; i++)
        lane[i].reading = lane[i].resident = 0;
}

/* Open regions go on: their heap and time come only from the window. */
static void reopen_regions(struct events *events)
{
    struct events_region *region = events->regions.items;

    peaks_fini(&events->peaks);
    peaks_init(&events->peaks);
    for (uint32_t i = 0; i < events->regions.count; i++) {
        struct session_region *to = array_at(&events->session->regions, i);

        if (region[i].open == 0)
            continue;
        to->begin_heap_bytes = events_live_bytes(events);
        peaks_mark(&events->peaks, events->heap.live_bytes, &region[i].moment);
    }
}

static void restart_kernels(struct events *events)
{
    struct session *session = events->session;
    struct session_binding *binding = session->bindings.items;

    for (size_t i = 0; i < session->slots.count; i++)
        restart_slot(array_at(&session->slots, i), &events->window.slots);
    for (size_t i = 0; i < session->bindings.count; i++)
        binding[i].calls = binding[i].timed_calls = 0;
}

static void begin(struct events *events)
{
    struct session *session = events->session;

    heap_restart(&events->heap, events->window.from_ticks);
    events->window.place = EVENTS_INSIDE;
    events_free_metrics(events);
    events_restart_spans(events);
    array_truncate(&session->metrics, 0);
    array_truncate(&session->laps, 0);
    op_laps_restart(&session->op_laps);
    array_truncate(&session->clocks, 0);
    array_truncate(&session->requests_ns, 0);
    array_truncate(&session->served, 0);
    events_free_connections(events);
    session->requests = session->items = 0;
    restart_regions(session);
    events_restart_ops(session);
    op_memory_restart(&events->op_memory);
    beats_restart(events);
    array_truncate(&session->growths, 0);
    restart_threads(session);
    restart_readings(events);
    mappings_restart(&events->mappings, events->window.from_ticks);
    events_pass_time(events, events->window.from_ticks);
    restart_kernels(events);
    reopen_regions(events);
}

/* ---- inside ------------------------------------------------------------- */

static bool is_obtained(const struct reader_event *event)
{
    return event->kind < TRACE_EVENT_FREE;
}

static bool is_block(const struct reader_event *event)
{
    return is_obtained(event) || event->kind == TRACE_EVENT_FREE ||
           event->kind == TRACE_EVENT_RELEASE || event->kind == TRACE_EVENT_RESTORE;
}

/* As the replay counts records. */
static void pass_block(struct events_lane *lane, const struct reader_event *event)
{
    if (event->kind != TRACE_EVENT_FREE || !heap_is_released(&lane->heap, event->address))
        lane->heap.records++;
    lane->heap.release_address = event->kind == TRACE_EVENT_RELEASE ? event->address : 0;
}

/* The free of a block that realloc replaced has no count of its own. */
static bool is_given_back(const struct events_lane *lane, const struct reader_event *event)
{
    return event->kind == TRACE_EVENT_RELEASE ||
           (event->kind == TRACE_EVENT_FREE && !heap_is_released(&lane->heap, event->address));
}

static void count_block(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    struct session_region *region = array_at(&events->session->regions, lane->heap.region);
    struct session_op *op = array_at(&events->session->ops, lane->op);
    struct session_thread *thread =
        array_at(&events->session->threads, events_find_thread(events, lane));

    thread->records++;
    if (is_obtained(event)) {
        region->allocations++;
        region->allocated_bytes += event->size;
        op->allocations++;
        op->allocated_bytes += event->size;
        thread->allocations++;
        thread->allocated_bytes += event->size;
    } else if (is_given_back(lane, event)) {
        region->frees++;
        op->frees++;
        thread->frees++;
    } else if (event->kind == TRACE_EVENT_RESTORE && region->frees > 0 && thread->frees > 0) {
        region->frees--;
        thread->frees--;
        op->frees -= op->frees > 0;
    }
}

/* Returns: nanoseconds of the calls right inside of one that ends. */
static uint64_t find_inner_ns(const struct events *events, const struct session_slot *slot,
                              uint64_t start_ns)
{
    const struct session_course *course = course_of(events->session, slot->thread);
    const struct course_call *calls = course->calls.items;
    uint64_t inner_ns = 0;

    for (size_t i = course->calls.count; i > 0 && calls[i - 1].start_ns >= start_ns; i--)
        inner_ns += course_length_ns(&calls[i - 1]);
    return inner_ns;
}

static void count_call(struct session_slot *slot, uint64_t ns)
{
    slot->timed_calls++;
    slot->recorded_calls++;
    slot->min_ns = least(slot->min_ns, ns);
    slot->max_ns = ns > slot->max_ns ? ns : slot->max_ns;
}

static void take_kernel(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_SLOT);
    uint64_t start = event->ticks - event->duration;
    struct events_slot *count;

    if (!cell) {
        events_on_kernel(events, event);
        return;
    }
    if (event->duration > event->ticks || start < events->window.from_ticks) {
        lane->others++;
        return;
    }
    struct session_slot *slot = array_at(&events->session->slots, cell->index);
    count = array_at(&events->window.slots, cell->index);
    count->calls += ldexp(1, (int)event->doublings);
    count->ticks += event->duration;
    count->inner_ns += find_inner_ns(events, slot, clock_convert(events->from.clock, start));
    count_call(slot, clock_convert_length(events->from.clock, event->duration));
    ((struct session_thread *)array_at(&events->session->threads, slot->thread))->records++;
    events_on_kernel(events, event);
}

/* Returns: the place for the start of a lane's region at this depth, or NULL. */
static uint64_t *find_begin(struct events_lane *lane, uint32_t depth)
{
    while (lane->begins.count <= depth)
        array_add(&lane->begins);
    return array_at(&lane->begins, depth);
}

static void note_thread(struct events_lane *lane, uint32_t cell, struct session_region *region)
{
    size_t count = lane->tallies ? lane->tallies->cells.count : 0;

    if (!lane->cells_seen && count > 0)
        lane->cells_seen = memory_get_zeros(count, 1);
    if (!lane->cells_seen || cell >= count || lane->cells_seen[cell])
        return;
    lane->cells_seen[cell] = 1;
    region->threads++;
}

static void add_time(struct events *events, uint32_t index, uint64_t from, uint64_t to)
{
    struct events_region *region = array_at(&events->regions, index);
    uint64_t begin = from > events->window.from_ticks ? from : events->window.from_ticks;

    if (to > begin)
        region->ticks += to - begin;
}

/* A drawn call represents others, which took as long on average. */
static void add_others(struct events *events, struct session_region *region,
                       const struct reader_event *event)
{
    double others = ldexp(1, (int)event->doublings) - 1;

    if (others <= 0)
        return;
    region->calls += (uint64_t)others;
    region->is_estimated = true;
    region->inclusive_ns +=
        (uint64_t)(others * (double)clock_convert_length(events->from.clock, event->duration));
}

static void take_enter(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);
    events_on_enter(events, event);
    const struct session_region *region = session_region_at(events->session, lane->heap.region);
    uint64_t *begin = cell && cell->is_op ? NULL : find_begin(lane, region->depth);

    if (cell && cell->is_op)
        return;

    *begin = event->ticks;
}

/* Laps are of whole calls. */
static void take_leave(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);
    const struct tallies_cell *cell =
        tallies_find_cell(lane->tallies, event->cell, TRACE_CELL_NODE);
    struct session *session = events->session;
    size_t laps = session->laps.count, clocks = session->clocks.count;

    events_on_leave(events, event);
    if (!cell || event->duration > event->ticks)
        return;
    if (cell->is_op) {
        events_count_op(events, event, cell);
        return;
    }
    struct session_region *region = array_at(&session->regions, cell->index);
    uint64_t start = event->ticks - event->duration;
    add_time(events, cell->index, start, event->ticks);
    note_thread(lane, event->cell, region);
    ((struct session_thread *)array_at(&session->threads, cell->thread))->records += 2;
    if (start < events->window.from_ticks) {
        array_truncate(&session->laps, laps);
        array_truncate(&session->clocks, clocks);
        return;
    }
    region->calls++;
    add_others(events, region, event);
}

static void count_items(struct events *events, const struct reader_event *event)
{
    const struct events_lane *lane = events_find_lane(events, event);
    struct session_region *region = array_at(&events->session->regions, lane->heap.region);

    region->items += event->words[0];
    events->session->items += event->words[0];
}

static void take_inside(struct events *events, const struct reader_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_MALLOC:
    case TRACE_EVENT_CALLOC:
    case TRACE_EVENT_REALLOC:
    case TRACE_EVENT_ALIGNED:
    case TRACE_EVENT_FREE:
    case TRACE_EVENT_RELEASE:
    case TRACE_EVENT_RESTORE: count_block(events, event); break;
    case TRACE_EVENT_KERNEL: take_kernel(events, event); return;
    case TRACE_EVENT_ENTER: take_enter(events, event); return;
    case TRACE_EVENT_LEAVE: take_leave(events, event); return;
    case TRACE_EVENT_EXTENDED:
        if (event->type == TRACE_EXTENDED_ITEMS)
            count_items(events, event);
        break;
    case TRACE_EVENT_NONE:
    case TRACE_EVENT_TIME:
    case TRACE_EVENT_DRAWN:
    case TRACE_EVENT_KINDS: break;
    }
    events_handle(events, event);
}

static void take_before(struct events *events, const struct reader_event *event)
{
    bool is_sample = event->kind == TRACE_EVENT_EXTENDED && event->type == TRACE_EXTENDED_SAMPLE;

    if (event->kind == TRACE_EVENT_KERNEL || is_sample) {
        events_find_lane(events, event)->others++;
        return;
    }
    if (event->kind == TRACE_EVENT_ENTER)
        take_enter(events, event);
    else
        events_handle(events, event);
}

/* ---- after the window --------------------------------------------------- */

static void pass_by(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);

    if (is_block(event))
        pass_block(lane, event);
    else
        lane->others++;
}

/* ---- the window ends ---------------------------------------------------- */

/* Regions that are open still. */
static void end_regions(struct events *events, struct events_lane *lane)
{
    uint32_t index = lane->heap.region;

    while (index != 0) {
        const struct session_region *region = session_region_at(events->session, index);

        if (region->depth < lane->begins.count)
            add_time(events, index, *(uint64_t *)array_at(&lane->begins, region->depth),
                     events->window.to_ticks);
        index = region->parent;
    }
}

void events_end_window(struct events *events, uint64_t ticks)
{
    struct events_lane *lane = events->lanes.items;

    if (events->window.place == EVENTS_BEFORE)
        begin(events);
    if (events->window.place == EVENTS_BEHIND)
        return;
    events->window.place = EVENTS_BEHIND;
    events->window.to_ticks = least(events->window.to_ticks, ticks);
    for (size_t i = 0; i < events->lanes.count; i++)
        end_regions(events, &lane[i]);
    events_finish(events, events->window.to_ticks);
}

static void cut(struct events *events)
{
    events_pass_time(events, events->window.to_ticks);
    heap_cut(&events->heap);
    events_end_window(events, events->window.to_ticks);
}

static void move(struct events *events, uint64_t ticks)
{
    if (events->window.place == EVENTS_BEFORE && ticks >= events->window.from_ticks)
        begin(events);
    if (events->window.place == EVENTS_INSIDE && ticks >= events->window.to_ticks)
        cut(events);
}

static void take(struct events *events, const struct reader_event *event)
{
    struct events_lane *lane = events_find_lane(events, event);

    lane->last_ticks = event->ticks;
    if (event->ticks >= lane->next_ticks && events->window.place != EVENTS_BEHIND)
        events_change_thread(events, lane, event->ticks);
    if (events->from.options->leaves_heap && is_block(event)) {
        pass_block(lane, event);
        return;
    }
    switch (events->window.place) {
    case EVENTS_BEFORE: take_before(events, event); return;
    case EVENTS_INSIDE: take_inside(events, event); return;
    case EVENTS_BEHIND: break;
    }
    pass_by(events, event);
}

void events_take_window(struct events *events, const struct reader_event *event)
{
    move(events, event->ticks);

    take(events, event);
}

/* ---- values of the tallies in a window ---------------------------------- */

static void settle_slot(struct events *events, struct session_slot *slot,
                        const struct events_slot *count)
{
    struct session_binding *binding = array_at(&events->session->bindings, slot->binding);
    double calls = count->calls * count->scale;

    slot->total_ns = clock_convert_length(events->from.clock, count->ticks);
    slot->self_ns = slot->total_ns > count->inner_ns ? slot->total_ns - count->inner_ns : 0;
    slot->calls = (uint64_t)llround(fmin(fmax(calls, (double)slot->timed_calls), 0x1p62));
    slot->has_estimated_calls = slot->calls > slot->timed_calls;
    if (slot->min_ns == SESSION_UNKNOWN)
        slot->min_ns = 0;
    binding->calls += slot->calls;
    binding->timed_calls += slot->timed_calls;
}

/* Returns: nanoseconds in regions that are right inside the root. */
static uint64_t settle_regions(struct events *events)
{
    const struct events_region *of = events->regions.items;
    struct session *session = events->session;
    struct session_region *region = session->regions.items;
    uint64_t root_inner_ns = 0;

    for (size_t i = session->regions.count; i-- > 1;) {
        struct session_region *parent = &region[region[i].parent];
        uint64_t inner_ns = region[i].exclusive_ns; /* so far, this is the sum of the inner
                                                       regions */

        region[i].inclusive_ns += clock_convert_length(events->from.clock, of[i].ticks);
        region[i].exclusive_ns =
            region[i].inclusive_ns > inner_ns ? region[i].inclusive_ns - inner_ns : 0;
        if (region[i].parent == 0)
            root_inner_ns += region[i].inclusive_ns;
        else
            parent->exclusive_ns += region[i].inclusive_ns;
    }
    return root_inner_ns;
}

uint64_t events_settle_window(struct events *events)
{
    struct session *session = events->session;

    for (size_t i = 0; i < events->window.slots.count; i++)
        settle_slot(events, array_at(&session->slots, i), array_at(&events->window.slots, i));
    events_settle_ops(session);
    return settle_regions(events);
}
