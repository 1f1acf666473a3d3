/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs: how much arithmetic was done, by kernel and shape or by other rows.  A call inside a
 * kernel that owns its FLOPs adds none, so nothing counts twice and the shares sum to 100 %.
 */
#include "kernels/flops_parts.h"

#include <limits.h>
#include <math.h>

#include "analysis/name_notes.h"
#include "kernels/flops_insights.h"
#include "kernels/flops_options.h"
#include "kernels/judge.h"
#include "kernels/kernel_rows.h"
#include "kernels/texts.h"
#include "options/readers.h"

/* Builds the rows that the user asked for. */
static void build_rows(const struct session *session, const struct groups *groups,
                       const struct analysis_options *options, struct table *table)
{
    if (options->by == ANALYSIS_BY_REGION)
        flops_build_regions(session, table);
    else if ((unsigned)GROUPS_LABELLED >> options->by & 1)
        flops_build_groups(groups, table);
    else
        flops_build_kernels(groups, table);
}

static void add_notes(struct table *table, const struct compute *compute)
{
    struct text flops;

    text_init(&flops);
    compute_append_count(&flops, compute->flops);
    if (!isnan(compute->flops))
        table_say(table, flops_whole_text, said_words(flops.bytes));
    if (compute->unknown_fraction > 0)
        table_say(table, flops_unknown_share_text, said_share(compute->unknown_fraction));
}

/* The rows and the notes on them. */
static void fill_table(struct table *table, const struct session *session,
                       const struct groups *groups, const struct compute *compute,
                       const struct analysis_options *options)
{
    build_rows(session, groups, options, table);

    judge_note_impossible(table, session, options);
    kernel_rows_add_rough_note(table, groups);
    add_notes(table, compute);
    name_notes_add_for(table, session, options->by);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct groups groups;
    struct compute compute;

    groups_init(&groups, session, options);
    table_init(table, &(const struct table_schema){0});
    compute = compute_find(session, &groups, options);
    fill_table(table, session, &groups, &compute, options);
}

static void append_total(struct text *line, const struct compute *compute)
{
    compute_append_total(line, compute);
    if (compute->flops > 0) {
        text_append(line, ": ");
        compute_append_classes(line, compute);
        text_append(line, "; ");
        compute_append_count(line, compute->flops);
        text_append(line, " FLOPs, ");
        compute_append_count(line, compute->macs);
        text_append(line, " MACs.");
        compute_append_executed(line, compute);
    }
}

/* A line of the summary: its title and its function. */
static const struct {
    struct column column;
    void (*append)(struct text *line, const struct compute *compute);
} summary_rows[] = {
    {{"total", "Total", NULL, UNIT_TEXT, 0}, append_total},
    {{"speed", "Speed", NULL, UNIT_TEXT, 0}, compute_append_speed},
    {{"unknown", "Unknown", NULL, UNIT_TEXT, 0}, compute_append_unknown},
    {{"items", "Items", NULL, UNIT_TEXT, 0}, compute_append_items},
    {{"parameters", "Parameters", NULL, UNIT_TEXT, 0}, compute_append_parameters},
};

static void add_lines(struct record *record, const struct compute *compute)
{
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < sizeof summary_rows / sizeof *summary_rows; i++) {
        summary_rows[i].append(&line, compute);
        record_add_line(record, &summary_rows[i].column, &line);
    }
}

static void add_nothing(struct record *record, const struct compute *compute)
{
    struct text line;

    text_init(&line);
    compute_append_no_calls(&line, compute);
    record_add_line(record, &summary_rows[0].column, &line);
}

static void fill(struct document *document, const struct session *session,
                 const struct groups *groups, const struct analysis_options *options)
{
    struct compute compute = compute_find(session, groups, options);
    struct record *summary =
        document_add_record(document, "summary", "Arithmetic", SECTION_IN_TEXT);
    struct table *table;

    if (compute.calls > 0)
        add_lines(summary, &compute);
    else
        add_nothing(summary, &compute);
    compute_add_facts(document, &compute);
    flops_add_insights(document, summary, session);
    table = document_add_table(document, "rows", SECTION_IN_BOTH);
    fill_table(table, session, groups, &compute, options);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct groups groups;

    groups_init(&groups, session, options);
    document_init(document);
    document->name = "flops";
    document->main = "rows";
    fill(document, session, &groups, options);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct flops_options, field, __VA_ARGS__),
#include "kernels/flops_options.def"
#undef OPTION
};

static const struct flops_options defaults = {0};

const struct analysis analysis_flops = {
    .name = "flops",
    .help = "How much arithmetic was done: FLOPs, MACs, rates, bytes, by kernel, class, operation, "
            "region, thread or place.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = UINT_MAX,
    .is_arranged = true,
    .long_rows = UINT_MAX,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
