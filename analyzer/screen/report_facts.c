/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a report that programs read: the JSON contract.
 */
#include <math.h>
#include <string.h>

#include "analysis/window_words.h"
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
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "screen/counter_rows.h"
#include "screen/report_parts.h"
#include "screen/stage_rows.h"

/* A field without a title is for programs alone. */
static const struct column exit_columns[] = {FIELD("kind", UNIT_TEXT), FIELD("status", UNIT_COUNT),
                                             FIELD("signal", UNIT_COUNT)};

static const char *ending_name(enum session_ending ending)
{
    static const char *const names[] = {"exited",   "quit",      "signalled",
                                        "executed", "sandboxed", "unseen"};

    return names[ending];
}

static void add_exit(struct fields *outer, const struct session_process *process)
{
    struct fields fields = fields_add_record(outer, exit_columns);
    bool has_status = (process->ending == SESSION_EXITED || process->ending == SESSION_QUIT) &&
                      process->exit_status != SESSION_NO_STATUS;

    fields_add_text(&fields, ending_name(process->ending));
    has_status ? fields_add_signed(&fields, process->exit_status) : fields_add_null(&fields);
    process->ending == SESSION_SIGNALLED ? fields_add_signed(&fields, process->signal)
                                         : fields_add_null(&fields);
}

static const struct column process_columns[] = {FIELD("command", UNIT_TEXT),
                                                FIELD("name", UNIT_TEXT),
                                                FIELD("pid", UNIT_COUNT),
                                                FIELD("parent_pid", UNIT_COUNT),
                                                FIELD("exit", UNIT_TEXT),
                                                FIELD("complete", UNIT_BOOL),
                                                FIELD("usage_is_lower_bound", UNIT_BOOL),
                                                FIELD("threads", UNIT_COUNT),
                                                FIELD("host", UNIT_TEXT),
                                                FIELD("cpu", UNIT_TEXT),
                                                FIELD("cpu_count", UNIT_COUNT),
                                                FIELD("kernel", UNIT_TEXT),
                                                FIELD("memory_limit_bytes", UNIT_BYTES),
                                                FIELD("start_realtime_ns", UNIT_NS),
                                                FIELD("environment", UNIT_TEXT),
                                                FIELD("options", UNIT_TEXT),
                                                FIELD("trace", UNIT_TEXT)};

static void add_process(struct document *document, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct fields fields = fields_begin(
        document_add_record(document, "process", NULL, SECTION_IN_JSON), process_columns);

    fields_add_list(&fields, &process->command);
    fields_add_text(&fields, process->name);
    fields_add_count(&fields, process->pid);
    fields_add_count(&fields, process->parent_pid);
    add_exit(&fields, process);
    fields_add_bool(&fields, session_is_complete(session));
    if (process->last.user_ns == SESSION_UNKNOWN)
        fields_add_null(&fields);
    else
        fields_add_bool(&fields, !process->has_last);
    fields_add_count(&fields, session->threads.count);
    fields_add_text(&fields, process->host);
    fields_add_text(&fields, process->cpu);
    fields_add_count(&fields, process->cpu_count);
    fields_add_text(&fields, process->kernel);
    fields_add_count(&fields, process->memory_limit_bytes);
    fields_add_count(&fields, process->realtime_start_ns);
    fields_add_list(&fields, &process->environment);
    fields_add_list(&fields, &process->options);
    fields_add_text(&fields, session->path);
}

static const struct column timing_columns[] = {
    FIELD("wall_ns", UNIT_NS),        FIELD("thread_ns", UNIT_NS),
    FIELD("cpu_user_ns", UNIT_NS),    FIELD("cpu_sys_ns", UNIT_NS),
    FIELD("kernel_ns", UNIT_NS),      FIELD("kernel_fraction", UNIT_FRACTION),
    FIELD("kernel_calls", UNIT_COUNT)};

