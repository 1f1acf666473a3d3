/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaks: the verdict first, then what it rests on, then the sites that keep
 * their blocks, and apart from these what is merely live at the end.
 */
#include <math.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/leaks_options.h"
#include "figures/runtimes.h"
#include "memory/leaks_parts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

static const double second_ns = 1e9;
static const double hour_ns = 3600e9;

struct leak_report {
    struct memory_work work;
    struct leak_judgement judgement;
    struct leak_sites sites;
    struct leak_mappings mappings;
    struct leak_outside rest; /* outside of malloc, beside what is suppressed */
    struct text_list doubts;
};

/* What is suppressed is all that grew only where the rest of the heap does not grow.  Where
 * its course is not known, enough else must be live. */
static enum status ask_rest(bool *grows, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    struct heap_course rest;

    leak_sites_fill_rest(&rest, &report->sites, report->work.session, &judgement->window);
    if (rest.count >= TREND_LEAST_POINTS)
        return leak_ask_part(grows, &rest, report->work.options->confidence);
    *grows = (double)(report->sites.suspect_bytes + report->sites.other_bytes) >=
             judgement->growth_bytes / 2;
    return STATUS_OK;
}

/* What did not grow as a whole has no part of which that could be said. */
static void take_grown(double *bytes, double rest_bytes)
{
    if (*bytes > 0)
        *bytes = rest_bytes;
}

static enum status ask_outside(struct leak_report *report)
{
    struct leak_outside rest = report->judgement.outside;
    enum status status;

    report->rest = report->judgement.outside;
    if (report->mappings.suppressed == 0 || report->mappings.rest.hidden.count == 0)
        return STATUS_OK;
    status = leak_outside_find_rest(&rest, report->work.session, &report->mappings.rest,
                                    report->work.options->confidence);
    take_grown(&report->rest.mapped_bytes, rest.mapped_bytes);
    take_grown(&report->rest.resident_bytes, rest.resident_bytes);
    take_grown(&report->rest.undated_bytes, rest.undated_bytes);
    return status;
}

static enum status judge_suppressed(struct leak_report *report)
{
    struct leak_judgement *judgement = &report->judgement;
    enum status status = ask_outside(report);
    bool grows = true;

    if (!status && judgement->verdict == LEAK_SEEN && report->sites.suppressed > 0)
        status = ask_rest(&grows, report);
    if (!grows) {
        judgement->verdict = leak_outside_grew(&report->rest) ? LEAK_UNDECIDED : LEAK_NOT_SEEN;
        judgement->reason = LEAK_SUPPRESSED;
    } else if (judgement->reason == LEAK_OUTSIDE && !leak_outside_grew(&report->rest)) {
        judgement->verdict = LEAK_NOT_SEEN;
        judgement->reason = LEAK_OUTSIDE_SUPPRESSED;
    }
    return status;
}

/* ---- sentences ------------------------------------------------------------------- */

static void append_rate(struct text *line, double bytes_per_ns)
{
    char rate[UNITS_SIZE];
    double rate_per_second = bytes_per_ns * second_ns;

    text_appendf(line, "%s%s/s", rate_per_second < 0 ? "-" : "",
                 units_format_bytes(rate, fabs(rate_per_second)));
}

static void append_slope(struct text *line, const struct leak_report *report)
{
    const struct trend *trend = &report->judgement.trend;

    append_rate(line, trend->slope);
    if (!isfinite(trend->low) || !isfinite(trend->high))
        return;
    if (report->judgement.is_by_jumps)
        text_append(line, " (by jump ");
    else
        text_appendf(line, " (%g %% interval ", 100 * report->work.options->confidence);
    append_rate(line, trend->low);
    text_append(line, " .. ");
    append_rate(line, trend->high);
    text_append(line, ")");
}

/* None where the warm-up is longer than the run. */
static double span_ns(const struct leak_judgement *judgement)
{
    return fmax((double)judgement->window.to_ns - (double)judgement->window.from_ns, 0);
}

static void append_growth(struct text *line, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    char growth[UNITS_SIZE], span[UNITS_SIZE];

    text_appendf(line, "%s in %s", units_format_bytes(growth, judgement->growth_bytes),
                 units_format_time(span, span_ns(judgement)));
}

/* ---- why ------------------------------------------------------------------------- */

