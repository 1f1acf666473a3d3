/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a trace: its outline first, then one pass over the events, and last the figures that need
 * all events.
 */
#include "model/session_beats.h"

#include <string.h>

#include "base/units.h"
#include "model/chains.h"
#include "model/course.h"
#include "model/cpu_samples.h"
#include "model/cpu_workers.h"
#include "model/devices.h"
#include "model/estimates.h"
#include "model/events.h"
#include "model/holes.h"
#include "model/loop_workers.h"
#include "model/losses.h"
#include "model/op_laps.h"
#include "model/outline.h"
#include "model/process.h"
#include "model/region_cpu.h"
#include "model/session_chains.h"
#include "model/session_growth.h"
#include "model/session_heap.h"
#include "model/session_holes.h"
#include "model/session_incidents.h"
#include "model/session_kernels.h"
#include "model/session_layers.h"
#include "model/session_losses.h"
#include "model/session_memo.h"
#include "model/session_opened.h"
#include "model/session_open.h"
#include "model/session_process.h"
#include "model/session_requests.h"
#include "model/session_resident.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "model/sites.h"
#include "model/used_calls.h"
#include "model/window.h"
#include "reader/reader_chunks.h"
#include "symbols/storage.h"
#include "symbols/symbols.h"

/* State that is only needed while a trace is opened. */
struct session_work {
    const struct session_options *options;
    struct outline *outline;
    struct events events;
};

static void init(struct session *session)
{
    *session = (struct session){0};
    process_init(&session->process);
    array_init(&session->modules, sizeof(struct session_module));
    array_init(&session->bindings, sizeof(struct session_binding));
    array_init(&session->hooks, sizeof(struct session_hook));
    array_init(&session->threads, sizeof(struct session_thread));
    array_init(&session->regions, sizeof(struct session_region));
    array_init(&session->ops, sizeof(struct session_op));
    array_init(&session->op_ties, sizeof(struct session_op_tie));
    array_init(&session->layers, sizeof(struct session_layer));
    array_init(&session->laps, sizeof(struct session_lap));
    array_init(&session->span_rows, sizeof(struct session_span_row));
    array_init(&session->spans, sizeof(struct session_span));
    array_init(&session->beats, sizeof(struct session_beat));
    array_init(&session->growths, sizeof(struct session_growth));
    op_laps_init(&session->op_laps);
    array_init(&session->clocks, sizeof(struct session_clock));
    array_init(&session->slots, sizeof(struct session_slot));
    array_init(&session->waits, sizeof(struct session_wait));
    array_init(&session->wait_calls, sizeof(struct session_wait_call));
    array_init(&session->wakes, sizeof(struct session_wake));
    array_init(&session->unjoined, sizeof(struct session_unjoined));
    array_init(&session->opened, sizeof(struct session_opened));
    array_init(&session->courses, sizeof(struct session_course));
    array_init(&session->samples, sizeof(struct session_sample));
    array_init(&session->ticks, sizeof(struct session_tick));
    array_init(&session->readings, sizeof(struct session_reading));
    array_init(&session->surroundings, sizeof(struct session_surroundings));
    array_init(&session->residents, sizeof(struct session_resident));
    array_init(&session->resident_sites, sizeof(struct session_resident_site));
    array_init(&session->metrics, sizeof(struct session_metric));
    array_init(&session->requests_ns, sizeof(uint64_t));
    array_init(&session->served, sizeof(struct session_request));
    array_init(&session->request_sums, sizeof(struct session_request_sums));
    array_init(&session->keeps, sizeof(struct session_keep));
    array_init(&session->incidents, sizeof(struct session_incident));
    array_init(&session->calls, sizeof(struct session_call));
    array_init(&session->sites, sizeof(struct session_site));
    array_init(&session->mappings, sizeof(struct session_mapping));
    array_init(&session->stages.changes, sizeof(struct session_stage));
    array_init(&session->holes, sizeof(struct session_hole));
    array_init(&session->heap.moments, sizeof(struct session_moment));
    session->heap.undrawn_site = SESSION_NONE;
    array_init(&session->heap.mark_rows, sizeof(uint32_t));
    array_init(&session->heap.estimates, sizeof(struct session_estimate));
    array_init(&session->heap.marks, sizeof(struct session_mark));
    array_init(&session->heap.mark_errors, sizeof(struct session_mark_error));
    devices_init(&session->devices);
    text_list_init(&session->doubts);
}

