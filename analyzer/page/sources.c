/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Excerpts of source files: the lines with the most processor time and their neighbours, each with
 * its share of the time and its obtained blocks.
 *
 * Files are those of the trace's machine, if they are unchanged since the run.
 */
#include "page/sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_index.h"
#include "cpu/cpu_time.h"
#include "cpu/own_lines.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "page/texts.h"
#include "places/places.h"
#include "places/source_text.h"

static const double least_share = 0.001; /* share of the processor time that makes a line hot */

enum { SOURCES_LINES = 40, SOURCES_FILES = 10, SOURCES_AROUND = 4 };

/* A line that has time or blocks. */
struct source_line {
    const char *file; /* from a place, or in `keys` */
    uint32_t line;
    double ns;
    uint64_t blocks;
    uint64_t bytes;
    bool is_hot; /* one of the shown hot lines */
};

struct sources {
    struct html *html;
    const struct page_request *request;
    const struct session *session;
    struct cpu_time time;
    struct own_lines own;
    struct array lines; /* of struct source_line, first those with time, by time */
    struct text_index keys;
    struct source_text text;
    size_t shown;     /* hot lines */
    bool is_estimate; /* blocks */
};

/* ---- lines ------------------------------------------------------------------------------- */

static struct source_line *get_line(struct sources *sources, const struct place *place)
{
    struct source_line *line = NULL;
    struct text key;
    long number;

    text_init(&key);
    text_appendf(&key, "%" PRIu32, place->line);
    text_index_append_part(&key, place->file);
    number = text_index_add(&sources->keys, &key);
    if ((size_t)number < sources->lines.count)
        return array_at(&sources->lines, (size_t)number);
    line = array_add(&sources->lines);
    *line = (struct source_line){.file = place->file, .line = place->line};
    return line;
}

static void add_times(struct sources *sources)
{
    const struct own_line *own = sources->own.rows.items;

    for (size_t i = 0; i < sources->own.rows.count; i++) {
        struct source_line *line = get_line(sources, own[i].place);

        line->ns += own[i].ns;
    }
}

static void add_site(struct sources *sources, const struct session_site *site)
{
    const struct place *place =
        own_lines_find(sources->session, sources->time.places, site->call);
    struct source_line *line;

    if (!place || !place->file || place->line == 0)
        return;
    line = get_line(sources, place);
    line->blocks += site->allocations;
    line->bytes += site->allocated_bytes;
    sources->is_estimate = sources->is_estimate || site->drawn > 0;
}

static void add_sites(struct sources *sources)
{
    const struct session *session = sources->session;

    if (!memory_is_known(&session->heap) || !session->heap.has_chains)
        return;
    for (size_t i = 0; i < session->sites.count; i++)
        add_site(sources, session_site_at(session, i));
}

