/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a program's memory in sum: a record for programs, and for
 * people a line a fact.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/fields.h"
#include "memory/memory_options.h"
#include "memory/memory_parts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* A field without a title is for programs alone. */
static const struct column summary_columns[] = {
    FIELD("known", UNIT_BOOL),
    FIELD("exact", UNIT_BOOL),
    FIELD("reason", UNIT_TEXT),
    FIELD("sample_bytes", UNIT_BYTES),
    FIELD("baseline_ram_bytes", UNIT_BYTES),
    FIELD("peak_ram_bytes", UNIT_BYTES),
    FIELD("tprof_bytes", UNIT_BYTES),
    FIELD("peak_heap_bytes", UNIT_BYTES),
    FIELD("peak_heap_error_bytes", UNIT_BYTES),
    FIELD("peak_heap_time_ns", UNIT_NS),
    FIELD("peak_heap_blocks", UNIT_COUNT),
    FIELD("peak_site", UNIT_TEXT),
    FIELD("peak_region", UNIT_TEXT),
    FIELD("peak_thread", UNIT_COUNT),
    FIELD("allocated_bytes", UNIT_BYTES),
    FIELD("freed_bytes", UNIT_BYTES),
    FIELD("freed_error_bytes", UNIT_BYTES),
    FIELD("live_at_exit_bytes", UNIT_BYTES),
    FIELD("live_at_exit_error_bytes", UNIT_BYTES),
    FIELD("live_at_exit_blocks", UNIT_COUNT),
    FIELD("allocations", UNIT_COUNT),
    FIELD("frees", UNIT_COUNT),
    FIELD("failed_allocations", UNIT_COUNT),
    FIELD("unknown_frees", UNIT_COUNT),
    FIELD("temporary", UNIT_COUNT),
    FIELD("temporary_fraction", UNIT_FRACTION),
    FIELD("short_lived", UNIT_COUNT),
    FIELD("moved", UNIT_COUNT),
    FIELD("grown_bytes", UNIT_BYTES),
    FIELD("other_thread_frees", UNIT_COUNT),
    FIELD("pattern", UNIT_TEXT),
    FIELD("maps", UNIT_COUNT),
    FIELD("unmaps", UNIT_COUNT),
    FIELD("mapped_bytes", UNIT_BYTES),
    FIELD("peak_mapped_bytes", UNIT_BYTES),
    FIELD("peak_mapped_file_bytes", UNIT_BYTES),
    FIELD("peak_mapped_reserved_bytes", UNIT_BYTES),
    FIELD("peak_mapped_time_ns", UNIT_NS),
    FIELD("fragmentation_bytes", UNIT_BYTES),
    FIELD("fragmentation_fraction", UNIT_FRACTION),
    FIELD("fragmentation_time_ns", UNIT_NS),
    FIELD("peak_fragmentation_bytes", UNIT_BYTES),
    FIELD("peak_fragmentation_fraction", UNIT_FRACTION),
    FIELD("doubts", UNIT_TEXT),
};

/* What of the heap is asked for when it is not known. */
static uint64_t known(const struct session_heap *heap, uint64_t number)
{
    return memory_is_known(heap) ? number : SESSION_UNKNOWN;
}

/* Of sampled blocks the freed ones are estimated like the live ones: what was obtained
 * is known exactly, and less an estimate it could be below what was freed, or below 0. */
uint64_t memory_freed_bytes(const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (heap->allocated_bytes == SESSION_UNKNOWN || !memory_is_known(heap))
        return SESSION_UNKNOWN;
    if (heap->sample_bytes > 0)
        return heap_sums_of(session).freed_bytes;
    return heap->live_bytes > heap->allocated_bytes ? SESSION_UNKNOWN
                                                    : heap->allocated_bytes - heap->live_bytes;
}

/* A block was freed or is live: the variances of the two add up to that of all. */
double memory_freed_error(const struct session *session)
{
    struct heap_sums sums = heap_sums_of(session);

    return sqrt(fmax(sums.allocated_variance - sums.live_variance, 0));
}

/* Returns: NAN when one of them is unknown. */
static double share_of(const struct session_heap *heap, uint64_t part, uint64_t whole)
{
    bool are_known =
        memory_is_known(heap) && part != SESSION_UNKNOWN && whole != SESSION_UNKNOWN && whole > 0;

    return are_known ? (double)part / (double)whole : (double)NAN;
}

double memory_temporary_fraction(const struct session *session)
{
    struct heap_sums sums = heap_sums_of(session);

    return share_of(&session->heap, session->heap.temporary, sums.allocations);
}

