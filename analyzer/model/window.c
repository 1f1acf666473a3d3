/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes a session to a window of the run.
 *
 * The session then looks like a run that started and ended with the window.  Figures that exist
 * only for the whole run, such as failed allocations, are unknown.
 *
 * Decision: doc/decisions/windows.
 */
#include "model/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "model/texts.h"

void window_shift_clock(struct clock *clock, const struct session_window *window)
{
    clock->start_ticks += clock_find_length(clock, window->from_ns);
}

/* Returns: how long the recording is. */
static uint64_t find_whole(const struct session *session, const struct events *events,
                           const struct trace_header *header)
{
    const struct events_lane *lane = events->lanes.items;
    uint64_t from_ns = events->from.options->window.from_ns;
    uint64_t whole_ns = events->from.clock->last_ns;

    if (session->process.has_last && header->end.monotonic_ns > header->start.monotonic_ns)
        return header->end.monotonic_ns - header->start.monotonic_ns;
    for (size_t i = 0; i < events->lanes.count; i++) {
        uint64_t ns = from_ns + clock_convert(events->from.clock, lane[i].last_ticks);

        whole_ns = ns > whole_ns && ns > from_ns ? ns : whole_ns;
    }
    return whole_ns;
}

static uint64_t length_of(const struct session_window *window)
{
    return window->to_ns > window->from_ns ? window->to_ns - window->from_ns : 0;
}

static bool ends_early(const struct session_window *window)
{
    return window->to_ns < window->whole_ns;
}

/* The recorded peak is that of the whole process; in the window, the highest reading is used. */
static void take_present(struct trace_reading *reading)
{
    reading->peak_rss_bytes = reading->rss_bytes;
}

static void settle_readings(struct session *session, const struct trace_header *header)
{
    struct session_process *process = &session->process;
    struct session_reading *reading = session->readings.items;
    size_t count = session->readings.count;

    if (count > 0)
        process->last = reading[count - 1].values;
    if (process->has_last && !ends_early(&session->window))
        process->last = header->last;
    for (size_t i = 0; i < count; i++)
        take_present(&reading[i].values);
    take_present(&process->first);
    take_present(&process->last);
}

static void settle_stages(struct session *session)
{
    uint64_t length_ns = length_of(&session->window);

    for (int i = 0; i < TRACE_STAGES; i++)
        if (session->stages.exact_ns[i] > length_ns)
            session->stages.exact_ns[i] = SESSION_UNKNOWN;
}

static void forget_counters(struct session *session)
{
    for (int i = 0; i < TRACE_COUNTERS; i++)
        if (session->counters[i].is_known)
            session->counters[i] = (struct session_counter){.reason = window_counter_text.words};
}

static uint64_t overlap_of(const struct session_wait_call *call, uint64_t length_ns)
{
    uint64_t end_ns = call->end_ns < length_ns ? call->end_ns : length_ns;

    return end_ns > call->start_ns ? end_ns - call->start_ns : 0;
}

static void forget_wait(struct session_wait *wait)
{
    wait->calls = wait->timed_calls = wait->total_ns = wait->waiting_ns = wait->bytes = 0;
    wait->min_ns = wait->max_ns = 0;
}

static void add_wait_call(struct session_wait *wait, const struct session_wait_call *call,
                          double waiting_part, uint64_t ns)
{
    wait->min_ns = wait->calls == 0 || ns < wait->min_ns ? ns : wait->min_ns;
    wait->max_ns = ns > wait->max_ns ? ns : wait->max_ns;
    wait->calls++;
    wait->timed_calls++;
    wait->total_ns += ns;
    wait->waiting_ns += (uint64_t)((double)ns * waiting_part);
    wait->bytes += call->bytes;
}

/* The sums are of the whole run, and only long calls have a time: those of a window are of these,
 * with the whole run's share of processor time. */
static void settle_waits(struct session *session)
{
    struct session_wait *wait = session->waits.items;
    double *parts = memory_get((session->waits.count + 1) * sizeof *parts);
    uint64_t length_ns = length_of(&session->window);

    for (size_t i = 0; i < session->waits.count; i++) {
        parts[i] = wait[i].total_ns > 0 ? (double)wait[i].waiting_ns / (double)wait[i].total_ns : 1;
        forget_wait(&wait[i]);
    }
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        uint64_t ns = overlap_of(call, length_ns);

        if (ns > 0)
            add_wait_call(&wait[call->wait], call, parts[call->wait], ns);
    }
    free(parts);
}