static void append_slope_and_growth(struct text *line, const struct leak_report *report)
{
    append_slope(line, report);
    text_append(line, ", ");
    append_growth(line, report);
}

static void append_unknown(struct text *line, const struct leak_report *report)
{
    const char *reason = report->work.session->heap.reason;

    text_append(line, reason ? reason : "records are missing");
}

static void append_span(struct text *line, const struct leak_report *report)
{
    const struct session *session = report->work.session;
    const char *language = runtimes_find_language(session);
    char span[UNITS_SIZE], least[UNITS_SIZE];

    text_appendf(line, "%s after the warm-up; run longer, at least %s beyond it, ",
                 units_format_time(span, span_ns(&report->judgement)),
                 units_format_time(least, (double)leak_least_ns(session)));
    if (language)
        text_appendf(line, "as %s may load for as long, ", language);
}

static void append_late(struct text *line, const struct leak_report *report)
{
    char bytes[UNITS_SIZE];

    text_append(line, units_format_bytes(bytes, report->judgement.late_bytes));
}

static void append_outside(struct text *line, const struct leak_report *report)
{
    leak_outside_append(line, &report->judgement.outside);
}

static void append_outside_and_span(struct text *line, const struct leak_report *report)
{
    char span[UNITS_SIZE];

    append_outside(line, report);
    if (!(report->judgement.outside.undated_bytes > 0))
        text_appendf(line, ", in %s", units_format_time(span, span_ns(&report->judgement)));
}

static void append_teeth(struct text *line, const struct leak_report *report)
{
    text_appendf(line, "%u", report->judgement.shape.teeth);
}

static void append_trend(struct text *line, const struct leak_report *report)
{
    text_append(line,
                report->judgement.trend.slope > 0 ? "no growth beyond chance: " : "no growth: ");
    append_slope(line, report);
}

static void append_growth_and_level(struct text *line, const struct leak_report *report)
{
    char level[UNITS_SIZE];

    append_growth(line, report);
    text_appendf(line, " at a level of %s",
                 units_format_bytes(level, report->judgement.level_bytes));
}

static void append_unsteady(struct text *line, const struct leak_report *report)
{
    char last[UNITS_SIZE];

    append_growth(line, report);
    text_appendf(line, ", last at %s, and it is not certain whether that goes on",
                 units_format_time(last, report->judgement.stopped_ns));
}

static void append_scattered(struct text *line, const struct leak_report *report)
{
    char bytes[UNITS_SIZE];

    append_growth(line, report);
    text_appendf(line, ", but the sites that may leak explain only %s of it",
                 units_format_bytes(bytes, report->judgement.suspect_bytes));
}

static void append_stopped(struct text *line, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    char growth[UNITS_SIZE], stopped[UNITS_SIZE], rest[UNITS_SIZE];

    text_appendf(line, "%s until %s, and not at all in the %s after that",
                 units_format_bytes(growth, judgement->growth_bytes),
                 units_format_time(stopped, judgement->stopped_ns),
                 units_format_time(rest, (double)judgement->window.to_ns - judgement->stopped_ns));
}

static void append_growth_and_live(struct text *line, const struct leak_report *report)
{
    char live[UNITS_SIZE];

    append_growth(line, report);
    text_appendf(line, ", and was given back before the end: %s are live then",
                 units_format_bytes(live, (double)report->work.session->heap.live_bytes));
}

static void append_growth_and_outside(struct text *line, const struct leak_report *report)
{
    append_growth(line, report);
    if (!leak_outside_grew(&report->rest))
        return;
    text_append(line, "; but memory outside of malloc grows: ");
    append_outside(line, report);
}

