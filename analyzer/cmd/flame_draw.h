/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A flame graph in characters: a line for each depth, boxes as wide as their weight.
 */
#ifndef CMD_FLAME_DRAW_H
#define CMD_FLAME_DRAW_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"
#include "export/stacks.h"
#include "render/render.h"

struct flame_choice {
    enum export_weight weight;
    bool is_inverted;
};

/* Append the picture, callers above callees. */
void flame_draw(struct text *out, const struct export_stacks *stacks,
                const struct flame_choice *choice, const struct render_options *page);

#endif
