/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of planted.c, in a separate library so that the shim can wrap them, and the speed of
 * one of them.
 */
#ifndef BENCH_PLANTED_H
#define BENCH_PLANTED_H

/* Steps of planted_small() in a call; `calls` of them are longer. */
struct planted {
    double slowdown; /* 0.05: 5 % more steps */
    unsigned every;  /* only in one of this many calls, and that much more in these */
};
extern struct planted planted;

/* Each takes a number of dependent multiply-adds, or of elements. */
double planted_large(int steps);
double planted_small(int steps);
double planted_stream(const double *values, int count);

#endif
