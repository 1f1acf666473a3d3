/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of tprof timing have of each other.
 */
#ifndef KERNELS_TIMING_PARTS_H
#define KERNELS_TIMING_PARTS_H

struct analysis_options;
struct document;
struct session;
struct table;

enum timing_column {
    TIMING_NAME,
    TIMING_SHAPE,
#define COLUMN(id, key, title, help, unit, priority) TIMING_##id,
#include "kernels/timing.def"
#undef COLUMN
    TIMING_COLUMNS
};

/* Make the text on the remaining rows for people: nothing, where the table is all; a line each; or
 * a description each. */
void timing_elaborate(const struct session *session, const struct analysis_options *options,
                      const struct table *table, struct document *document);

#endif
