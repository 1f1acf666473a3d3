/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shapes that a run called kernels with, as commands that call them again.
 */
#ifndef EXPORT_SHAPES_H
#define EXPORT_SHAPES_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/analysis.h"

struct session;

/* The rows without a line. */
struct shapes_gaps {
    size_t rows;  /* kernels with their shapes */
    double share; /* share of the time in kernels */
};

/* Write a line for each kernel and shape, that with most time first. */
typedef void (*shapes_writer)(const struct session *session, const struct analysis_options *options,
                              FILE *out, struct shapes_gaps *gaps);

#define TIMELINE_FORMAT(id, is_binary, help)
#define STACKS_FORMAT(id, is_packed, has_all, has_labels, weights, help)
#define METRICS_FORMAT(id, is_open, help)
#define SHAPES_FORMAT(id, name, help)                                                              \
    void export_##id(const struct session *session, const struct analysis_options *options,        \
                     FILE *out, struct shapes_gaps *gaps);
#include "export/formats.def"
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
#undef SHAPES_FORMAT

#endif
