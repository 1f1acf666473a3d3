/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of a whole session: FLOPs by class, speed, and FLOPs for an item and a
 * parameter.  `tprof report` and `tprof flops` take the same numbers from here.
 */
#ifndef KERNELS_COMPUTE_H
#define KERNELS_COMPUTE_H

#include "document/document.h"
#include "kernels/groups.h"
#include "kernels/utilization.h"

/* Unknown numbers are NAN: if no kernel with known FLOPs was seen, the program's FLOPs are not
 * 0. */
struct compute {
    const struct session *session;
    uint64_t calls;
    long double flops;          /* FLOPs of all calls with known FLOPs */
    long double executed_flops; /* the same without taps of convolutions in their padding */
    long double macs;           /* multiply-adds of matmul-class kernels */
    long double class_flops[GROUPS_CLASSES];
    double flops_per_second;        /* executed, of wall time */
    double kernel_flops_per_second; /* rate over the time in kernels */
    double unknown_fraction;        /* share of kernel time in kernels of unknown FLOPs */
    double items;
    double parameters;
    struct utilization utilization; /* utilization of the machine's peak */
};

/* Events a second of something that took so long; NAN when that is 0. */
double compute_per_second(long double amount, uint64_t ns);

struct compute compute_find(const struct session *session, const struct groups *groups,
                            const struct analysis_options *options);

/* Add the record "compute" of the JSON contract. */
void compute_add_facts(struct document *document, const struct compute *compute);

/* Append a whole number with separators, or as near as it gets beyond 2^63. */
void compute_append_count(struct text *line, long double count);

/* Phrases for people; phrases for unknown values say how to find them. */
void compute_append_no_calls(struct text *line, const struct compute *compute);
void compute_append_total(struct text *line, const struct compute *compute);
void compute_append_executed(struct text *line, const struct compute *compute);
void compute_append_classes(struct text *line, const struct compute *compute);
void compute_append_speed(struct text *line, const struct compute *compute);
void compute_append_unknown(struct text *line, const struct compute *compute);
void compute_append_items(struct text *line, const struct compute *compute);
void compute_append_parameters(struct text *line, const struct compute *compute);

#endif
