/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a page: markup of ours, and texts that are foreign.
 *
 * A name in a trace may contain any bytes.  It reaches the page only through html_text or
 * html_string, so it can neither end nor start an element.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "document/table.h"
#include "render/render.h"

/* A page being written. */
struct html {
    FILE *out;
    struct render_options how; /* options for cells */
    struct text text;          /* the next foreign text */
    struct text clipped;       /* the shortened form of a name that is too long */
    bool has_analyses; /* the page has a block of each: names of commands link there */
    bool is_overview;  /* headings of documents are those of the page */
    bool has_title;    /* otherwise the next of these is the page's own */
    const struct table *times; /* op_times.h, for rows with these names; or NULL */
    double bar_whole;          /* whole of the current table's bar; so is the next field */
    uint64_t empty_columns;    /* a bit for each of the first 64 that has no value */
};

void html_init(struct html *html, FILE *out);

/* Put our own markup, unchanged. */
void html_put(struct html *html, const char *markup);
void html_putf(struct html *html, const char *format, ...) PRINTF_LIKE(2, 3);

/* Put a foreign text, or both ends of a very long one.  Characters that HTML, a terminal or a
 * reader could misread become visible escapes.  The text may also be in an attribute between double
 * quotes. */
void html_text(struct html *html, const char *text);

/* The same for prose: each "tprof NAME" that the page shows becomes a link. */
void html_prose(struct html *html, const char *text);

/* Put a value for people, of a column's unit. */
void html_value(struct html *html, const struct value *value, enum unit unit);

/* Put a foreign text as a quoted JSON string that cannot end an element. */
void html_string(struct html *html, const char *text);

/* Put a JSON number; null if it is not finite. */
void html_number(struct html *html, double number);

#endif
