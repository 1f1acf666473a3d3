/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory in a few lines: the peaks, the owners of the heap at its peak, and whether it leaks.
 */
#include <math.h>

#include "base/text.h"
#include "heap/heap_leak.h"
#include "heap/leak_verdict.h"
#include "heap/memory.h"
#include "heap/memory_facts.h"
#include "heap/resident.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "screen/first_ops.h"
#include "screen/first_parts.h"
#include "screen/resident_line.h"
#include "screen/texts.h"

enum { OWNERS = 5, OWNERS_OF_OPS = 3 }; /* names of PyTorch's functions are long */

static void say_heap(struct text *heading, const struct session_heap *heap)
{
    bool is_estimate = memory_is_estimate(heap, heap->peak_error);

    say(heading, heap->peak_unit == SESSION_HEAP_USABLE ? first_heap_usable_text : first_heap_text,
        said_about(said_bytes((double)heap->peak_bytes), is_estimate));
    if (memory_peak_time_ns(heap) != SESSION_UNKNOWN)
        say_part(heading, first_heap_at_text, said_time((double)heap->peak_time_ns));
}

/* Say how much of the heap cannot have been resident. */
static void say_untouched(struct text *heading, const struct session_heap *heap,
                          uint64_t resident_bytes)
{
    if (resident_bytes < heap->peak_bytes / 2)
        say_part(heading, first_heap_untouched_text);
    else if (resident_bytes < heap->peak_bytes)
        say_part(heading, first_heap_partly_text);
}

/* The kernel's highest value has no time, but a reading may have been as high. */
static void say_resident_time(struct text *heading, const struct session *session, uint64_t bytes)
{
    const double near = 0.97;
    const struct session_resident *peak = resident_find_peak(session);

    if (peak && (double)peak->bytes >= near * (double)bytes)
        say_part(heading, first_heap_at_text, said_time((double)peak->time_ns));
}

static void say_most(struct text *heading, const struct session *session)
{
    uint64_t resident_bytes = session->process.last.peak_rss_bytes;
    bool has_heap = memory_is_known(&session->heap);

    if (resident_bytes != SESSION_UNKNOWN) {
        say(heading,
            session->process.has_last ? first_resident_text : first_resident_least_text,
            said_bytes((double)resident_bytes));
        say_resident_time(heading, session, resident_bytes);
    }
    text_append(heading, resident_bytes != SESSION_UNKNOWN && has_heap ? ";" : "");
    if (has_heap)
        say_heap(heading, &session->heap);
    if (has_heap && resident_bytes != SESSION_UNKNOWN)
        say_untouched(heading, &session->heap, resident_bytes);
}

static void add_owners(struct text_list *lines, const struct report_sums *sums)
{
    struct text owners, line;

    if (memory_peak_time_ns(&sums->session->heap) == SESSION_UNKNOWN)
        return;
    text_init(&owners);
    text_init(&line);
    memory_append_owners(&owners, &sums->memory,
                         first_has_ops(sums->session) ? OWNERS_OF_OPS : OWNERS);
    if (owners.size > 0) {
        text_append(&line, "  ");
        say_part(&line, first_owners_text, said_words(owners.bytes));
        text_list_take(lines, &line);
    }
}

/* ---- resident memory beside the heap --------------------------------------------------- */

/* Returns: the place that mapped most of the memory at its peak; NULL: nothing is mapped. */
static const struct session_mapping *find_most_mapped(const struct session *session)
{
    const struct session_mapping *mapping = session->mappings.items, *most = NULL;

    for (size_t i = 0; i < session->mappings.count; i++)
        if (!most || mapping[i].peak_bytes > most->peak_bytes)
            most = &mapping[i];
    return most;
}

/* The parts of resident memory when it was highest, where its kinds were not read then.  Mapped
 * memory need not be touched, so it fills at most what the others leave. */