static enum status add_peak(struct fields *fields, struct memory_work *work)
{
    const struct session *session = work->session;
    const struct session_heap *heap = &session->heap;
    bool has_region = memory_is_known(heap) && heap->peak_region < session->regions.count;
    bool has_thread = memory_is_known(heap) && heap->peak_thread < session->threads.count;
    struct text site;
    enum status status;

    fields_add_count(fields, known(heap, heap->peak_bytes));
    fields_add_real(fields, memory_is_known(heap) ? heap->peak_error : (double)NAN);
    fields_add_count(fields, memory_peak_time_ns(heap));
    fields_add_count(fields, known(heap, heap->peak_blocks));
    text_init(&site);
    status = memory_append_peak_site(&site, work, place_append);
    fields_add_text(fields, site.size > 0 ? site.bytes : NULL);
    text_fini(&site);
    fields_add_text(fields,
                    has_region ? session_region_at(session, heap->peak_region)->path : NULL);
    if (has_thread)
        fields_add_count(fields, session_thread_at(session, heap->peak_thread)->id);
    else
        fields_add_null(fields);
    return status;
}

static void add_totals(struct fields *fields, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    fields_add_count(fields, heap->allocated_bytes);
    fields_add_count(fields, memory_freed_bytes(session));
    fields_add_real(fields, memory_is_known(heap) ? memory_freed_error(session) : (double)NAN);
    fields_add_count(fields, known(heap, heap->live_bytes));
    fields_add_real(fields, memory_is_known(heap) ? heap->live_error : (double)NAN);
    fields_add_count(fields, known(heap, heap->live_blocks));
    fields_add_count(fields, heap->allocations);
    fields_add_count(fields, heap->frees);
    fields_add_count(fields, heap->failed_allocations);
    fields_add_count(fields,
                     heap_sums_are_recorded(session) ? heap->unknown_frees : SESSION_UNKNOWN);
    fields_add_count(fields, known(heap, heap->temporary));
    fields_add_real(fields, memory_temporary_fraction(session));
    fields_add_count(fields, known(heap, heap->short_lived));
    fields_add_count(fields, known(heap, heap->moved));
    fields_add_count(fields, known(heap, heap->grown_bytes));
    fields_add_count(fields, known(heap, heap->strange_frees));
}

static void add_gap(struct fields *fields, const struct memory_gap *gap, bool has_gap)
{
    fields_add_count(fields, has_gap ? gap->gap_bytes : SESSION_UNKNOWN);
    fields_add_real(fields, has_gap ? gap->fraction : (double)NAN);
}

static void add_mappings(struct fields *fields, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    struct memory_gap last = {0}, peak = {0};
    bool has_last = memory_find_gap(&last, session);
    bool has_peak = memory_find_peak_gap(&peak, session);

    fields_add_count(fields, heap->maps);
    fields_add_count(fields, heap->unmaps);
    fields_add_count(fields, heap->mapped_bytes);
    fields_add_count(fields, heap->peak_mapped_bytes);
    fields_add_count(fields, heap->peak_mapped_file_bytes);
    fields_add_count(fields, heap->peak_mapped_reserved_bytes);
    fields_add_count(fields, heap->peak_mapped_time_ns);
    add_gap(fields, &last, has_last);
    fields_add_count(fields, has_last ? last.time_ns : SESSION_UNKNOWN);
    add_gap(fields, &peak, has_peak);
}

static enum status add_record(struct document *document, struct memory_work *work)
{
    const struct session *session = work->session;
    const struct session_heap *heap = &session->heap;
    struct memory_window window = memory_find_window(session, work->options);
    struct heap_shape shape = heap_course_classify(heap, window.from_ns, window.to_ns);
    struct fields fields = fields_begin(
        document_add_record(document, "summary", NULL, SECTION_IN_JSON), summary_columns);
    enum status status;

    fields_add_bool(&fields, memory_is_known(heap));
    fields_add_bool(&fields, heap->is_exact && heap->sample_bytes == 0);
    fields_add_text(&fields, heap->reason);
    fields_add_count(&fields, heap->sample_bytes);
    fields_add_count(&fields, session->process.first.rss_bytes);
    fields_add_count(&fields, session->process.last.peak_rss_bytes);
    fields_add_count(&fields, session->process.own_bytes);
    status = add_peak(&fields, work);
    add_totals(&fields, session);
    fields_add_text(&fields, memory_is_known(heap) ? heap_pattern_name(shape.pattern) : NULL);
    add_mappings(&fields, session);
    fields_add_list(&fields, &session->doubts);
    return status ? status : fields.status;
}