/* What is said of a reason: words, its figures, and words again. */
static const struct {
    const char *before;
    void (*append)(struct text *line, const struct leak_report *report);
    const char *after;
} reasons[] = {
    [LEAK_GROWS] = {"the heap grows by ", append_slope_and_growth, ""},
    [LEAK_JUMPS] = {"the heap grows by jumps, as a container does that multiplies its room when it "
                    "is full: ",
                    append_slope_and_growth, ""},
    [LEAK_KEPT] = {"the heap grew as long as the program worked, by ", append_slope_and_growth,
                   "; it was freed only in the final fall, as by an interpreter or a destructor"},
    [LEAK_HEAP_UNKNOWN] = {"the live heap is unknown: ", append_unknown, ""},
    [LEAK_TOO_SHORT] = {"too short: ", append_span,
                        "or say with --warmup-time how long the start-up is"},
    [LEAK_AT_START] = {"the heap grew at first, as while a program starts, and then no more: ",
                       append_growth, ", none of it in the last third; run longer"},
    [LEAK_BY_TURNS] = {"one place after another grew, and none all the time, as while a program "
                       "loads: ",
                       append_growth, "; run longer"},
    [LEAK_AT_END] = {"the heap grows in the last third of the time alone, by ", append_late,
                     " above all before, as of a leak or a phase that began late; run longer"},
    [LEAK_UNSTEADY] = {"the heap grew by ", append_unsteady,
                       "; run twice as long: a leak has grown twice as much then"},
    [LEAK_SCATTERED] = {"the heap grew by ", append_scattered,
                        "; run longer: what leaks then stands out"},
    [LEAK_OUTSIDE] = {"the live heap does not grow, but memory outside of malloc does: ",
                      append_outside_and_span, ""},
    [LEAK_TOO_FEW_TEETH] = {"the heap goes up and down, and ", append_teeth,
                            " teeth are too few for a trend; run longer"},
    [LEAK_NO_TREND] = {"", append_trend, ""},
    [LEAK_IMMATERIAL] = {"the growth is too small to matter: ", append_growth_and_level, ""},
    [LEAK_ONE_STEP] = {"all growth is one step, as of a table that is filled once: ", append_growth,
                       ""},
    [LEAK_STOPPED] = {"the heap stopped growing: it grew by ", append_stopped, ""},
    [LEAK_GIVEN_BACK] = {"the heap grew by ", append_growth_and_live, ""},
    [LEAK_SUPPRESSED] = {"what grew is suppressed: ", append_growth_and_outside, ""},
    [LEAK_OUTSIDE_SUPPRESSED] = {"the live heap does not grow, and what grew outside of malloc is "
                                 "suppressed: ",
                                 append_outside, ""},
};

static void append_reason(struct text *line, const struct leak_report *report)
{
    enum leak_reason reason = report->judgement.reason;

    text_append(line, reasons[reason].before);
    reasons[reason].append(line, report);
    text_append(line, reasons[reason].after);
}

/* ---- the head -------------------------------------------------------------------- */

static const char *verdict_name(enum leak_verdict verdict)
{
    switch (verdict) {
    case LEAK_SEEN: return "leak";
    case LEAK_NOT_SEEN: return "no leak seen";
    case LEAK_UNDECIDED: break;
    }
    return "cannot tell";
}

static enum status append_verdict(struct text *line, const struct leak_report *report)
{
    text_appendf(line, "%s: ", verdict_name(report->judgement.verdict));
    append_reason(line, report);
    return STATUS_OK;
}

/* High: the threshold was passed; medium: it would be within the hour. */
static const char *severity_of(const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    double threshold = (double)report->work.options->leaks->threshold_bytes;

    if (judgement->verdict != LEAK_SEEN)
        return NULL;
    if (judgement->growth_bytes > threshold)
        return "high";
    return judgement->trend.slope * hour_ns > threshold ? "medium" : "low";
}

static enum status append_severity(struct text *line, const struct leak_report *report)
{
    const char *severity = severity_of(report);
    double threshold = (double)report->work.options->leaks->threshold_bytes;
    double left = threshold - report->judgement.growth_bytes;
    char size[UNITS_SIZE], time[UNITS_SIZE];

    if (!severity)
        return STATUS_OK;
    units_format_bytes(size, threshold);
    if (left < 0)
        text_appendf(line, "%s: the growth passed the threshold of %s", severity, size);
    else
        text_appendf(line, "%s: at this rate the growth reaches the threshold of %s in another %s",
                     severity, size, units_format_time(time, left / report->judgement.trend.slope));
    return STATUS_OK;
}

/* Half of what grew and is not suppressed, in few sites, is what a leak looks like. */
static const char *confidence_of(const struct leak_report *report)
{
    double growth_bytes = report->judgement.growth_bytes - report->sites.suppressed_growth;

    if (report->judgement.verdict != LEAK_SEEN)
        return NULL;
    return report->sites.suspect_growth >= growth_bytes / 2 ? "high" : "medium";
}

