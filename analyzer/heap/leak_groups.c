/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sites of a leak report by line, or by the Python function that requested the blocks.
 */
#include "document/table.h"
#include "heap/heap_leak.h"
#include "heap/leaks_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "rows/fold.h"

enum group_column { PLACE, KEPT, GROWTH, SUSPECTS, SITES };

static const struct column columns[] = {
    [PLACE] = {"place", "place", "the line, or the function of Python code", UNIT_PLACE, 0},
    [KEPT] = {"kept_bytes", "kept", "live before the final frees, or at the end", UNIT_BYTES, 0},
    [GROWTH] = {"growth_bytes", "growth", "of them, beyond what was live after the warm-up",
                UNIT_BYTES, 0},
    [SUSPECTS] = {"suspects", "suspects", "call chains that are suspect", UNIT_COUNT, 1},
    [SITES] = {"sites", "sites", "call chains that keep blocks", UNIT_COUNT, 2},
};

static const struct table_schema schema = {"leaks", "Blocks that are kept", columns,
                                           sizeof columns / sizeof *columns, "kept_bytes"};

/* Sites of one place. */
struct group {
    const char *place; /* kept by the fold */
    uint64_t kept_bytes;
    double growth_bytes; /* NAN: unknown for one of the sites */
    uint64_t suspects;
    uint64_t sites;
};

/* "train.py load", by line "train.py:31 load". */
static void append_place(struct text *text, const struct memory_work *work,
                         const struct session_site *site)
{
    struct place place;

    memory_append_group(text, work, site, &place);
    if (work->options->by != ANALYSIS_BY_LINE || !place.function)
        return;
    text_clear(text);
    place_append(text, &place);
}

static void add_site(struct fold *fold, const struct memory_work *work,
                     const struct leak_site *site)
{
    struct group *group;
    struct text place;

    text_init(&place);
    append_place(&place, work, site->site);
    group = fold_find_named(fold, place.bytes);
    group->kept_bytes += site->kept_bytes;
    group->growth_bytes += site->growth_bytes;
    group->suspects += site->is_suspect;
    group->sites++;
}

/* A file's row shows its base name. */
static void add_row(struct table *table, const struct group *group, enum analysis_by by)
{
    const char *place = by == ANALYSIS_BY_FILE ? text_base_name(group->place) : group->place;
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[KEPT], group->kept_bytes);
    value_set_rounded(&row[GROWTH], group->growth_bytes);
    value_set_unsigned(&row[SUSPECTS], group->suspects);
    value_set_unsigned(&row[SITES], group->sites);
    value_set_text(&row[PLACE], place);
}

static void fill(struct table *table, const struct leak_report *report)
{
    const struct leak_site *site = report->sites.sites.items;
    struct array groups; /* of struct group */
    struct fold fold;

    array_init(&groups, sizeof(struct group));
    fold_init(&fold, &groups);
    for (size_t i = 0; i < report->sites.sites.count; i++)
        if (!site[i].suppression)
            add_site(&fold, &report->work, &site[i]);
    for (size_t i = 0; i < groups.count; i++)
        add_row(table, array_at(&groups, i), report->work.options->by);
}

static void group_sites(struct leak_report *report, struct table *table)
{
    leak_sites_init(&report->sites, &report->work, &report->judgement);
    if (report->judgement.verdict != LEAK_SEEN)
        leak_sites_clear_suspects(&report->sites);
    fill(table, report);
    table_sort(table, KEPT, true);
}

void leak_build_groups(const struct session *session, const struct analysis_options *options,
                       struct table *table)
{
    struct leak_report report = {.work = {.session = session}};

    memory_work_init(&report.work, session, options);
    table_init(table, &schema);
    heap_leak_judge(&report.judgement, session, options);
    group_sites(&report, table);
    table_say(table, leak_groups_text, said_words(leak_verdict_name(&report)));
    memory_work_fini(&report.work);
}