/* ---- for people ------------------------------------------------------------------ */

/* All digits where they are true. */
static void append_bytes(struct text *line, const struct session_heap *heap, uint64_t bytes)
{
    char rounded[UNITS_SIZE], exact[UNITS_SIZE];

    text_appendf(line, "%s", units_format_bytes(rounded, (double)bytes));
    if (heap->sample_bytes == 0 && bytes >= 1024 && bytes <= INT64_MAX)
        text_appendf(line, " (%s bytes)", units_format_count(exact, (int64_t)bytes));
}

static void append_error(struct text *line, const struct session_heap *heap, double error)
{
    char bytes[UNITS_SIZE];

    if (heap->sample_bytes > 0)
        text_appendf(line, " ± %s (estimated)", units_format_bytes(bytes, error));
}

static void append_count(struct text *line, uint64_t count, const char *what)
{
    char number[UNITS_SIZE];

    text_appendf(line, "%s %s%s", units_format_count(number, (int64_t)count), what,
                 units_choose(count, "", "s"));
}

static enum status append_baseline(struct text *line, struct memory_work *work)
{
    uint64_t first = work->session->process.first.rss_bytes;
    char bytes[UNITS_SIZE];

    if (first != SESSION_UNKNOWN)
        text_appendf(line, "%s resident when recording began",
                     units_format_bytes(bytes, (double)first));
    return STATUS_OK;
}

static void append_peak_place(struct text *line, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (heap->peak_region > 0 && heap->peak_region < session->regions.count)
        text_appendf(line, " in region %s", session_region_at(session, heap->peak_region)->path);
    if (session->threads.count > 1 && heap->peak_thread < session->threads.count)
        text_appendf(line, " in thread %u", session_thread_at(session, heap->peak_thread)->id);
}

static enum status append_peak(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    char time[UNITS_SIZE];

    if (!memory_is_known(heap)) {
        text_appendf(line, "unknown: %s", heap->reason ? heap->reason : "records are missing");
        return STATUS_OK;
    }
    append_bytes(line, heap, heap->peak_bytes);
    append_error(line, heap, heap->peak_error);
    if (memory_peak_time_ns(heap) == SESSION_UNKNOWN)
        return STATUS_OK;
    text_appendf(line, " at %s", units_format_time(time, (double)heap->peak_time_ns));
    append_peak_place(line, work->session);
    return STATUS_OK;
}

static enum status append_allocated(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    char failed[UNITS_SIZE];

    if (heap->allocated_bytes == SESSION_UNKNOWN) {
        text_appendf(line, "unknown: %s", heap->reason ? heap->reason : "it was not recorded");
        return STATUS_OK;
    }
    append_bytes(line, heap, heap->allocated_bytes);
    text_append(line, " in ");
    append_count(line, heap->allocations, "allocation");
    if (heap->failed_allocations > 0 && heap->failed_allocations != SESSION_UNKNOWN)
        text_appendf(line, "; %s more gave no block",
                     units_format_count(failed, (int64_t)heap->failed_allocations));
    return STATUS_OK;
}

static enum status append_freed(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    uint64_t freed = memory_freed_bytes(work->session);
    char unknown[UNITS_SIZE];

    if (heap->frees == SESSION_UNKNOWN)
        return STATUS_OK;
    if (freed != SESSION_UNKNOWN) {
        append_bytes(line, heap, freed);
        append_error(line, heap, memory_freed_error(work->session));
        text_append(line, " in ");
    }
    append_count(line, heap->frees, "free");
    if (heap->unknown_frees > 0)
        text_appendf(line, "; %s of them of blocks %s",
                     units_format_count(unknown, (int64_t)heap->unknown_frees),
                     memory_is_known(heap) ? "from before the recording"
                                           : "whose allocation is not among the records");
    return STATUS_OK;
}

static enum status append_live(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;

    if (!memory_is_known(heap))
        return STATUS_OK;
    append_bytes(line, heap, heap->live_bytes);
    append_error(line, heap, heap->live_error);
    text_append(line, " in ");
    append_count(line, heap->live_blocks, "block");
    return STATUS_OK;
}

static enum status append_temporary(struct text *line, struct memory_work *work)
{
    const struct session *session = work->session;
    double temporary = memory_temporary_fraction(session);
    char share[UNITS_SIZE];

    if (session->heap.sample_bytes > 0 && isnan(temporary))
        text_append(line, "unknown: a sample does not tell what follows an allocation");
    if (isnan(temporary))
        return STATUS_OK;
    text_appendf(line, "%s of allocations were freed before their thread's next one",
                 units_format_percent(share, temporary));
    return STATUS_OK;
}

