/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points and lines on two logarithmic axes, in characters.
 */
#ifndef RENDER_SCATTER_H
#define RENDER_SCATTER_H

#include "base/text.h"
#include "document/plot.h"
#include "render/render.h"

/* Append the lines of a logarithmic plot: axes with their decades, a mark for each series, and a
 * legend.  A plot without points gives a line that says so. */
void scatter_append(struct text *out, const struct plot *plot,
                    const struct render_options *options);

#endif
