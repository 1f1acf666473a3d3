/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a report: compute, memory, system, losses, cost.
 */
#include <math.h>

#include "analysis/loss_words.h"
#include "base/text.h"
#include "findings/rows.h"
#include "heap/memory.h"
#include "heap/memory_facts.h"
#include "kernels/flops_insights.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/counter_rows.h"
#include "screen/report_parts.h"
#include "screen/resident_line.h"
#include "screen/stage_rows.h"
#include "screen/texts.h"

enum { PEAK_OWNERS = 5 };

static void append_compute(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct compute *compute = &sums->compute;

    if (sums->kernel_calls == 0) {
        compute_append_no_calls(line, compute);
        return;
    }
    compute_append_total(line, compute);
    text_append(line, ": ");
    compute_append_speed(line, compute);
    if (compute->unknown_fraction > 0)
        compute_append_unknown(line, compute);
}

/* If memory is short, record_add_line leaves the line out. */
static void append_network(struct text *line, const void *of)
{
    const struct report_sums *sums = of;

    flops_append_network(line, sums->session);
}

static void append_live(struct text *line, const struct report_sums *sums)
{
    const struct session_heap *heap = &sums->session->heap;

    say(line, report_memory_live_text,
        said_about(said_bytes((double)heap->live_bytes),
                   memory_is_estimate(heap, heap->live_error)),
        said_about(said_count(heap->live_blocks), heap->is_estimated));
    memory_append_most_live(line, &sums->memory);
    text_append(line, ".");
}

static void append_owners(struct text *line, const struct report_sums *sums)
{
    struct text owners;

    text_init(&owners);
    memory_append_owners(&owners, &sums->memory, PEAK_OWNERS);
    if (owners.size > 0)
        say_part(line, report_memory_held_text, said_words(owners.bytes));
}

static void append_peak(struct text *line, const struct report_sums *sums)
{
    const struct session_heap *heap = &sums->session->heap;
    bool has_time = memory_peak_time_ns(heap) != SESSION_UNKNOWN;
    bool is_estimate = memory_is_estimate(heap, heap->peak_error);
    struct text error;

    text_init(&error);
    if (is_estimate)
        say_part(&error, report_memory_peak_error_text, said_bytes(heap->peak_error));
    say(line, report_memory_peak_text,
        said_about(said_bytes((double)heap->peak_bytes), is_estimate), said_words(error.bytes));
    if (has_time)
        say_part(line, report_memory_peak_at_text, said_time((double)heap->peak_time_ns));
    if (has_time)
        append_owners(line, sums);
    text_append(line, ".");
    if (has_time)
        append_live(line, sums);
}

/* If more was mapped than allocated by malloc, the heap is the smaller part of the memory. */
static void append_mapped(struct text *line, const struct session_heap *heap)
{
    struct text kinds;

    if (!memory_is_known(heap) || heap->mapped_bytes == SESSION_UNKNOWN ||
        heap->peak_mapped_bytes <= heap->peak_bytes)
        return;
    text_init(&kinds);
    memory_append_mapped_kinds(&kinds, heap);
    say(line, report_memory_mapped_text, said_bytes((double)heap->peak_mapped_bytes),
        said_words(kinds.bytes), said_bytes((double)heap->mapped_bytes));
}

static void append_gap(struct text *line, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct memory_gap gap;

    if (session->residents.count > 0) {
        resident_line_append(line, session, sums->memory.options->find_frames);
        return;
    }
    if (!memory_find_gap(&gap, session) || memory_gap_is_ordinary(&gap, session))
        return;
    say(line, report_memory_gap_text, said_bytes((double)gap.resident_bytes),
        said_words(memory_gap_when(&gap, session)), said_share(gap.fraction));
}

static void append_memory(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    uint64_t resident_bytes = session->process.last.peak_rss_bytes;

    if (memory_is_known(heap))
        append_peak(line, sums);
    else
        say(line, report_memory_unknown_text,
            said_words(heap->reason ? heap->reason : "records are missing"));
    if (resident_bytes != SESSION_UNKNOWN)
        say(line,
            session->process.has_last ? report_memory_resident_text
                                      : report_memory_resident_least_text,
            said_bytes((double)resident_bytes));
    if (memory_is_inherited(session))
        memory_append_inherited(line, session);
    append_gap(line, sums);
    append_mapped(line, heap);
}

static void append_allocations(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session_heap *heap = &sums->session->heap;
    double temporary = memory_temporary_fraction(sums->session);

    if (heap->allocations == SESSION_UNKNOWN)
        return;
    say(line, report_allocations_of_text,
        said_about(said_bytes((double)heap->allocated_bytes), heap->has_estimated_totals),
        said_about(said_count(heap->allocations), heap->has_estimated_totals),
        said_about(said_count(heap->frees), heap->has_estimated_totals));
    if (isfinite(temporary))
        say(line, report_allocations_temporary_text, said_share(temporary));
}

static void append_processor(struct text *line, const struct session_process *process)
{
    double percent = report_cpu_percent(process);

    say(line, report_system_processor_text, said_time((double)process->last.user_ns),
        said_time((double)process->last.system_ns));
    if (isfinite(percent))
        say_part(line, report_system_share_text, said_count((uint64_t)llround(percent)),
                 said_count(process->cpu_count));
    text_append(line, ".");
}

