/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaks: the verdict first, then its reasons, then the sites that keep their blocks, and separately
 * other blocks that are live at the end.
 */
#include <math.h>

#include "document/fields.h"
#include "heap/heap_leak.h"
#include "heap/leak_growers.h"
#include "heap/leaks_options.h"
#include "heap/leaks_parts.h"
#include "heap/suppressions.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "options/readers.h"

/* Only suppressed memory grew if the rest of the heap does not grow.  If the course of the rest is
 * unknown, enough other memory must be live. */
static void ask_rest(bool *grows, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    struct heap_course rest;

    leak_sites_fill_rest(&rest, &report->sites, report->work.session, &judgement->window);
    if (rest.count >= TREND_LEAST_POINTS) {
        leak_ask_part(grows, &rest, report->work.options->confidence);
        return;
    }
    *grows = (double)(report->sites.suspect_bytes + report->sites.other_bytes) >=
             judgement->growth_bytes / 2;
}

/* If the whole did not grow, no part counts as grown. */
static void take_grown(double *bytes, double rest_bytes)
{
    if (*bytes > 0)
        *bytes = rest_bytes;
}

static void ask_outside(struct leak_report *report)
{
    struct leak_outside rest = report->judgement.outside;

    report->rest = report->judgement.outside;
    if (report->mappings.suppressed == 0 || report->mappings.rest.hidden.count == 0)
        return;
    leak_outside_find_rest(&rest, report->work.session, &report->mappings.rest,
                           report->work.options->confidence);
    take_grown(&report->rest.mapped_bytes, rest.mapped_bytes);
    take_grown(&report->rest.resident_bytes, rest.resident_bytes);
    take_grown(&report->rest.undated_bytes, rest.undated_bytes);
}

static void judge_suppressed(struct leak_report *report)
{
    struct leak_judgement *judgement = &report->judgement;
    bool grows = true;

    ask_outside(report);
    if (judgement->verdict == LEAK_SEEN && judgement->reason != LEAK_MAPPED &&
        report->sites.suppressed > 0)
        ask_rest(&grows, report);
    if (!grows) {
        judgement->verdict = leak_outside_grew(&report->rest) ? LEAK_UNDECIDED : LEAK_NOT_SEEN;
        judgement->reason = LEAK_SUPPRESSED;
    } else if ((judgement->reason == LEAK_OUTSIDE || judgement->reason == LEAK_MAPPED) &&
               !leak_outside_grew(&report->rest)) {
        judgement->verdict = LEAK_NOT_SEEN;
        judgement->reason = LEAK_OUTSIDE_SUPPRESSED;
    }
}

/* The place of the largest site, such as "leak.c:65 keep"; nothing if no place is known. */
static void append_most(struct text *text, const struct leak_report *report, bool at_end)
{
    const struct leak_site *most = leak_sites_find_most(&report->sites, at_end);
    struct place place;

    if (most && (at_end || report->judgement.has_fall) &&
        places_find_owner_of(report->work.places, most->site->call, &place))
        place_append(text, &place);
}

/* The reason of the verdict, and the sites with most blocks. */
struct leak_words {
    struct text reason, never_freed, kept;
};

static void put_verdict(struct record *record, const struct leak_report *report,
                        const struct text *reason)
{
    fields_put_text(record, "verdict", leak_verdict_name(report));
    fields_put_text(record, "reason", reason->bytes);
    fields_put_text(record, "severity", leak_severity(report));
    fields_put_text(record, "confidence", leak_confidence(report));
}

static void put_trend(struct record *record, const struct leak_report *report)
{
    const double second_ns = 1e9;
    const struct leak_judgement *judgement = &report->judgement;
    const struct analysis_options *options = report->work.options;

    fields_put_real(record, "slope_bytes_per_second", UNIT_BYTES_PER_SECOND,
                    judgement->trend.slope * second_ns);
    fields_put_real(record, "slope_low_bytes_per_second", UNIT_BYTES_PER_SECOND,
                    judgement->trend.low * second_ns);
    fields_put_real(record, "slope_high_bytes_per_second", UNIT_BYTES_PER_SECOND,
                    judgement->trend.high * second_ns);
    fields_put_real(record, "interval_confidence", UNIT_REAL, options->confidence);
    fields_put_real(record, "dependence", UNIT_RATIO, judgement->trend.dependence);
    fields_put_count(record, "points", UNIT_COUNT, judgement->trend.count);
    fields_put_rounded(record, "growth_bytes", UNIT_BYTES, judgement->growth_bytes);
    fields_put_rounded(record, "level_bytes", UNIT_BYTES, judgement->level_bytes);
    fields_put_rounded(record, "arenas_growth_bytes", UNIT_BYTES, judgement->arenas_bytes);
    fields_put_rounded(record, "mapped_growth_bytes", UNIT_BYTES, judgement->outside.mapped_bytes);
    fields_put_rounded(record, "resident_growth_bytes", UNIT_BYTES,
                       judgement->outside.resident_bytes);
    fields_put_rounded(record, "undated_growth_bytes", UNIT_BYTES,
                       judgement->outside.undated_bytes);
    fields_put_count(record, "from_ns", UNIT_NS, judgement->window.from_ns);
    fields_put_count(record, "to_ns", UNIT_NS, judgement->window.to_ns);
    fields_put_text(record, "pattern", heap_pattern_name(judgement->shape.pattern));
    fields_put_count(record, "threshold_bytes", UNIT_BYTES, options->leaks->threshold_bytes);
    fields_put_real(record, "posterior", UNIT_REAL, options->leaks->posterior);
}

