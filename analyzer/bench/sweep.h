/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command over the values of one numeric parameter: how throughput grows, and
 * which value to take.
 *
 * The knee, not the maximum: beyond some size more items at once gain nothing but
 * latency and memory, and which of several near equals is highest is chance.
 */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench/results.h"
#include "statistics/fit.h"

#define BENCH_SWEEP_NEAR 0.95 /* of the best throughput: good enough */

struct bench_sweep_limits {
    double memory_bytes; /* NAN: none */
    double latency_ns;   /* of a batch; NAN: none */
};

struct bench_sweep_point {
    double x;
    const struct result *result;
    double item_rate;
    struct statistics_interval item_rate_interval;
    double latency_ns;
    bool fits; /* the limits; what is not known fits none */
};

enum { BENCH_SWEEP_NONE = -1 };

struct bench_sweep {
    const struct plan_command *command;
    struct array points;  /* of struct bench_sweep_point, by x */
    bool has_items;       /* else there is no throughput, and neither best nor knee */
    int best;             /* index of the highest throughput of those that fit; BENCH_SWEEP_NONE */
    int knee;             /* of the smallest x near it; BENCH_SWEEP_NONE */
    bool has_line;        /* the two that follow were fitted */
    struct fit_line line; /* latency = intercept + slope x items of a batch: what a batch costs
                             before its first item, and what each item adds */
};

void bench_sweep_init(struct bench_sweep *sweep, const struct results *results,
                      const struct plan_command *command, const char *parameter,
                      const struct bench_sweep_limits *limits);
void bench_sweep_fini(struct bench_sweep *sweep);

/* Of some points in the order of x, the highest throughput and the knee of those that
 * fit; see struct bench_sweep. */
void bench_sweep_find_knee(const struct bench_sweep_point *points, size_t count, int *best,
                           int *knee);

#endif