static void append_system(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session_process *process = &sums->session->process;
    const struct trace_reading *last = &process->last;

    if (last->user_ns == SESSION_UNKNOWN) {
        say(line, report_system_unknown_text);
        return;
    }
    if (!process->has_last)
        say(line, report_system_least_text);
    append_processor(line, process);
    say(line, report_system_faults_text, said_count(last->minor_faults + last->major_faults),
        said_count(last->major_faults));
    say(line, report_system_switches_text, said_count(last->voluntary_switches),
        said_count(last->involuntary_switches));
}

static void append_counters(struct text *line, const void *of)
{
    const struct report_sums *sums = of;

    counter_rows_append(line, sums->session);
}

static void append_coverage(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session *session = sums->session;
    struct report_coverage coverage = report_count_coverage(session);

    if (session->bindings.count == 0 && coverage.missed == 0) {
        say(line, report_coverage_none_text);
        return;
    }
    say(line, report_coverage_called_text, said_count(coverage.called),
        said_count(session->bindings.count));
    say(line, report_coverage_hooked_text, said_count(coverage.hooked));
    if (coverage.missed > 0)
        say_part(line, report_coverage_missed_text, said_count(coverage.missed));
    text_append(line, ".");
}

static void append_losses(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    bool has_short_chains = loss_words_has_short_chains(sums->session);

    if (loss_words_are_due(sums->session))
        loss_words_append(line, sums->session);
    else if (!has_short_chains)
        text_append(line, "none");
    if (has_short_chains) {
        text_append(line, line->size > 0 ? "; " : "");
        loss_words_append_chains(line, sums->session);
    }
}

static struct said rounded(double number)
{
    return said_count((uint64_t)llround(fmax(0, number)));
}

static void append_overhead(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session_overhead *overhead = &sums->session->overhead;

    if (!overhead->is_priced) {
        say(line, report_overhead_least_text, said_time((double)overhead->total_ns));
        return;
    }
    say(line, report_overhead_sum_text, said_time((double)overhead->total_ns),
        said_share(overhead->fraction));
    say(line, report_overhead_each_text, rounded(overhead->kernel_ns), rounded(overhead->region_ns),
        rounded(overhead->allocation_ns));
    say(line, report_overhead_rest_text, said_time(overhead->slow_ns),
        said_real(overhead->resolution_ns));
}

static void append_recording(struct text *line, const void *of)
{
    const struct report_sums *sums = of;

    stage_rows_append(line, sums->session);
}

/* A count, such as the number of parameters, is shown with all digits. */
static void append_value(struct text *line, double value)
{
    if (isfinite(value) && value == floor(value))
        compute_append_count(line, (long double)value);
    else
        text_appendf(line, "%g", value);
}

static void append_metrics(struct text *line, const void *of)
{
    const struct report_sums *sums = of;
    const struct session *session = sums->session;

    if (session->items > 0)
        say(line, report_program_items_text, said_count(session->items),
            said_rate(compute_per_second(session->items, session->process.wall_ns)));
    if (session->items > 0 && session->metrics.count > 0)
        text_append(line, " ");
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = session_metric_at(session, i);

        text_appendf(line, "%s%s ", i ? ", " : "", metric->name);
        append_value(line, metric->value);
    }
}

static const struct record_line summary_lines[] = {
    {{"compute", "Compute", NULL, UNIT_TEXT, 0}, append_compute},
    {{"network", "Network", NULL, UNIT_TEXT, 0}, append_network},
    {{"memory", "Memory", NULL, UNIT_TEXT, 0}, append_memory},
    {{"allocations", "Allocations", NULL, UNIT_TEXT, 0}, append_allocations},
    {{"system", "System", NULL, UNIT_TEXT, 0}, append_system},
    {{"counters", "Counters", NULL, UNIT_TEXT, 0}, append_counters},
    {{"program", "Program", NULL, UNIT_TEXT, 0}, append_metrics},
    {{"coverage", "Coverage", NULL, UNIT_TEXT, 0}, append_coverage},
    {{"losses", "Losses", NULL, UNIT_TEXT, 0}, append_losses},
    {{"overhead", "Overhead", NULL, UNIT_TEXT, 0}, append_overhead},
    {{"recording", "Recording", NULL, UNIT_TEXT, 0}, append_recording},
};

/* Doubts about figures are no advice, but readers must know which figures may be wrong. */
static void add_doubts(struct record *record, const struct report_sums *sums)
{
    struct text_list doubts;

    text_list_init(&doubts);
    for (size_t i = 0; i < sums->findings.found.count; i++) {
        const struct finding *finding = findings_at(&sums->findings, i);

        if (finding->gain == FINDING_DOUBTS && finding->severity > FINDING_INFO)
            text_list_addf(&doubts, "%s (tprof bottlenecks: %s)", finding->title.bytes,
                           finding_id(finding->rule));
    }
    record_add_doubts(record, &doubts);
    record_add_doubts(record, &sums->session->doubts);
}

void report_add_summary(struct document *document, const struct report_sums *sums)
{
    struct record *record = document_add_record(document, "summary", "Summary", SECTION_IN_TEXT);

    record_add_lines(record, summary_lines, sizeof summary_lines / sizeof *summary_lines, sums);
    add_doubts(record, sums);
}
