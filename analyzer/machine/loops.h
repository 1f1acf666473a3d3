/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops that calibration measures, for each instruction set of this processor: multiply-adds in
 * registers, including those of short numbers, and passes over arrays as in STREAM.
 *
 * Source: J. McCalpin, Memory Bandwidth and Machine Balance in Current High
 * Performance Computers, 1995, for the choice of loops, and the counting of their bytes.
 */
#ifndef MACHINE_LOOPS_H
#define MACHINE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "model/machine.h"

/* Values that the compiler must not know: otherwise it would compute the sums itself. */
struct loop_seeds {
    float start;
    double factor; /* below 1, so that sums stay finite and far from denormal */
    double term;
};

/* Three arrays of one length; a loop uses one to three of them. */
struct loop_arrays {
    double *a;
    double *b;
    double *c;
    size_t count; /* doubles in each; a multiple of LOOP_STEP */
    double factor;
    double shrink; /* numbers updated in place grow so little that they stay finite */
    double flip;   /* -1: numbers scaled in place keep their size */
};

enum {
    LOOP_STEP = 64, /* doubles: eight registers of 64 bytes */
    LOOP_PEAKS = 4  /* most loops of one precision */
};

typedef double (*loop_fma)(const struct loop_seeds *seeds, uint64_t rounds);
typedef double (*loop_stream)(const struct loop_arrays *arrays, uint64_t passes);

/* Multiply-adds of one precision in one instruction set. */
struct loop_peak {
    const char *name; /* "avx512" */
    enum machine_precision precision;
    loop_fma fma;
    uint64_t flops_each; /* FLOPs of one round */
};

struct loop_set {
    const char *name; /* "avx512" */
    loop_stream streams[MACHINE_STREAMS];
};

/* Give the loops of a precision that this processor has, the widest last.
 * Returns: NULL past the last.  A precision has no loops if ours do not reach the peak of the
 * processor. */
const struct loop_peak *loops_peak_at(enum machine_precision precision, size_t index);

/* Give the widest set. */
const struct loop_set *loops_widest(void);

#endif
