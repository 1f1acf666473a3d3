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
static enum status add_advice(struct text_list *lines, const struct findings *findings)
{
    enum status status = STATUS_OK;
    struct text line;

    text_init(&line);
    for (size_t i = 0, shown = 0; i < findings->found.count && shown < FINDINGS_SHOWN && !status;
         i++) {
        const struct finding *finding = findings_at(findings, i);

        if (!finding_is_advice(finding))
            continue;
        finding_say_short(&line, finding, findings);
        status = text_list_take(lines, &line);
        shown++;
    }
    text_fini(&line);
    return status;
}

/* All that is known of findings is in tprof bottlenecks. */
static enum status add_findings(struct document *document, const struct report_sums *sums)
{
    struct text_list *lines = document_add_lines(document, "Bottlenecks (tprof bottlenecks)");

    if (!lines || findings_add_verdict(lines, &sums->findings, "  "))
        return STATUS_OUT_OF_MEMORY;
    return add_advice(lines, &sums->findings);
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

static enum status add_top_regions(struct document *document, const struct session *session)
{
    struct table *table;
    enum status status = STATUS_OK;

    if (session->regions.count <= 1)
        return STATUS_OK;
    table = document_add_table(document, "top_regions", SECTION_IN_TEXT);
    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &region_schema);
    for (size_t i = 1; i < session->regions.count && !status; i++) {
        const struct session_region *region = session_region_at(session, i);
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        value_set_ratio(&row[0], region->exclusive_ns, session->thread_ns);
        value_set_unsigned(&row[1], region->exclusive_ns);
        value_set_unsigned(&row[2], region->calls);
        value_mark_estimate(&row[2], region->is_estimated);
        value_mark_estimate(&row[1], region->is_estimated);
        value_mark_estimate(&row[0], region->is_estimated);
        status = value_set_text(&row[3], region->path);
    }
    if (!status)
        status = table_sort(table, 1, true);
    table_truncate(table, REGION_ROWS);
    return status;
}

enum status report_add_screen(struct document *document, const struct report_sums *sums,
                              const struct analysis_options *unused)
{
    const struct session *session = sums->session;
    enum status status = report_add_head(document, session);

    (void)unused;
    if (!status)
        status = report_add_time(document, sums);
    if (!status)
        status = add_top_regions(document, session);
    if (!status)
        status = add_findings(document, sums);
    if (!status)
        status = report_add_summary(document, sums);
    return status;
}
