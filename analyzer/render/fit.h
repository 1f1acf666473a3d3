/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits the lines of a document to a page: which lines and rows are left out.
 *
 * For the text renderer, which prints twice: first to measure, then the chosen lines.
 */
#ifndef RENDER_FIT_H
#define RENDER_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"

enum { FIT_BLANK = 3 }; /* the rank of the blank lines between sections */

/* A line or row with a rank, and its place: a list, a table or a document, and its index there. */
struct fit_item {
    const void *of;
    size_t index;
    size_t lines;
    unsigned char rank;
    bool is_left_out;
};

struct fit {
    struct array items; /* struct fit_item, those with a rank */
};

void fit_init(struct fit *fit);
void fit_fini(struct fit *fit);

/* Note the lines of an item; one of rank 0 always stays. */
void fit_note(struct fit *fit, const struct fit_item *item);

/* Leave out items until `lines` are no more than `most`, or none is left that can go.  Those of the
 * highest rank go first, the last of them before the others.
 * Returns: the lines that are left out. */
size_t fit_choose(struct fit *fit, size_t lines, size_t most);

bool fit_leaves_out(const struct fit *fit, const void *of, size_t index);

#endif