static void add_gap(struct text_list *lines, const struct session *session, places_finder find)
{
    struct memory_gap gap;
    struct text line;
    double rest, mapped;

    if (!memory_find_peak_gap(&gap, session) || memory_gap_is_ordinary(&gap, session) ||
        gap.live_bytes > gap.resident_bytes) /* the heading tells that it is not touched */
        return;
    rest = fmax(0, (double)gap.resident_bytes - (double)gap.live_bytes - (double)gap.shared_bytes -
                       (double)session->process.own_bytes);
    mapped = fmin((double)gap.mapped_bytes, rest);
    text_init(&line);
    text_append(&line, "  ");
    say_part(&line, first_resident_parts_text, said_bytes((double)gap.resident_bytes),
             said_time((double)gap.time_ns), said_bytes((double)gap.live_bytes));
    if (gap.shared_bytes > 0)
        say_part(&line, first_resident_files_text, said_bytes((double)gap.shared_bytes));
    say_part(&line, first_resident_own_text, said_bytes((double)session->process.own_bytes));
    if (mapped > 0) {
        say_part(&line, first_resident_mapped_text, said_bytes(mapped));
        resident_line_say_mapper(&line, session, find_most_mapped(session), find);
    }
    if (mapped < rest)
        say_part(&line, first_resident_rest_text, said_bytes(rest - mapped));
    text_append(&line, ".");
    text_list_take(lines, &line);
}

static void add_parts(struct text_list *lines, const struct session *session, places_finder find)
{
    struct text line, parts;

    text_init(&line);
    text_init(&parts);
    resident_line_append(&parts, session, find);
    if (parts.size > 0) {
        text_appendf(&line, "  %s", parts.bytes);
        text_list_take(lines, &line);
    }
    text_fini(&parts);
}

/* It stays in memory until somebody removes it. */
static void add_left(struct text_list *lines, const struct session *session)
{
    struct text line;

    if (!session->process.shm_left)
        return;
    text_init(&line);
    text_append(&line, "  ");
    say_part(&line, first_shm_left_text, said_words(session->process.shm_left));
    text_list_take(lines, &line);
}

/* Its kinds are read seldom where memory is large: each page costs time. */
static const double near_peak = 0.8;

static bool has_kinds_of_peak(const struct session *session)
{
    const struct session_resident *peak = resident_find_peak(session);
    struct memory_gap gap;

    return peak && (!memory_find_peak_gap(&gap, session) ||
                    (double)peak->bytes >= near_peak * (double)gap.resident_bytes);
}

static void add_resident(struct text_list *lines, const struct session *session, places_finder find)
{
    if (has_kinds_of_peak(session))
        add_parts(lines, session, find);
    else
        add_gap(lines, session, find);
    add_left(lines, session);
}

/* Reports the absence of a leak only after a long enough search. */
static void say_verdict(struct text *line, const struct leak_judgement *judgement)
{
    switch (judgement->verdict) {
    case LEAK_SEEN: return; /* has its own line */
    case LEAK_NOT_SEEN:
        say(line, judgement->reason == LEAK_STARTED ? first_leak_started_text : first_no_leak_text);
        return;
    case LEAK_UNDECIDED: break;
    }
    if (judgement->reason == LEAK_TOO_SHORT)
        say(line, first_leak_short_text);
    else if (judgement->reason == LEAK_REMADE)
        say(line, first_leak_remade_text, said_bytes(judgement->growth_bytes));
    else if (judgement->reason == LEAK_IN_START)
        say(line, first_leak_in_start_text);
    else if (judgement->reason != LEAK_HEAP_UNKNOWN)
        say(line, first_leak_undecided_text);
}

/* The blocks at the end may come from other places, because Python frees all of its objects. */
static void say_leak(struct text *line, const struct leak_judgement *judgement)
{
    double rate = 1e9 * judgement->trend.slope;

    if (judgement->reason == LEAK_KEPT) {
        say_part(line, first_leak_kept_text, said_bytes(judgement->growth_bytes), said_bytes(rate));
        return;
    }
    say_part(line, judgement->reason == LEAK_MAPPED ? first_leak_mapped_text : first_leak_text);
    if (isfinite(judgement->growth_bytes) && rate > 0)
        say(line, first_leak_rate_text, said_bytes(judgement->growth_bytes), said_bytes(rate));
}

static void say_leak_place(struct text *line, const struct leak_judgement *judgement,
                           const struct session *session, places_finder find)
{
    struct text place;

    text_init(&place);
    heap_leak_append_place(&place, judgement, session, find);
    if (place.size > 0)
        say(line, first_leak_place_text, said_words(place.bytes));
    text_fini(&place);
}

/* Results that a program collects are mostly smaller.  In native programs, so little at one line is
 * mostly forgotten. */