static enum status append_realloc(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    double moved = share_of(heap, heap->moved, heap_sums_of(work->session).allocations);
    char share[UNITS_SIZE], grown[UNITS_SIZE];

    if (isnan(moved) || heap->grown_bytes == SESSION_UNKNOWN ||
        (heap->moved == 0 && heap->grown_bytes == 0))
        return STATUS_OK;
    text_appendf(line, "added %s to blocks; %s of allocations are blocks that it moved",
                 units_format_bytes(grown, (double)heap->grown_bytes),
                 units_format_percent(share, moved));
    return STATUS_OK;
}

static enum status append_short(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    struct heap_sums sums = heap_sums_of(work->session);
    double lived = share_of(heap, heap->short_lived, sums.allocations);
    double elsewhere = share_of(heap, heap->strange_frees, sums.frees);
    char share[UNITS_SIZE], time[UNITS_SIZE];

    if (isnan(lived))
        return STATUS_OK;
    text_appendf(line, "%s of allocations were freed within %s", units_format_percent(share, lived),
                 units_format_time(time, (double)work->options->memory->short_ns));
    if (elsewhere > 0)
        text_appendf(line, "; %s of frees were in another thread",
                     units_format_percent(share, elsewhere));
    return STATUS_OK;
}

static enum status append_pattern(struct text *line, struct memory_work *work)
{
    if (memory_is_known(&work->session->heap))
        memory_append_pattern(line, work->session, work->options);
    return STATUS_OK;
}

static enum status append_mapped(struct text *line, struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    char now[UNITS_SIZE], peak[UNITS_SIZE], time[UNITS_SIZE];

    if (heap->maps == SESSION_UNKNOWN || heap->maps == 0)
        return STATUS_OK;
    text_appendf(line, "%s at the end, at most %s at %s",
                 units_format_bytes(now, (double)heap->mapped_bytes),
                 units_format_bytes(peak, (double)heap->peak_mapped_bytes),
                 units_format_time(time, (double)heap->peak_mapped_time_ns));
    memory_append_mapped_kinds(line, heap);
    text_append(line, ", in ");
    append_count(line, heap->maps, "mmap call");
    text_append(line, " and ");
    append_count(line, heap->unmaps, "munmap call");
    return STATUS_OK;
}

static enum status append_resident(struct text *line, struct memory_work *work)
{
    const struct session_process *process = &work->session->process;
    char peak[UNITS_SIZE], own[UNITS_SIZE], limit[UNITS_SIZE];

    if (process->last.peak_rss_bytes == SESSION_UNKNOWN || process->last.peak_rss_bytes == 0)
        return STATUS_OK;
    text_appendf(
        line, process->has_last ? "%s at its peak" : "%s or more at its peak, by the last reading",
        units_format_bytes(peak, (double)process->last.peak_rss_bytes));
    if (process->own_bytes != SESSION_UNKNOWN)
        text_appendf(line, ", with %s of tprof's own",
                     units_format_bytes(own, (double)process->own_bytes));
    if (process->memory_limit_bytes != SESSION_UNKNOWN && process->memory_limit_bytes > 0)
        text_appendf(line, ", of %s that its control group allows",
                     units_format_bytes(limit, (double)process->memory_limit_bytes));
    return STATUS_OK;
}

static void append_gap(struct text *line, const struct memory_gap *gap, const char *when)
{
    char bytes[UNITS_SIZE], share[UNITS_SIZE], resident[UNITS_SIZE], time[UNITS_SIZE];

    text_appendf(line, "%s (%s) of %s resident %s (%s)",
                 units_format_bytes(bytes, (double)gap->gap_bytes),
                 units_format_percent(share, gap->fraction),
                 units_format_bytes(resident, (double)gap->resident_bytes), when,
                 units_format_time(time, (double)gap->time_ns));
}

/* A share would be an alarm: of a small program nearly all is no heap. */
static void append_ordinary_gap(struct text *line, const struct memory_gap *gap,
                                const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes, own = session->process.own_bytes;
    char bytes[UNITS_SIZE], resident[UNITS_SIZE], time[UNITS_SIZE];

    text_appendf(line,
                 "%s of %s resident %s (%s), no more than code, libraries and stacks take anyway",
                 units_format_bytes(bytes, (double)gap->gap_bytes),
                 units_format_bytes(resident, (double)gap->resident_bytes),
                 memory_gap_when(gap, session), units_format_time(time, (double)gap->time_ns));
    if (first != SESSION_UNKNOWN)
        text_appendf(line, "; %s were there when recording began",
                     units_format_bytes(bytes, (double)first));
    if (own != SESSION_UNKNOWN)
        text_appendf(line, "; %s are tprof's own", units_format_bytes(bytes, (double)own));
}

