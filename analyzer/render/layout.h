/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits the columns of a table to a page: which are shown, and how wide.
 *
 * For the text renderer.  A page that is too narrow first shortens the widest text column to a
 * readable width.  Then it drops the bar, then columns by priority; then it shortens that text
 * column as far as necessary, then drops the columns on the right, and at last shortens the other
 * texts.
 */
#ifndef RENDER_LAYOUT_H
#define RENDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "document/table.h"
#include "render/render.h"

enum {
    LAYOUT_GAP = 2,       /* spaces between columns */
    LAYOUT_BAR_WIDTH = 10 /* for schemas without a width */
};

struct layout_column {
    size_t width; /* in terminal columns */
    bool is_shown;
};

struct layout {
    const struct table_schema *schema;
    struct layout_column *columns; /* one for each column of the schema */
    size_t flexible;               /* index of the last shown text column; the number of columns
                                      when there is none */
    size_t bar;                    /* index of the column of the bar; the number of columns
                        when none is shown */
    size_t bar_width;
};

/* Measure a table and fit it to the width of the page.
 */
void layout_init(struct layout *layout, const struct table *table,
                 const struct render_options *options);

/* Free the layout. */
void layout_fini(struct layout *layout);

#endif
