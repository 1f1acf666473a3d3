/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screen of a report that people read.
 */
#include "base/text.h"
#include "findings/rows.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "screen/report_head.h"
#include "screen/report_parts.h"
#include "screen/report_time.h"

enum { REGION_ROWS = 6, FINDINGS_SHOWN = 3 };

/* Those that are worth following stand first, but for limits alone. */
static void add_advice(struct text_list *lines, const struct findings *findings)
{
    struct text line;

    text_init(&line);
    for (size_t i = 0, shown = 0; i < findings->found.count && shown < FINDINGS_SHOWN; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (!finding_is_advice(finding))
            continue;
        finding_say_short(&line, finding, findings);
        text_list_take(lines, &line);
        shown++;
    }
    text_fini(&line);
}

/* All that is known of findings is in tprof bottlenecks. */
static void add_findings(struct document *document, const struct report_sums *sums)
{
    struct text_list *lines = document_add_lines(document, "Bottlenecks (tprof bottlenecks)");

    findings_add_verdict(lines, &sums->findings, "  ");
    add_advice(lines, &sums->findings);
}

static const struct column region_columns[] = {
    {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    {"exclusive_ns", "time", "without the regions inside", UNIT_NS, 0},
    {"calls", "calls", "times it ended", UNIT_COUNT, 0},
    {"path", "region", "the region under those around it", UNIT_TEXT, 0},
};

static const struct table_schema region_schema = {
    "top_regions", "Regions by exclusive time", region_columns,
    sizeof region_columns / sizeof *region_columns, "share"};

static void add_top_regions(struct document *document, const struct session *session)
{
    struct table *table;

    if (session->regions.count <= 1)
        return;
    table = document_add_table(document, "top_regions", SECTION_IN_TEXT);
    table_init(table, &region_schema);
    for (size_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = session_region_at(session, i);
        struct value *row = table_add_row(table);

        value_set_ratio(&row[0], region->exclusive_ns, session->thread_ns);
        value_set_unsigned(&row[1], region->exclusive_ns);
        value_set_unsigned(&row[2], region->calls);
        value_mark_estimate(&row[2], region->is_estimated);
        value_mark_estimate(&row[1], region->is_estimated);
        value_mark_estimate(&row[0], region->is_estimated);
        value_set_text(&row[3], region->path);
    }
    table_sort(table, 1, true);
    table_truncate(table, REGION_ROWS);
}

enum status report_add_screen(struct document *document, const struct report_sums *sums,
                              const struct analysis_options *unused)
{
    const struct session *session = sums->session;

    report_add_head(document, session);
    (void)unused;
    report_add_time(document, sums);
    add_top_regions(document, session);
    add_findings(document, sums);
    report_add_summary(document, sums);
    return STATUS_OK;
}
