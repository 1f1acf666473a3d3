/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix product of a BLAS library, if one is there: what tuned code makes
 * of the peak.
 */
#ifndef MACHINE_GEMM_H
#define MACHINE_GEMM_H

#include <stdbool.h>

#include "model/machine.h"

struct gemm;

/* Open a library, or with NULL the first of those that are known.  What it is, or
 * why there is none, goes into the machine's texts.
 * Returns: NULL when there is none. */
struct gemm *gemm_open(const char *library, struct machine *machine);

void gemm_close(struct gemm *gemm);

/* Let the products be made by so many threads.
 * Returns: false when the library cannot be told. */
bool gemm_set_threads(const struct gemm *gemm, unsigned threads);

/* Ask whether the library has products of a precision. */
bool gemm_has(const struct gemm *gemm, enum machine_precision precision);

/* Measure products of two matrices, as large as take some milliseconds.
 * Returns: the best FLOP/s of so many seconds; NAN for a precision it has not. */
double gemm_measure(const struct gemm *gemm, enum machine_precision precision, double seconds);

#endif