static enum status append_confidence(struct text *line, const struct leak_report *report)
{
    const char *confidence = confidence_of(report);
    char bytes[UNITS_SIZE];

    if (!confidence)
        return STATUS_OK;
    text_appendf(line, "%s: %llu suspect site%s hold%s %s more %s than after the warm-up",
                 confidence, (unsigned long long)report->sites.suspects,
                 units_choose(report->sites.suspects, "", "s"),
                 units_choose(report->sites.suspects, "s", ""),
                 units_format_bytes(bytes, report->sites.suspect_growth),
                 report->judgement.has_fall ? "before the final fall" : "at the end");
    if (confidence[0] != 'h')
        text_append(line, ", less than half of the growth");
    return STATUS_OK;
}

static enum status append_warmup(struct text *line, const struct leak_report *report)
{
    const struct memory_window *window = &report->judgement.window;
    char from[UNITS_SIZE], to[UNITS_SIZE];

    text_appendf(line, "the first %s and what comes after %s are left out",
                 units_format_time(from, (double)window->from_ns),
                 units_format_time(to, (double)window->to_ns));
    return STATUS_OK;
}

static enum status append_basis(struct text *line, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;

    if (judgement->trend.count == 0)
        return STATUS_OK;
    if (judgement->is_by_jumps) {
        text_appendf(line, "%zu jumps: what each added, by the time until the next one; the "
                           "interval has the slowest and the fastest of the last three",
                     judgement->trend.count);
        return STATUS_OK;
    }
    text_appendf(line, "Theil-Sen slope of %zu %s", judgement->trend.count,
                 judgement->is_by_troughs ? "troughs between the teeth"
                                          : "stretches of time, the lowest of each");
    if (judgement->trend.dependence > 1)
        text_appendf(line, "; the interval is %.1f times as wide as if they were independent",
                     sqrt(judgement->trend.dependence));
    return STATUS_OK;
}

static enum status append_pattern(struct text *line, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;

    if (memory_is_known(&report->work.session->heap))
        memory_append_shape(line, &judgement->shape, &judgement->window);
    return STATUS_OK;
}

static enum status append_most(struct text *line, const struct leak_report *report, bool at_end)
{
    const struct leak_site *most = leak_sites_find_most(&report->sites, at_end);

    if (!most)
        return STATUS_OK;
    return memory_append_most(line, &report->work, most->site,
                              at_end ? most->site->live_bytes : most->kept_bytes);
}

/* However short the run was, and whatever the verdict is. */
static enum status append_never_freed(struct text *line, const struct leak_report *report)
{
    const struct session_heap *heap = &report->work.session->heap;
    char bytes[UNITS_SIZE], blocks[UNITS_SIZE];

    if (!memory_is_known(heap))
        return STATUS_OK;
    text_appendf(line, "%s%s in %s block%s", heap->sample_bytes > 0 ? "about " : "",
                 units_format_bytes(bytes, (double)heap->live_bytes),
                 units_format_count(blocks, (int64_t)heap->live_blocks),
                 units_choose(heap->live_blocks, "", "s"));
    return append_most(line, report, true);
}

/* What lay before the final fall; most of it is reachable to the end. */
static enum status append_kept(struct text *line, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    char bytes[UNITS_SIZE], from[UNITS_SIZE];
    uint64_t live = report->work.session->heap.live_bytes;

    if (!judgement->has_fall)
        return STATUS_OK;
    text_appendf(line, "%s, which the final fall from %s on freed",
                 units_format_bytes(bytes, (double)(judgement->fall.floor_bytes - live)),
                 units_format_time(from, (double)judgement->fall.from_ns));
    return append_most(line, report, false);
}

static const struct head_row {
    struct column column;
    enum status (*append)(struct text *line, const struct leak_report *report);
} head_rows[] = {
    {{"verdict", "Verdict", NULL, UNIT_TEXT, 0}, append_verdict},
    {{"severity", "Severity", NULL, UNIT_TEXT, 0}, append_severity},
    {{"confidence", "Confidence", NULL, UNIT_TEXT, 0}, append_confidence},
    {{"warmup", "Warm-up", NULL, UNIT_TEXT, 0}, append_warmup},
    {{"basis", "Basis", NULL, UNIT_TEXT, 0}, append_basis},
    {{"pattern", "Pattern", NULL, UNIT_TEXT, 0}, append_pattern},
    {{"never_freed", "Never freed", NULL, UNIT_TEXT, 0}, append_never_freed},
    {{"kept", "Kept to the end", NULL, UNIT_TEXT, 0}, append_kept},
};