void window_settle(struct session *session, const struct events *events,
                   const struct trace_header *header)
{
    struct session_window *window = &session->window;

    *window = events->from.options->window;
    window->whole_ns = find_whole(session, events, header);
    if (window->to_ns > window->whole_ns)
        window->to_ns = window->whole_ns;
    session->process.wall_ns = length_of(window);
    session->process.realtime_start_ns += window->from_ns;
    session->process.monotonic_start_ns += window->from_ns;
    session->heap.usable_peak_bytes = 0;
    settle_readings(session, header);
    settle_stages(session);
    forget_counters(session);
    if (window->from_ns > 0 || ends_early(window))
        settle_waits(session);
}

/* If a thread also ran outside of the window, its clock was not read at the borders. */
static void cut_thread(struct session_thread *thread, uint64_t length_ns)
{
    bool is_inside = thread->first_ns > 0 && thread->has_ended && thread->last_ns <= length_ns;

    if (!is_inside)
        thread->cpu_ns = thread->delay_ns = SESSION_UNKNOWN;
    if (thread->last_ns > length_ns)
        thread->last_ns = length_ns;
    if (thread->first_ns > length_ns)
        thread->first_ns = length_ns;
}

void window_cut_threads(struct session *session)
{
    for (size_t i = 0; i < session->threads.count; i++)
        cut_thread(array_at(&session->threads, i), length_of(&session->window));
}

void window_cut_costs(struct session *session)
{
    const struct session_window *window = &session->window;
    struct session_overhead *overhead = &session->overhead;

    if (window->whole_ns > 0)
        overhead->slow_ns *= (double)length_of(window) / (double)window->whole_ns;
    overhead->block_ticks = 0;
    overhead->left_out_calls = 0;
}

static void forget_parts(struct session *session)
{
    struct session_region *region = session->regions.items;
    struct session_thread *thread = session->threads.items;

    for (size_t i = 0; i < session->regions.count; i++) {
        region[i].allocations = region[i].allocated_bytes = SESSION_UNKNOWN;
        region[i].frees = SESSION_UNKNOWN;
    }
    for (size_t i = 0; i < session->threads.count; i++) {
        thread[i].allocations = thread[i].allocated_bytes = SESSION_UNKNOWN;
        thread[i].frees = SESSION_UNKNOWN;
    }
}

static bool records_blocks(const struct session *session)
{
    const char *mode = session->process.alloc_mode;

    return strcmp(mode, "full") == 0 || strcmp(mode, "nostack") == 0;
}

static void sum_threads(struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    struct session_heap *heap = &session->heap;

    heap->allocations = heap->allocated_bytes = heap->frees = 0;
    for (size_t i = 0; i < session->threads.count; i++) {
        heap->allocations += thread[i].allocations;
        heap->allocated_bytes += thread[i].allocated_bytes;
        heap->frees += thread[i].frees;
    }
}

void window_count_blocks(struct session *session, const struct heap *heap)
{
    struct session_heap *to = &session->heap;

    to->failed_allocations = SESSION_UNKNOWN;
    if (records_blocks(session) && heap->stage != HEAP_BLOCKS) {
        sum_threads(session);
        return;
    }
    to->allocations = to->allocated_bytes = to->frees = SESSION_UNKNOWN;
    forget_parts(session);
}

void window_sum_blocks(struct session *session)
{
    const struct session_site *site = session->sites.items;
    struct session_heap *to = &session->heap;

    if (!to->is_estimated)
        return;
    to->has_estimated_totals = true;
    to->allocations = to->allocated_bytes = to->frees = 0;
    for (size_t i = 0; i < session->sites.count; i++) {
        to->allocations += site[i].allocations;
        to->allocated_bytes += site[i].allocated_bytes;
        to->frees += site[i].frees;
    }
}

static bool lacks_blocks(const struct session *session)
{
    return session->heap.allocations == SESSION_UNKNOWN;
}

void window_doubt(struct session *session, const struct trace_header *header)
{
    const struct session_window *window = &session->window;
    struct text_list *doubts = &session->doubts;

    text_list_say(doubts, window_is_cut_text, said_time((double)window->from_ns),
                  said_time((double)window->to_ns), said_time((double)window->whole_ns));
    if (session->readings.count > 0)
        text_list_say(doubts, window_readings_text);
    if (header->events_each > 0)
        text_list_say(doubts, window_runs_text);
    if (lacks_blocks(session))
        text_list_say(doubts, window_blocks_text);
}
