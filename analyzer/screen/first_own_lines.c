/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of a program's own files with most of the processor time, with their text: the first
 * thing that their author wants to see.
 *
 * Decision: doc/decisions/first-screen-lines.
 */
#include "base/text.h"
#include "cpu/own_lines.h"
#include "model/session.h"
#include "places/places.h"
#include "places/source_text.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { LINES_SHOWN = 3 };

static const double least_share = 0.02; /* share of the processor time for a named line */

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

static const unsigned char ranks[LINES_SHOWN] = {FIRST_STAYS, FIRST_MAIN, FIRST_DETAIL};

static void fill(struct table *table, struct source_text *source,
                 const struct own_lines *own, const struct cpu_time *time)
{
    size_t count = count_shown(own, time);

    for (size_t i = 0; i < count; i++) {
        const struct own_line *line = array_at(&own->rows, i);

        add_line(table, source, line, cpu_time_share(time, line->ns));
        table_rank_row(table, ranks[i]);
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
