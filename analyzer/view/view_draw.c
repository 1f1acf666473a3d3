/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of view.h: the lines of the screen.  At the top a bar, with the tables or the path to the
 * page; then the page; and at the bottom a message, the typed words, or the cursor's position.
 */
#include <string.h>

#include "render/display.h"
#include "view/texts.h"
#include "view/view.h"

static void put(const struct view *view, struct text *line, size_t y, enum view_style style,
                view_put to, void *of)
{
    struct text cut;

    text_init(&cut);
    display_append_shortened(&cut, line->bytes, view->width, view->unicode);
    to(of, y, cut.bytes, style);
    text_fini(&cut);
}

/* ---- the bar --------------------------------------------------------------------------- */

/* The shown table is in brackets; without enough space, other tables are numbers. */
static void append_tables(struct text *bar, const struct view *view, bool is_short)
{
    for (size_t i = 0; i < view->source.count; i++) {
        const char *name = view->source.name(view->source.of, i);
        bool is_shown = i == view->table;

        text_append(bar, i ? " " : "");
        if (is_short && !is_shown)
            text_appendf(bar, "%zu", i + 1);
        else
            text_appendf(bar, is_shown ? "[%zu %s]" : "%zu %s", i + 1, name);
    }
}

static void append_way(struct text *bar, const struct view *view)
{
    const struct array *stack = array_at(&view->stacks, view->table);

    for (size_t i = 0; i < stack->count; i++) {
        const struct view_page *page = *(struct view_page **)array_at(stack, i);

        text_append(bar, i ? " > " : "");
        display_append_safe(bar, page->name.bytes, view->unicode);
    }
}

static void append_bar(struct text *bar, const struct view *view)
{
    const struct array *stack = array_at(&view->stacks, view->table);

    if (stack->count > 1) {
        append_way(bar, view);
        return;
    }
    append_tables(bar, view, false);
    if (display_width(bar->bytes) <= view->width)
        return;
    text_clear(bar);
    append_tables(bar, view, true);
}

/* The end of a long path says more than its start. */
static void put_bar(const struct view *view, view_put to, void *of)
{
    struct text bar, cut;

    text_init(&bar);
    text_init(&cut);
    append_bar(&bar, view);
    display_append_abridged(&cut, bar.bytes, view->width, view->unicode);
    put(view, &cut, 0, VIEW_BAR, to, of);
    text_fini(&cut);
    text_fini(&bar);
}

/* ---- the page -------------------------------------------------------------------------- */

/* Returns: the line at a place of the screen: the titles of a table stay above its rows. */
static size_t choose_line(const struct view_page *page, size_t y)
{
    size_t index = page->top + y;
    long titles;

    if (y > 0 || index + 1 >= page->lines.count || page->cursor == index)
        return index;
    titles = view_page_line(page, index + 1)->titles;
    return titles != VIEW_NONE && titles < (long)index ? (size_t)titles : index;
}

static void put_page(const struct view *view, const struct view_page *page, view_put to, void *of)
{
    for (size_t y = 0; y + 2 < view->height; y++) {
        size_t index = choose_line(page, y);
        bool is_there = index < page->lines.count;
        enum view_style style = is_there ? view_page_line(page, index)->style : VIEW_PLAIN;

        if (is_there && index == page->cursor)
            style = VIEW_CURSOR;
        to(of, y + 1, is_there ? view_page_text(page, index) : "", style);
    }
}

/* ---- below ----------------------------------------------------------------------------- */

static void append_place(struct text *line, const struct view *view, const struct view_page *page)
{
    struct text hints;
    size_t used;

    if (page->lines.count == 0) {
        say(line, view_empty_text);
        return;
    }
    say(line, view_line_text, said_count(page->cursor + 1), said_count(page->lines.count));
    text_init(&hints);
    say(&hints, view_hints_text);
    used = line->size + hints.size;
    if (used + 2 <= view->width) {
        display_append_spaces(line, view->width - used);
        text_append(line, hints.bytes);
    }
    text_fini(&hints);
}

static void put_below(const struct view *view, const struct view_page *page, view_put to, void *of)
{
    struct text line;

    text_init(&line);
    if (view->is_asking) {
        text_append(&line, "/");
        display_append_safe(&line, view->asked.bytes, view->unicode);
    } else if (view->message.size > 0) {
        display_append_safe(&line, view->message.bytes, view->unicode);
    } else {
        append_place(&line, view, page);
    }
    put(view, &line, view->height - 1, VIEW_BAR, to, of);
    text_fini(&line);
}

void view_draw(struct view *view, view_put to, void *of)
{
    const struct array *stack = array_at(&view->stacks, view->table);
    const struct view_page *page = *(struct view_page **)array_at(stack, stack->count - 1);

    if (view->height > 2)
        put_bar(view, to, of);
    put_page(view, page, to, of);
    if (view->height != 0)
        put_below(view, page, to, of);
}
