/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of a program's own files with most of the processor time, with their text: the first
 * thing that their author wants to see.
 *
 * Decision: doc/decisions/first-screen-lines.
 */
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "cpu/cpu_time.h"
#include "cpu/own_lines.h"
#include "cpu/starting.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_samples.h"
#include "places/places.h"
#include "places/source_text.h"
#include "screen/first_parts.h"
#include "screen/texts.h"
#include "symbols/symbols.h"

enum { LINES_SHOWN = 3 };

static const double least_share = 0.02; /* share of the processor time for a named line */
static const double worth_share = 0.1;  /* share of the processor time for a line to start with */
static const double most_share = 0.25;  /* of a line's time: a row with less is not told */
static const double start_share = 0.5;  /* share of a line's time that makes it a line of the
                                           start-up */

enum { LINE_SHARE, LINE_PLACE, LINE_SOURCE };

static const struct column columns[] = {
    [LINE_SHARE] = {"share", "", "of the processor time, with what the line calls", UNIT_FRACTION,
                    0},
    [LINE_PLACE] = {"place", "", "the line and its function", UNIT_PLACE, 0},
    [LINE_SOURCE] = {"source", "", "what stands there", UNIT_TEXT, 1},
};

static const struct table_schema schema = {"own_lines", "Own lines", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* Used if source files are missing, or have changed. */
static const struct table_schema bare_schema = {"own_lines", "Own lines", columns, LINE_SOURCE,
                                                NULL};

static void set_place(struct value *value, const struct place *place)
{
    struct text words;

    text_init(&words);
    place_append_short(&words, place);
    value_take_text(value, &words);
}

static void set_source(struct value *value, struct source_text *source,
                       const struct place *place)
{
    struct text words;

    text_init(&words);
    source_text_append(source, &words, place->file, place->line);
    value_take_text(value, &words);
}

static void add_line(struct table *table, struct source_text *source,
                     const struct own_line *line, double share)
{
    struct value *row = table_add_row(table);

    set_place(&row[LINE_PLACE], line->place);
    value_set_real(&row[LINE_SHARE], share);
    if (table->schema == &schema)
        set_source(&row[LINE_SOURCE], source, line->place);
}

static bool has_source(struct source_text *source, const struct own_lines *own)
{
    const struct place *first = ((const struct own_line *)array_at(&own->rows, 0))->place;
    struct text words;
    bool has;

    text_init(&words);
    source_text_append(source, &words, first->file, first->line);
    has = words.size > 0;
    return has;
}

static size_t count_shown(const struct own_lines *own, const struct cpu_time *time)
{
    size_t count = 0;

    while (count < own->rows.count && count < LINES_SHOWN &&
           cpu_time_share(time, ((const struct own_line *)array_at(&own->rows, count))->ns) >=
               least_share)
        count++;
    return count;
}

static void fill(struct table *table, struct source_text *source,
                 const struct own_lines *own, const struct cpu_time *time)
{
    size_t count = count_shown(own, time);

    for (size_t i = 0; i < count; i++) {
        const struct own_line *line = array_at(&own->rows, i);

        add_line(table, source, line, cpu_time_share(time, line->ns));
    }
}

static void add_table(struct document *document, struct source_text *source,
                      const struct own_lines *own, const struct cpu_time *time)
{
    const struct table_schema *columns_of = has_source(source, own) ? &schema : &bare_schema;
    struct table *table =
        document_start_table(document, "own_lines", SECTION_IN_TEXT, columns_of);

    document_say_head(document, "tprof lines",
                      own->moved_ns > 0 ? first_own_lines_gradients_text : first_own_lines_text);
    fill(table, source, own, time);
}

static void add_lines(struct document *document, const struct own_lines *own,
                      const struct cpu_time *time)
{
    const struct session *session = time->session;
    struct source_text source;

    if (count_shown(own, time) == 0)
        return;
    source_text_init(&source, session);
    add_table(document, &source, own, time);
}

void first_add_own_lines(struct document *document, const struct cpu_time *time)
{
    struct own_lines own;

    own_lines_init_with_gradients(&own, time);
    add_lines(document, &own, time);
}

/* ---- the line to start with ---- */

/* The lines of all samples, and of those of the start-up. */
struct start_lines {
    bool *are; /* by sample */
    struct own_lines all;
    struct own_lines start;
};

static bool is_of_start(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)time;
    return ((const bool *)of)[sample];
}

