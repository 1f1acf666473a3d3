/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the runs of a side ended.
 */
#include "compare/endings.h"

#include <string.h>

#include "base/text.h"
#include "compare/texts.h"

/* More names say nothing new. */
enum { NAMES_MAX = 4 };

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

bool ending_is_bad(const struct run *run)
{
    const char *ending = run_fact_value(run, run_ending);

    return ending && strcmp(ending, run_ended_well) != 0;
}

static bool has_ending(const struct run_side *side, const char *ending)
{
    for (size_t i = 0; i < side->runs.count; i++)
        if (is_same(run_fact_value(array_at(&side->runs, i), run_ending), ending))
            return true;
    return false;
}

const struct run *endings_find_new(const struct pair *pair, size_t *count)
{
    const struct run *first = NULL;

    *count = 0;
    for (size_t i = 0; i < pair->changed->runs.count; i++) {
        const struct run *run = array_at(&pair->changed->runs, i);

        if (!ending_is_bad(run) || has_ending(pair->base, run_fact_value(run, run_ending)))
            continue;
        if (!first)
            first = run;
        (*count)++;
    }
    return first;
}

static const char *name_of(const struct run *run)
{
    return run->path ? run->path : run->label;
}

/* All runs of a baseline have the same name; runs with the same ending are reported once. */
static bool is_told(const struct run *run, const struct run *before)
{
    return before && is_same(name_of(run), name_of(before)) &&
           is_same(run_fact_value(run, run_ending), run_fact_value(before, run_ending));
}

static size_t append_runs(struct text *line, const struct run_side *side)
{
    const struct run *before = NULL;
    size_t count = 0, names = 0;

    for (size_t i = 0; i < side->runs.count; i++) {
        const struct run *run = array_at(&side->runs, i);

        if (!ending_is_bad(run))
            continue;
        count++;
        if (is_told(run, before))
            continue;
        if (names++ < NAMES_MAX)
            text_appendf(line, "%s %s (%s)", names == 1 ? ":" : ",", name_of(run),
                         run_fact_value(run, run_ending));
        before = run;
    }
    if (names > NAMES_MAX)
        say_part(line, doubt_endings_more_text, said_count(names - NAMES_MAX));
    return count;
}

void endings_add(struct text_list *lines, const struct run_side *side)
{
    struct text runs;
    size_t count;

    text_init(&runs);
    count = append_runs(&runs, side);
    if (count > 0)
        text_list_say(lines, doubt_endings_text, said_count(count), said_count(side->runs.count),
                      said_words(side->label), said_words(runs.bytes));
    text_fini(&runs);
}
