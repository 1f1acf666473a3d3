/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text from foreign traces, made safe and measured for display.
 *
 * A path or a label may contain any bytes.  Every text for people passes display_append_safe, so a
 * trace can neither send escape sequences to a terminal nor reorder the text around it.
 */
#ifndef RENDER_DISPLAY_H
#define RENDER_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Append a string for people.  Control characters, marks that change the direction of writing, and
 * broken UTF-8 become escapes such as \x1b and \u202e; without `unicode`, so does everything beyond
 * ASCII. */
void display_append_safe(struct text *out, const char *string, bool unicode);

/* Measure a safe string.  Widths are known only in a UTF-8 locale (LC_CTYPE); elsewhere each
 * character beyond ASCII counts as one.
 *
 * Returns: its terminal columns.
 */
size_t display_width(const char *string);

/* Append a safe string, with its end replaced by an ellipsis when it is wider
 * than `width`. */
void display_append_shortened(struct text *out, const char *string, size_t width, bool unicode);

/* The same, with the ellipsis in the middle: the ends of a function's name or a path are more
 * informative than the middle. */
void display_append_abridged(struct text *out, const char *string, size_t width, bool unicode);

/* The same for a place, "function+0xoffset  location".  The function or the location is cut, but
 * never the offset, which may exceed `width`. */
void display_append_place(struct text *out, const char *string, size_t width, bool unicode);

/* The position of prose on the page, in terminal columns. */
struct display_margins {
    size_t start;  /* where the text starts on its first line */
    size_t indent; /* indent of the following lines */
    size_t width;  /* width of the page; 0: no limit */
};

/* Append a safe string with lines broken at spaces, but not before a percent sign, and a newline at
 * the end; spaces in a row become one.  A word wider than the page gets its own line, uncut, so
 * that people can copy paths. */
void display_append_wrapped(struct text *out, const char *string, struct display_margins margins);

/* Append `count` spaces. */
void display_append_spaces(struct text *out, size_t count);

/* Append a line of a legend from margins.start on, broken at the end of the page: a mark, or NULL,
 * and its label. */
void display_append_key(struct text *out, const char *mark, const char *label,
                        struct display_margins margins);

#endif