static void start_lines_init(struct start_lines *lines, const struct cpu_time *time,
                             places_finder find)
{
    starting_find(&lines->are, time->session, find);

    own_lines_init(&lines->all, time);
    own_lines_init_of(&lines->start, time, is_of_start, lines->are);
}

static void find_ns(double *ns, const struct own_lines *lines, const char *place)
{
    struct text words;

    *ns = 0;
    text_init(&words);
    for (size_t i = 0; i < lines->rows.count; i++) {
        const struct own_line *line = array_at(&lines->rows, i);

        text_clear(&words);
        place_append_short(&words, line->place);
        if (strcmp(words.bytes, place) == 0)
            *ns += line->ns;
    }
}

/* The line of an import cannot make the import faster. */
static void is_start_line(const struct start_lines *lines, const char *place, bool *is)
{
    double all_ns, start_ns = 0;

    find_ns(&all_ns, &lines->all, place);
    find_ns(&start_ns, &lines->start, place);
    *is = start_ns > start_share * all_ns;
}

/* ---- the row that has most of its time ---- */

static bool is_at(const struct cpu_time *time, size_t sample, const char *place)
{
    const struct session_sample *of = session_sample_at(time->session, sample);
    const struct place *own = own_lines_find(time->session, time->places, of->call);
    struct text words;
    bool is;

    if (!own)
        return false;
    text_init(&words);
    place_append_short(&words, own);
    is = strcmp(words.bytes, place) == 0;
    text_fini(&words);
    return is;
}

/* Processor time at a place, by rows of the processor time. */
static double *sum_by_row(const struct cpu_time *time, const char *place)
{
    double *ns = pool_get_zeros(time->rows.count + 1, sizeof *ns);

    for (size_t i = 0; i < time->session->samples.count; i++)
        if (is_at(time, i, place)) {
            ns[time->sample_row[i]] += time->sample_ns[i];
            ns[time->rows.count] += time->sample_ns[i];
        }
    return ns;
}

static void say_row(struct text *most, const struct cpu_row *row, double share)
{
    struct text library;

    /* "in Linux: page faults"; "libR+0x5a30, called by Rf_eval" */
    if (!row->library || strstr(row->name, "called by")) {
        const char *name = strncmp(row->name, "in ", 3) == 0 ? row->name + 3 : row->name;

        say(most, first_begin_most_text, said_share(share), said_words(name));
        return;
    }
    text_init(&library);
    places_append_module(&library, row->library);
    say(most, first_begin_library_text, said_share(share), said_words(row->name),
        said_words(library.bytes));
    text_fini(&library);
}

/* Append the row that has most of a line's time.  The line's own function says nothing new. */
static void append_most(struct text *most, const struct cpu_time *time, const char *place)
{
    const double *ns = sum_by_row(time, place), all_ns = ns[time->rows.count];
    const struct cpu_row *row;
    size_t largest = 0;

    for (size_t i = 1; i < time->rows.count; i++)
        if (ns[i] > ns[largest])
            largest = i;
    if (time->rows.count == 0 || ns[largest] < most_share * all_ns)
        return;
    row = array_at(&time->rows, largest);
    if (row->is_named && !strstr(place, row->name))
        say_row(most, row, ns[largest] / all_ns);
}

static void say_begin(struct text_list *said, const struct cpu_time *time, const char *place,
                      double share)
{
    struct text most;

    text_init(&most);
    append_most(&most, time, place);
    text_list_say(said, first_begin_text, said_words(place), said_share(share),
                  said_words(most.bytes));
    text_fini(&most);
}

static void say_first(struct text_list *said, const struct table *table,
                      const struct cpu_time *time, const struct start_lines *lines)
{
    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct value *row = table_row(table, i);
        bool is = false;

        is_start_line(lines, row[LINE_PLACE].text, &is);
        if (row[LINE_SHARE].real < worth_share)
            return;
        if (!is) {
            say_begin(said, time, row[LINE_PLACE].text, row[LINE_SHARE].real);
            return;
        }
    }
}

void first_say_where_to_begin(struct text_list *lines, const struct document *document,
                              const struct cpu_time *time, places_finder find)
{
    const struct table *table = document_find_table(document, "own_lines");
    struct start_lines of = {NULL};

    if (!table)
        return;
    start_lines_init(&of, time, find);
    say_first(lines, table, time, &of);
}
