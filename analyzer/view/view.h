/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pages and keys of tprof view, without a terminal: each table has a stack of pages.
 *
 * Called on one thread.  Never prints: view_draw passes lines to view/curses.c, which puts them on
 * the terminal.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "document/document.h"
#include "view/page.h"

enum view_key {
#define KEY(name, bytes, keys, help) VIEW_KEY_##name,
#include "view/keys.def"
#undef KEY
    VIEW_KEY_NONE
};

/* The source of pages. */
struct view_source {
    void *of;
    size_t count; /* number of tables */
    const char *(*name)(void *of, size_t index);
    /* Make the document of a table. */
    void (*show)(void *of, size_t index, struct document *document);
    /* Make the document of the page behind a row, and append its name. */
    void (*open)(void *of, const struct table *table, size_t row, struct text *name,
                 struct document *document);
};

struct view {
    struct view_source source;
    struct array stacks; /* of struct array of struct view_page *, one a table; outermost first */
    size_t table;
    size_t width;
    size_t height;
    bool unicode;
    bool is_asking; /* the view asks for words to search for */
    struct text words;
    struct text asked; /* the typed words */
    struct text message;
    bool is_over;
};

/* Start with a table of the source, on a screen of a size. */
void view_start(struct view *view, const struct view_source *source, size_t table,
                bool unicode);
void view_end(struct view *view);

void view_resize(struct view *view, size_t width, size_t height);

/* Do the action of a key; `byte`: its byte, or 0. */
void view_press(struct view *view, enum view_key key, char byte);

/* Find the key that sends a byte; VIEW_KEY_NONE: the byte has no key. */
enum view_key view_find_key(char byte);

/* Give the lines of the screen from above, cut to its width. */
typedef void (*view_put)(void *of, size_t y, const char *line, enum view_style style);
void view_draw(struct view *view, view_put put, void *of);

#endif
