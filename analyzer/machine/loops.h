/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops that calibration measures: multiply-adds in registers, those of short
 * numbers among them, and passes over arrays as in STREAM, for each instruction set
 * that this processor has.
 *
 * Source: J. McCalpin, Memory Bandwidth and Machine Balance in Current High
 * Performance Computers, 1995, for which loops, and how their bytes count.
 */
#ifndef MACHINE_LOOPS_H
#define MACHINE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "model/machine.h"

/* What the compiler must not know, or it would do the sums itself. */
struct loop_seeds {
    float start;
    double factor; /* below 1, so that sums stay finite and far from denormal */
    double term;
};

/* Three arrays of one length, of which a loop touches one to three. */
struct loop_arrays {
    double *a;
    double *b;
    double *c;
    size_t count; /* doubles in each; a multiple of LOOP_STEP */
    double factor;
    double shrink; /* what is updated in place grows by so little that it stays finite */
    double flip;   /* -1: what is scaled in place keeps its size */
};

enum {
    LOOP_STEP = 64, /* doubles: eight registers of 64 bytes */
    LOOP_PEAKS = 4  /* loops of one precision, at most */
};

typedef double (*loop_fma)(const struct loop_seeds *seeds, uint64_t rounds);
typedef double (*loop_stream)(const struct loop_arrays *arrays, uint64_t passes);

/* Multiply-adds of one precision, as one instruction set has them. */
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

/* Give the loops of a precision that this processor has, the widest last.  Returns: NULL past the
 * last; there is none where no loop of ours reaches what the processor can. */
const struct loop_peak *loops_peak_at(enum machine_precision precision, size_t index);

/* Give the widest set. */
const struct loop_set *loops_widest(void);

#endif