static void put_kept(struct record *record, const struct leak_report *report,
                     const struct leak_words *words)
{
    const struct memory_teardown *fall = &report->judgement.fall;
    const struct text *never_freed = &words->never_freed, *kept = &words->kept;
    const struct session_heap *heap = &report->work.session->heap;
    bool has_fall = report->judgement.has_fall;

    fields_put_count(record, "live_at_exit_bytes", UNIT_BYTES,
                     memory_if_known(heap, heap->live_bytes));
    fields_put_count(record, "live_at_exit_blocks", UNIT_COUNT,
                     memory_if_known(heap, heap->live_blocks));
    fields_put_text(record, "never_freed_most", never_freed->size > 0 ? never_freed->bytes : NULL);
    fields_put_count(record, "kept_bytes", UNIT_BYTES,
                     has_fall ? fall->floor_bytes - heap->live_bytes : SESSION_UNKNOWN);
    fields_put_count(record, "kept_until_ns", UNIT_NS, has_fall ? fall->from_ns : SESSION_UNKNOWN);
    fields_put_text(record, "kept_most", kept->size > 0 ? kept->bytes : NULL);
}

static void put_suspects(struct record *record, const struct leak_report *report)
{
    const struct session_heap *heap = &report->work.session->heap;
    const struct leak_sites *sites = &report->sites;
    const struct leak_mappings *mappings = &report->mappings;
    bool is_known = memory_is_known(heap);
    bool has_mappings = heap->mapped_bytes != SESSION_UNKNOWN;

    fields_put_count(record, "suspect_bytes", UNIT_BYTES,
                     memory_if_known(heap, sites->suspect_bytes));
    fields_put_rounded(record, "suspect_growth_bytes", UNIT_BYTES,
                       is_known ? sites->suspect_growth : (double)NAN);
    fields_put_count(record, "suspect_sites", UNIT_COUNT, memory_if_known(heap, sites->suspects));
    fields_put_count(record, "suppressed_bytes", UNIT_BYTES,
                     memory_if_known(heap, sites->suppressed_bytes));
    fields_put_count(record, "suppressed_sites", UNIT_COUNT,
                     memory_if_known(heap, sites->suppressed));
    fields_put_count(record, "suppressed_mapped_bytes", UNIT_BYTES,
                     has_mappings ? mappings->suppressed_bytes : SESSION_UNKNOWN);
    fields_put_count(record, "suppressed_mappings", UNIT_COUNT,
                     has_mappings ? mappings->suppressed : SESSION_UNKNOWN);
}

static void add_record(struct document *document, const struct leak_report *report)
{
    struct record *record = document_add_record(document, "verdict", NULL, SECTION_IN_JSON);
    struct leak_words words;

    text_init(&words.reason);
    text_init(&words.never_freed);
    text_init(&words.kept);
    leak_say_reason(&words.reason, report);
    append_most(&words.never_freed, report, true);
    append_most(&words.kept, report, false);
    put_verdict(record, report, &words.reason);
    put_trend(record, report);
    put_kept(record, report, &words);
    put_suspects(record, report);
    fields_put_list(record, "doubts", &report->doubts);
}

static const struct column suppression_columns[] = {
    {"pattern", "pattern", "of the suppression", UNIT_TEXT, 0},
    {"sites", "sites", "that it matched", UNIT_COUNT, 0},
    {"bytes", "bytes", "kept in these", UNIT_BYTES, 0},
    {"mappings", "mappings", "call chains of mmap and mremap that it matched", UNIT_COUNT, 0},
    {"mapped_bytes", "mapped", "mapped at exit by these", UNIT_BYTES, 0},
};

static const struct table_schema suppression_schema = {"suppressions", "Suppressions",
                                                       suppression_columns, 5, NULL};

