/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory in sum: a record for programs, lines for people, and the problems for both.
 */
#include <math.h>

#include "analysis/stage_words.h"
#include "document/fields.h"
#include "heap/memory.h"
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

/* With drawn blocks, freed bytes are estimated like live bytes.  Obtained bytes minus an
 * estimate of live bytes could be below the true freed bytes, or below 0. */
uint64_t memory_freed_bytes(const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    if (heap->allocated_bytes == SESSION_UNKNOWN || !memory_is_known(heap))
        return SESSION_UNKNOWN;
    if (session->heap.is_estimated)
        return heap_sums_of(session).freed_bytes;
    return heap->live_bytes > heap->allocated_bytes ? SESSION_UNKNOWN
                                                    : heap->allocated_bytes - heap->live_bytes;
}

/* Each block was freed or is live, so the variances of both parts add up to that of all. */
double memory_freed_error(const struct session *session)
{
    struct heap_sums sums = heap_sums_of(session);
    double allocated = heap_sums_share_error(&sums, &session->heap, SESSION_SHARE_OBTAINED);
    double live = heap_sums_share_error(&sums, &session->heap, SESSION_SHARE_LIVE);

    return sqrt(fmax(allocated * allocated - live * live, 0));
}

double memory_share(const struct session_heap *heap, uint64_t part, uint64_t whole)
{
    bool are_known =
        memory_is_known(heap) && part != SESSION_UNKNOWN && whole != SESSION_UNKNOWN && whole > 0;

    return are_known ? (double)part / (double)whole : (double)NAN;
}

double memory_temporary_fraction(const struct session *session)
{
    return memory_share(&session->heap, session->heap.temporary, heap_sums_of(session).allocations);
}

const char *memory_peak_region(const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    const struct session_region *region = session->regions.items;

    return memory_is_known(heap) && heap->peak_region < session->regions.count
               ? region[heap->peak_region].path
               : NULL;
}

uint64_t memory_peak_thread(const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    const struct session_thread *thread = session->threads.items;

    return memory_is_known(heap) && heap->peak_thread < session->threads.count
               ? thread[heap->peak_thread].id
               : SESSION_UNKNOWN;
}

static void put_bounds(struct record *record, const struct session *session)
{
    const struct session_heap *heap = &session->heap;

    fields_put_bool(record, "known", memory_is_known(heap));
    fields_put_bool(record, "exact", heap->is_exact && !heap->has_estimated_sites);
    fields_put_count(record, "exact_until_ns", UNIT_NS,
                     stages_exact_until_ns(session, STAGES_OF_SITES));
    fields_put_text(record, "reason", heap->reason);
    fields_put_count(record, "sample_bytes", UNIT_BYTES, heap->sample_bytes);
    fields_put_count(record, "baseline_ram_bytes", UNIT_BYTES, session->process.first.rss_bytes);
    fields_put_count(record, "peak_ram_bytes", UNIT_BYTES, session->process.last.peak_rss_bytes);
    fields_put_count(record, "tprof_bytes", UNIT_BYTES, session->process.own_bytes);
}

/* Returns: the unit of a known amount; NULL: unknown. */
static const char *name_unit(const struct session_heap *heap, enum session_heap_unit unit)
{
    if (!memory_is_known(heap))
        return NULL;
    return unit == SESSION_HEAP_USABLE ? "usable" : "requested";
}

static void put_peak(struct record *record, const struct session *session, const struct text *site)
{
    const struct session_heap *heap = &session->heap;

    fields_put_count(record, "peak_heap_bytes", UNIT_BYTES,
                     memory_if_known(heap, heap->peak_bytes));
    fields_put_real(record, "peak_heap_error_bytes", UNIT_BYTES,
                    memory_is_known(heap) ? heap->peak_error : (double)NAN);
    fields_put_text(record, "peak_unit", name_unit(heap, heap->peak_unit));
    fields_put_count(record, "peak_heap_time_ns", UNIT_NS, memory_peak_time_ns(heap));
    fields_put_count(record, "peak_heap_blocks", UNIT_COUNT,
                     memory_if_known(heap, heap->peak_blocks));
    fields_put_text(record, "peak_site", site->size > 0 ? site->bytes : NULL);
    fields_put_text(record, "peak_region", memory_peak_region(session));
    fields_put_count(record, "peak_thread", UNIT_COUNT, memory_peak_thread(session));
}

static void put_sums(struct record *record, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    bool is_known = memory_is_known(heap);

    fields_put_count(record, "allocated_bytes", UNIT_BYTES, heap->allocated_bytes);
    fields_put_count(record, "freed_bytes", UNIT_BYTES, memory_freed_bytes(session));
    fields_put_real(record, "freed_error_bytes", UNIT_BYTES,
                    is_known ? memory_freed_error(session) : (double)NAN);
    fields_put_count(record, "live_at_exit_bytes", UNIT_BYTES,
                     memory_if_known(heap, heap->live_bytes));
    fields_put_real(record, "live_at_exit_error_bytes", UNIT_BYTES,
                    is_known ? heap->live_error : (double)NAN);
    fields_put_text(record, "live_unit", name_unit(heap, heap->live_unit));
    fields_put_count(record, "live_at_exit_blocks", UNIT_COUNT,
                     memory_if_known(heap, heap->live_blocks));
    fields_put_count(record, "allocations", UNIT_COUNT, heap->allocations);
    fields_put_count(record, "frees", UNIT_COUNT, heap->frees);
    fields_put_count(record, "failed_allocations", UNIT_COUNT, heap->failed_allocations);
    fields_put_count(record, "unknown_frees", UNIT_COUNT,
                     heap_sums_are_recorded(session) ? heap->unknown_frees : SESSION_UNKNOWN);
    fields_put_count(record, "temporary", UNIT_COUNT, memory_if_known(heap, heap->temporary));
    fields_put_real(record, "temporary_fraction", UNIT_FRACTION,
                    memory_temporary_fraction(session));
    fields_put_count(record, "short_lived", UNIT_COUNT, memory_if_known(heap, heap->short_lived));
    fields_put_count(record, "moved", UNIT_COUNT, memory_if_known(heap, heap->moved));
    fields_put_count(record, "grown_bytes", UNIT_BYTES, memory_if_known(heap, heap->grown_bytes));
    fields_put_count(record, "other_thread_frees", UNIT_COUNT,
                     memory_if_known(heap, heap->strange_frees));
}

