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

/* Numbers are NAN when unknown: with no kernel of known FLOPs seen, those of
 * the program are not 0. */
struct compute {
    const struct session *session;
    uint64_t calls;
    long double flops;          /* of all calls whose FLOPs are known */
    long double executed_flops; /* of these, without taps of convolutions in their padding */
    long double macs;           /* multiply-adds of matmul-class kernels */
    long double class_flops[GROUPS_CLASSES];
    double flops_per_second;        /* executed, of wall time */
    double kernel_flops_per_second; /* of the time in kernels */
    double unknown_fraction;        /* of kernel time, in kernels of unknown FLOPs */
    double items;
    double parameters;
    struct utilization utilization; /* of the machine's peak */
};

/* Events a second of something that took so long; NAN when that is 0. */
double compute_per_second(long double amount, uint64_t ns);

struct compute compute_find(const struct session *session, const struct groups *groups,
                            const struct analysis_options *options);

/* Add the record "compute" of the JSON contract. */
void compute_add_facts(struct document *document, const struct compute *compute);

/* Append a whole number with separators, or as near as it gets beyond 2^63. */
void compute_append_count(struct text *line, long double count);

/* Phrases for people; those of an unknown say how to find it. */
void compute_append_no_calls(struct text *line, const struct compute *compute);
void compute_append_total(struct text *line, const struct compute *compute);
void compute_append_executed(struct text *line, const struct compute *compute);
void compute_append_classes(struct text *line, const struct compute *compute);
void compute_append_speed(struct text *line, const struct compute *compute);
void compute_append_unknown(struct text *line, const struct compute *compute);
void compute_append_items(struct text *line, const struct compute *compute);
void compute_append_parameters(struct text *line, const struct compute *compute);

#endif
