/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the time and the FLOPs of a program and its parts grow with a size x.  Parts are kernels by
 * name, with all shapes summed, and regions by label, with all places summed.
 *
 * Each size counts once, with the median of its runs.  So the interval of an exponent covers
 * deviations from a power of x, as well as the noise of runs.
 */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "runs/run.h"
#include "statistics/fit.h"

struct scaling_fit {
    enum fit_refusal refusal; /* the rest is valid for FIT_OK */
    struct fit_power power;
    struct fit_orders orders;
};

/* A part of the program. */
struct scaling_item {
    enum run_subject subject; /* not RUN_METRIC */
    const char *name;         /* "" of the whole */
    struct array sizes;       /* of struct scaling_size, by x once fitted */
    struct scaling_fit time;
    struct scaling_fit kernels; /* the time in kernels of the whole and of regions */
    struct scaling_fit flops;
    double share; /* share of the whole time, at the largest size; NAN: unknown */
};

struct scaling_size {
    double x;
    struct array times_ns;   /* double, one a run */
    struct array kernels_ns; /* time in kernels, in the same way; empty for kernels themselves */
    double time_ns;          /* medians, once fitted; NAN without runs */
    double kernel_ns;
    double flops; /* NAN: unknown, or runs differ */
};

struct scaling {
    const char *label;  /* the command's label, kept; NULL: the only command */
    struct array items; /* of struct scaling_item; the whole first */
    double confidence;  /* confidence level of the fits' intervals */
    struct storage *texts;
};

void scaling_init(struct scaling *scaling, const char *label);
void scaling_fini(struct scaling *scaling);

/* Add a run of size x; `whole_ns` is the time of the whole, NAN for none. */
void scaling_add_run(struct scaling *scaling, double x, const struct run *run, double whole_ns);

/* A part at a size: of one run, or the medians of all.  NAN: unknown. */
struct scaling_point {
    enum run_subject subject; /* not RUN_METRIC */
    const char *name;         /* "" of the whole */
    double x;
    double time_ns;
    double kernel_ns;
    double flops;
};

/* Add a point. */
void scaling_add_point(struct scaling *scaling, const struct scaling_point *point);

/* Fit all items, and sort them: the whole, then by share. */
void scaling_fit(struct scaling *scaling, double confidence);

#endif
