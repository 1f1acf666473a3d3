/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sites of a leak report by their lines, or by the functions of Python code that asked for the
 * blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_index.h"
#include "document/table.h"
#include "heap/heap_leak.h"
#include "heap/leaks_parts.h"
#include "heap/texts.h"
#include "model/session.h"

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
    char *place;
    uint64_t kept_bytes;
    double growth_bytes; /* NAN: of one of them it is not known */
    uint64_t suspects;
    uint64_t sites;
};

struct grouping {
    struct memory_work *work;
    struct array groups; /* of struct group */
    struct text_index index;
};

/* "load  train.py", "train.py:31  load" */
static enum status append_place(struct text *text, struct memory_work *work, uint32_t call)
{
    bool is_by_line = work->options->by == ANALYSIS_BY_LINE;
    struct place place;
    enum status status = is_by_line ? STATUS_NOT_FOUND
                                    : places_find(work->places, call, place_is_python, &place);

    if (status == STATUS_NOT_FOUND)
        status = places_find_owner_of(work->places, call, &place);
    if (status == STATUS_NOT_FOUND) {
        text_append(text, leak_no_place_text.words);
        return STATUS_OK;
    }
    if (status)
        return status;
    if (is_by_line)
        place_append(text, &place);
    else
        text_appendf(text, "%s  %s", place.function->name,
                     place.function->module ? place.function->module : "");
    return STATUS_OK;
}

static struct group *find_group(struct grouping *grouping, struct text *place)
{
    long number = text_index_add(&grouping->index, place);
    struct group *group;

    if ((size_t)number < grouping->groups.count)
        return array_at(&grouping->groups, (size_t)number);
    group = array_add(&grouping->groups);
    *group = (struct group){.place = memory_copy(place->bytes)};
    return group->place ? group : NULL;
}

static void add_site(struct grouping *grouping, const struct leak_site *site)
{
    struct group *group = NULL;
    struct text place;

    text_init(&place);
    if (!append_place(&place, grouping->work, site->site->call))
        group = find_group(grouping, &place);
    text_fini(&place);
    group->kept_bytes += site->kept_bytes;
    group->growth_bytes += site->growth_bytes;
    group->suspects += site->is_suspect;
    group->sites++;
}

static void add_row(struct table *table, const struct group *group)
{
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[KEPT], group->kept_bytes);
    value_set_rounded(&row[GROWTH], group->growth_bytes);
    value_set_unsigned(&row[SUSPECTS], group->suspects);
    value_set_unsigned(&row[SITES], group->sites);
    value_set_text(&row[PLACE], group->place);
}

static void fill(struct grouping *grouping, const struct leak_sites *sites, struct table *table)
{
    const struct leak_site *site = sites->sites.items;
    const struct group *group;

    for (size_t i = 0; i < sites->sites.count; i++)
        if (!site[i].suppression)
            add_site(grouping, &site[i]);
    group = grouping->groups.items;
    for (size_t i = 0; i < grouping->groups.count; i++)
        add_row(table, &group[i]);
}

static void fini(struct grouping *grouping)
{
    struct group *group = grouping->groups.items;

    for (size_t i = 0; i < grouping->groups.count; i++)
        free(group[i].place);
    array_fini(&grouping->groups);
    text_index_fini(&grouping->index);
}

static void group_sites(struct leak_report *report, struct table *table)
{
    struct grouping grouping = {.work = &report->work};

    leak_sites_init(&report->sites, &report->work, &report->judgement);
    array_init(&grouping.groups, sizeof(struct group));
    if (report->judgement.verdict != LEAK_SEEN)
        leak_sites_clear_suspects(&report->sites);
    fill(&grouping, &report->sites, table);
    leak_sites_fini(&report->sites);
    fini(&grouping);
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