static void add_timing(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct fields fields = fields_begin(
        document_add_record(document, "timing", NULL, SECTION_IN_JSON), timing_columns);

    fields_add_count(&fields, session->process.wall_ns);
    fields_add_count(&fields, session->thread_ns);
    fields_add_count(&fields, session->process.last.user_ns);
    fields_add_count(&fields, session->process.last.system_ns);
    fields_add_count(&fields, sums->kernel_ns);
    fields_add_real(
        &fields, session->thread_ns ? (double)sums->kernel_ns / (double)session->thread_ns : NAN);
    fields_add_count(&fields, session->losses.lacks_totals ? SESSION_UNKNOWN : sums->kernel_calls);
}

static const struct column memory_columns[] = {FIELD("peak_heap_bytes", UNIT_BYTES),
                                               FIELD("peak_heap_time_ns", UNIT_NS),
                                               FIELD("allocated_bytes", UNIT_BYTES),
                                               FIELD("live_at_exit_bytes", UNIT_BYTES),
                                               FIELD("live_at_exit_blocks", UNIT_COUNT),
                                               FIELD("allocations", UNIT_COUNT),
                                               FIELD("frees", UNIT_COUNT),
                                               FIELD("failed_allocations", UNIT_COUNT),
                                               FIELD("exact", UNIT_BOOL),
                                               FIELD("peak_ram_bytes", UNIT_BYTES),
                                               FIELD("peak_ram_mb", UNIT_REAL),
                                               FIELD("start_ram_bytes", UNIT_BYTES),
                                               FIELD("sample_bytes", UNIT_BYTES),
                                               FIELD("peak_heap_error_bytes", UNIT_BYTES),
                                               FIELD("live_at_exit_error_bytes", UNIT_BYTES),
                                               FIELD("peak_site", UNIT_TEXT),
                                               FIELD("freed_bytes", UNIT_BYTES),
                                               FIELD("temporary_fraction", UNIT_FRACTION),
                                               FIELD("pattern", UNIT_TEXT),
                                               FIELD("peak_mapped_bytes", UNIT_BYTES),
                                               FIELD("fragmentation_bytes", UNIT_BYTES),
                                               FIELD("fragmentation_fraction", UNIT_FRACTION)};

/* MiB, by the name that the specification has for it. */
static double ram_mb(uint64_t bytes)
{
    return bytes == SESSION_UNKNOWN ? (double)NAN : (double)bytes / (1 << 20);
}

static void add_peak_site(struct fields *fields, const struct report_sums *sums)
{
    struct text site;

    text_init(&site);
    memory_append_peak_site(&site, &sums->memory, place_append);
    fields_add_text(fields, site.size > 0 ? site.bytes : NULL);
    text_fini(&site);
}

/* What the replay alone tells. */
static void add_replay(struct fields *fields, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    bool is_known = memory_is_known(heap);
    struct memory_window window = memory_find_window(session, sums->memory.options);
    struct heap_shape shape = heap_course_classify(heap, window.from_ns, window.to_ns);
    struct memory_gap gap;
    bool has_gap = memory_find_gap(&gap, session);

    fields_add_count(fields, heap->sample_bytes);
    fields_add_real(fields, is_known ? heap->peak_error : (double)NAN);
    fields_add_real(fields, is_known ? heap->live_error : (double)NAN);
    add_peak_site(fields, sums);
    fields_add_count(fields, memory_freed_bytes(session));
    fields_add_real(fields, memory_temporary_fraction(session));
    fields_add_text(fields, is_known ? heap_pattern_name(shape.pattern) : NULL);
    fields_add_count(fields, heap->peak_mapped_bytes);
    fields_add_count(fields, has_gap ? gap.gap_bytes : SESSION_UNKNOWN);
    fields_add_real(fields, has_gap ? gap.fraction : (double)NAN);
}