void session_close(struct session *session)
{
    struct session_slot *slot = session->slots.items;

    session_memo_free(session->memo);
    for (size_t i = 0; i < session->slots.count; i++) {
        array_fini(&slot[i].durations_ns);
        array_fini(&slot[i].around);
    }
    array_fini(&session->modules);
    array_fini(&session->bindings);
    array_fini(&session->hooks);
    array_fini(&session->threads);
    array_fini(&session->regions);
    array_fini(&session->ops);
    array_fini(&session->op_ties);
    array_fini(&session->layers);
    array_fini(&session->laps);
    array_fini(&session->span_rows);
    array_fini(&session->spans);
    array_fini(&session->beats);
    array_fini(&session->growths);
    op_laps_fini(&session->op_laps);
    array_fini(&session->clocks);
    array_fini(&session->slots);
    array_fini(&session->waits);
    array_fini(&session->wait_calls);
    array_fini(&session->wakes);
    array_fini(&session->unjoined);
    array_fini(&session->opened);
    course_fini_all(session);
    array_fini(&session->samples);
    python_codes_free(session->python.codes);
    array_fini(&session->ticks);
    array_fini(&session->readings);
    array_fini(&session->surroundings);
    array_fini(&session->residents);
    array_fini(&session->resident_sites);
    array_fini(&session->metrics);
    array_fini(&session->requests_ns);
    array_fini(&session->served);
    array_fini(&session->request_sums);
    array_fini(&session->keeps);
    array_fini(&session->incidents);
    array_fini(&session->calls);
    array_fini(&session->sites);
    array_fini(&session->mappings);
    array_fini(&session->stages.changes);
    array_fini(&session->holes);
    array_fini(&session->heap.moments);
    array_fini(&session->heap.mark_rows);
    array_fini(&session->heap.estimates);
    array_fini(&session->heap.marks);
    array_fini(&session->heap.mark_errors);
    devices_fini(&session->devices);
    text_list_fini(&session->doubts);
    process_fini(&session->process);
    symbols_free(session->symbols);
    storage_free(session->storage);
    init(session);
}

/* Only the last thread of a lane can lack a record of its end. */
static void note_last_events(struct session *session, const struct events *events)
{
    const struct events_lane *lane = events->lanes.items;

    for (size_t i = 0; i < events->lanes.count; i++) {
        const struct tallies_lane *tallies = lane[i].tallies;

        if (!tallies || tallies->thread_count == 0)
            continue;
        struct session_thread *thread =
            array_at(&session->threads, tallies->first_thread + tallies->thread_count - 1);
        uint64_t ns = clock_convert(events->from.clock, lane[i].last_ticks);

        if (lane[i].last_ticks > 0 &&
            (session->cut.until_ns == SESSION_UNKNOWN || session->cut.until_ns < ns))
            session->cut.until_ns = ns;
        if (!thread->has_ended && ns > thread->last_ns)
            thread->last_ns = ns;
    }
}

/* Returns: the sum of the threads' processor times; UNKNOWN if one is. */
static uint64_t add_cpu(uint64_t sum_ns, uint64_t cpu_ns)
{
    if (sum_ns == SESSION_UNKNOWN || cpu_ns == SESSION_UNKNOWN)
        return SESSION_UNKNOWN;
    return sum_ns + cpu_ns;
}

/* The time of the threads outside of any region is the rest of their lives. */
static void fill_root(struct session *session, uint64_t inner_ns)
{
    struct session_region *root = array_at(&session->regions, 0);
    const struct session_thread *thread = session->threads.items;

    for (size_t i = 0; i < session->threads.count; i++) {
        if (thread[i].last_ns > thread[i].first_ns)
            session->thread_ns += thread[i].last_ns - thread[i].first_ns;
        root->cpu_ns = add_cpu(root->cpu_ns, thread[i].cpu_ns);
    }
    root->inclusive_ns = session->thread_ns;
    root->exclusive_ns = inner_ns < session->thread_ns ? session->thread_ns - inner_ns : 0;
}

static void settle_threads(struct session *session, struct session_work *work)
{
    if (work->options->window.is_cut) {
        window_cut_threads(session);
        fill_root(session, events_settle_window(&work->events));
    } else {
        fill_root(session, work->outline->tallies.root_inner_ns);
    }
}

static void fill_sites(struct session *session, struct session_work *work)
{
    bool is_cut = work->options->window.is_cut;

    if (is_cut)
        window_count_blocks(session, &work->events.heap);
    sites_fill(session, &work->events, &work->outline->reader.header);
    if (is_cut)
        window_sum_blocks(session);
    if (is_cut)
        window_doubt(session, &work->outline->reader.header);
}

static void finish(struct session *session, struct session_work *work)
{
    const struct losses_sources sources = {&work->outline->reader, &work->outline->facts,
                                           &work->outline->tallies, &work->outline->chains,
                                           &work->events};

    facts_link_hooks(&work->outline->facts);
    process_measure(&session->process, &work->outline->reader.header, &work->events);
    if (work->options->window.is_cut)
        window_settle(session, &work->events, &work->outline->reader.header);
    process_settle_readings(session);
    devices_settle(session);
    note_last_events(session, &work->events);
    settle_threads(session, work);
    losses_fill_costs(session, &work->outline->reader.header);
    if (work->options->window.is_cut)
        window_cut_costs(session);
    estimates_fill(session, &work->outline->clock);
    region_cpu_fill(session, &work->outline->reader);
    fill_sites(session, work);
    process_doubt(session, &session->doubts);
    losses_fill(session, &sources);
    holes_find(session, &sources);
    session_opened_fill(&work->outline->tallies, &work->outline->reader);
    course_judge_all(session);
    cpu_workers_credit(session);
    loop_workers_credit(&work->outline->chains);
    losses_judge_heap(session, &sources);
    losses_fill_overhead(session);
}