static const struct column suppressed_column = {"suppressed", "Suppressed", NULL, UNIT_TEXT, 0};

static void append_sites(struct text *line, uint64_t size, const char *how, uint64_t count)
{
    char bytes[UNITS_SIZE];

    text_appendf(line, "%s %sin %llu site%s", units_format_bytes(bytes, (double)size), how,
                 (unsigned long long)count, units_choose(count, "", "s"));
}

static void append_suppressed(struct text *line, const struct suppression *of)
{
    if (of->sites > 0 || of->mappings == 0)
        append_sites(line, of->bytes, "", of->sites);
    if (of->sites > 0 && of->mappings > 0)
        text_append(line, ", ");
    if (of->mappings > 0)
        append_sites(line, of->mapped_bytes, "mapped ", of->mappings);
    text_appendf(line, " by leak:%s", of->pattern);
}

static enum status put_suppressions(struct record *record, const struct leak_report *report)
{
    const struct suppressions *suppressions = report->work.options->suppressions;
    struct text line;
    enum status status = STATUS_OK;

    text_init(&line);
    for (size_t i = 0; suppressions && i < suppressions->rows.count && !status; i++) {
        const struct suppression *of = array_at(&suppressions->rows, i);

        append_suppressed(&line, of);
        status = record_add_line(record, &suppressed_column, &line);
    }
    text_fini(&line);
    return status;
}

static enum status add_lines(struct document *document, const struct leak_report *report)
{
    struct record *record = document_add_record(document, "head", "Leaks", SECTION_IN_TEXT);
    struct text line;
    enum status status = record ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    text_init(&line);
    for (size_t i = 0; i < sizeof head_rows / sizeof *head_rows && !status; i++) {
        status = head_rows[i].append(&line, report);
        if (!status)
            status = record_add_line(record, &head_rows[i].column, &line);
    }
    text_fini(&line);
    if (!status)
        status = put_suppressions(record, report);
    return status ? status : record_add_doubts(record, &report->doubts);
}

/* ---- for programs ------------------------------------------------------------------ */

static const struct column verdict_columns[] = {
    FIELD("verdict", UNIT_TEXT),
    FIELD("reason", UNIT_TEXT),
    FIELD("severity", UNIT_TEXT),
    FIELD("confidence", UNIT_TEXT),
    FIELD("slope_bytes_per_second", UNIT_BYTES_PER_SECOND),
    FIELD("slope_low_bytes_per_second", UNIT_BYTES_PER_SECOND),
    FIELD("slope_high_bytes_per_second", UNIT_BYTES_PER_SECOND),
    FIELD("interval_confidence", UNIT_REAL),
    FIELD("dependence", UNIT_RATIO),
    FIELD("points", UNIT_COUNT),
    FIELD("growth_bytes", UNIT_BYTES),
    FIELD("level_bytes", UNIT_BYTES),
    FIELD("mapped_growth_bytes", UNIT_BYTES),
    FIELD("resident_growth_bytes", UNIT_BYTES),
    FIELD("undated_growth_bytes", UNIT_BYTES),
    FIELD("from_ns", UNIT_NS),
    FIELD("to_ns", UNIT_NS),
    FIELD("pattern", UNIT_TEXT),
    FIELD("threshold_bytes", UNIT_BYTES),
    FIELD("posterior", UNIT_REAL),
    FIELD("live_at_exit_bytes", UNIT_BYTES),
    FIELD("live_at_exit_blocks", UNIT_COUNT),
    FIELD("never_freed_most", UNIT_TEXT),
    FIELD("kept_bytes", UNIT_BYTES),
    FIELD("kept_until_ns", UNIT_NS),
    FIELD("kept_most", UNIT_TEXT),
    FIELD("suspect_bytes", UNIT_BYTES),
    FIELD("suspect_growth_bytes", UNIT_BYTES),
    FIELD("suspect_sites", UNIT_COUNT),
    FIELD("suppressed_bytes", UNIT_BYTES),
    FIELD("suppressed_sites", UNIT_COUNT),
    FIELD("suppressed_mapped_bytes", UNIT_BYTES),
    FIELD("suppressed_mappings", UNIT_COUNT),
    FIELD("doubts", UNIT_TEXT),
};

