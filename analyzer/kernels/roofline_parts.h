/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the roofline, used only by roofline.c: its head and its plot.
 */
#ifndef KERNELS_ROOFLINE_PARTS_H
#define KERNELS_ROOFLINE_PARTS_H

#include "document/document.h"
#include "kernels/judge.h"

/* A row of the table: a kernel of one shape. */
struct roofline_row {
    const struct group *group;
    struct judgement judgement;
    struct plot_region region; /* FLOPs a byte, by FLOP/s; NAN: unknown */
    char label; /* label of its point; 0: it has none */
};

struct roofline {
    const struct session *session;
    const struct analysis_options *options;
    struct judge judge;
    struct groups groups;
    struct array rows; /* of struct roofline_row, most wasted time first */
};

/* Say the machine's limits, and the used share. */
void roofline_add_head(struct document *document, const struct roofline *roofline);

/* Draw the roofs and the labelled rows, if both exist. */
void roofline_add_plot(struct document *document, const struct roofline *roofline);

#endif