static void read_events(struct session *session, struct session_work *work)
{
    struct outline *outline = work->outline;
    const struct events_sources sources = {&outline->facts, &outline->tallies, &outline->clock,
                                           &outline->chains, work->options};

    events_init(&work->events, &sources);
    events_read(&work->events, &outline->reader);
    finish(session, work);
    events_fini(&work->events);
}

struct session_options session_defaults(void)
{
    return (struct session_options){.short_ns = SESSION_SHORT_NS,
                                    .calls_most = SESSION_CALLS_MOST,
                                    .window.to_ns = UINT64_MAX};
}

static enum status check_window(const struct session *session, struct diagnostic *diagnostic)
{
    const struct session_window *window = &session->window;
    char from[UNITS_SIZE], whole[UNITS_SIZE];

    if (!window->is_cut || window->from_ns < window->whole_ns)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "the window begins at %s, but the recording ends after %s",
                          units_format_time(from, (double)window->from_ns),
                          units_format_time(whole, (double)window->whole_ns));
}

static enum status open_whole(struct session *session, struct outline *outline, const char *path,
                              const struct session_options *options,
                              struct diagnostic *diagnostic)
{
    struct session_work work = {.options = options, .outline = outline};
    enum status status = outline_open(outline, session, path, options, diagnostic);

    if (status)
        return status;
    read_events(session, &work);
    return check_window(session, diagnostic);
}

enum status session_open_outline(struct session *session, struct outline *outline,
                                 const char *path, const struct session_options *options,
                                 struct diagnostic *diagnostic)
{
    enum status status;

    init(session);
    status = open_whole(session, outline, path, options, diagnostic);
    if (!status)
        return STATUS_OK;
    outline_close(outline);
    session_close(session);
    return status;
}

enum status session_open(struct session *session, const char *path,
                         const struct session_options *options, struct diagnostic *diagnostic)
{
    struct outline outline;
    enum status status = session_open_outline(session, &outline, path, options, diagnostic);

    if (status)
        return status;
    outline_close(&outline);
    used_calls_keep(session);
    return STATUS_OK;
}

static void add_latest(struct session *session, const struct outline *outline)
{
    const struct trace_latest *latest = &outline->reader.header.latest;
    struct session_reading *reading = array_add(&session->readings);

    *reading = (struct session_reading){.time_ns = clock_convert(&outline->clock, latest->done),
                                        .values = latest->reading,
                                        .mapped_bytes = SESSION_UNKNOWN,
                                        .shared_bytes = SESSION_UNKNOWN,
                                        .delay_ns = SESSION_UNKNOWN,
                                        .voluntary_switches = SESSION_UNKNOWN,
                                        .involuntary_switches = SESSION_UNKNOWN,
                                        .live_heap_bytes = SESSION_UNKNOWN,
                                        .usable_heap_bytes = SESSION_UNKNOWN,
                                        .begin_heap_bytes = SESSION_UNKNOWN};
    session->process.last = latest->reading;
}

static void add_latest_surroundings(struct session *session, const struct outline *outline)
{
    const struct trace_latest *latest = &outline->reader.header.latest;
    struct session_surroundings *surroundings = array_add(&session->surroundings);

    *surroundings = (struct session_surroundings){
        .time_ns = clock_convert(&outline->clock, latest->surroundings_ticks),
        .values = latest->surroundings};
}

/* A running process has published its last reading, and its heap, in the header. */
static void take_present(struct session *session, const struct outline *outline)
{
    const struct trace_header *header = &outline->reader.header;
    struct session_process *process = &session->process;

    if (!process->has_last && header->latest.done != 0)
        add_latest(session, outline);
    if (header->latest.surroundings_ticks != 0)
        add_latest_surroundings(session, outline);
    process->wall_ns = outline->clock.last_ns;
    session->heap.usable_peak_bytes = header->heap_peak_bytes;
    process_settle_readings(session);
    losses_fill_costs(session, header);
    session->overhead.total_ns = SESSION_UNKNOWN; /* it is added up from events */
}

enum status session_open_totals(struct session *session, struct outline *outline, const char *path,
                                struct diagnostic *diagnostic)
{
    const struct session_options options = session_defaults();
    enum status status;

    init(session);
    status = outline_open_totals(outline, session, path, &options, diagnostic);
    if (!status) {
        facts_link_hooks(&outline->facts);
        take_present(session, outline);
        return STATUS_OK;
    }
    outline_close(outline);
    session_close(session);
    return status;
}
