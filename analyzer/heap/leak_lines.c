/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A leak report for people: a line a fact.
 */
#include <math.h>

#include "heap/leaks_options.h"
#include "heap/leaks_parts.h"
#include "heap/suppressions.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"

static const double hour_ns = 3600e9;

const char *leak_verdict_name(const struct leak_report *report)
{
    switch (report->judgement.verdict) {
    case LEAK_SEEN: return "leak";
    case LEAK_NOT_SEEN: return "no leak seen";
    case LEAK_UNDECIDED: break;
    }
    return "cannot tell";
}

/* High: the threshold was passed; medium: it would be passed within the hour. */
const char *leak_severity(const struct leak_report *report)
{
    const struct leak_judgement *judgement = &report->judgement;
    double threshold = (double)report->work.options->leaks->threshold_bytes;

    if (judgement->verdict != LEAK_SEEN)
        return NULL;
    if (judgement->growth_bytes > threshold)
        return "high";
    return judgement->trend.slope * hour_ns > threshold ? "medium" : "low";
}

static bool is_explained(const struct leak_report *report)
{
    double growth_bytes = report->judgement.growth_bytes - report->sites.suppressed_growth;

    return report->judgement.reason == LEAK_MAPPED ||
           report->sites.suspect_growth >= growth_bytes / 2;
}

/* Half of the growth that is not suppressed, in few sites, is a leak's sign. */
const char *leak_confidence(const struct leak_report *report)
{
    if (report->judgement.verdict != LEAK_SEEN)
        return NULL;
    return is_explained(report) ? "high" : "medium";
}

void leak_say_reason(struct text *text, const struct leak_report *report)
{
    leak_judgement_say(text, &report->judgement, report->work.session,
                       report->work.options->confidence);
    if (report->judgement.reason != LEAK_SUPPRESSED || !leak_outside_grew(&report->rest))
        return;
    say(text, leak_outside_too_text);
    leak_outside_say(text, &report->rest);
}

static void append_verdict(struct text *line, const void *of)
{
    text_appendf(line, "%s.", leak_verdict_name(of));
    leak_say_reason(line, of);
}

static void append_severity(struct text *line, const void *of)
{
    const struct leak_report *report = of;
    const char *severity = leak_severity(report);
    double threshold = (double)report->work.options->leaks->threshold_bytes;
    double left = threshold - report->judgement.growth_bytes;

    if (severity && left < 0)
        say(line, leak_severity_passed_text, said_words(severity), said_bytes(threshold));
    else if (severity)
        say(line, leak_severity_left_text, said_words(severity), said_bytes(threshold),
            said_time(left / report->judgement.trend.slope));
}

static void append_confidence(struct text *line, const void *of)
{
    const struct leak_report *report = of;
    const char *confidence = leak_confidence(report);

    if (!confidence)
        return;
    if (report->judgement.reason == LEAK_MAPPED) {
        say(line, leak_confidence_mapped_text, said_words(confidence));
        return;
    }
    say(line, leak_confidence_text, said_words(confidence), said_count(report->sites.suspects),
        said_bytes(report->sites.suspect_growth),
        said_words(report->judgement.has_fall ? "before the final frees" : "at the end"));
    if (!is_explained(report))
        say_part(line, leak_confidence_half_text);
}

static void append_warmup(struct text *line, const void *of)
{
    const struct memory_window *window = &((const struct leak_report *)of)->judgement.window;

    say(line, leak_warmup_text, said_time((double)window->from_ns),
        said_time((double)window->to_ns));
}

static void append_basis(struct text *line, const void *of)
{
    const struct leak_judgement *judgement = &((const struct leak_report *)of)->judgement;
    struct said points = said_count(judgement->trend.count);

    if (judgement->trend.count == 0 || judgement->reason == LEAK_MAPPED)
        return;
    if (judgement->is_by_jumps) {
        say(line, leak_basis_jumps_text, points);
        say(line, leak_basis_last_text);
        return;
    }
    say(line, judgement->is_by_troughs ? leak_basis_troughs_text : leak_basis_floors_text, points);
    if (judgement->trend.dependence > 1)
        say(line, leak_basis_wider_text, said_ratio(sqrt(judgement->trend.dependence)));
}

