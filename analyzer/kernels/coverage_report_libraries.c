/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage, library by library: the targets of hooked slots, and unseen code.
 */
#include <string.h>

#include "document/document.h"
#include "kernels/coverage.h"
#include "kernels/coverage_report_parts.h"
#include "kernels/texts.h"
#include "model/session_unknown.h"

/* The last text is the one that is shortened on a narrow page. */
enum library_index {
    LIBRARY_STATE,
    LIBRARY_NAME,
    LIBRARY_KIND,
    LIBRARY_KNOWN,
    LIBRARY_HOOKED,
    LIBRARY_CALLED,
    LIBRARY_INNER,
    LIBRARY_CALLS,
    LIBRARY_TIME,
    LIBRARY_HINT
};

static const struct column library_columns[] = {
    [LIBRARY_NAME] = {"library", "library", "file of the library", UNIT_PLACE, 0},
    [LIBRARY_KIND] = {"kind", "kind", "kind of library, if its name tells", UNIT_TEXT, 3},
    [LIBRARY_STATE] = {"state", "state",
                       "called; not used: slots lead to it, and nobody called; not reachable: no "
                       "slot leads to it, so calls inside it would not be seen; nothing known: it "
                       "defines no function of the catalog",
                       UNIT_TEXT, 0},
    [LIBRARY_KNOWN] = {"known", "known", "functions of the catalog that it exports", UNIT_COUNT, 1},
    [LIBRARY_HOOKED] = {"hooked", "hooked", "known functions with a hooked slot", UNIT_COUNT, 2},
    [LIBRARY_CALLED] = {"called", "called", "known functions that were called", UNIT_COUNT, 2},
    [LIBRARY_INNER] = {"inner", "inside",
                       "functions of the catalog that it holds and does not export; unknown when "
                       "its file was stripped or is not there",
                       UNIT_COUNT, 4},
    [LIBRARY_CALLS] = {"calls", "calls", "calls of its kernels", UNIT_COUNT, 0},
    [LIBRARY_TIME] = {"time_ns", "time", "time in these calls, without kernels inside them",
                      UNIT_NS, 0},
    [LIBRARY_HINT] = {"hint", NULL, "advice on its calls", UNIT_TEXT, 0},
};

static const struct table_schema library_schema = {"libraries", "Libraries", library_columns,
                                                   sizeof library_columns / sizeof *library_columns,
                                                   NULL};

static bool has_inner(const struct coverage_library *library)
{
    return library->inner != SESSION_UNKNOWN && library->inner > 0;
}

static const char *library_state(const struct coverage_library *library)
{
    if (library->calls > 0)
        return coverage_state_name(COVERAGE_CALLED);
    if (library->hooked > 0)
        return coverage_state_name(COVERAGE_NOT_USED);
    if (library->exported > 0 || has_inner(library))
        return coverage_state_name(COVERAGE_NOT_REACHABLE);
    return "nothing known";
}

bool coverage_report_is_listed(const struct coverage_library *library)
{
    return library->exported > 0 || has_inner(library) || library->kind || library->calls > 0;
}

static void set_library(struct value *values, const struct coverage_library *library)
{
    value_set_text(&values[LIBRARY_NAME], library->name);

    value_set_unsigned(&values[LIBRARY_KNOWN], library->exported);
    value_set_unsigned(&values[LIBRARY_HOOKED], library->hooked);
    value_set_unsigned(&values[LIBRARY_CALLED], library->called);
    value_set_known(&values[LIBRARY_INNER], library->inner);
    if (library->hooked > 0 || library->calls > 0) { /* unknown for the others */
        value_set_unsigned(&values[LIBRARY_CALLS], library->calls);
        value_set_unsigned(&values[LIBRARY_TIME], library->time_ns);
    }
    value_set_text(&values[LIBRARY_KIND], library->kind);
    value_set_text(&values[LIBRARY_STATE], library_state(library));
    value_set_text(&values[LIBRARY_HINT], library->hint);
}

/* The names of all libraries with one hint; none if an earlier library gave the hint. */
static void append_hinted(struct text *names, const struct coverage *coverage, size_t library)
{
    const struct coverage_library *libraries = coverage->libraries.items;
    size_t count = 0;

    for (size_t i = 0; i < coverage->libraries.count; i++) {
        if (!libraries[i].hint || strcmp(libraries[i].hint, libraries[library].hint) != 0)
            continue;
        if (i < library)
            return;
        if (count++ < COVERAGE_REPORT_NAMES_SHOWN)
            text_appendf(names, "%s%s", count > 1 ? ", " : "", libraries[i].name);
    }
    if (count > COVERAGE_REPORT_NAMES_SHOWN)
        say_part(names, coverage_more_libraries_text,
                 said_count(count - COVERAGE_REPORT_NAMES_SHOWN));
}

/* The library's own work is in the processor time outside of kernels, with all other code. */
static void add_hint(struct table *table, const struct coverage *coverage,
                     const struct coverage_library *library, const char *names)
{
    uint64_t outside_ns = coverage_least_outside_ns(coverage);
    struct text note;

    text_init(&note);
    say(&note, coverage_library_hint_text, said_words(names), said_words(library->hint));
    if (library->is_caller && outside_ns != 0 && outside_ns != SESSION_UNKNOWN)
        say(&note, coverage_hint_time_text, said_time((double)outside_ns));
    text_list_take(&table->notes, &note);
}

static void note_hint(struct table *table, const struct coverage *coverage, size_t index)
{
    const struct coverage_library *library = array_at(&coverage->libraries, index);
    struct text names;

    if (!library->hint)
        return;
    text_init(&names);
    append_hinted(&names, coverage, index);
    if (names.size > 0)
        add_hint(table, coverage, library, names.bytes);
}

static void note_library(struct table *table, const struct coverage *coverage, size_t index)
{
    const struct coverage_library *library = array_at(&coverage->libraries, index);

    note_hint(table, coverage, index);
    if (!has_inner(library))
        return;
    table_say(table, coverage_inner_text, said_words(library->name), said_count(library->inner));
}

/* Called libraries come first, then unseen ones that compute, and unused ones last. */
enum library_rank { RANK_CALLED, RANK_UNSEEN, RANK_NOT_USED, RANKS };

static enum library_rank library_rank(const struct coverage_library *library)
{
    if (library->calls > 0)
        return RANK_CALLED;
    return library->hooked > 0 ? RANK_NOT_USED : RANK_UNSEEN;
}

static void add_library(struct table *table, const struct coverage *coverage, size_t index)
{
    struct value *values = table_add_row(table);

    set_library(values, array_at(&coverage->libraries, index));
    note_library(table, coverage, index);
}

static void add_libraries_of(struct table *table, const struct coverage *coverage,
                             enum library_rank rank)
{
    for (size_t i = 0; i < coverage->libraries.count; i++) {
        const struct coverage_library *library = array_at(&coverage->libraries, i);

        if (coverage_report_is_listed(library) && library_rank(library) == rank)
            add_library(table, coverage, i);
    }
}

void coverage_report_build_libraries(const struct coverage *coverage, struct table *table)
{
    table_init(table, &library_schema);
    add_libraries_of(table, coverage, RANK_CALLED);
    table_sort(table, LIBRARY_TIME, true);
    for (int rank = RANK_CALLED + 1; rank < RANKS; rank++)
        add_libraries_of(table, coverage, (enum library_rank)rank);
}
