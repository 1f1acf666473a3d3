/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lines of a program's own files have most of the processor time, with their text:
 * where whoever wrote the program looks first.
 */
#include "base/text.h"
#include "figures/cpu_time.h"
#include "figures/own_lines.h"
#include "figures/places.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/symbols.h"
#include "screen/first_parts.h"
#include "screen/texts.h"
#include "time/source_text.h"

enum { LINES_SHOWN = 3 };

static const double least_share = 0.02; /* of the processor time, for a line to be named */

enum { LINE_SHARE, LINE_PLACE, LINE_SOURCE };

static const struct column columns[] = {
    [LINE_SHARE] = {"share", "", "of the processor time, with what the line calls",
                    UNIT_FRACTION, 0},
    [LINE_PLACE] = {"place", "", "the line and its function", UNIT_PLACE, 0},
    [LINE_SOURCE] = {"source", "", "what stands there", UNIT_TEXT, 1},
};

static const struct table_schema schema = {"own_lines", "Own lines", columns,
                                           sizeof columns / sizeof *columns, NULL};

static enum status set_place(struct value *value, const struct place *place)
{
    struct text words;

    text_init(&words);
    place_append_line(&words, place);
    return value_take_text(value, &words);
}

static enum status set_source(struct value *value, struct source_text *source,
                              const struct place *place)
{
    struct text words;
    enum status status;

    text_init(&words);
    text_append(&words, ""); /* what is not known is left empty */
    status = source_text_append(source, &words, place->file, place->line);
    if (!status)
        return value_take_text(value, &words);
    text_fini(&words);
    return status;
}

static enum status add_line(struct table *table, struct source_text *source,
                            const struct own_line *line, double share)
{
    struct value *row = table_add_row(table);
    enum status status = row ? set_place(&row[LINE_PLACE], line->place) : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    value_set_real(&row[LINE_SHARE], share);
    return set_source(&row[LINE_SOURCE], source, line->place);
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

static enum status fill(struct table *table, const struct own_lines *own, size_t count,
                        const struct cpu_time *time)
{
    enum status status = STATUS_OK;
    struct source_text source;

    source_text_init(&source, symbols_root(time->session->symbols),
                     time->session->process.realtime_start_ns);
    for (size_t i = 0; i < count && !status; i++) {
        const struct own_line *line = array_at(&own->rows, i);

        status = add_line(table, &source, line, cpu_time_share(time, line->ns));
    }
    source_text_fini(&source);
    return status;
}

static enum status add_lines(struct document *document, const struct own_lines *own,
                             const struct cpu_time *time, bool has_gradients)
{
    size_t count = count_shown(own, time);
    struct table *table;
    enum status status;

    if (count == 0)
        return STATUS_OK;
    table = document_start_table(document, "own_lines", SECTION_IN_TEXT, &schema);
    status = table ? document_say_head(document, "tprof lines",
                                       has_gradients ? first_own_lines_gradients_text
                                                     : first_own_lines_text)
                   : STATUS_OUT_OF_MEMORY;
    return status ? status : fill(table, own, count, time);
}

enum status first_add_own_lines(struct document *document, const struct cpu_time *time)
{
    struct own_lines own;
    enum status status = own_lines_init_with_gradients(&own, time);

    if (!status)
        status = add_lines(document, &own, time, own.moved_ns > 0);
    own_lines_fini(&own);
    return status;
}