static void add_trend(struct fields *fields, const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;

    fields_add_real(fields, judgement->trend.slope * second_ns);
    fields_add_real(fields, judgement->trend.low * second_ns);
    fields_add_real(fields, judgement->trend.high * second_ns);
    fields_add_real(fields, report->work.options->confidence);
    fields_add_real(fields, judgement->trend.dependence);
    fields_add_count(fields, judgement->trend.count);
    fields_add_rounded(fields, judgement->growth_bytes);
    fields_add_rounded(fields, judgement->level_bytes);
    fields_add_rounded(fields, judgement->outside.mapped_bytes);
    fields_add_rounded(fields, judgement->outside.resident_bytes);
    fields_add_rounded(fields, judgement->outside.undated_bytes);
    fields_add_count(fields, judgement->window.from_ns);
    fields_add_count(fields, judgement->window.to_ns);
    fields_add_text(fields, heap_pattern_name(judgement->shape.pattern));
}

/* The place of the site with most, as "keep  leak.c:65". */
static void add_most(struct fields *fields, const struct leak_report *report, bool at_end)
{
    const struct leak_site *most = leak_sites_find_most(&report->sites, at_end);
    struct place place;
    struct text text;

    text_init(&text);
    if (most && (at_end || report->judgement.has_fall) &&
        !places_find_owner_of(report->work.places, most->site->call, &place))
        place_append(&text, &place);
    fields_add_text(fields, text.size > 0 ? text.bytes : NULL);
    text_fini(&text);
}

static void add_sites(struct fields *fields, const struct leak_report *report)
{
    const struct session_heap *heap = &report->work.session->heap;
    bool is_known = memory_is_known(heap), has_fall = report->judgement.has_fall;

    fields_add_count(fields, report->work.options->leaks->threshold_bytes);
    fields_add_real(fields, report->work.options->leaks->posterior);
    fields_add_count(fields, is_known ? heap->live_bytes : SESSION_UNKNOWN);
    fields_add_count(fields, is_known ? heap->live_blocks : SESSION_UNKNOWN);
    add_most(fields, report, true);
    fields_add_count(fields, has_fall ? report->judgement.fall.floor_bytes - heap->live_bytes
                                      : SESSION_UNKNOWN);
    fields_add_count(fields, has_fall ? report->judgement.fall.from_ns : SESSION_UNKNOWN);
    add_most(fields, report, false);
    fields_add_count(fields, is_known ? report->sites.suspect_bytes : SESSION_UNKNOWN);
    fields_add_rounded(fields, is_known ? report->sites.suspect_growth : NAN);
    fields_add_count(fields, is_known ? report->sites.suspects : SESSION_UNKNOWN);
    fields_add_count(fields, is_known ? report->sites.suppressed_bytes : SESSION_UNKNOWN);
    fields_add_count(fields, is_known ? report->sites.suppressed : SESSION_UNKNOWN);
    is_known = heap->mapped_bytes != SESSION_UNKNOWN;
    fields_add_count(fields, is_known ? report->mappings.suppressed_bytes : SESSION_UNKNOWN);
    fields_add_count(fields, is_known ? report->mappings.suppressed : SESSION_UNKNOWN);
}

static enum status add_record(struct document *document, const struct leak_report *report)
{
    struct fields fields = fields_begin(
        document_add_record(document, "verdict", NULL, SECTION_IN_JSON), verdict_columns);
    struct text reason;
    enum status status;

