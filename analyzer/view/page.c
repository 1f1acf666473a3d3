/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document laid out in lines for a screen.
 */
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "render/cell.h"
#include "render/display.h"
#include "render/render.h"

void view_page_init(struct view_page *page)
{
    *page = (struct view_page){.width = 0};
    text_init(&page->name);
    text_init(&page->bytes);
    array_init(&page->lines, sizeof(struct view_line));
    document_init(&page->document);
}

void view_page_fini(struct view_page *page)
{
    document_fini(&page->document);
    array_fini(&page->lines);
    text_fini(&page->bytes);
    text_fini(&page->name);
}

/* ---- laying out ------------------------------------------------------------------------ */

static struct view_line *line_at(const struct view_page *page, size_t index)
{
    return array_at(&page->lines, index);
}

/* The line of a path wider than the page is kept; it ends at the page's edge. */
static void add_line(struct view_page *page, const char *text, size_t width, bool unicode)
{
    struct view_line *line = array_add(&page->lines);

    *line = (struct view_line){.start = page->bytes.size, .titles = VIEW_NONE};
    display_append_shortened(&page->bytes, text, width, unicode);
    text_append_bytes(&page->bytes, "", 1);
}

static void add_lines(struct view_page *page, char *rendered, size_t width, bool unicode)
{
    while (rendered && *rendered) {
        char *end = strchr(rendered, '\n');

        if (end)
            *end = '\0';
        add_line(page, rendered, width, unicode);
        rendered = end ? end + 1 : NULL;
    }
}

static void take_mark(struct view_line *line, const struct render_mark *mark, long titles)
{
    switch (mark->kind) {
    case RENDER_HEADING: line->style = VIEW_HEADING; break;
    case RENDER_TITLES: line->style = VIEW_TITLES; break;
    case RENDER_ROW:
        line->table = mark->table;
        line->row = mark->row;
        line->titles = titles;
        break;
    }
}

static void take_marks(struct view_page *page, const struct array *marks)
{
    const struct table *table = NULL;
    long titles = VIEW_NONE;

    for (size_t i = 0; i < marks->count; i++) {
        const struct render_mark *mark = array_at(marks, i);

        if (mark->line >= page->lines.count)
            continue;
        if (mark->kind == RENDER_TITLES) {
            table = mark->table;
            titles = (long)mark->line;
        }
        take_mark(line_at(page, mark->line), mark, mark->table == table ? titles : VIEW_NONE);
    }
}

/* Returns: the rendered text, to be freed. */
static char *render(const struct view_page *page, const struct render_options *options)
{
    struct diagnostic diagnostic;
    char *rendered = NULL;
    size_t size;
    FILE *out = memory_have(open_memstream(&rendered, &size));
    enum status status;

    status = renderer_plain.document(&page->document, options, out, &diagnostic);
    if (fclose(out) == 0 && !status)
        return rendered;
    free(rendered);
    return NULL;
}

static void lay(struct view_page *page, size_t width, bool unicode)
{
    struct array marks;
    const struct render_options options = {.width = width, .unicode = unicode, .marks = &marks};
    char *rendered;

    array_init(&marks, sizeof(struct render_mark));
    array_truncate(&page->lines, 0);
    text_clear(&page->bytes);
    rendered = render(page, &options);
    if (rendered)
        add_lines(page, rendered, width, unicode);
    take_marks(page, &marks);
    free(rendered);
    array_fini(&marks);
}

/* Returns: the first line of a row; the cursor's line when there is none. */
static size_t find_row(const struct view_page *page, const struct table *table, size_t row)
{
    for (size_t i = 0; table && i < page->lines.count; i++)
        if (line_at(page, i)->table == table && line_at(page, i)->row == row)
            return i;
    return page->cursor;
}

static size_t find_first_row(const struct view_page *page)
{
    for (size_t i = 0; i < page->lines.count; i++)
        if (line_at(page, i)->table)
            return i;
    return 0;
}

void view_page_lay(struct view_page *page, size_t width, bool unicode)
{
    bool is_new = page->width == 0;
    struct view_line at = {.table = NULL};

    if (page->width == width)
        return;
    if (page->cursor < page->lines.count)
        at = *line_at(page, page->cursor);
    page->width = width;
    lay(page, width, unicode);
    page->cursor = is_new ? find_first_row(page) : find_row(page, at.table, at.row);
    view_page_move(page, 0);
}

const struct view_line *view_page_line(const struct view_page *page, size_t index)
{
    return line_at(page, index);
}

const char *view_page_text(const struct view_page *page, size_t index)
{
    return page->bytes.bytes + line_at(page, index)->start;
}

/* ---- moving ---------------------------------------------------------------------------- */

void view_page_move(struct view_page *page, long lines)
{
    long last = page->lines.count > 0 ? (long)page->lines.count - 1 : 0;
    long wanted = (long)page->cursor + lines;

    page->cursor = (size_t)(wanted < 0 ? 0 : wanted > last ? last : wanted);
}

void view_page_scroll(struct view_page *page, size_t height)
{
    size_t room = height > 2 ? height : 2;

    if (page->top + 1 > page->cursor)
        page->top = page->cursor > 0 ? page->cursor - 1 : 0;
    if (page->cursor >= page->top + room)
        page->top = page->cursor - room + 1;
    if (page->cursor < room)
        page->top = 0;
}

bool view_page_search(struct view_page *page, const char *words, bool is_backward)
{
    size_t count = page->lines.count;

    for (size_t i = 1; i <= count; i++) {
        size_t index = (page->cursor + (is_backward ? count - i : i)) % count;

        if (strcasestr(view_page_text(page, index), words)) {
            page->cursor = index;
            return true;
        }
    }
    return false;
}

/* ---- sorting --------------------------------------------------------------------------- */

/* Rows are of the document, so the one at the cursor is the one to be sorted. */
static struct table *find_table(struct view_page *page)
{
    size_t index = page->cursor < page->lines.count && line_at(page, page->cursor)->table
                       ? page->cursor
                       : find_first_row(page);
    const struct table *table = page->lines.count > 0 ? line_at(page, index)->table : NULL;

    for (size_t i = 0; table && i < document_section_count(&page->document); i++) {
        struct section *section = *(struct section **)array_at(&page->document.sections, i);

        if (section->kind == SECTION_TABLE && &section->table == table)
            return &section->table;
    }
    return NULL;
}

static bool is_tree(const struct table *table)
{
    return table_find_column(table, "depth") < table->schema->column_count;
}

static size_t next_column(const struct view_page *page, const struct table *table)
{
    size_t count = table->schema->column_count;
    size_t column = page->sorted == table ? page->sort_column : count - 1;

    for (size_t i = 0; i < count; i++) {
        column = (column + 1) % count;
        if (cell_is_for_people(&table->schema->columns[column]))
            return column;
    }
    return column;
}

static void choose_order(struct view_page *page, const struct table *table, bool turns)
{
    if (turns && page->sorted == table) {
        page->is_ascending = !page->is_ascending;
        return;
    }
    page->sort_column = next_column(page, table);
    page->is_ascending = cell_is_text(table->schema->columns[page->sort_column].unit) != turns;
    page->sorted = table;
}

void view_page_sort(struct view_page *page, bool turns, const char **name)
{
    struct table *table = find_table(page);
    size_t column;

    *name = NULL;
    if (!table || is_tree(table) || table->schema->column_count == 0)
        return;
    choose_order(page, table, turns);
    column = page->sort_column;
    *name = cell_title(&table->schema->columns[column]);
    page->width = 0;
    table_sort(table, column, !page->is_ascending);
}
