/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The losses of a trace.
 *
 * Tallies count the written records, and the reader counts the remaining ones: the difference was
 * overwritten.  A process killed between a tally and its event leaves a difference of one in each
 * lane; that is no loss.
 */
#include "model/losses.h"

#include <math.h>
#include <string.h>

#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/sites.h"
#include "model/texts.h"

enum { LOSSES_SLACK = 1 };

static bool wants_blocks(const struct session *session)
{
    const char *mode = session->process.alloc_mode;

    return session->heap.sample_bytes == 0 &&
           (strcmp(mode, "full") == 0 || strcmp(mode, "nostack") == 0);
}

/* With drawn blocks, the tallies count all blocks but the events only some: the number of their
 * records is unknown. */
static bool records_blocks(const struct session *session)
{
    return wants_blocks(session) && !session->heap.is_estimated;
}

/* Returns: the records of a lane's events that were read. */
static struct events_lane find_events(const struct events *events,
                                      const struct tallies_lane *tallies)
{
    const struct events_lane *lane = events->lanes.items;

    return tallies->source >= 0 ? lane[tallies->source] : (struct events_lane){0};
}

static uint64_t above(uint64_t written, uint64_t found)
{
    return written > found ? written - found : 0;
}

uint64_t losses_count_missing(const struct session *session, const struct tallies_lane *tallies,
                              const struct events *events)
{
    struct events_lane lane = find_events(events, tallies);
    uint64_t written = tallies->others;
    uint64_t found = lane.others;

    if (records_blocks(session)) {
        written += tallies->blocks;
        found += lane.heap.records;
    }
    return above(written, found + tallies->lost + LOSSES_SLACK);
}

static uint64_t count_all_missing(const struct session *session,
                                  const struct losses_sources *sources)
{
    const struct tallies_lane *lane = sources->tallies->lanes.items;
    uint64_t missing = 0;

    for (size_t i = 0; i < sources->tallies->lanes.count; i++)
        missing += losses_count_missing(session, &lane[i], sources->events);
    return missing;
}

/* While a process runs, its tallies are read later than its events were
 * counted: only after an ending does a difference mean something. */
static uint64_t count_missing_blocks(const struct session *session,
                                     const struct losses_sources *sources)
{
    const struct tallies_lane *lane = sources->tallies->lanes.items;
    uint64_t missing = 0;

    if (!session->process.has_last || !records_blocks(session))
        return 0;
    for (size_t i = 0; i < sources->tallies->lanes.count; i++)
        missing += above(lane[i].blocks, find_events(sources->events, &lane[i]).heap.records +
                                             lane[i].lost + LOSSES_SLACK);
    return missing;
}

static uint64_t count_bad_events(const struct events *events)
{
    return events->bad_records + events->heap.bad_addresses + events->heap.missing_frees;
}

static uint64_t count_read(const struct events *events)
{
    const struct events_lane *lane = events->lanes.items;
    uint64_t count = 0;

    for (size_t i = 0; i < events->lanes.count; i++)
        count += lane[i].heap.records + lane[i].others;
    return count;
}

/* A process that was killed may not have written the names of its kernels. */
static void doubt_names(struct session *session, const struct facts *facts)
{
    if (facts->unknown_bindings == 0)
        return;
    text_list_say(&session->doubts, names_lost_text, said_count(facts->unknown_bindings));
}

/* The work of an executed object is unknown if its shape was not written. */
static void doubt_shapes(struct session *session, const struct facts *facts)
{
    uint64_t lost = session->losses.lost_shapes + facts->unknown_shapes;

    if (lost == 0)
        return;
    text_list_say(&session->doubts, shapes_lost_text, said_count(lost));
}

/* Limits that the user wanted are no loss, but readers of the report must know them. */
static void doubt_left_out(struct session *session, const struct reader *reader)
{
    uint64_t left_out = session->overhead.left_out_calls;
    uint64_t each = reader->header.events_each;

    if (left_out > 0)
        text_list_say(&session->doubts, budget_calls_text, said_count(left_out),
                      said_count(TRACE_CALLS_PER_TIMED));
    if (each > 0)
        text_list_say(&session->doubts, calls_limited_text, said_count(each));
}

static uint64_t count_samples(const struct session *session)
{
    const struct session_site *site = session->sites.items;
    uint64_t count = 0;

    for (size_t i = 0; i < session->sites.count; i++)
        count += site[i].records;
    return count;
}