    text_init(&reason);
    append_reason(&reason, report);
    status = text_status(&reason);
    fields_add_text(&fields, verdict_name(report->judgement.verdict));
    fields_add_text(&fields, reason.bytes);
    fields_add_text(&fields, severity_of(report));
    fields_add_text(&fields, confidence_of(report));
    add_trend(&fields, report);
    add_sites(&fields, report);
    fields_add_list(&fields, &report->doubts);
    text_fini(&reason);
    return status ? status : fields.status;
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

static enum status add_suppressions(struct document *document, const struct leak_report *report)
{
    const struct suppressions *suppressions = report->work.options->suppressions;
    struct table *table = document_add_table(document, "suppressions", SECTION_IN_JSON);
    enum status status = STATUS_OK;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &suppression_schema);
    for (size_t i = 0; suppressions && i < suppressions->rows.count && !status; i++) {
        const struct suppression *of = array_at(&suppressions->rows, i);
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        value_set_unsigned(&row[1], of->sites);
        value_set_unsigned(&row[2], of->bytes);
        value_set_unsigned(&row[3], of->mappings);
        value_set_unsigned(&row[4], of->mapped_bytes);
        status = value_set_text(&row[0], of->pattern);
    }
    return status;
}

/* ---- the document -------------------------------------------------------------------- */

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
static enum status add_mapped(struct document *document, struct leak_report *report)
{
    enum { SHOWN = 10 };
    size_t limit = analysis_limit(report->work.options, SHOWN);
    struct table *table;

    if (!(report->rest.mapped_bytes > 0))
        return STATUS_OK;
    table = document_add_table(document, "mapped_suspects", SECTION_IN_BOTH);
    if (!table)
        return STATUS_OUT_OF_MEMORY;
    return memory_build_mapping_suspects(&report->work, table, report->judgement.window.from_ns,
                                         limit);
}

static enum status add_table(struct document *document, struct leak_report *report,
                             enum leak_table of)
{
    if (!memory_is_known(&report->work.session->heap))
        return STATUS_OK;
    return leak_sites_add_table(document, &report->work, &report->sites, of);
}

static enum status add_report(struct document *document, struct leak_report *report)
{
    enum status status = add_record(document, report);

    if (!status)
        status = add_lines(document, report);
    if (report->judgement.verdict != LEAK_SEEN)
        leak_sites_clear_suspects(&report->sites);
    if (!status && report->judgement.verdict == LEAK_SEEN)
        status = add_table(document, report, LEAK_SUSPECTS);
    if (!status)
        status = add_mapped(document, report);
    if (!status && report->judgement.has_fall)
        status = add_table(document, report, LEAK_HOLDERS);
    if (!status)
        status = add_table(document, report, LEAK_NEVER_FREED);
    return status ? status : add_suppressions(document, report);
}

/* A leak in memory that no record tells of is none that could be seen. */
static enum status fill_doubts(struct text_list *doubts, const struct session *session)
{
    enum status status = STATUS_OK;

    text_list_init(doubts);
    for (size_t i = 0; i < text_list_count(&session->doubts) && !status; i++)
        status = text_list_add(doubts, text_list_at(&session->doubts, i));
    return status ? status : memory_add_hiding(doubts, session);
}

static enum status compose(const struct session *session, const struct analysis_options *options,
                           struct document *document)
{
    struct leak_report report = {.work = {.session = session}};
    enum status status;

    document_init(document);
    document->name = "leaks";
    status = memory_work_init(&report.work, session, options);
    if (!status)
        status = leak_judge(&report.judgement, session, options);
    if (status) {
        memory_work_fini(&report.work);
        return status;
    }
    status = fill_doubts(&report.doubts, session);
    if (!status)
        status = leak_sites_init(&report.sites, &report.work, &report.judgement);
    if (!status)
        status = leak_mappings_find(&report.mappings, &report.work, &report.judgement.window);
    if (!status)
        status = judge_suppressed(&report);
    if (!status)
        status = add_report(document, &report);
    document->verdict = exit_status_of(report.judgement.verdict);
    document->main = report.judgement.verdict == LEAK_SEEN ? "suspects" : "live_at_exit";
    leak_sites_fini(&report.sites);
    text_list_fini(&report.doubts);
    memory_work_fini(&report.work);
    return status;
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    return leak_build_steps(session, options, table);
}

static const struct analysis_option own_options[] = {
#define OPTION(field, ...) ANALYSIS_OPTION(struct leaks_options, field, __VA_ARGS__),
#include "memory/leaks_options.def"
#undef OPTION
};

static const struct leaks_options defaults = {
    .warmup_ns = SESSION_UNKNOWN,
    .posterior = 0.95,            /* as Scalene has it */
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
    .rows = 1 << ANALYSIS_BY_STEP,
    .long_rows = 1 << ANALYSIS_BY_STEP,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
