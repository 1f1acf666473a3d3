/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot in characters, for a terminal or a block of code.
 */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include "base/text.h"
#include "document/plot.h"
#include "render/display.h"
#include "render/render.h"

/* Append the lines of a plot: axes with their units, the area in blocks (ASCII
 * without `unicode`), the marks, and a legend.  A plot without points gives a
 * line that says so. */
void plot_append(struct text *out, const struct plot *plot, const struct render_options *options);

/* Append a line of a legend from margins.start on, broken where the page ends: a mark, or
 * NULL, and what it stands for. */
void plot_append_key(struct text *out, const char *mark, const char *label,
                     struct display_margins margins);

#endif
