/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The abilities of an output: width, colour, Unicode.
 *
 * Called once by a command, after its options are read and before it renders.
 */
#ifndef RENDER_TERMINAL_H
#define RENDER_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render/render.h"

/* The user's choice about an ability, if any. */
enum terminal_choice { TERMINAL_AUTO, TERMINAL_YES, TERMINAL_NO };

/* Find the width of the output: the terminal's width, else COLUMNS, else 80 for a terminal of
 * unknown width and 100 for a pipe or file.
 *
 * Units: terminal columns.
 * Safety: reads the environment.
 */
size_t terminal_width(FILE *out);

/* Ask whether to use colour.  The user's choice wins.  Otherwise colour needs a terminal that is
 * not dumb, and NO_COLOR unset or empty.
 *
 * Safety: reads the environment.
 * Source: https://no-color.org
 */
bool terminal_has_colour(FILE *out, enum terminal_choice choice);

/* Ask whether to use characters beyond ASCII: the user's choice, else whether the first one set of
 * LC_ALL, LC_CTYPE and LANG names UTF-8.
 *
 * Safety: reads the environment.
 */
bool terminal_has_unicode(enum terminal_choice choice);

/* Determine all of the above, with the user's choice about colour. */
struct render_options terminal_options(FILE *out, enum terminal_choice colour);

#endif