static void add_memory(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    bool is_known = memory_is_known(heap);
    struct fields fields = fields_begin(
        document_add_record(document, "memory", NULL, SECTION_IN_JSON), memory_columns);

    fields_add_count(&fields, is_known ? heap->peak_bytes : SESSION_UNKNOWN);
    fields_add_count(&fields, memory_peak_time_ns(heap));
    fields_add_count(&fields, heap->allocated_bytes);
    fields_add_count(&fields, is_known ? heap->live_bytes : SESSION_UNKNOWN);
    fields_add_count(&fields, is_known ? heap->live_blocks : SESSION_UNKNOWN);
    fields_add_count(&fields, heap->allocations);
    fields_add_count(&fields, heap->frees);
    fields_add_count(&fields, heap->failed_allocations);
    fields_add_bool(&fields, heap->is_exact && !heap->has_estimated_sites);
    fields_add_count(&fields, session->process.last.peak_rss_bytes);
    fields_add_real(&fields, ram_mb(session->process.last.peak_rss_bytes));
    fields_add_count(&fields, session->process.first.rss_bytes);
    add_replay(&fields, sums);
}

static const struct column system_columns[] = {
    FIELD("cpu_percent", UNIT_REAL),           FIELD("minor_faults", UNIT_COUNT),
    FIELD("major_faults", UNIT_COUNT),         FIELD("voluntary_switches", UNIT_COUNT),
    FIELD("involuntary_switches", UNIT_COUNT), FIELD("read_bytes", UNIT_BYTES),
    FIELD("written_bytes", UNIT_BYTES),        FIELD("readings", UNIT_COUNT)};

static void add_system(struct document *document, const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    struct fields fields = fields_begin(
        document_add_record(document, "system", NULL, SECTION_IN_JSON), system_columns);

    fields_add_real(&fields, report_cpu_percent(&session->process));
    fields_add_count(&fields, last->minor_faults);
    fields_add_count(&fields, last->major_faults);
    fields_add_count(&fields, last->voluntary_switches);
    fields_add_count(&fields, last->involuntary_switches);
    fields_add_count(&fields, last->read_bytes);
    fields_add_count(&fields, last->written_bytes);
    fields_add_count(&fields, session->readings.count);
}