static bool may_be_results(const struct leak_judgement *judgement, const struct session *session,
                           const struct analysis_options *options)
{
    const double least_leak = 1 << 20;
    struct place owner;

    return judgement->reason == LEAK_GROWS && judgement->growth_bytes < least_leak &&
           (!heap_leak_find_place(&owner, judgement, session, options->find_frames) ||
            owner.function->is_python);
}

/* Memory that the program frees when it ends may be its data; a little of it is. */
static void add_leak(struct text_list *lines, const struct leak_judgement *judgement,
                     const struct session *session, const struct analysis_options *options)
{
    struct text line;

    if (judgement->verdict != LEAK_SEEN)
        return;
    text_init(&line);
    text_append(&line, "  ");
    if (judgement->reason == LEAK_KEPT && !heap_leak_is_much(judgement, options))
        say_part(&line, first_leak_little_text, said_bytes(judgement->growth_bytes));
    else if (may_be_results(judgement, session, options))
        say_part(&line, first_leak_small_text, said_bytes(judgement->growth_bytes),
                 said_bytes(1e9 * judgement->trend.slope));
    else {
        say_leak(&line, judgement);
        say_leak_place(&line, judgement, session, options->find_frames);
        say(&line, first_leak_next_text);
    }
    text_list_take(lines, &line);
}

/* Beside a leak that the end frees, the rest is little. */
static bool is_mostly_freed(const struct leak_judgement *judgement, const struct session_heap *heap)
{
    static const double little = 0.1;

    return judgement->verdict == LEAK_SEEN && judgement->has_fall &&
           (double)heap->live_bytes < little * judgement->growth_bytes;
}

static void add_live(struct text_list *lines, const struct report_sums *sums,
                     const struct analysis_options *options)
{
    const struct session_heap *heap = &sums->session->heap;
    struct leak_judgement judgement;
    struct text line;

    heap_leak_judge(&judgement, sums->session, options);
    if (!first_advises_leak(&sums->findings))
        add_leak(lines, &judgement, sums->session, options);
    if (is_mostly_freed(&judgement, heap))
        return;
    text_init(&line);
    text_append(&line, "  ");
    say_part(&line, report_memory_live_text,
             said_about(said_bytes((double)heap->live_bytes),
                        memory_is_estimate(heap, heap->live_error)),
             said_about(said_count(heap->live_blocks), heap->is_estimated));
    memory_append_most_live(&line, &sums->memory);
    text_append(&line, ".");
    say_verdict(&line, &judgement);
    text_list_take(lines, &line);
    text_list_rank(lines, text_list_count(lines) - 1, FIRST_DETAIL);
}

static void add_unknown(struct text_list *lines, const struct session_heap *heap)
{
    struct text line;

    text_init(&line);
    text_append(&line, "  ");
    say_part(&line, report_memory_unknown_text,
             said_words(heap->reason ? heap->reason : "records are missing"));
    text_list_take(lines, &line);
}

static void add_process(struct text_list *lines, const struct report_sums *sums,
                        const struct analysis_options *options)
{
    size_t first = text_list_count(lines);

    if (!memory_is_known(&sums->session->heap)) {
        add_unknown(lines, &sums->session->heap);
        return;
    }
    add_owners(lines, sums);
    text_list_rank(lines, first, FIRST_ANSWER);
    first = text_list_count(lines);
    add_resident(lines, sums->session, options->find_frames);
    text_list_rank(lines, first, FIRST_DETAIL);
    add_live(lines, sums, options);
}

/* The process itself mostly waits for the other one, so it has no more than the heading. */
static void add_kin(struct text_list *lines, const struct report_sums *kin,
                    const struct analysis_options *options)
{
    struct text line;

    text_init(&line);
    say(&line, first_kin_memory_text, said_words(options->kin->trace));
    say_most(&line, kin->session);
    text_append(&line, ".");
    text_list_take(lines, &line);
    add_process(lines, kin, options);
}

void first_add_memory(struct document *document, const struct report_sums *sums,
                      const struct report_sums *kin, const struct analysis_options *options)
{
    struct text_list *lines = document_add_lines(document, NULL);
    struct text heading;

    text_init(&heading);
    say(&heading, first_memory_text);
    say_most(&heading, sums->session);
    document_head(document, &heading, "tprof memory, tprof leaks");
    if (options->kin)
        add_kin(lines, kin, options);
    else
        add_process(lines, sums, options);
}
