/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a report that programs read: the JSON contract.
 */
#include <math.h>
#include <string.h>

#include "analysis/window_words.h"
#include "base/pool.h"
#include "cpu/cpu_table.h"
#include "document/fields.h"
#include "findings/rows.h"
#include "heap/memory.h"
#include "heap/memory_facts.h"
#include "kernels/coverage.h"
#include "kernels/coverage_report.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_opened.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "screen/counter_rows.h"
#include "screen/report_parts.h"
#include "screen/stage_rows.h"

/* A field without a title is only for programs. */
static const char *ending_name(enum session_ending ending)
{
    static const char *const names[] = {"exited",   "quit",      "signalled",
                                        "executed", "sandboxed", "unseen"};

    return names[ending];
}

static void add_exit(struct record *outer, const struct session_process *process)
{
    struct record *fields = fields_put_record(outer, "exit");
    bool has_status = (process->ending == SESSION_EXITED || process->ending == SESSION_QUIT) &&
                      process->exit_status != SESSION_NO_STATUS;

    fields_put_text(fields, "kind", ending_name(process->ending));
    has_status ? fields_put_signed(fields, "status", UNIT_COUNT, process->exit_status)
               : fields_put_null(fields, "status");
    process->ending == SESSION_SIGNALLED
        ? fields_put_signed(fields, "signal", UNIT_COUNT, process->signal)
        : fields_put_null(fields, "signal");
}

/* What each thread was in when a process was killed; null for one that came to an end. */
static void add_opened(struct record *outer, const struct session *session)
{
    static const struct column column = FIELD("open", UNIT_TEXT);
    const struct session_opened *opened = session->opened.items;
    struct text_list *list;

    if (session->process.has_last) {
        fields_put_null(outer, "open");
        return;
    }
    list = record_add_list(outer, &column);
    for (size_t i = 0; i < session->opened.count; i++) {
        if (opened[i].call)
            text_list_add(list, opened[i].call);
        if (opened[i].wait)
            text_list_add(list, opened[i].wait);
        if (opened[i].region)
            text_list_add(list, opened[i].region);
    }
}

static void add_process(struct document *document, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct record *fields = document_add_record(document, "process", NULL, SECTION_IN_JSON);

    fields_put_list(fields, "command", &process->command);
    fields_put_text(fields, "name", process->name);
    fields_put_count(fields, "pid", UNIT_COUNT, process->pid);
    fields_put_count(fields, "parent_pid", UNIT_COUNT, process->parent_pid);
    add_exit(fields, process);
    fields_put_bool(fields, "complete", session_is_complete(session));
    if (process->last.user_ns == SESSION_UNKNOWN)
        fields_put_null(fields, "usage_is_lower_bound");
    else
        fields_put_bool(fields, "usage_is_lower_bound", !process->has_last);
    fields_put_count(fields, "threads", UNIT_COUNT, session->threads.count);
    add_opened(fields, session);
    fields_put_text(fields, "host", process->host);
    fields_put_text(fields, "cpu", process->cpu);
    fields_put_count(fields, "cpu_count", UNIT_COUNT, process->cpu_count);
    fields_put_text(fields, "kernel", process->kernel);
    fields_put_count(fields, "memory_limit_bytes", UNIT_BYTES, process->memory_limit_bytes);
    fields_put_count(fields, "start_realtime_ns", UNIT_NS, process->realtime_start_ns);
    fields_put_count(fields, "start_monotonic_ns", UNIT_NS, process->monotonic_start_ns);
    fields_put_list(fields, "environment", &process->environment);
    fields_put_list(fields, "options", &process->options);
    fields_put_text(fields, "trace", session->path);
}

static void add_timing(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct record *fields = document_add_record(document, "timing", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "wall_ns", UNIT_NS, session->process.wall_ns);
    fields_put_count(fields, "thread_ns", UNIT_NS, session->thread_ns);
    fields_put_count(fields, "cpu_user_ns", UNIT_NS, session->process.last.user_ns);
    fields_put_count(fields, "cpu_sys_ns", UNIT_NS, session->process.last.system_ns);
    fields_put_count(fields, "children_cpu_ns", UNIT_NS, session->process.children_ns);
    fields_put_count(fields, "kernel_ns", UNIT_NS, sums->kernel_ns);
    fields_put_real(fields, "kernel_fraction", UNIT_FRACTION,
                    session->thread_ns ? (double)sums->kernel_ns / (double)session->thread_ns
                                       : NAN);
    fields_put_count(fields, "kernel_calls", UNIT_COUNT,
                     session->losses.lacks_totals ? SESSION_UNKNOWN : sums->kernel_calls);
}

/* MiB, by the name that the specification has for it. */
static double ram_mb(uint64_t bytes)
{
    return bytes == SESSION_UNKNOWN ? (double)NAN : (double)bytes / (1 << 20);
}

static void add_peak_site(struct record *fields, const struct report_sums *sums)
{
    struct text site;

    text_init(&site);
    memory_append_peak_site(&site, &sums->memory, place_append);
    fields_put_text(fields, "peak_site", site.size > 0 ? site.bytes : NULL);
}

