/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports of a trace in the formats of other tools.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "export/shapes.h"
#include "export/stacks.h"
#include "export/timeline.h"

/* The source of a format: call stacks, a timeline, sums, or shapes. */
enum export_source { EXPORT_STACKS, EXPORT_TIMELINE, EXPORT_METRICS, EXPORT_SHAPES };

/* The weights that a format can show: from `first` to `last`. */
struct export_weights {
    enum export_weight shown; /* without --weight */
    enum export_weight first, last;
};

struct export_format {
    const char *name;
    enum export_source source;
    bool is_binary;
    bool is_packed;  /* the file is compressed by gzip */
    bool has_all;    /* weights of stacks, in one file */
    bool has_labels; /* the stacks have labels */
    const char *help;
    /* For stacks: `weight` is shown first, or as the only one. */
    void (*write_stacks)(const struct export_stacks *stacks, enum export_weight weight, FILE *out);
    const struct timeline_writer *timeline; /* the writer for timelines */
    bool is_open; /* metrics as OpenMetrics */
    shapes_writer write_shapes; /* the writer for shapes */
    const struct export_weights *weights; /* of stacks; NULL: another source */
};

/* Give the formats one by one.  Returns: NULL past the last. */
const struct export_format *export_format_at(size_t index);

#define TIMELINE_FORMAT(id, is_binary, help)
#define STACKS_FORMAT(id, is_packed, has_all, has_labels, weights, help)                           \
    void export_##id(const struct export_stacks *stacks, enum export_weight weight, FILE *out);
#define METRICS_FORMAT(id, is_open, help)
#define SHAPES_FORMAT(id, name, help)
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT

#endif
