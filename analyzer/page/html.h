/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a page: markup of ours, and texts that are foreign.
 *
 * A name in a trace may hold any bytes.  It reaches the page through html_text or html_string
 * alone, so that it can neither end an element nor start one.
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

/* A page in the making. */
struct html {
    FILE *out;
    struct render_options how; /* for cells */
    struct text text;          /* the next foreign text */
    struct text clipped;       /* its shortened form, if it is too long */
    bool has_analyses; /* the page has a block of each: names of commands link there */
    bool is_overview;  /* headings of documents are those of the page */
    bool has_title;    /* else the next of these is the page's own */
    const struct table *times; /* of op_times.h, for rows of these names; or NULL */
    double bar_whole;          /* of the table at hand, as the next */
    uint64_t empty_columns;    /* a bit for each of the first 64 that has no value */
};

void html_init(struct html *html, FILE *out);

/* Put our own markup, unchanged. */
void html_put(struct html *html, const char *markup);
void html_putf(struct html *html, const char *format, ...) PRINTF_LIKE(2, 3);

/* Put a foreign text, or both ends of a very long one.  Characters that HTML, a terminal or a
 * reader could mistake become visible escapes.  The text may stand in an attribute between double
 * quotes, too. */
void html_text(struct html *html, const char *text);

/* The same of prose: each "tprof NAME" that the page shows is a link to it. */
void html_prose(struct html *html, const char *text);

/* Put a value for people, of a column's unit. */
void html_value(struct html *html, const struct value *value, enum unit unit);

/* Put a foreign text as a string of JSON, with its quotes, that no element can be ended by. */
void html_string(struct html *html, const char *text);

/* Put a number of JSON; null if it is not finite. */
void html_number(struct html *html, double number);

#endif