/* A missing part of the sample is missing in every estimate. */
static void doubt_samples(struct session *session)
{
    if (session->heap.lost_samples == 0)
        return;
    text_list_say(&session->doubts, samples_lost_text,
                  said_count(session->heap.lost_samples + count_samples(session)),
                  said_count(session->heap.lost_samples));
}

static void doubt_snapshots(struct session *session)
{
    const char *obstacle = session->process.snapshot_obstacle;

    if (!obstacle)
        return;
    text_list_say(&session->doubts, snapshots_missing_text, said_words(obstacle));
}

/* Blocks of another malloc are in no record. */
static void doubt_deep(struct session *session)
{
    uint64_t count = session->process.deep_unseen;

    if (count == 0)
        return;
    text_list_say(&session->doubts, deep_unseen_text, said_count(count));
}

static void doubt_labels(struct session *session)
{
    if (session->process.labels_refused == 0)
        return;
    text_list_say(&session->doubts, labels_refused_text);
}

static void doubt_ranges(struct session *session)
{
    const struct session_process *process = &session->process;
    uint64_t open = 0;

    for (size_t i = 0; i < session->span_rows.count; i++)
        open += session_span_row_at(session, i)->open;
    if (process->range_tables_refused > 0)
        text_list_say(&session->doubts, range_tables_refused_text,
                      said_count(process->range_tables_refused));
    if (process->spans_refused > 0)
        text_list_say(&session->doubts, spans_refused_text, said_count(process->spans_refused));
    if (open > 0)
        text_list_say(&session->doubts, spans_open_text, said_count(open));
    if (session->has_spans_left_out)
        text_list_say(&session->doubts, spans_left_out_text, said_count(SESSION_SPANS_MOST));
}

static void doubt(struct session *session, const struct reader *reader, const struct facts *facts)
{
    const struct session_losses *losses = &session->losses;
    struct text_list *doubts = &session->doubts;

    if (reader->is_truncated)
        text_list_say(doubts, file_cut_text, said_count(reader->size),
                      said_count(reader->header.size));
    else if (losses->torn_chunks > 0)
        text_list_say(doubts, chunks_torn_text, said_count(losses->torn_chunks));
    if (losses->bad_records > 0)
        text_list_say(doubts, records_bad_text, said_count(losses->bad_records));
    doubt_left_out(session, reader);
    doubt_samples(session);
    doubt_snapshots(session);
    doubt_deep(session);
    doubt_labels(session);
    doubt_ranges(session);
    session_say_untimed(doubts, session);
    doubt_names(session, facts);
    doubt_shapes(session, facts);
}

/* Every lane has tallies, and every program a thread. */
static bool lacks_tallies(const struct session *session, const struct losses_sources *sources)
{
    const struct events_lane *lane = sources->events->lanes.items;

    for (size_t i = 0; i < sources->events->lanes.count; i++)
        if (!lane[i].tallies)
            return true;
    return session->threads.count == 0;
}

/* Older traces do not say why a chain was lost. */
static void forget_reasons(struct session_losses *losses)
{
    for (unsigned i = TRACE_CHAIN_LOST + 1; i < TRACE_CHAIN_ENDS; i++)
        losses->chain_ends[i] = SESSION_UNKNOWN;
}

/* Lost chains are weighted by their allocations: a chain without any is no loss. */
static void count_chains(struct session *session, uint32_t version)
{
    const struct session_site *site = session->sites.items;
    struct session_losses *losses = &session->losses;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_call *call = session_call_at(session, site[i].call);

        if (site[i].call == 0 || call->kind == SESSION_CALL_UNDRAWN)
            continue; /* the record has no chain */
        losses->chains += site[i].records;
        losses->chain_ends[call->end] += site[i].records;
    }
    if (version < TRACE_VERSION_8)
        forget_reasons(losses);
}

