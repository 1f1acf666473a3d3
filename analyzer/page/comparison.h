/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides as one page: the comparison of `tprof compare`, and flame graphs of their processor time.
 * Colours show the certain differences of each side from the first, the base.
 *
 * Frames are matched by name and module, so that builds may differ.  The unit of replication is
 * the run: with fewer than four a side nothing is certain.
 */
#ifndef PAGE_COMPARISON_H
#define PAGE_COMPARISON_H

#include <stdio.h>

#include "base/array.h"
#include "base/text_list.h"
#include "document/document.h"
#include "page/flame_data.h"
#include "stacks/call_tree.h"

struct session;

enum { COMPARISON_BASE, COMPARISON_MOST = FLAME_WEIGHTS };

struct comparison {
    struct call_tree tree; /* a weight a side; only the wholes are set */
    struct flame_verdicts *verdicts;    /* by the index of the node */
    struct array runs[COMPARISON_MOST]; /* of struct array: of double, ns of the root, and by the
                                           index of the node */
    const struct text_list *labels;
    struct text_list weights; /* their names */
    size_t sides;
};

/* Compare as many sides as there are labels, at most COMPARISON_MOST; the labels must stay
 * valid. */
void comparison_init(struct comparison *comparison, const struct text_list *labels);

/* Add a run; its session may be closed afterwards. */
void comparison_add(struct comparison *comparison, size_t side, const struct session *session);

/* Write the page, once.  A failed write is an error of `out`. */
void comparison_write(struct comparison *comparison, const struct document *document, FILE *out);

#endif