static enum status append_fragmentation(struct text *line, struct memory_work *work)
{
    struct memory_gap peak, last;

    if (memory_is_inherited(work->session))
        memory_append_inherited(line, work->session);
    if (!memory_find_gap(&last, work->session))
        return STATUS_OK;
    if (memory_gap_is_ordinary(&last, work->session) &&
        (!memory_find_peak_gap(&peak, work->session) ||
         memory_gap_is_ordinary(&peak, work->session))) {
        append_ordinary_gap(line, &last, work->session);
        return STATUS_OK;
    }
    if (memory_find_peak_gap(&peak, work->session) && peak.time_ns != last.time_ns) {
        append_gap(line, &peak, "at most");
        text_append(line, "; ");
    }
    append_gap(line, &last, memory_gap_when(&last, work->session));
    text_append(line, " are not live heap");
    return STATUS_OK;
}

/* A line: its title and what makes it; an empty one is left out. */
static const struct head_row {
    struct column column;
    enum status (*append)(struct text *line, struct memory_work *work);
} head_rows[] = {
    {{"baseline", "Baseline", NULL, UNIT_TEXT, 0}, append_baseline},
    {{"peak", "Peak heap", NULL, UNIT_TEXT, 0}, append_peak},
    {{"allocated", "Allocated", NULL, UNIT_TEXT, 0}, append_allocated},
    {{"freed", "Freed", NULL, UNIT_TEXT, 0}, append_freed},
    {{"live", "Live at end", NULL, UNIT_TEXT, 0}, append_live},
    {{"temporary", "Temporary", NULL, UNIT_TEXT, 0}, append_temporary},
    {{"realloc", "Realloc", NULL, UNIT_TEXT, 0}, append_realloc},
    {{"short", "Short-lived", NULL, UNIT_TEXT, 0}, append_short},
    {{"pattern", "Pattern", NULL, UNIT_TEXT, 0}, append_pattern},
    {{"mapped", "Mapped", NULL, UNIT_TEXT, 0}, append_mapped},
    {{"resident", "Resident", NULL, UNIT_TEXT, 0}, append_resident},
    {{"gap", "Not heap", NULL, UNIT_TEXT, 0}, append_fragmentation},
};

static const struct column finding_column = {"finding", "Finding", NULL, UNIT_TEXT, 0};

static enum status add_lines(struct record *record, struct memory_work *work)
{
    struct text line;
    enum status status = STATUS_OK;

    text_init(&line);
    for (size_t i = 0; i < sizeof head_rows / sizeof *head_rows && !status; i++) {
        status = head_rows[i].append(&line, work);
        if (!status)
            status = record_add_line(record, &head_rows[i].column, &line);
    }
    text_fini(&line);
    return status;
}

static const struct column finding_columns[] = {FIELD("id", UNIT_TEXT), FIELD("text", UNIT_TEXT)};
static const struct table_schema findings_schema = {"findings", NULL, finding_columns, 2, NULL};

static enum status add_findings(struct document *document, struct record *record,
                                const struct array *findings)
{
    struct table *table = document_add_table(document, "findings", SECTION_IN_JSON);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (table)
        table_init(table, &findings_schema);
    for (size_t i = 0; i < findings->count && !status; i++) {
        const struct memory_finding *finding = array_at(findings, i);
        struct value *row = table_add_row(table);
        struct text line;

        text_init(&line);
        text_appendf(&line, "%s: %s", finding->id, finding->text);
        status = row ? record_add_line(record, &finding_column, &line) : STATUS_OUT_OF_MEMORY;
        if (!status)
            status = value_set_text(&row[0], finding->id);
        if (!status)
            status = value_set_text(&row[1], finding->text);
        text_fini(&line);
    }
    return status;
}

enum status memory_add_head(struct document *document, struct memory_work *work)
{
    struct array findings;
    struct record *record;
    enum status status = add_record(document, work);

    if (status)
        return status;
    array_init(&findings, sizeof(struct memory_finding));
    record = document_add_record(document, "head", "Memory", SECTION_IN_TEXT);
    status = record ? add_lines(record, work) : STATUS_OUT_OF_MEMORY;
    if (!status)
        status = record_add_doubts(record, &work->session->doubts);
    if (!status)
        status = memory_find_problems(&findings, work->session);
    if (!status)
        status = add_findings(document, record, &findings);
    memory_free_problems(&findings);
    return status;
}