/* Lines with most time first, and then lines with most bytes. */
static int compare_lines(const void *left, const void *right)
{
    const struct source_line *a = left, *b = right;
    int order;

    if (a->ns != b->ns)
        return a->ns < b->ns ? 1 : -1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    order = strcmp(a->file, b->file);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* A line without time is worth a look where it obtained much. */
static bool is_worth(const struct sources *sources, const struct source_line *line)
{
    const double least_bytes = 0.01 * (double)sources->session->heap.allocated_bytes;

    return cpu_time_share(&sources->time, line->ns) >= least_share ||
           (line->bytes > 0 && (double)line->bytes >= least_bytes);
}

/* Files in the order of their hottest lines.
 * Returns: how many there are. */
static size_t choose(struct sources *sources, const char *files[SOURCES_FILES])
{
    struct source_line *line = sources->lines.items;
    size_t count = 0;

    if (sources->lines.count > 1)
        qsort(line, sources->lines.count, sizeof *line, compare_lines);
    for (size_t i = 0; i < sources->lines.count && sources->shown < SOURCES_LINES; i++) {
        size_t file = 0;

        if (!is_worth(sources, &line[i]))
            continue;
        while (file < count && strcmp(files[file], line[i].file) != 0)
            file++;
        if (file == SOURCES_FILES)
            continue;
        if (file == count)
            files[count++] = line[i].file;
        line[i].is_hot = true;
        sources->shown++;
    }
    return count;
}

/* ---- one file ---------------------------------------------------------------------------- */

/* The data of each line of an excerpt are found by its number. */
static const struct source_line *find_line(const struct sources *sources, const char *file,
                                           uint32_t number)
{
    const struct source_line *line = sources->lines.items;

    for (size_t i = 0; i < sources->lines.count; i++)
        if (line[i].line == number && strcmp(line[i].file, file) == 0)
            return &line[i];
    return NULL;
}

/* Returns: the next line, from `from` on, that is near a hot one; 0: there is none. */
static uint32_t find_next(const struct sources *sources, const char *file, uint32_t from)
{
    const struct source_line *line = sources->lines.items;
    uint32_t next = 0;

    for (size_t i = 0; i < sources->lines.count; i++) {
        uint32_t first = line[i].line > SOURCES_AROUND ? line[i].line - SOURCES_AROUND : 1;
        uint32_t at = first > from ? first : from;

        if (!line[i].is_hot || strcmp(line[i].file, file) != 0 ||
            at > line[i].line + SOURCES_AROUND)
            continue;
        next = next == 0 || at < next ? at : next;
    }
    return next;
}

static void put_share(struct sources *sources, const struct source_line *line)
{
    double share = line ? cpu_time_share(&sources->time, line->ns) : 0;
    struct value value = {.kind = VALUE_REAL, .real = share};

    if (!line || line->ns <= 0 || !(share >= 0)) {
        html_put(sources->html, "<td></td>");
        return;
    }
    html_putf(sources->html, "<td class=\"n b\" style=\"--b:%.1f%%\">",
              share > 1 ? 100 : share * 100);
    html_value(sources->html, &value, UNIT_FRACTION);
    html_put(sources->html, "</td>");
}

static void put_blocks(struct sources *sources, const struct source_line *line)
{
    struct value blocks = {.kind = VALUE_INTEGER, .is_estimate = sources->is_estimate};
    struct value bytes = blocks;

    if (!line || line->blocks == 0) {
        html_put(sources->html, "<td></td><td></td>");
        return;
    }
    blocks.integer = (int64_t)line->blocks;
    bytes.integer = (int64_t)line->bytes;
    html_put(sources->html, "<td class=\"n\">");
    html_value(sources->html, &blocks, UNIT_COUNT);
    html_put(sources->html, "</td><td class=\"n\">");
    html_value(sources->html, &bytes, UNIT_BYTES);
    html_put(sources->html, "</td>");
}

static void put_line(struct sources *sources, const char *file, uint32_t number,
                     const char *before)
{
    const struct source_line *line = find_line(sources, file, number);
    struct text text;
    bool is_there;

    text_init(&text);
    is_there = source_text_append_whole(&sources->text, &text, file, number);
    if (is_there || (line && line->is_hot)) {
        html_putf(sources->html, "%s<tr%s><td class=\"n\">%" PRIu32 "</td>", before,
                  line && line->is_hot ? " class=\"hot\"" : "", number);
        put_share(sources, line);
        put_blocks(sources, line);
        html_put(sources->html, "<td><code>");
        html_text(sources->html, text.bytes);
        html_put(sources->html, "</code></td></tr>\n");
    }
}

static void put_lines(struct sources *sources, const char *file)
{
    uint32_t number = find_next(sources, file, 1), last = number;

    html_put(sources->html,
             "<div class=\"wide\"><table class=\"source\"><thead><tr><th class=\"n\">line</th>"
             "<th class=\"n\">time</th><th class=\"n\">blocks</th><th class=\"n\">bytes</th>"
             "<th></th></tr></thead><tbody>\n");
    for (; number > 0; number = find_next(sources, file, number + 1)) {
        const char *before = number > last + 1 ? "<tr><td class=\"n\">...</td></tr>\n" : "";

        put_line(sources, file, number, before);
        last = number;
    }
    html_put(sources->html, "</tbody></table></div>\n");
}

static void put_note(struct sources *sources, struct text *text)
{
    html_put(sources->html, "<p class=\"note\">");
    html_text(sources->html, text->bytes);
    html_put(sources->html, "</p>\n");
    text_clear(text);
}

/* The folder of a file distinguishes it from others with its name; more of a path is private,
 * unless its prefix was cut. */
static const char *name_of(const struct sources *sources, const char *file)
{
    const char *rest = source_text_path(&sources->text, file), *name = text_base_name(rest);

    if (rest != file)
        return rest;
    while (name > rest && name[-1] == '/')
        name--;
    while (name > rest && name[-1] != '/')
        name--;
    return name;
}

static void put_file(struct sources *sources, const char *file)
{
    const char *name = name_of(sources, file);
    enum source_state state;
    struct text text;

    source_text_find(&sources->text, file, &state);
    html_put(sources->html, "<h3>");
    html_text(sources->html, name);
    html_put(sources->html, "</h3>\n");
    text_init(&text);
    if (state != SOURCE_HERE) {
        say(&text, state == SOURCE_MISSING ? page_sources_missing_text : page_sources_changed_text,
            said_words(name));
        put_note(sources, &text);
    }
    put_lines(sources, file);
}

/* ---- all --------------------------------------------------------------------------------- */

static void put_notes(struct sources *sources, size_t files)
{
    struct text text;

    text_init(&text);
    if (files == 0)
        say(&text, page_sources_none_text);
    else
        say(&text, page_sources_whole_text);
    put_note(sources, &text);
    if (files > 0) {
        say(&text, page_sources_bound_text,
            said_count(sources->shown), said_count(files),
            said_count(SOURCES_AROUND));
        put_note(sources, &text);
    }
}

static void put_files(struct sources *sources)
{
    const char *files[SOURCES_FILES];
    size_t count = choose(sources, files);

    for (size_t i = 0; i < count; i++)
        put_file(sources, files[i]);
    put_notes(sources, count);
}

static void gather(struct sources *sources)
{
    const struct analysis_options *options = sources->request->options;
    const struct cpu_time_options by = {CPU_BY_LINE, options->confidence, options->find_frames};

    cpu_time_init(&sources->time, sources->session, &by);
    own_lines_init_with_gradients(&sources->own, &sources->time);
    add_times(sources);
    add_sites(sources);
}

void sources_put(struct html *html, const struct page_request *request)
{
    struct sources sources = {.html = html, .request = request, .session = request->session};

    array_init(&sources.lines, sizeof(struct source_line));
    text_index_init(&sources.keys);
    source_text_init(&sources.text, request->session);
    gather(&sources);
    put_files(&sources);
}