/* Facts that only the replay of the heap gives. */
static void add_replay(struct record *fields, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    bool is_known = memory_is_known(heap);
    struct memory_window window = memory_find_window(session, sums->memory.options);
    struct heap_shape shape = heap_course_classify(heap, window.from_ns, window.to_ns);
    struct memory_gap gap;
    bool has_gap = memory_find_gap(&gap, session);

    fields_put_count(fields, "sample_bytes", UNIT_BYTES, heap->sample_bytes);
    fields_put_real(fields, "peak_heap_error_bytes", UNIT_BYTES,
                    is_known ? heap->peak_error : (double)NAN);
    fields_put_real(fields, "live_at_exit_error_bytes", UNIT_BYTES,
                    is_known ? heap->live_error : (double)NAN);
    add_peak_site(fields, sums);
    fields_put_count(fields, "freed_bytes", UNIT_BYTES, memory_freed_bytes(session));
    fields_put_real(fields, "temporary_fraction", UNIT_FRACTION,
                    memory_temporary_fraction(session));
    fields_put_text(fields, "pattern", is_known ? heap_pattern_name(shape.pattern) : NULL);
    fields_put_count(fields, "peak_mapped_bytes", UNIT_BYTES, heap->peak_mapped_bytes);
    fields_put_count(fields, "fragmentation_bytes", UNIT_BYTES,
                     has_gap ? gap.gap_bytes : SESSION_UNKNOWN);
    fields_put_real(fields, "fragmentation_fraction", UNIT_FRACTION,
                    has_gap ? gap.fraction : (double)NAN);
}

static void add_memory(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    bool is_known = memory_is_known(heap);
    struct record *fields = document_add_record(document, "memory", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "peak_heap_bytes", UNIT_BYTES,
                     is_known ? heap->peak_bytes : SESSION_UNKNOWN);
    fields_put_count(fields, "peak_heap_time_ns", UNIT_NS, memory_peak_time_ns(heap));
    fields_put_count(fields, "allocated_bytes", UNIT_BYTES, heap->allocated_bytes);
    fields_put_count(fields, "live_at_exit_bytes", UNIT_BYTES,
                     is_known ? heap->live_bytes : SESSION_UNKNOWN);
    fields_put_count(fields, "live_at_exit_blocks", UNIT_COUNT,
                     is_known ? heap->live_blocks : SESSION_UNKNOWN);
    fields_put_count(fields, "allocations", UNIT_COUNT, heap->allocations);
    fields_put_count(fields, "frees", UNIT_COUNT, heap->frees);
    fields_put_count(fields, "failed_allocations", UNIT_COUNT, heap->failed_allocations);
    fields_put_bool(fields, "exact", heap->is_exact && !heap->has_estimated_sites);
    fields_put_count(fields, "peak_ram_bytes", UNIT_BYTES, session->process.last.peak_rss_bytes);
    fields_put_real(fields, "peak_ram_mb", UNIT_REAL, ram_mb(session->process.last.peak_rss_bytes));
    fields_put_count(fields, "start_ram_bytes", UNIT_BYTES, session->process.first.rss_bytes);
    add_replay(fields, sums);
}

static void add_system(struct document *document, const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    struct record *fields = document_add_record(document, "system", NULL, SECTION_IN_JSON);

    fields_put_real(fields, "cpu_percent", UNIT_REAL, report_cpu_percent(&session->process));
    fields_put_count(fields, "minor_faults", UNIT_COUNT, last->minor_faults);
    fields_put_count(fields, "major_faults", UNIT_COUNT, last->major_faults);
    fields_put_count(fields, "voluntary_switches", UNIT_COUNT, last->voluntary_switches);
    fields_put_count(fields, "involuntary_switches", UNIT_COUNT, last->involuntary_switches);
    fields_put_count(fields, "read_bytes", UNIT_BYTES, last->read_bytes);
    fields_put_count(fields, "written_bytes", UNIT_BYTES, last->written_bytes);
    fields_put_count(fields, "readings", UNIT_COUNT, session->readings.count);
}

static void add_analysis(struct document *document, const char *key,
                         const struct analysis *analysis, const struct session *session,
                         const struct analysis_options *options)
{
    struct table *table = document_add_table(document, key, SECTION_IN_JSON);
    struct pool pool;

    pool_enter(&pool);
    analysis->build(session, options, table);
    pool_leave(&pool);
}

static const struct column metric_columns[] = {FIELD("name", UNIT_TEXT), FIELD("value", UNIT_REAL),
                                               FIELD("count", UNIT_COUNT)};
static const struct table_schema metrics_schema = {"metrics", NULL, metric_columns, 3, NULL};

static void add_metrics(struct document *document, const struct session *session)
{
    struct table *table = document_add_table(document, "metrics", SECTION_IN_JSON);

    table_init(table, &metrics_schema);
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = session_metric_at(session, i);
        struct value *row = table_add_row(table);

        value_set_text(&row[0], metric->name);
        value_set_real(&row[1], metric->value);
        value_set_unsigned(&row[2], metric->count);
    }
}

