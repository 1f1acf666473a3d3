/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory in sum, for people: a line a fact.
 */
#include <math.h>

#include "base/units.h"
#include "heap/memory.h"
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const struct session *session_of(const void *work)
{
    return ((const struct memory_work *)work)->session;
}

/* Prints all digits if they are exact. */
static void append_bytes(struct text *line, uint64_t bytes)
{
    char rounded[UNITS_SIZE], exact[UNITS_SIZE];

    text_append(line, units_format_bytes(rounded, (double)bytes));
    if (bytes >= 1024 && bytes <= INT64_MAX)
        text_appendf(line, " (%s bytes)", units_format_count(exact, (int64_t)bytes));
}

/* While blocks are drawn, the shim's counts are right within some KiB, so they get no digits
 * either. */
static void append_amount(struct text *line, const struct session_heap *heap, uint64_t bytes,
                          double error)
{
    bool is_estimate = memory_is_estimate(heap, error);

    if (!heap->is_estimated) {
        append_bytes(line, bytes);
        return;
    }
    say_part(line, memory_amount_text, said_about(said_bytes((double)bytes), is_estimate));
    if (is_estimate)
        say_part(line, memory_error_text, said_bytes(error));
}

/* Other lines count the requested bytes. */
static void append_unit(struct text *line, enum session_heap_unit unit)
{
    if (unit == SESSION_HEAP_USABLE)
        say_part(line, memory_usable_text);
}

static void append_baseline(struct text *line, const void *work)
{
    uint64_t first = session_of(work)->process.first.rss_bytes;

    if (first != SESSION_UNKNOWN)
        say(line, memory_baseline_text, said_bytes((double)first));
}

static void append_peak_place(struct text *line, const struct session *session)
{
    const char *region = session->heap.peak_region > 0 ? memory_peak_region(session) : NULL;
    uint64_t thread = session->threads.count > 1 ? memory_peak_thread(session) : SESSION_UNKNOWN;

    if (region)
        text_appendf(line, " in region %s", region);
    if (thread != SESSION_UNKNOWN)
        text_appendf(line, " in thread %llu", (unsigned long long)thread);
}

static void append_peak(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;
    char time[UNITS_SIZE];

    if (!memory_is_known(heap)) {
        say(line, memory_unknown_text, said_words(memory_why_unknown(heap)));
        return;
    }
    append_amount(line, heap, heap->peak_bytes, heap->peak_error);
    append_unit(line, heap->peak_unit);
    if (memory_peak_time_ns(heap) == SESSION_UNKNOWN)
        return;
    text_appendf(line, " at %s", units_format_time(time, (double)heap->peak_time_ns));
    append_peak_place(line, session_of(work));
}

static void append_allocated(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;

    if (heap->allocated_bytes == SESSION_UNKNOWN) {
        say(line, memory_unknown_text, said_words(memory_why_unrecorded(heap)));
        return;
    }
    text_append(line, heap->has_estimated_totals ? "~" : "");
    append_bytes(line, heap->allocated_bytes);
    say_part(line, memory_allocations_text,
             said_about(said_count(heap->allocations), heap->has_estimated_totals));
    if (heap->failed_allocations > 0 && heap->failed_allocations != SESSION_UNKNOWN)
        say_part(line, memory_failed_text, said_count(heap->failed_allocations));
}

static void append_freed(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;
    uint64_t freed = memory_freed_bytes(session_of(work));

    if (heap->frees == SESSION_UNKNOWN)
        return;
    if (freed != SESSION_UNKNOWN) {
        append_amount(line, heap, freed, memory_freed_error(session_of(work)));
        text_append(line, " in ");
    }
    say(line, memory_frees_text,
        said_about(said_count(heap->frees), heap->has_estimated_totals));
    if (heap->unknown_frees > 0)
        say_part(line,
                 memory_is_known(heap) ? memory_frees_before_text : memory_frees_unrecorded_text,
                 said_count(heap->unknown_frees));
}

static void append_live(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;

    if (!memory_is_known(heap))
        return;
    append_amount(line, heap, heap->live_bytes, heap->live_error);
    append_unit(line, heap->live_unit);
    say_part(line, memory_blocks_text,
             said_about(said_count(heap->live_blocks), heap->is_estimated));
}

static void append_temporary(struct text *line, const void *work)
{
    const struct session *session = session_of(work);
    double temporary = memory_temporary_fraction(session);

    if (!isnan(temporary))
        say(line, memory_temporary_text, said_share(temporary));
    else if (session->heap.is_estimated)
        say(line, memory_temporary_sampled_text);
}