void losses_fill(struct session *session, const struct losses_sources *sources)
{
    const struct trace_header *header = &sources->reader->header;
    struct session_losses *losses = &session->losses;

    losses->lost_records += header->lost_records;
    losses->reused_chunks = header->reused_chunks;
    losses->failed_chunks = header->failed_chunks;
    losses->failed_errno = header->failed_errno;
    losses->lost_shapes = header->lost_shapes;
    losses->untraced = header->untraced;
    losses->early_waits = header->early_waits;
    losses->early_waits_ns =
        (double)clock_convert_length(sources->tallies->clock, header->early_wait_ticks);
    losses->torn_chunks = sources->reader->torn_chunks + sources->events->torn_chunks;
    losses->lacks_totals = losses->torn_chunks > 0 && lacks_tallies(session, sources);
    losses->bad_records = sources->facts->bad_facts + sources->tallies->bad_cells +
                          sources->chains->bad_calls + count_bad_events(sources->events);
    if (header->reused_chunks > 0)
        losses->overwritten_records =
            session->heap.is_estimated ? SESSION_UNKNOWN : count_all_missing(session, sources);
    else if (losses->torn_chunks == 0)
        losses->lost_records += count_missing_blocks(session, sources);
    session->records_read = count_read(sources->events);
    count_chains(session, header->version);
    doubt(session, sources->reader, sources->facts);
}

/* Returns: why allocations were not recorded. */
static const char *explain_mode(const struct session_process *process)
{
    const char *mode = process->alloc_mode;

    if (process->imported)
        return heap_imported_text.words;
    if (strcmp(mode, "count") == 0)
        return heap_counted_only_text.words;
    if (strcmp(mode, "off") == 0)
        return heap_unrecorded_text.words;
    return heap_mode_unknown_text.words;
}

/* Returns: which records are missing or invalid, or NULL. */
static const char *explain_records(const struct session_losses *losses)
{
    if (losses->reused_chunks > 0)
        return heap_records_overwritten_text.words;
    if (losses->lost_records > 0)
        return heap_records_lost_text.words;
    if (losses->torn_chunks > 0)
        return heap_file_torn_text.words;
    return NULL;
}

/* Returns: why the replay cannot show the heap, or NULL if it can. */
static const char *explain_heap(const struct session *session, const struct losses_sources *sources)
{
    bool is_sampled = session->heap.sample_bytes > 0;
    const char *reason = explain_records(&session->losses);

    if (sources->events->from.options->leaves_heap)
        return heap_left_out_text.words;
    if (!is_sampled && !wants_blocks(session))
        return explain_mode(&session->process);
    if (session->process.malloc_owner)
        return heap_malloc_owner_text.words;
    if (reason)
        return reason;
    if (count_bad_events(sources->events) > 0)
        return heap_records_bad_text.words;
    if (session->heap.lost_samples > 0)
        return heap_samples_lost_text.words;
    return NULL;
}

static void forget_regions(struct session *session)
{
    struct session_region *region = session->regions.items;
    struct session_reading *reading = session->readings.items;
    struct session_resident *resident = session->residents.items;

    for (size_t i = 0; i < session->regions.count; i++) {
        region[i].freed_bytes = SESSION_UNKNOWN;
        region[i].begin_heap_bytes = SESSION_UNKNOWN;
        region[i].end_heap_bytes = SESSION_UNKNOWN;
        region[i].peak_heap_bytes = SESSION_UNKNOWN;
    }
    for (size_t i = 0; i < session->readings.count; i++)
        reading[i].live_heap_bytes = reading[i].begin_heap_bytes = SESSION_UNKNOWN;
    for (size_t i = 0; i < session->residents.count; i++)
        resident[i].requested_bytes = resident[i].chunk_bytes = resident[i].large_bytes =
            resident[i].large_requested = resident[i].blocks = SESSION_UNKNOWN;
}

static void forget_heap(struct session *session)
{
    struct session_heap *heap = &session->heap;

    heap->peak_bytes = heap->peak_blocks = heap->peak_time_ns = SESSION_UNKNOWN;
    heap->peak_site = heap->peak_region = heap->peak_thread = SESSION_NONE;
    heap->live_bytes = heap->live_blocks = SESSION_UNKNOWN;
    heap->temporary = heap->short_lived = heap->moved = SESSION_UNKNOWN;
    heap->grown_bytes = heap->strange_frees = SESSION_UNKNOWN;
    heap->peak_error = heap->live_error = 0;
    array_truncate(&heap->moments, 0);
    sites_forget_live(session);
    forget_regions(session);
}

/* Mappings are recorded one by one even where blocks are counted. */
static bool records_maps(const struct session *session)
{
    return strcmp(session->process.alloc_mode, "off") != 0;
}

