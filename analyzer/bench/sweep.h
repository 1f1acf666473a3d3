/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One command over the values of one numeric parameter: how throughput grows, and which value to
 * choose.
 *
 * The sweep finds the knee, not the maximum: beyond some size, more items at once only add latency
 * and memory, and chance decides which of several near equals is highest.
 */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench/results.h"
#include "statistics/fit.h"

#define BENCH_SWEEP_NEAR 0.95 /* share of the best throughput that is good enough */

struct bench_sweep_limits {
    double memory_bytes; /* NAN: none */
    double latency_ns;   /* latency of a batch; NAN: none */
};

struct bench_sweep_point {
    double x;
    const struct result *result;
    double item_rate;
    struct statistics_interval item_rate_interval;
    double latency_ns;
    bool fits; /* the point is within the limits; unknown values never are */
};

enum { BENCH_SWEEP_NONE = -1 };

struct bench_sweep {
    const struct plan_command *command;
    struct array points;  /* of struct bench_sweep_point, by x */
    bool has_items;       /* without items there is no throughput, best or knee */
    int best;             /* the highest throughput of the fitting points, by index;
                             BENCH_SWEEP_NONE */
    int knee;             /* the smallest x with nearly the best throughput; BENCH_SWEEP_NONE */
    bool has_line;        /* `line` was fitted */
    struct fit_line line; /* latency = intercept + slope x items of a batch: the
                             cost of a batch before its first item, and the cost
                             of each item */
};

void bench_sweep_init(struct bench_sweep *sweep, const struct results *results,
                      const struct plan_command *command, const char *parameter,
                      const struct bench_sweep_limits *limits);
void bench_sweep_fini(struct bench_sweep *sweep);

/* Find the highest throughput and the knee of the fitting points, given in the order of x; see
 * struct bench_sweep. */
void bench_sweep_find_knee(const struct bench_sweep_point *points, size_t count, int *best,
                           int *knee);

#endif
