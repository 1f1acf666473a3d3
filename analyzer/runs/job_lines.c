/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines with the same name are merged across processes.
 */
#include "runs/job_lines.h"

#include <stdlib.h>

#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "model/session.h"
#include "model/session_process.h"
#include "places/places.h"
#include "places/source_text.h"
#include "runs/texts.h"
#include "symbols/symbols.h"

enum { LINES_SHOWN = 3 };

static const double least_shown = 0.02, least_first = 0.2; /* shares of the processor time */

struct job_line {
    const char *place;  /* "pool.py:7 simulate" */
    const char *source; /* the text of the line; empty: unknown */
    double ns;
    uint64_t processes;
};

enum { SHARE, PROCESSES, PLACE, SOURCE };

static const struct column columns[] = {
    [SHARE] = {"share", "", "of the processor time, with what the line calls", UNIT_FRACTION, 0},
    [PROCESSES] = {"processes", "", "in which it ran", UNIT_TEXT, 2},
    [PLACE] = {"place", "", "the line and its function", UNIT_PLACE, 0},
    [SOURCE] = {"source", "", "what stands there", UNIT_TEXT, 1},
};

static const struct table_schema schema = {"own_lines", "Own lines", columns,
                                           sizeof columns / sizeof *columns, NULL};

void job_lines_init(struct job_lines *lines)
{
    *lines = (struct job_lines){.keys = {NULL}};
    array_init(&lines->rows, sizeof(struct job_line));
    text_list_init(&lines->texts);
}

void job_lines_fini(struct job_lines *lines)
{
    text_list_fini(&lines->texts);
    text_index_fini(&lines->keys);
    array_fini(&lines->rows);
}

static void keep(struct job_lines *lines, const struct text *text, const char **kept)
{
    text_list_add(&lines->texts, text->size > 0 ? text->bytes : "");

    *kept = text_list_at(&lines->texts, text_list_count(&lines->texts) - 1);
}

static void add_row(struct job_lines *lines, const struct text *name, const struct place *place,
                    struct source_text *source)
{
    struct job_line *row = array_add(&lines->rows);
    struct text text;

    *row = (struct job_line){.ns = 0};
    keep(lines, name, &row->place);
    text_init(&text);
    source_text_append(source, &text, place->file, place->line);
    keep(lines, &text, &row->source);
    text_fini(&text);
}

static void take_line(struct job_lines *lines, const struct own_line *line,
                      struct source_text *source)
{
    struct job_line *row;
    struct text name;
    long number;

    text_init(&name);
    place_append_short(&name, line->place);
    number = text_index_add(&lines->keys, &name);
    if ((size_t)number == lines->rows.count)
        add_row(lines, &name, line->place, source);
    text_fini(&name);
    row = array_at(&lines->rows, (size_t)number);
    row->ns += line->ns;
    row->processes++;
}

void job_lines_take(struct job_lines *lines, const struct cpu_time *time)
{
    struct source_text source;
    struct own_lines own;

    own_lines_init_with_gradients(&own, time);
    source_text_init(&source, time->session);
    for (size_t i = 0; i < own.rows.count; i++)
        take_line(lines, array_at(&own.rows, i), &source);
}

/* Returns: whether the line at a place of the order by time has this share. */
static bool has_share(const struct job_line *line, double least, double cpu_ns)
{
    return cpu_ns > 0 && line->ns >= least * cpu_ns;
}

static int compare_lines(const void *left, const void *right)
{
    const struct job_line *one = left, *other = right;

    return (one->ns < other->ns) - (one->ns > other->ns);
}

static void fill_row(struct table *table, const struct job_line *line, double cpu_ns)
{
    struct value *row = table_add_row(table);
    struct text processes;

    value_set_ratio(&row[SHARE], line->ns, cpu_ns);
    text_init(&processes);
    say(&processes, job_lines_in_text, said_count(line->processes));
    value_take_text(&row[PROCESSES], &processes);
    value_set_text(&row[PLACE], line->place);
    value_set_text(&row[SOURCE], line->source);
}

void job_lines_add(struct job_lines *lines, double cpu_ns, struct document *document)
{
    struct table *table;

    if (lines->rows.count > 0)
        qsort(lines->rows.items, lines->rows.count, sizeof(struct job_line), compare_lines);
    if (lines->rows.count == 0 || !has_share(array_at(&lines->rows, 0), least_shown, cpu_ns))
        return;
    table = document_start_table(document, "own_lines", SECTION_IN_TEXT, &schema);
    document_say_head(document, "tprof lines TRACE", job_lines_text);
    for (size_t i = 0; i < lines->rows.count && i < LINES_SHOWN; i++) {
        const struct job_line *line = array_at(&lines->rows, i);

        if (!has_share(line, least_shown, cpu_ns))
            break;
        fill_row(table, line, cpu_ns);
    }
}

void job_lines_say_first(struct text *what, const struct job_lines *lines, double cpu_ns)
{
    const struct job_line *first = lines->rows.count > 0 ? array_at(&lines->rows, 0) : NULL;

    if (first && has_share(first, least_first, cpu_ns))
        say(what, job_lines_first_text, said_words(first->place), said_share(first->ns / cpu_ns),
            said_count(first->processes));
}