static void forget_maps(struct session *session)
{
    struct session_reading *reading = session->readings.items;
    struct session_moment *moment = session->heap.moments.items;
    struct session_heap *heap = &session->heap;

    heap->maps = heap->unmaps = heap->mapped_bytes = SESSION_UNKNOWN;
    heap->peak_mapped_bytes = heap->peak_mapped_time_ns = SESSION_UNKNOWN;
    heap->peak_mapped_file_bytes = heap->peak_mapped_reserved_bytes = SESSION_UNKNOWN;
    array_truncate(&session->mappings, 0);
    for (size_t i = 0; i < session->readings.count; i++)
        reading[i].mapped_bytes = SESSION_UNKNOWN;
    for (size_t i = 0; i < heap->moments.count; i++)
        moment[i].mapped_bytes = SESSION_UNKNOWN;
}

/* Allocations that the shim did not see are unknown, not 0. */
static void forget_totals(struct session *session)
{
    struct session_region *region = session->regions.items;
    struct session_thread *thread = session->threads.items;
    struct session_heap *heap = &session->heap;

    heap->allocations = heap->allocated_bytes = SESSION_UNKNOWN;
    heap->frees = heap->failed_allocations = SESSION_UNKNOWN;
    for (size_t i = 0; i < session->regions.count; i++) {
        region[i].allocations = region[i].allocated_bytes = SESSION_UNKNOWN;
        region[i].frees = SESSION_UNKNOWN;
    }
    for (size_t i = 0; i < session->threads.count; i++) {
        thread[i].allocations = thread[i].allocated_bytes = SESSION_UNKNOWN;
        thread[i].frees = thread[i].failed_allocations = SESSION_UNKNOWN;
    }
}

static bool has_totals(const struct session *session)
{
    const struct session_process *process = &session->process;

    return !process->malloc_owner && strcmp(process->alloc_mode, "off") != 0 &&
           !session->losses.lacks_totals;
}

void losses_judge_heap(struct session *session, const struct losses_sources *sources)
{
    struct session_heap *heap = &session->heap;

    heap->reason = explain_heap(session, sources);
    if (heap->reason)
        forget_heap(session);
    else if (heap->sample_bytes > 0)
        heap->reason = heap_sampled_text.words;
    else if (heap->is_estimated)
        heap->reason = heap_drawn_text.words;
    heap->is_exact = !heap->reason;
    if (!has_totals(session))
        forget_totals(session);
    if (!records_maps(session) || explain_records(&session->losses))
        forget_maps(session);
}

static double overhead_ns(const struct session *session, uint64_t parts)
{
    return (double)parts / TRACE_OVERHEAD_SCALE * session->ns_per_tick;
}

static double cost_kernels(const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    const struct session_binding *binding = session->bindings.items;
    double cost = 0;

    for (size_t i = 0; i < session->bindings.count; i++) {
        bool is_compiled = !binding[i].kernel || binding[i].kernel->is_compiled;

        cost += (double)binding[i].timed_calls *
                (is_compiled ? overhead->kernel_ns : overhead->entry_ns);
        cost += (double)(binding[i].calls - binding[i].timed_calls) * overhead->counted_ns;
    }
    return cost + (double)overhead->left_out_calls * (overhead->left_out_ns - overhead->counted_ns);
}

static double count_calls(const struct session *session)
{
    const struct session_binding *binding = session->bindings.items;
    double calls = 0;

    for (size_t i = 0; i < session->bindings.count; i++)
        calls += (double)binding[i].calls;
    return calls;
}

static double count_regions(const struct session *session)
{
    const struct session_region *region = session->regions.items;
    double calls = 0;

    for (size_t i = 0; i < session->regions.count; i++)
        calls += (double)region[i].calls;
    return calls;
}

static double count_ops(const struct session *session)
{
    double calls = 0;

    for (size_t i = 0; i < session->ops.count; i++)
        calls += (double)session_op_at(session, i)->calls;
    return calls;
}