/* Uses only the trace, because searching the files takes long. */
static void add_coverage(struct document *document, const struct report_sums *sums)
{
    struct coverage coverage;
    struct pool pool;

    pool_enter(&pool);
    coverage_init(&coverage, sums->session, false);
    coverage_report_add_record(document, &coverage);
    pool_leave(&pool);
}

/* Allocations that were recorded without chains have no lost chains. */
static void add_chains(struct record *fields, const struct session *session)
{
    static const char *const ends[] = {
        [TRACE_CHAIN_NONE] = NULL,
#define CHAIN_END(end, key, words) [TRACE_CHAIN_##end] = "chains_" key,
#include "spec/chain_ends.def"
#undef CHAIN_END
    };
    const struct session_losses *losses = &session->losses;
    bool has_chains = session->heap.has_chains;

    fields_put_count(fields, "chains", UNIT_COUNT, has_chains ? losses->chains : SESSION_UNKNOWN);
    for (unsigned i = TRACE_CHAIN_NONE + 1; i < TRACE_CHAIN_ENDS; i++)
        fields_put_count(fields, ends[i], UNIT_COUNT,
                         has_chains ? losses->chain_ends[i] : SESSION_UNKNOWN);
}

static void add_losses(struct document *document, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    struct record *fields = document_add_record(document, "losses", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "events", UNIT_COUNT,
                     losses->overwritten_records == SESSION_UNKNOWN
                         ? SESSION_UNKNOWN
                         : losses->lost_records + losses->overwritten_records);
    fields_put_count(fields, "lost_events", UNIT_COUNT, losses->lost_records);
    fields_put_count(fields, "overwritten_events", UNIT_COUNT, losses->overwritten_records);
    fields_put_count(fields, "lost_samples", UNIT_COUNT, session->heap.lost_samples);
    fields_put_count(fields, "failed_chunks", UNIT_COUNT, losses->failed_chunks);
    fields_put_text(fields, "reason", losses->failed_errno ? strerror(losses->failed_errno) : NULL);
    fields_put_count(fields, "torn_chunks", UNIT_COUNT, losses->torn_chunks);
    fields_put_count(fields, "bad_records", UNIT_COUNT, losses->bad_records);
    fields_put_count(fields, "unmatched", UNIT_COUNT, losses->unmatched);
    fields_put_count(fields, "untraced_processes", UNIT_COUNT, losses->untraced.count);
    add_chains(fields, session);
    fields_put_list(fields, "doubts", &session->doubts);
}

static double priced(const struct session_overhead *overhead, double value)
{
    return overhead->is_priced ? value : (double)NAN;
}

static void add_overhead(struct document *document, const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    struct record *fields = document_add_record(document, "overhead", NULL, SECTION_IN_JSON);
    uint64_t records = session->records_read;

    fields_put_real(fields, "per_event_ns", UNIT_REAL, priced(overhead, overhead->event_ns));
    fields_put_real(fields, "kernel_ns", UNIT_REAL, priced(overhead, overhead->kernel_ns));
    fields_put_real(fields, "region_ns", UNIT_REAL, priced(overhead, overhead->region_ns));
    fields_put_real(fields, "allocation_ns", UNIT_REAL, priced(overhead, overhead->allocation_ns));
    fields_put_rounded(fields, "slow_ns", UNIT_REAL, overhead->slow_ns);
    fields_put_real(fields, "clock_resolution_ns", UNIT_REAL,
                    priced(overhead, overhead->resolution_ns));
    fields_put_count(fields, "total_ns", UNIT_NS,
                     overhead->is_priced ? overhead->total_ns : SESSION_UNKNOWN);
    fields_put_real(fields, "fraction", UNIT_FRACTION, priced(overhead, overhead->fraction));
    fields_put_count(fields, "records", UNIT_COUNT, records);
}

void report_add_facts(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options)
{
    const struct session *session = sums->session;
    struct pool pool;

    add_process(document, session);
    window_words_add_record(document, session);
    add_timing(document, sums);
    add_memory(document, sums);
    compute_add_facts(document, &sums->compute);
    add_system(document, session);
    pool_enter(&pool);
    cpu_table_add_record(document, &sums->cpu);
    pool_leave(&pool);
    counter_rows_add(document, session);
    add_analysis(document, "kernels", &analysis_timing, session, options);
    add_analysis(document, "regions", &analysis_regions, session, options);
    add_analysis(document, "phases", &analysis_phases, session, options);
    if (session->framework.is_there)
        add_analysis(document, "ops", &analysis_ops, session, options);
    if (session->served.count > 0)
        add_analysis(document, "requests", &analysis_requests, session, options);
    add_metrics(document, session);
    finding_rows_add(document, &sums->findings);
    add_coverage(document, sums);
    add_losses(document, session);
    add_overhead(document, session);
    stage_rows_add(document, session, SECTION_IN_JSON);
}
