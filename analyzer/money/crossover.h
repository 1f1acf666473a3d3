/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the size where one machine starts to multiply matrices faster than another.
 *
 * A product of F FLOPs takes a + b F on each machine: a is the cost of a call, b the time of a
 * FLOP.  The times are equal at F = (a2 - a1) / (b1 - b2), which for matrices n by n is n = (F /
 * 2)^(1/3).  If operands must first cross a link, n is searched.
 */
#ifndef MONEY_CROSSOVER_H
#define MONEY_CROSSOVER_H

#include "kernels/groups.h"
#include "model/machine.h"

/* How long products take on one machine. */
struct crossover_line {
    enum machine_precision precision; /* MACHINE_PRECISIONS: no products were seen */
    double call_ns;                   /* a */
    double flop_ns;                   /* b */
    size_t sizes;                     /* number of sizes it was fitted to; 0: not fitted */
    const char *refusal;              /* why it was not fitted; NULL: it was */
};

/* Fit a line to the products of a recording, in the precision of most of their FLOPs, by least
 * squares of relative errors.  With too few sizes, b is the mean and a is 0. */
void crossover_fit(struct crossover_line *line, const struct groups *groups);

enum crossover_kind {
    CROSSOVER_FROM,   /* the other machine is faster from `order` on; it may also be faster at small
                         orders, before moving the operands costs more than a call */
    CROSSOVER_UP_TO,  /* only at small orders; `order` is the last */
    CROSSOVER_ALWAYS, /* at any size */
    CROSSOVER_NEVER,  /* at no size up to a million */
    CROSSOVER_UNKNOWN
};

struct crossover {
    enum crossover_kind kind;
    double order; /* n; NAN unless FROM or UP_TO */
};

/* Find where `there` becomes faster than `here`.  Operands cross a link with the given bytes per
 * second; NAN: no link. */
struct crossover crossover_find(const struct crossover_line *here,
                                const struct crossover_line *there, double link);

#endif
