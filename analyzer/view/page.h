/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document laid out in lines for a screen, and the line that the user is at.
 *
 * The text renderer makes the lines, so a page reads like the command's own output.  Called on one
 * thread; knows no terminal.
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "document/document.h"

enum view_style { VIEW_PLAIN, VIEW_HEADING, VIEW_TITLES, VIEW_CURSOR, VIEW_BAR };

enum { VIEW_NONE = -1 };

struct view_line {
    size_t start; /* start in the bytes of the page; a zero ends it */
    enum view_style style;
    const struct table *table; /* table of a row; NULL: the line is no row */
    size_t row;
    long titles; /* the line with the titles of its table; VIEW_NONE: there is none */
};

struct view_page {
    struct text name;
    struct document document;
    struct text bytes;
    struct array lines; /* of struct view_line */
    size_t cursor;
    size_t top; /* the first line that is seen */
    size_t width; /* width of its layout; 0: no layout yet */
    const struct table *sorted; /* NULL: none was */
    size_t sort_column;
    bool is_ascending;
};

/* Start a page without a document, which the caller must make. */
void view_page_init(struct view_page *page);

/* Free it with its document. */
void view_page_fini(struct view_page *page);

/* Lay out the page for a width, unless it already is; the cursor stays at its row. */
void view_page_lay(struct view_page *page, size_t width, bool unicode);

const struct view_line *view_page_line(const struct view_page *page, size_t index);
const char *view_page_text(const struct view_page *page, size_t index);

/* Move the cursor by `lines` lines, but not beyond an end. */
void view_page_move(struct view_page *page, long lines);

/* Choose the top so that `height` lines include the cursor, and a line above it for the titles of
 * its table. */
void view_page_scroll(struct view_page *page, size_t height);

/* Go to the next or previous line that contains the words, continuing at the other end; the case of
 * letters does not matter.  Returns: whether there is one. */
bool view_page_search(struct view_page *page, const char *words, bool is_backward);

/* Sort the table at the cursor, or the first of the page, by its next column; or reverse the order.
 * `name` gets the column's title; NULL: there is no table, or its rows are a tree, whose order has
 * a meaning. */
void view_page_sort(struct view_page *page, bool turns, const char **name);

#endif