static void append_pattern(struct text *line, const void *of)
{
    const struct leak_report *report = of;

    if (memory_is_known(&report->work.session->heap))
        memory_append_shape(line, &report->judgement.shape, &report->judgement.window);
}

static void append_most(struct text *line, const struct leak_report *report, bool at_end)
{
    const struct leak_site *most = leak_sites_find_most(&report->sites, at_end);

    if (most)
        memory_append_most(line, &report->work, most->site,
                           at_end ? most->site->live_bytes : most->kept_bytes);
}

/* However short the run was, and whatever the verdict is. */
static void append_never_freed(struct text *line, const void *of)
{
    const struct leak_report *report = of;
    const struct session_heap *heap = &report->work.session->heap;

    if (!memory_is_known(heap))
        return;
    say(line, leak_never_freed_text,
        said_about(said_bytes((double)heap->live_bytes),
                   memory_is_estimate(heap, heap->live_error)),
        said_about(said_count(heap->live_blocks), heap->is_estimated));
    append_most(line, report, true);
}

/* The heap before the final fall; most of it is reachable until the end. */
static void append_kept(struct text *line, const void *of)
{
    const struct leak_report *report = of;
    const struct memory_teardown *fall = &report->judgement.fall;
    uint64_t live = report->work.session->heap.live_bytes;

    if (!report->judgement.has_fall)
        return;
    say(line, leak_kept_to_end_text, said_bytes((double)(fall->floor_bytes - live)),
        said_time((double)fall->from_ns));
    append_most(line, report, false);
}

static const struct record_line lines[] = {
    {{"verdict", "Verdict", NULL, UNIT_TEXT, 0}, append_verdict},
    {{"severity", "Severity", NULL, UNIT_TEXT, 0}, append_severity},
    {{"confidence", "Confidence", NULL, UNIT_TEXT, 0}, append_confidence},
    {{"warmup", "Warm-up", NULL, UNIT_TEXT, 0}, append_warmup},
    {{"basis", "Basis", NULL, UNIT_TEXT, 0}, append_basis},
    {{"pattern", "Pattern", NULL, UNIT_TEXT, 0}, append_pattern},
    {{"never_freed", "Never freed", NULL, UNIT_TEXT, 0}, append_never_freed},
    {{"kept", "Kept to the end", NULL, UNIT_TEXT, 0}, append_kept},
};

static void append_suppressed(struct text *line, const void *of)
{
    const struct suppression *suppression = of;
    bool has_sites = suppression->sites > 0 || suppression->mappings == 0;

    if (has_sites)
        say(line, leak_suppressed_sites_text, said_bytes((double)suppression->bytes),
            said_count(suppression->sites));
    text_append(line, has_sites && suppression->mappings > 0 ? ", " : "");
    if (suppression->mappings > 0)
        say_part(line, leak_suppressed_mapped_text, said_bytes((double)suppression->mapped_bytes),
                 said_count(suppression->mappings));
    text_appendf(line, " by leak:%s", suppression->pattern);
}

static const struct record_line suppressed_line = {{"suppressed", "Suppressed", NULL, UNIT_TEXT, 0},
                                                   append_suppressed};

void leak_add_lines(struct document *document, const struct leak_report *report)
{
    const struct suppressions *suppressions = report->work.options->suppressions;
    struct record *record = document_add_record(document, "head", "Leaks", SECTION_IN_TEXT);

    record_add_lines(record, lines, sizeof lines / sizeof *lines, report);
    for (size_t i = 0; suppressions && i < suppressions->rows.count; i++)
        record_add_lines(record, &suppressed_line, 1, array_at(&suppressions->rows, i));
    record_add_doubts(record, &report->doubts);
}
