/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why one recording takes longer than another with the same kind of work, such as the user's model
 * and that of a framework.
 *
 *   wall / wall' = (F / F') x (K / F : K' / F') x (W / K : W' / K')
 *
 * more FLOPs, more time for a FLOP in kernels, more time outside of kernels.  F are known FLOPs, K
 * the part of the wall time W in kernels of known FLOPs.  If both counted items, FLOPs are items
 * times FLOPs of an item.  The factors multiply to the whole by construction, and the differences
 * of the rows add up to that of the wall times.
 */
#ifndef MONEY_REFERENCE_H
#define MONEY_REFERENCE_H

#include <stdbool.h>

#include "document/document.h"
#include "kernels/groups.h"

/* The kernels of one operation in both recordings. */
struct reference_row {
    const char *name;
    long double flops[2]; /* known ones, of the recording and of the reference */
    double ns[2];         /* part of the wall time */
};

struct reference {
    double wall_ns[2];
    double kernel_ns[2]; /* wall time in kernels of known FLOPs */
    long double flops[2];
    double items[2];   /* NAN: not counted */
    bool is_by_class;  /* rows are classes: the two have too few operations in common */
    struct array rows; /* of struct reference_row, the largest difference first */
};

/* Compare a recording with its reference. */
void reference_init(struct reference *reference, const struct session *session,
                    const struct session *other, const struct analysis_options *options);
/* The ratio of times, and its factors; NAN: unknown. */
struct reference_factors {
    double wall;
    double items;          /* NAN: not both counted items */
    double flops;          /* FLOPs of an item, if both counted items; else of the run */
    double kernel_seconds; /* seconds for one FLOP in kernels */
    double outside;        /* wall time for the time in kernels */
};
struct reference_factors reference_factors(const struct reference *reference);

/* Append the sections of the comparison. */
void reference_add(struct document *document, const struct reference *reference, const char *path);

#endif