static void add_suppressions(struct document *document, const struct leak_report *report)
{
    const struct suppressions *suppressions = report->work.options->suppressions;
    struct table *table = document_add_table(document, "suppressions", SECTION_IN_JSON);

    table_init(table, &suppression_schema);
    for (size_t i = 0; suppressions && i < suppressions->rows.count; i++) {
        const struct suppression *of = array_at(&suppressions->rows, i);
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[1], of->sites);
        value_set_unsigned(&row[2], of->bytes);
        value_set_unsigned(&row[3], of->mappings);
        value_set_unsigned(&row[4], of->mapped_bytes);
        value_set_text(&row[0], of->pattern);
    }
}

static enum status exit_status_of(enum leak_verdict verdict)
{
    switch (verdict) {
    case LEAK_SEEN: return STATUS_POLICY_FAILED;
    case LEAK_NOT_SEEN: return STATUS_OK;
    case LEAK_UNDECIDED: break;
    }
    return STATUS_NOT_ENOUGH_DATA;
}

/* Whatever the verdict on the heap is. */
static void add_mapped(struct document *document, struct leak_report *report)
{
    enum { SHOWN = 10 };
    size_t limit = analysis_limit(report->work.options, SHOWN);
    struct table *table;

    if (!(report->rest.mapped_bytes > 0))
        return;
    table = document_add_table(document, "mapped_suspects", SECTION_IN_BOTH);
    memory_build_mapping_suspects(&report->work, table, report->judgement.window.from_ns, limit);
}

static void add_table(struct document *document, struct leak_report *report, enum leak_table of)
{
    if (!memory_is_known(&report->work.session->heap))
        return;
    leak_sites_add_table(document, &report->work, &report->sites, of);
}

static bool is_heap_leak(const struct leak_judgement *judgement)
{
    return judgement->verdict == LEAK_SEEN && judgement->reason != LEAK_MAPPED;
}

static void add_report(struct document *document, struct leak_report *report)
{
    add_record(document, report);

    leak_add_lines(document, report);
    if (is_heap_leak(&report->judgement))
        add_table(document, report, LEAK_SUSPECTS);
    else
        leak_sites_clear_suspects(&report->sites);
    add_mapped(document, report);
    if (report->judgement.has_fall)
        add_table(document, report, LEAK_HOLDERS);
    add_table(document, report, LEAK_NEVER_FREED);
    add_suppressions(document, report);
}

/* Leaks in unrecorded memory stay unseen. */
static void fill_doubts(struct text_list *doubts, const struct session *session)
{
    text_list_init(doubts);
    for (size_t i = 0; i < text_list_count(&session->doubts); i++)
        text_list_add(doubts, text_list_at(&session->doubts, i));
    memory_add_hiding(doubts, session);
}

/* If only drawn blocks show the heap, its slope has the error of the sites that grew. */
static void widen_slope(struct leak_report *report)
{
    const struct session_heap *heap = &report->work.session->heap;
    const struct leak_site *site = report->sites.sites.items;
    const struct memory_window *window = &report->judgement.window;
    double variance = 0;

    if (!heap->is_estimated || heap->course_unit == SESSION_HEAP_USABLE)
        return;
    for (size_t i = 0; i < report->sites.sites.count; i++)
        if (site[i].is_suspect)
            variance += site[i].growth_error * site[i].growth_error;
    if (variance > 0)
        leak_widen_trend(&report->judgement.trend, sqrt(variance),
                         (double)(window->to_ns - window->from_ns),
                         report->work.options->confidence);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct leak_report report = {.work = {.session = session}};

    document_init(document);
    document->name = "leaks";
    memory_work_init(&report.work, session, options);
    heap_leak_judge(&report.judgement, session, options);
    fill_doubts(&report.doubts, session);
    leak_sites_init(&report.sites, &report.work, &report.judgement);
    widen_slope(&report);
    leak_mappings_find(&report.mappings, &report.work, &report.judgement.window);
    judge_suppressed(&report);
    add_report(document, &report);
    document->verdict = exit_status_of(report.judgement.verdict);
    document->main = is_heap_leak(&report.judgement)         ? "suspects"
                     : report.judgement.verdict == LEAK_SEEN ? "mapped_suspects"
                                                             : "live_at_exit";
    memory_work_fini(&report.work);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    if (options->by == ANALYSIS_BY_STEP)
        leak_build_steps(session, options, table);
    else
        leak_build_groups(session, options, table);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct leaks_options, field, __VA_ARGS__),
#include "heap/leaks_options.def"
#undef OPTION
};

static const struct leaks_options defaults = {
    .warmup_ns = SESSION_UNKNOWN,
    .posterior = 0.95,            /* the value of Scalene */
    .threshold_bytes = 100 << 20, /* 100 MiB */
};

const struct analysis analysis_leaks = {
    .name = "leaks",
    .help = "Whether the heap grows without end, by its trend after warm-up, and which sites "
            "keep their blocks.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .long_rows = ~(1u << ANALYSIS_BY_DEFAULT),
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
