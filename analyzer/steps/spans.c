/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spans and moments that the program marked by NVTX or ITT.  Spans start and end by an id, on any
 * threads.  They overlap, so they have no shares.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/pool.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_spans.h"
#include "statistics/summary.h"
#include "steps/look.h"
#include "steps/texts.h"

enum column_index {
    NAME,
    KIND,
    CALLS,
    TOTAL,
    MEAN,
#define PERCENTILE(id, name, key, fraction, priority) id,
#include "statistics/percentiles.def"
#undef PERCENTILE
    LONGEST,
    OPEN,
    DOMAIN,
    CATEGORY,
    COLOUR,
    INTERFACE
};

static const struct column columns[] = {
    [NAME] = {"name", "span", "its name", UNIT_TEXT, 0},
    [KIND] = {"kind", "kind", "span, or mark for a moment", UNIT_TEXT, 0},
    [CALLS] = {"calls", "calls", "spans that ended, and moments", UNIT_COUNT, 0},
    [TOTAL] = {"total_ns", "total", "sum of their lengths", UNIT_NS, 0},
    [MEAN] = {"mean_ns", "mean", "of a span", UNIT_NS, 1},
#define PERCENTILE(id, name, key, fraction, priority)                                              \
    [id] = {key "_ns", name, "percentile of the recorded spans, type 7", UNIT_NS, priority},
#include "statistics/percentiles.def"
#undef PERCENTILE
    [LONGEST] = {"max_ns", "longest", "the longest recorded span", UNIT_NS, 3},
    [OPEN] = {"open", "open", "spans that never ended", UNIT_COUNT, 2},
    [DOMAIN] = {"domain", "domain", "domain of NVTX or ITT; null for the default one", UNIT_TEXT,
                1},
    [CATEGORY] = {"category", "category", "category of the first of its name", UNIT_TEXT, 4},
    [COLOUR] = {"colour", "colour", "colour of the first of its name", UNIT_TEXT, 5},
    [INTERFACE] = {"interface", "by", "the interface: nvtx or itt", UNIT_TEXT, 6},
};

static const struct table_schema schema = {"spans", "Spans", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* The lengths of the recorded spans of a row. */
struct lengths {
    uint64_t *ns;
    size_t count;
};

/* One block holds the lengths of all rows, row after row. */
static struct lengths *gather(const struct session *session)
{
    struct lengths *lengths = pool_get_zeros(session->span_rows.count + 1, sizeof *lengths);
    uint64_t *next = pool_get((session->spans.count + 1) * sizeof *next);

    for (size_t i = 0; i < session->spans.count; i++)
        lengths[session_span_at(session, i)->row].count++;
    for (size_t i = 0; i < session->span_rows.count; i++) {
        lengths[i].ns = next;
        next += lengths[i].count;
        lengths[i].count = 0;
    }
    for (size_t i = 0; i < session->spans.count; i++) {
        const struct session_span *span = session_span_at(session, i);
        struct lengths *of = &lengths[span->row];

        of->ns[of->count++] = span->end_ns - span->start_ns;
    }
    return lengths;
}

static void set_percentiles(struct value *row, const struct lengths *lengths, double confidence)
{
    static const unsigned char cells[] = {
#define PERCENTILE(id, name, key, fraction, priority) id,
#include "statistics/percentiles.def"
#undef PERCENTILE
    };
    const struct summary_sample sample = {lengths->ns, lengths->count, NULL, 0};
    struct summary summary;
    uint64_t longest = 0;

    if (lengths->count == 0)
        return;
    summary_of(&summary, &sample, confidence);
    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++)
        value_set_count(&row[cells[i]], roundl(summary.percentiles[i].value));
    for (size_t i = 0; i < lengths->count; i++)
        if (lengths->ns[i] > longest)
            longest = lengths->ns[i];
    value_set_unsigned(&row[LONGEST], longest);
}

static void set_times(struct value *row, const struct session_span_row *of,
                      const struct lengths *lengths, double confidence)
{
    static const unsigned char times[] = {CALLS, TOTAL, MEAN};

    value_set_unsigned(&row[OPEN], of->open);
    value_set_unsigned(&row[TOTAL], of->total_ns);
    if (of->calls > 0)
        value_set_real(&row[MEAN], (double)of->total_ns / (double)of->calls);
    if (of->is_estimated)
        values_mark_estimates(row, times, sizeof times);
    set_percentiles(row, lengths, confidence);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct lengths *lengths = gather(session);

    table_init(table, &schema);
    for (size_t i = 0; i < session->span_rows.count; i++) {
        const struct session_span_row *of = session_span_row_at(session, i);
        struct value *row = table_add_row(table);

        value_set_text(&row[NAME], of->name);
        value_set_text(&row[KIND], of->is_mark ? "mark" : "span");
        value_set_unsigned(&row[CALLS], of->calls);
        look_set(&row[DOMAIN], &of->look);
        if (!of->is_mark)
            set_times(row, of, &lengths[i], options->confidence);
    }
    table_say(table, session->span_rows.count > 0 ? spans_whole_text : spans_none_text);
}

static bool has_any(const struct session *session)
{
    return session->span_rows.count > 0;
}

const struct analysis analysis_spans = {
    .name = "spans",
    .help = "What the program marked by NVTX or ITT from one place to another, and as moments.",
    .sort_key = "total_ns",
    .is_there = has_any,
    .build = build,
};