static enum status add_analysis(struct document *document, const char *key,
                                const struct analysis *analysis, const struct session *session,
                                const struct analysis_options *options)
{
    struct table *table = document_add_table(document, key, SECTION_IN_JSON);

    return analysis->build(session, options, table);
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

/* From the trace alone: to look into the files takes its time. */
static void add_coverage(struct document *document, const struct report_sums *sums)
{
    struct coverage coverage;

    coverage_init(&coverage, sums->session, false);
    coverage_report_add_record(document, &coverage);
    coverage_fini(&coverage);
}

static const struct column loss_columns[] = {FIELD("events", UNIT_COUNT),
                                             FIELD("lost_events", UNIT_COUNT),
                                             FIELD("overwritten_events", UNIT_COUNT),
                                             FIELD("lost_samples", UNIT_COUNT),
                                             FIELD("failed_chunks", UNIT_COUNT),
                                             FIELD("reason", UNIT_TEXT),
                                             FIELD("torn_chunks", UNIT_COUNT),
                                             FIELD("bad_records", UNIT_COUNT),
                                             FIELD("unmatched", UNIT_COUNT),
                                             FIELD("chains", UNIT_COUNT),
#define CHAIN_END(end, key, words) FIELD("chains_" key, UNIT_COUNT),
#include "spec/chain_ends.def"
#undef CHAIN_END
                                             FIELD("doubts", UNIT_TEXT)};

/* Of allocations that were recorded without chains there is nothing to tell. */
static void add_chains(struct fields *fields, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    bool has_chains = session->heap.has_chains;

    fields_add_count(fields, has_chains ? losses->chains : SESSION_UNKNOWN);
    for (unsigned i = TRACE_CHAIN_NONE + 1; i < TRACE_CHAIN_ENDS; i++)
        fields_add_count(fields, has_chains ? losses->chain_ends[i] : SESSION_UNKNOWN);
}

static void add_losses(struct document *document, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    struct fields fields =
        fields_begin(document_add_record(document, "losses", NULL, SECTION_IN_JSON), loss_columns);

    fields_add_count(&fields, losses->overwritten_records == SESSION_UNKNOWN
                                  ? SESSION_UNKNOWN
                                  : losses->lost_records + losses->overwritten_records);
    fields_add_count(&fields, losses->lost_records);
    fields_add_count(&fields, losses->overwritten_records);
    fields_add_count(&fields, session->heap.lost_samples);
    fields_add_count(&fields, losses->failed_chunks);
    fields_add_text(&fields, losses->failed_errno ? strerror(losses->failed_errno) : NULL);
    fields_add_count(&fields, losses->torn_chunks);
    fields_add_count(&fields, losses->bad_records);
    fields_add_count(&fields, losses->unmatched);
    add_chains(&fields, session);
    fields_add_list(&fields, &session->doubts);
}

static const struct column overhead_columns[] = {
    FIELD("per_event_ns", UNIT_REAL), FIELD("kernel_ns", UNIT_REAL),
    FIELD("region_ns", UNIT_REAL),    FIELD("allocation_ns", UNIT_REAL),
    FIELD("slow_ns", UNIT_REAL),      FIELD("clock_resolution_ns", UNIT_REAL),
    FIELD("total_ns", UNIT_NS),       FIELD("fraction", UNIT_FRACTION),
    FIELD("records", UNIT_COUNT)};

static double priced(const struct session_overhead *overhead, double value)
{
    return overhead->is_priced ? value : (double)NAN;
}

static void add_overhead(struct document *document, const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    struct fields fields = fields_begin(
        document_add_record(document, "overhead", NULL, SECTION_IN_JSON), overhead_columns);
    uint64_t records = session->records_read;

    fields_add_real(&fields, priced(overhead, overhead->event_ns));
    fields_add_real(&fields, priced(overhead, overhead->kernel_ns));
    fields_add_real(&fields, priced(overhead, overhead->region_ns));
    fields_add_real(&fields, priced(overhead, overhead->allocation_ns));
    fields_add_rounded(&fields, overhead->slow_ns);
    fields_add_real(&fields, priced(overhead, overhead->resolution_ns));
    fields_add_count(&fields, overhead->is_priced ? overhead->total_ns : SESSION_UNKNOWN);
    fields_add_real(&fields, priced(overhead, overhead->fraction));
    fields_add_count(&fields, records);
}

enum status report_add_facts(struct document *document, const struct report_sums *sums,
                             const struct analysis_options *options)
{
    const struct session *session = sums->session;
    enum status status;

    add_process(document, session);
    window_words_add_record(document, session);
    add_timing(document, sums);
    add_memory(document, sums);
    compute_add_facts(document, &sums->compute);
    add_system(document, session);
    status = cpu_table_add_record(document, &sums->cpu);
    if (!status)
        counter_rows_add(document, session);
    status =
        status ? status : add_analysis(document, "kernels", &analysis_timing, session, options);
    status =
        status ? status : add_analysis(document, "regions", &analysis_regions, session, options);
    status =
        status ? status : add_analysis(document, "phases", &analysis_phases, session, options);
    if (!status && session->framework.is_there)
        status = add_analysis(document, "ops", &analysis_ops, session, options);
    if (!status)
        add_metrics(document, session);
    if (!status)
        finding_rows_add(document, &sums->findings);
    if (!status)
        add_coverage(document, sums);
    if (!status)
        add_losses(document, session);
    if (!status)
        add_overhead(document, session);
    if (status)
        return status;
    stage_rows_add(document, session, SECTION_IN_JSON);
    return STATUS_OK;
}
