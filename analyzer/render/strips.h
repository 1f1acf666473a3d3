/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strips: series on one axis of time, each a line of blocks, for a terminal or a block of code.
 */
#ifndef RENDER_STRIPS_H
#define RENDER_STRIPS_H

#include "base/text.h"
#include "document/plot.h"
#include "render/render.h"

/* Append the strips and their axis. */
void strips_append(struct text *out, const struct plot *plot, const struct render_options *options);

#endif