static void append_realloc(struct text *line, const void *work)
{
    const struct session *session = session_of(work);
    const struct session_heap *heap = &session->heap;
    double moved = memory_share(heap, heap->moved, heap_sums_of(session).allocations);

    if (!isnan(moved) && heap->grown_bytes != SESSION_UNKNOWN &&
        (heap->moved > 0 || heap->grown_bytes > 0))
        say(line, memory_realloc_text, said_bytes((double)heap->grown_bytes), said_share(moved));
}

static void append_short(struct text *line, const void *of)
{
    const struct memory_work *work = of;
    const struct session_heap *heap = &work->session->heap;
    struct heap_sums sums = heap_sums_of(work->session);
    double lived = memory_share(heap, heap->short_lived, sums.allocations);
    double elsewhere = memory_share(heap, heap->strange_frees, sums.frees);
    bool is_estimate = work->session->heap.is_estimated;

    if (isnan(lived))
        return;
    say(line, memory_short_text, said_about(said_share(lived), is_estimate),
        said_time((double)work->options->memory->short_ns));
    if (elsewhere > 0)
        say_part(line, memory_strange_text, said_about(said_share(elsewhere), is_estimate));
}

static void append_pattern(struct text *line, const void *of)
{
    const struct memory_work *work = of;

    if (memory_is_known(&work->session->heap))
        memory_append_pattern(line, work->session, work->options);
}

static void append_mapped(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;

    if (heap->maps == SESSION_UNKNOWN || heap->maps == 0)
        return;
    say(line, memory_mapped_peak_text, said_bytes((double)heap->peak_mapped_bytes),
        said_time((double)heap->peak_mapped_time_ns));
    memory_append_mapped_kinds(line, heap);
    say_part(line, memory_mapped_calls_text, said_bytes((double)heap->mapped_bytes),
             said_count(heap->maps), said_count(heap->unmaps));
}

static void append_resident(struct text *line, const void *work)
{
    const struct session_process *process = &session_of(work)->process;
    uint64_t peak = process->last.peak_rss_bytes, limit = process->memory_limit_bytes;

    if (peak == SESSION_UNKNOWN || peak == 0)
        return;
    say(line, process->has_last ? memory_resident_text : memory_resident_cut_text,
        said_bytes((double)peak));
    if (process->own_bytes != SESSION_UNKNOWN)
        say_part(line, memory_resident_own_text, said_bytes((double)process->own_bytes));
    if (limit != SESSION_UNKNOWN && limit > 0)
        say_part(line, memory_resident_limit_text, said_bytes((double)limit));
}

/* A share would alarm: most memory of a small program is no heap. */
static void say_ordinary_gap(struct text *line, const struct memory_gap *gap,
                             const struct session *session)
{
    uint64_t first = session->process.first.rss_bytes, own = session->process.own_bytes;

    say(line, memory_gap_ordinary_text, said_bytes((double)gap->gap_bytes),
        said_bytes((double)gap->resident_bytes), said_words(memory_gap_when(gap, session)),
        said_time((double)gap->time_ns));
    if (first != SESSION_UNKNOWN)
        say(line, memory_gap_first_text, said_bytes((double)first));
    if (own != SESSION_UNKNOWN)
        say(line, memory_gap_own_text, said_bytes((double)own));
}

static void append_gap(struct text *line, const void *work)
{
    const struct session *session = session_of(work);
    struct memory_gap peak, last;
    bool has_peak = memory_find_peak_gap(&peak, session);

    if (memory_is_inherited(session))
        memory_append_inherited(line, session);
    if (session->residents.count > 0 || !memory_find_gap(&last, session) || last.gap_bytes == 0)
        return; /* the parts have a table of their own */
    if (memory_gap_is_ordinary(&last, session) &&
        (!has_peak || memory_gap_is_ordinary(&peak, session))) {
        say_ordinary_gap(line, &last, session);
        return;
    }
    if (has_peak && peak.time_ns != last.time_ns)
        memory_say_gap(line, &peak, "at the highest reading");
    memory_say_gap(line, &last, memory_gap_when(&last, session));
    say(line, memory_gap_is_text);
}

static void append_inherited(struct text *line, const void *work)
{
    const struct session_heap *heap = &session_of(work)->heap;

    if (heap->inherited_bytes == 0)
        return;
    say(line, memory_inherited_text, said_bytes((double)heap->inherited_bytes));
    if (heap->inherited_left_bytes != SESSION_UNKNOWN)
        say_part(line, memory_inherited_left_text,
                 said_bytes((double)heap->inherited_left_bytes));
}

static const struct record_line lines[] = {
    {{"baseline", "Baseline", NULL, UNIT_TEXT, 0}, append_baseline},
    {{"inherited", "Inherited", NULL, UNIT_TEXT, 0}, append_inherited},
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
    {{"gap", "Not heap", NULL, UNIT_TEXT, 0}, append_gap},
};

void memory_add_lines(struct record *record, const struct memory_work *work)
{
    record_add_lines(record, lines, sizeof lines / sizeof *lines, work);
}
