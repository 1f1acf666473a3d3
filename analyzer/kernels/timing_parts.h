/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that the files of tprof timing share.
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

/* Make the text on the remaining rows for people: nothing if the table suffices, one line for each
 * row, or one description for each. */
void timing_elaborate(const struct session *session, const struct analysis_options *options,
                      const struct table *table, struct document *document);

#endif
