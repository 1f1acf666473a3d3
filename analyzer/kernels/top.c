/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Top: the uses of time in a few rows, which sum to the whole.  Shares are exclusive and relative
 * to thread time; time outside of known kernels is a row, too.
 */
#include "kernels/top.h"

#include "analysis/name_notes.h"
#include "kernels/groups.h"
#include "kernels/judge.h"
#include "kernels/kernel_rows.h"
#include "kernels/texts.h"
#include "model/session.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { STANDARD_ROWS = 10 };

enum column_index { SHARE, TIME, CALLS, MEAN, RATE, NAME, KIND };

static const struct column columns[] = {
    [SHARE] = {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    [TIME] = {"self_ns", "time", "without the kernels inside", UNIT_NS, 0},
    [CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 2},
    [MEAN] = {"mean_ns", "mean", "of the calls after warm-up, with the kernels inside", UNIT_NS, 3},
    [RATE] = {"flops_per_second", "rate",
              "known FLOPs by the time in the calls, of a kernel those inside others too",
              UNIT_FLOPS_PER_SECOND, 1},
    [NAME] = {"name", "what", "what the row stands for", UNIT_PLACE, 0},
    [KIND] = {"kind", NULL, "row, more, thread, other or tprof", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"top", "Where the time went", columns,
                                           sizeof columns / sizeof *columns, "share"};

/* A row being composed. */
struct entry {
    const char *name;
    const char *kind; /* row, more, thread, other or tprof */
    uint64_t self_ns;
    uint64_t calls;   /* 0: it has none */
    double mean_ns;   /* NAN: the row has no such calls */
    long double rate; /* FLOP/s; 0 or NAN: the row has none */
    bool is_estimate; /* its times are estimates */
    bool has_estimated_calls;
    bool is_drawn;    /* only its mean is from drawn calls */
};

static void add_entry(struct table *table, const struct session *session, const struct entry *entry)
{
    static const unsigned char timed[] = {SHARE, TIME, RATE};
    struct value *row = table_add_row(table);

    value_set_ratio(&row[SHARE], entry->self_ns, session->thread_ns);
    value_set_unsigned(&row[TIME], entry->self_ns);
    if (entry->calls > 0) {
        value_set_unsigned(&row[CALLS], entry->calls);
        value_set_real(&row[MEAN], entry->mean_ns);
        if (entry->rate > 0)
            value_set_real(&row[RATE], (double)entry->rate);
    }
    value_mark_estimate(&row[CALLS], entry->has_estimated_calls);
    if (entry->is_estimate)
        values_mark_estimates(row, timed, sizeof timed);
    value_mark_estimate(&row[MEAN], entry->is_drawn);
    value_set_text(&row[NAME], entry->name);
    value_set_text(&row[KIND], entry->kind);
}

static void add_group(struct table *table, const struct session *session, const struct group *group,
                      bool names_library)
{
    struct entry entry = {.kind = "row",
                          .self_ns = group->self_ns,
                          .calls = group->calls,
                          .mean_ns = group_mean_ns(group),
                          .rate = group_rate(group),
                          .is_estimate = group_is_estimate(group),
                          .has_estimated_calls = group->has_estimated_calls,
                          .is_drawn = group->is_drawn};
    struct text name;

    text_init(&name);
    text_appendf(&name, "%s%s%s", group_name(group), group->shape[0] ? " " : "", group->shape);
    if (names_library && group->library)
        text_appendf(&name, " in %s", group->library);
    entry.name = name.bytes;
    add_entry(table, session, &entry);
}

/* The rows that find no room are one. */
static void add_more(struct table *table, const struct session *session,
                     const struct groups *groups, size_t shown)
{
    char name[64];
    struct entry entry = {.name = name, .kind = "more"};
    struct groups_steady steady = {0};
    struct group_work work = {0};

    if (groups->rows.count <= shown)
        return;
    for (size_t i = shown; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        entry.self_ns += group->self_ns;
        entry.calls += group->calls;
        entry.is_estimate |= group_is_estimate(group);
        entry.has_estimated_calls |= group->has_estimated_calls;
        entry.is_drawn |= group->is_drawn;
        groups_steady_add(&steady, group);
        work.flops += group->work.flops;
        work.known_calls += group->work.known_calls;
        work.known_ns += group->work.known_ns;
    }
    entry.mean_ns = groups_steady_mean_ns(&steady);
    entry.rate = group_work_rate(&work);
    snprintf(name, sizeof name, "%zu more", groups->rows.count - shown);
    add_entry(table, session, &entry);
}

static void add_rest(struct table *table, const struct session *session,
                     const struct groups *groups)
{
    enum { ALWAYS_SHOWN = 2 }; /* this row and the next ones */
    struct groups_rest rest = groups_split_rest(session, groups->self_ns);
    const struct entry entries[] = {
        {.name = "data loading", .kind = "io", .self_ns = rest.loading_ns},
        {.name = rest.bystanders.name, .kind = "thread", .self_ns = rest.bystanders.ns},
        {.name = "other code", .kind = "other", .self_ns = rest.other_ns},
        {.name = "tprof itself, estimated", .kind = "tprof", .self_ns = rest.own_ns},
    };

    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entries[i].self_ns > 0 || i >= ALWAYS_SHOWN)
            add_entry(table, session, &entries[i]);
}

void top_say_whole(struct table *table, const struct session *session)
{
    table_say(table, top_whole_text, said_time((double)session->thread_ns),
              said_count(session->threads.count));
}

static void add_notes(struct table *table, const struct session *session, enum analysis_by by)
{
    top_say_whole(table, session);

    table_say(table, top_other_code_text);
    if (by == ANALYSIS_BY_OP)
        table_say(table, top_operations_text);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct analysis_options own = *options;
    size_t limit = options->limit > 0 ? options->limit : STANDARD_ROWS;
    struct groups groups;

    table_init(table, &schema);
    own.by = options->by == ANALYSIS_BY_DEFAULT ? ANALYSIS_BY_OP : options->by;
    groups_init(&groups, session, &own);
    for (size_t i = 0; i < groups.rows.count && i < limit; i++)
        add_group(table, session, array_at(&groups.rows, i), groups.names_libraries);
    add_more(table, session, &groups, limit);
    add_rest(table, session, &groups);
    kernel_rows_add_first_note(table, session, &groups);
    kernel_rows_add_estimate_note(table, session, &groups);
    judge_note_impossible(table, session, options);
    add_notes(table, session, own.by);
    name_notes_add_for(table, session, own.by);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct table *table;

    document_init(document);
    document->name = "top";
    document->main = "rows";
    table = document_add_table(document, "rows", SECTION_IN_BOTH);
    build(session, options, table);
}

const struct analysis analysis_top = {
    .name = "top",
    .help = "What takes the time, in a few rows that sum to all of it.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = UINT_MAX,
};
