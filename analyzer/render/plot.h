/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot in characters, for a terminal or a block of code.
 */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include "base/text.h"
#include "document/plot.h"
#include "render/render.h"

/* Append the lines of a plot: axes with their units, the area in blocks (ASCII without `unicode`),
 * the marks, and a legend.  A plot without points gives a line that says so. */
void plot_append(struct text *out, const struct plot *plot, const struct render_options *options);

#endif