void losses_fill_costs(struct session *session, const struct trace_header *header)
{
    const struct trace_overhead *overhead = &header->overhead;
    struct session_overhead *to = &session->overhead;

    to->kernel_ns = overhead_ns(session, overhead->kernel);
    to->kernel_inner_ns = overhead_ns(session, overhead->kernel_inner);
    to->entry_ns = overhead_ns(session, overhead->entry);
    to->entry_inner_ns = overhead_ns(session, overhead->entry_inner);
    to->counted_ns = overhead_ns(session, overhead->counted);
    to->left_out_ns = overhead_ns(session, overhead->left_out);
    to->region_ns = overhead_ns(session, overhead->region);
    to->allocation_ns = overhead_ns(session, overhead->allocation);
    to->resolution_ns = overhead_ns(session, overhead->resolution);
    to->is_priced = overhead->resolution > 0;
    to->slow_ns = (double)header->slow_ticks * session->ns_per_tick;
    to->block_ticks = header->block_ticks;
    to->exact_ns = header->exact_cost > 0 ? overhead_ns(session, header->exact_cost) *
                                                (double)session->heap.allocations
                                          : (double)NAN;
}

/* The shim sums the cost of blocks in each stage of recording.  The sum is missing in older traces,
 * and if a process was killed early. */
static double cost_blocks(const struct session *session, double blocks)
{
    uint64_t ticks = session->overhead.block_ticks;

    return ticks > 0 ? (double)ticks * session->ns_per_tick
                     : blocks * session->overhead.allocation_ns;
}

/* Ask whether a call is in the shim's own code. */
static bool is_own(const struct session *session, const struct session_sample *sample)
{
    return (sample->flags & TRACE_SAMPLE_TPROF) || session_call_at(session, sample->call)->is_shim;
}

/* Processor time of our own code by its samples, and of taking them.
 * Returns: NAN: too few samples. */
static double find_sampled(const struct session *session)
{
    const uint64_t least = 100; /* for a standard error of a tenth */
    const struct session_sampling *sampling = &session->sampling;
    const struct session_sample *sample = session->samples.items;
    uint64_t count = 0, periods = 0;

    for (size_t i = 0; i < session->samples.count; i++)
        if (is_own(session, &sample[i])) {
            count += sample[i].count;
            periods += sample[i].periods;
        }
    if (count < least)
        return (double)NAN;
    return (double)periods * (double)sampling->period_ns +
           (double)sampling->count * sampling->cost_ns;
}

/* The prices were measured in a loop with warm caches, so they are minima.  Samples show the cost
 * of our code after the program has used the caches.  Slow paths were timed in place.  Decision:
 * doc/decisions/told-overhead. */
static void find_in_place(struct session *session)
{
    struct session_overhead *to = &session->overhead;
    double priced_ns = to->kernels_ns + to->regions_ns + to->blocks_ns;
    double sampled_ns = find_sampled(session);
    double in_place = (sampled_ns - to->slow_ns) / priced_ns;

    if (!(in_place > 1) || !isfinite(in_place))
        return;
    to->kernels_ns *= in_place;
    to->regions_ns *= in_place;
    to->blocks_ns *= in_place;
}

/* Records that were lost cost no less than others, and nearly all are of blocks. */
static double count_blocks(const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    return heap->allocations == SESSION_UNKNOWN ? (double)session->losses.lost_records
                                                : (double)heap->allocations + (double)heap->frees;
}

void losses_fill_overhead(struct session *session)
{
    struct session_overhead *to = &session->overhead;

    if (session->process.imported)
        return; /* tprof was not there */
    double blocks = count_blocks(session);
    to->kernels_ns = cost_kernels(session);
    to->regions_ns =
        count_regions(session) * to->region_ns + count_ops(session) * TRACE_OP_NS;
    to->blocks_ns = cost_blocks(session, blocks);
    to->events =
        count_calls(session) + count_regions(session) + count_ops(session) + blocks;
    /* Starting, chunks, readings and new chains cost the same however many events there are. */
    to->event_ns = to->events > 0 ? (to->kernels_ns + to->regions_ns + blocks * to->allocation_ns) /
                                        to->events
                                  : (double)NAN;
    find_in_place(session);
    double total_ns = to->slow_ns + to->kernels_ns + to->regions_ns + to->blocks_ns;
    to->total_ns = total_ns < 0x1p64 ? (uint64_t)total_ns : UINT64_MAX;
    to->fraction = session->thread_ns > 0 ? total_ns / (double)session->thread_ns : (double)NAN;
}

bool session_is_complete(const struct session *session)
{
    return session->process.ending != SESSION_UNSEEN && !session->process.goes_on &&
           session->process.ending != SESSION_SIGNALLED && session->losses.lost_records == 0 &&
           session->losses.overwritten_records == 0 && session->losses.torn_chunks == 0 &&
           session->losses.bad_records == 0;
}