static void put_pattern(struct record *record, const struct memory_work *work)
{
    const struct session_heap *heap = &work->session->heap;
    struct memory_window window = memory_find_window(work->session, work->options);
    struct heap_shape shape = heap_course_classify(heap, window.from_ns, window.to_ns);

    fields_put_text(record, "pattern",
                    memory_is_known(heap) ? heap_pattern_name(shape.pattern) : NULL);
}

static void put_mapped(struct record *record, const struct session_heap *heap)
{
    fields_put_count(record, "maps", UNIT_COUNT, heap->maps);
    fields_put_count(record, "unmaps", UNIT_COUNT, heap->unmaps);
    fields_put_count(record, "mapped_bytes", UNIT_BYTES, heap->mapped_bytes);
    fields_put_count(record, "peak_mapped_bytes", UNIT_BYTES, heap->peak_mapped_bytes);
    fields_put_count(record, "peak_mapped_file_bytes", UNIT_BYTES, heap->peak_mapped_file_bytes);
    fields_put_count(record, "peak_mapped_reserved_bytes", UNIT_BYTES,
                     heap->peak_mapped_reserved_bytes);
    fields_put_count(record, "peak_mapped_time_ns", UNIT_NS, heap->peak_mapped_time_ns);
}

static void put_gaps(struct record *record, const struct session *session)
{
    struct memory_gap last = {0}, peak = {0};
    bool has_last = memory_find_gap(&last, session);
    bool has_peak = memory_find_peak_gap(&peak, session);

    fields_put_count(record, "fragmentation_bytes", UNIT_BYTES,
                     has_last ? last.gap_bytes : SESSION_UNKNOWN);
    fields_put_real(record, "fragmentation_fraction", UNIT_FRACTION,
                    has_last ? last.fraction : (double)NAN);
    fields_put_count(record, "fragmentation_time_ns", UNIT_NS,
                     has_last ? last.time_ns : SESSION_UNKNOWN);
    fields_put_count(record, "peak_fragmentation_bytes", UNIT_BYTES,
                     has_peak ? peak.gap_bytes : SESSION_UNKNOWN);
    fields_put_real(record, "peak_fragmentation_fraction", UNIT_FRACTION,
                    has_peak ? peak.fraction : (double)NAN);
}

static void fill_record(struct record *record, const struct memory_work *work,
                        const struct text *peak_site)
{
    const struct session *session = work->session;

    put_bounds(record, session);
    put_peak(record, session, peak_site);
    put_sums(record, session);
    put_pattern(record, work);
    put_mapped(record, &session->heap);
    put_gaps(record, session);
    fields_put_list(record, "doubts", &session->doubts);
}

static void add_record(struct document *document, const struct memory_work *work)
{
    struct record *record = document_add_record(document, "summary", NULL, SECTION_IN_JSON);
    struct text site;

    text_init(&site);
    memory_append_peak_site(&site, work, place_append);
    fill_record(record, work, &site);
}

static const struct column finding_column = {"finding", "Finding", NULL, UNIT_TEXT, 0};
static const struct column finding_columns[] = {FIELD("id", UNIT_TEXT), FIELD("text", UNIT_TEXT)};
static const struct table_schema findings_schema = {"findings", NULL, finding_columns, 2, NULL};

static void add_finding(struct table *table, struct record *record,
                        const struct memory_finding *finding)
{
    struct value *row = table_add_row(table);
    struct text line;

    value_set_text(&row[0], finding->id);
    value_set_text(&row[1], finding->text);
    text_init(&line);
    text_appendf(&line, "%s: %s", finding->id, finding->text);
    record_add_line(record, &finding_column, &line);
}

static void add_findings(struct document *document, struct record *record,
                         const struct session *session)
{
    struct table *table = document_add_table(document, "findings", SECTION_IN_JSON);
    struct array findings;

    table_init(table, &findings_schema);
    array_init(&findings, sizeof(struct memory_finding));
    memory_find_problems(&findings, session);
    for (size_t i = 0; i < findings.count; i++)
        add_finding(table, record, array_at(&findings, i));
}

void memory_add_head(struct document *document, struct memory_work *work)
{
    add_record(document, work);
    struct record *record = document_add_record(document, "head", "Memory", SECTION_IN_TEXT);

    memory_add_lines(record, work);
    record_add_doubts(record, &work->session->doubts);
    add_findings(document, record, work->session);
}
